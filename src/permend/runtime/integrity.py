"""Whether the files of an exported model are what export wrote: sizes and SHA-256 in `hashes.json`.

    write_hashes(folder)   # {"encoder.onnx": {"bytes": 41820304, "sha256": "9f2c…"}, …}
    check_hashes(folder)   # silent, or an InputError that names the file

Only what decides a correction is hashed (graphs, tokenizer, config, modes, calibration), so a model card may be edited
freely. Sizes are compared first; hashing 70 MB takes about 0.05 s with the SHA instructions of today's processors.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from permend.arguments import shown
from permend.errors import InputError
from permend.json_file import read_json

HASHES = "hashes.json"
HASHED = (
    "calibration.json",
    "config.json",
    "decoder.onnx",
    "encoder.onnx",
    "modes.json",
    "tokenizer.json",
    "weights.bin",
)
"""Files that decide a correction; those that a folder lacks when it is written are left out."""


def write_hashes(folder: str | Path) -> None:
    """Write down what the files of a folder are now."""
    where = Path(folder)
    found = {
        name: {"bytes": (where / name).stat().st_size, "sha256": _digest(where / name)}
        for name in HASHED
        if (where / name).is_file()
    }
    (where / HASHES).write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def check_hashes(folder: str | Path) -> None:
    """Refuse a folder with a file that is missing or not the one that was written."""
    for name, trouble in compare_hashes(folder):
        if trouble is not None:
            raise InputError(f"the model is damaged: {name} {trouble}", folder)


def compare_hashes(folder: str | Path) -> Iterator[tuple[str, str | None]]:
    """Yield each file that was hashed, and what is wrong with it, such as ``is missing``; None where nothing is."""
    where = Path(folder)
    for name, (size, digest) in _read(where).items():
        yield name, _compare(where / name, size, digest)


def _compare(file: Path, size: int, digest: str) -> str | None:
    if not file.is_file():
        return "is missing"
    try:
        right = file.stat().st_size == size and _digest(file) == digest
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
    return None if right else "is not the file that was exported"


def _read(folder: Path) -> dict[str, tuple[int, str]]:
    try:
        entries = read_json(folder / HASHES)
        found = {name: (int(entry["bytes"]), str(entry["sha256"])) for name, entry in entries.items()}
    except FileNotFoundError:
        raise InputError(f"the model is damaged: {HASHES} is missing", folder) from None
    except (InputError, ValueError, TypeError, KeyError, AttributeError):
        raise InputError(f"the model is damaged: {HASHES} cannot be read", folder) from None
    for name in found:
        if name in (".", "..") or set(name) & set("/\\:\0"):
            raise InputError(f"the model is damaged: {HASHES} names {shown(name)}, which is no file of it", folder)
    return found


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
