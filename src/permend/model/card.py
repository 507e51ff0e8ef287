"""The README.md of a model folder: what the model is, how to use it, what its trainer has to say.

In: the folder's name, its config, the number of parameters, free notes. Out: Markdown, from which the notes can be read
back. Of any card, whoever wrote it, the title and the first table are its name and its facts: data, terms, sizes.
"""

from __future__ import annotations

import re
from pathlib import Path
from string import Template
from typing import NamedTuple

from permend.config import ModelConfig

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
_ROW = re.compile(r"^\| *([^|]+?) *\| *([^|]+?) *\|$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


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
    card = Path(folder) / "README.md"
    return card.read_text(encoding="utf-8").partition(_NOTES)[2].strip() if card.is_file() else ""


def read_card(folder: str | Path) -> Card:
    """Return a folder's card, links as plain text; its name and nothing else where there is no card."""
    where = Path(folder)
    try:
        text = (where / "README.md").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return Card(where.name, {})
    title, table = _TITLE.search(text), _TABLE.search(text)
    rows = _ROW.findall(_LINK.sub(r"\1", table.group())) if table else []
    return Card(title.group(1) if title else where.name, {key: value for key, value in rows if key.strip("-: ")})
