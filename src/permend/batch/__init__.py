"""A corpus in, the same corpus corrected out: on all cores or on Ray, in constant memory, nothing lost by a crash.

Shards in → rows → a function over chunks of rows → shards out, in the order of the input:

- `engine`: the seam between what is to be done and who does it
- `pool`: an engine of processes on this machine
- `ray_pool`: an engine of actors on Ray
- `places`, `packing`: files on disks and at fsspec's addresses, written whole or not at all; packed ones
- `shards`: which files there are, and what they hold
- `rows`: rows on their way, and those that are put aside
- `jsonl`, `delimited`, `lines`, `parquet`: a format each
- `correcting`: what is done with a chunk of rows
- `ledger`: what an output folder remembers
- `run`: all of it together
"""
