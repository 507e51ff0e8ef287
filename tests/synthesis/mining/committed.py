"""Repositories of our own, made in a moment."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

_WRITER = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "Ada Writer"), ("EMAIL", "ada@example.org"), ("DATE", "2024-05-01T12:00:00Z"))
}


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | _WRITER
    done = subprocess.run(
        ["git", "-C", str(folder), "-c", "init.defaultBranch=main", *arguments],
        capture_output=True, text=True, env=environment, check=True,
    )  # fmt: skip
    return done.stdout.strip()


def make_repository(folder: Path) -> Path:
    """Make an empty repository."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q")
    return folder


def commit(folder: Path, files: Mapping[str, str | bytes], message: str = "Write") -> str:
    """Write files, commit everything and return the hash."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD")
