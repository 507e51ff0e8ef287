"""Requests after a server's own description: schemathesis makes them from ``/openapi.json``, as described and not so.

In: the address of a server. Out: whether every answer was as described, and what schemathesis says.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

LEFT_OUT = "positive_data_acceptance"
"""Not all that is wrong can be described: no description says that one of two fields must be there, but not both."""


def fuzz_description(url: str, examples: int, deterministic: bool = False) -> tuple[bool, str]:
    """Send at least so many requests to every operation."""
    program = Path(sys.executable).parent / "schemathesis"
    options = ["--max-examples", str(examples), "--exclude-checks", LEFT_OUT, "--no-color", "--request-timeout", "30"]
    options += ["--generation-deterministic"] if deterministic else ["--generation-database", "none"]
    with tempfile.TemporaryDirectory() as folder:  # it keeps notes where it runs
        done = subprocess.run(
            [program, "run", f"{url}/openapi.json", *options], capture_output=True, text=True, cwd=folder
        )
    return done.returncode == 0, done.stdout + done.stderr
