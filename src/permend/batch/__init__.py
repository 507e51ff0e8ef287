"""A corpus in, the same corpus corrected out: on all cores or on Ray, in constant memory, nothing lost by a crash.

Shards in → rows → a function over chunks of rows → shards out, in the order of the input:

- `engine`: the seam between what is to be done and who does it
- `pool`: an engine of processes on this machine
"""
