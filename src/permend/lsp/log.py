"""The log of a server: what went wrong, and never what somebody wrote, unless it is asked for.

In: a file, and whether texts may stand in it. Out: nothing; from then on, warnings go to that file, or to standard
error, which editors keep.
"""

from __future__ import annotations

import logging

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def write_log(file: str | None = None, with_text: bool = False) -> None:
    """Begin to write the log; `with_text` adds every message that comes and goes."""
    handler = logging.FileHandler(file, "a", "utf-8", errors="backslashreplace") if file else logging.StreamHandler()
    handler.setFormatter(logging.Formatter(_FORMAT))
    ours, theirs, texts = map(logging.getLogger, ("permend", "pygls", "permend.lsp.protocol.messages"))
    ours.addHandler(handler)
    ours.setLevel(logging.INFO if file else logging.WARNING)
    theirs.addHandler(handler if with_text else logging.NullHandler())
    theirs.setLevel(logging.DEBUG if with_text else logging.CRITICAL)
    theirs.propagate = False
    texts.setLevel(logging.DEBUG if with_text else logging.CRITICAL)
    logging.getLogger("asyncio").addHandler(handler if with_text else logging.NullHandler())
    logging.getLogger("asyncio").propagate = False
