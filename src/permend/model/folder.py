"""What stands in a model folder beside the model: the hashes of its files, and its card.

In: a folder. Out of the hashes (`hashes.json`): whether the files of an exported model are what export wrote.

    write_hashes(folder)   # {"encoder.onnx": {"bytes": 41820304, "sha256": "9f2c…"}, …}
    check_hashes(folder)   # silent, or an InputError that names the file

Only what decides a correction is hashed (graphs, tokenizer, config, modes, calibration), so a model card may be edited
freely. Sizes are compared first; hashing 70 MB takes about 0.05 s with the SHA instructions of today's processors.

The card (`README.md`) says what the model is, how to use it, and what its trainer has to say; of any card, whoever
wrote it, the title and the first table are its name and its facts: data, terms, sizes.

    model_card("my-model", config, parameters=40_000_000, notes="Trained on …")    # Markdown
    read_notes(folder), read_card(folder)    # the trainer's notes; name and facts
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from string import Template
from typing import NamedTuple

from permend.errors import InputError, shown
from permend.model.config import ModelConfig
from permend.text.json_file import SETTINGS, read_json, read_text

HASHES = "hashes.json"
HASHED = (
    "calibration.json",
    "config.json",
    "decoder.onnx",
    "encoder-rest.onnx",
    "encoder-start.onnx",
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


_CARD = Template("""\
---
library_name: permend
tags:
- grammatical-error-correction
- non-autoregressive
---

# $name

A grammar corrector of the GEC-DePenD kind (Yakovlev et al. 2023): a pointer network over the encoder's states
reorders and drops tokens and opens insertion slots, a small bidirectional decoder fills the slots.

| | |
|---|---|
| encoder | $encoder, $layers layers, d = $d |
| parameters | $parameters |
| vocabulary | $vocab tokens |
| slots × masks | $slots × $masks |
| decoder layers | $decoder_layers |
| longest input | $max_length positions, slots included |

## Use

```python
from permend import Corrector

corrector = Corrector.from_pretrained("$name")
print(corrector.correct("She go to school every days.").text)
```

## Training

$notes
""")
_NOTES = "\n## Training\n"
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
_TABLE = re.compile(r"(?:^\|.*\|\n)+", re.MULTILINE)
_LINK = re.compile(r"\[([^\[\]]{1,200})\]\([^()]{0,500}\)")


class Card(NamedTuple):
    """What a card says in its title and in the rows of its first table."""

    title: str
    facts: dict[str, str]


def model_card(name: str, config: ModelConfig, parameters: int, notes: str = "") -> str:
    """Return the card's text."""
    encoder = config.encoder
    layers = config.encoder_layers or next(
        (encoder[key] for key in ("num_hidden_layers", "encoder_layers", "n_layers", "num_layers") if key in encoder),
        "all",
    )
    return _CARD.substitute(
        name=name,
        encoder=encoder.get("model_type", "unknown"),
        layers=layers,
        d=config.d,
        parameters=f"{parameters / 1e6:.1f}M",
        vocab=f"{config.vocab_size:,}",
        slots=config.slots,
        masks=config.masks,
        decoder_layers=config.decoder_layers,
        max_length=config.max_length,
        notes=notes.strip() or "Not described.",
    )


def read_notes(folder: str | Path) -> str:
    """Return the notes in a folder's card; nothing where there is no card, or none of ours."""
    return (_read_card(folder) or "").partition(_NOTES)[2].strip()


def read_card(folder: str | Path) -> Card:
    """Return a folder's card, links as plain text; its name and nothing else where there is no card."""
    where = Path(folder)
    text = _read_card(where)
    if text is None:
        return Card(where.name, {})
    title, table = _TITLE.search(text), _TABLE.search(text)
    rows = [_cells(line) for line in table.group().splitlines()] if table else []
    facts = {row[0]: row[1] for row in rows if len(row) == 2 and row[0].strip("-: ")}
    return Card(printable(title.group(1)) if title else where.name, facts)


def _cells(line: str) -> list[str]:
    return [printable(cell).strip() for cell in _LINK.sub(r"\1", line)[1:-1].split("|")]


def printable(text: str) -> str:
    """Return a text without what only steers a terminal."""
    return "".join(filter(str.isprintable, text))


def _read_card(folder: str | Path) -> str | None:
    """Return a card's text; None where there is none that can be read."""
    try:
        return read_text(Path(folder) / "README.md", SETTINGS)
    except (FileNotFoundError, InputError):
        return None
