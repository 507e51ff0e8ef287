"""The systems that the paper compares itself with, each on permend's encoder, tokenizer, data and training loop.

`system` says what a rival is, `labels` makes its batches, `recipe` and `run` train it, `corrector` corrects with it,
`texts` turns its ids back into text, `sentences` does what every corrector does. One file, or two, a system:

- `ar`, `ar_decoder`: an autoregressive decoder, greedy and aggressive
- `felix`, `felix_labels`: tags, a pointer and a second pass over masks
- `levt`, `levt_oracle`: drafts refined by deletions and insertions
- `gector`, `gector_tags`, `gector_forms`: a tag a word, pass by pass; `words` are what is tagged
- `pie`, `pie_edits`: an edit a sub-token, round by round

The last two share `aligning` (what becomes of each unit), `learning` (which edits are frequent) and `iterating`.
`seq2seq` asks any Hugging Face sequence-to-sequence folder, which is not trained here.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from permend.errors import PermendError

if TYPE_CHECKING:
    from experiments.rivals.system import System

SYSTEMS = {
    "ar": "ar:Autoregressive",
    "felix": "felix:Felix",
    "gector": "gector:Gector",
    "levt": "levt:LevenshteinTransformer",
    "pie": "pie:Pie",
}
"""Where each system is: its module here, and its class."""


def find_system(name: str) -> type[System]:
    """Return a system's class by its name."""
    if name not in SYSTEMS:
        raise PermendError(f"there is no system {name!r}; there are {', '.join(sorted(SYSTEMS))}")
    module, _, kind = SYSTEMS[name].partition(":")
    found: type[System] = getattr(import_module(f"experiments.rivals.{module}"), kind)
    return found
