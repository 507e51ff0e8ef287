"""The README.md of a model folder: what the model is, how to use it, what its trainer has to say.

In: the folder's name, its config, the number of parameters, free notes. Out: Markdown, from which the notes can be read
back.
"""

from __future__ import annotations

from pathlib import Path
from string import Template

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
