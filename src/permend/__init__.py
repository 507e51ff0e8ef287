"""Grammar correction in one network pass: GEC-DePenD (Yakovlev et al. 2023) as a library.

Importing it, from wherever, also tells libraries below it not to report usage to their makers: they look at their
variables when they are imported themselves, so it has to be said here, before any of them is. A variable that the user
has set, to whatever, stays as it is.
"""

from __future__ import annotations

import os
from importlib import import_module

TYPE_CHECKING = False  # as in typing, which takes longer to load than all of this: Ctrl-C would find nobody there yet

for _variable in ("ORT_DISABLE_TELEMETRY", "HF_HUB_DISABLE_TELEMETRY"):  # onnxruntime, huggingface_hub
    os.environ.setdefault(_variable, "1")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

if TYPE_CHECKING:
    from typing import Any

    from permend.corrector.correction import Correction
    from permend.corrector.corrector import Corrector
    from permend.documents.checker import Checker, Finding
    from permend.documents.dictionary import PersonalDictionary, Words
    from permend.errors import InputError, PermendError
    from permend.method.label import Labeler
    from permend.method.plan import Plan
    from permend.method.search import Hypothesis, search
    from permend.model.options import Options
    from permend.text.edits import Edit, apply, diff
    from permend.text.tokens import SubwordTokenizer, WordTokenizer

__all__ = [
    "Checker",
    "Correction",
    "Corrector",
    "Edit",
    "Finding",
    "Hypothesis",
    "InputError",
    "Labeler",
    "Options",
    "PermendError",
    "PersonalDictionary",
    "Plan",
    "SubwordTokenizer",
    "WordTokenizer",
    "Words",
    "apply",
    "diff",
    "search",
]
__version__ = "0.4.0"

_HOMES = {
    "Checker": "documents.checker",
    "Correction": "corrector.correction",
    "Corrector": "corrector.corrector",
    "Edit": "text.edits",
    "Finding": "documents.checker",
    "Hypothesis": "method.search",
    "InputError": "errors",
    "Labeler": "method.label",
    "Options": "model.options",
    "PermendError": "errors",
    "PersonalDictionary": "documents.dictionary",
    "Plan": "method.plan",
    "SubwordTokenizer": "text.tokens",
    "WordTokenizer": "text.tokens",
    "Words": "documents.dictionary",
    "apply": "text.edits",
    "diff": "text.edits",
    "search": "method.search",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first asked for, so that importing permend costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *__all__})
