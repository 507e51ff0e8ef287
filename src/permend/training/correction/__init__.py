"""The task of correcting: pairs of sentences in, a network that points and fills in out.

`recipe` → `data` (pairs) → `examples` (labels) → `batches` → `stream` → `loss`; `start` makes the network, `run` puts
them together as a `Task` for the loop and scores it; `sampling` draws errors from a network trained backwards.
"""
