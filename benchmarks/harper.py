"""Harper as a peer: corrected by its JavaScript package, where that is installed (`npm install harper.js`)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SCRIPT = Path(__file__).with_name("harper.mjs")


@dataclass(frozen=True)
class Run:
    """What Harper made of texts, one at a time, and what it took."""

    texts: list[str]
    seconds: float
    """Of processor time, start-up not counted."""
    resident: int
    """Bytes in memory."""


def correct(texts: Sequence[str], folder: str | None) -> Run | None:
    """Correct texts on the cores of this process; None where node or the package is missing."""
    node = shutil.which("node")
    if folder is None or node is None or not (Path(folder) / "node_modules" / "harper.js").is_dir():
        return None
    done = subprocess.run(
        [node, SCRIPT, folder],
        input=json.dumps(list(texts)),
        check=True,
        capture_output=True,
        text=True,
        env=os.environ,
    )
    return Run(**json.loads(done.stdout))
