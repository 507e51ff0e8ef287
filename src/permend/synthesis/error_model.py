"""The error model: counts of what learners do, as one JSON file without any sentence in it.

In: what `fit` has counted, or a file. Out: an `ErrorModel`. Phrases are at most three tokens long, in lower case unless
case is the error. Everything is a plain count, so that two people can read, compare and merge models.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from permend.errors import InputError, PermendError
from permend.text.json_file import parse_json, read_text

FORMAT = "permend-errors-1"
LARGEST = 256_000_000
"""Bytes that a file may have."""
LONGEST = 3
"""Tokens that a phrase may have."""
LENGTHS = (3, 6, 9, 12, 15, 18, 21, 25, 30, 36, 45, 60, 1_000_000)
"""Upper bounds of the classes of sentences by length."""
MOST_ERRORS = 15
_MOST = 10**15

Counts = dict[str, int]
Table = dict[str, Counts]


@dataclass
class ErrorModel:
    """What learners do to correct text."""

    language: str | None = None
    origin: dict[str, Any] = field(default_factory=dict)
    """Names and sizes of the corpora, and the command."""
    types: Counts = field(default_factory=dict)
    """Errors by type: ``R:``, ``M:`` or ``U:`` (replaced, missing, unnecessary) and a name."""
    errors: dict[str, list[float]] = field(default_factory=dict)
    """By class of length: how many sentences have 0, 1, 2, … errors."""
    rates: dict[str, float] = field(default_factory=dict)
    """Factors by type that make the shares of made errors agree with `types`; 1 where absent."""
    words: Counts = field(default_factory=dict)
    """Words of the corrected text, in lower case."""
    tokens: int = 0
    """Tokens of the corrected text."""
    phrases: Counts = field(default_factory=dict)
    """How often the phrases below that have several words occur in the corrected text."""
    pairs: dict[str, Table] = field(default_factory=dict)
    """By type: correct phrase → wrong phrase."""
    dropped: Table = field(default_factory=dict)
    """By type: phrases that learners leave out."""
    added: Table = field(default_factory=dict)
    """By type: phrases that learners add."""
    moves: Table = field(default_factory=dict)
    """By word: how many places it goes forward (negative) or back in the wrong order."""
    changes: dict[str, dict[str, Table]] = field(default_factory=dict)
    """By morphology and type: class of word → change of its form."""
    classes: Table = field(default_factory=dict)
    """By morphology: tokens of each class in the corrected text."""
    letters: Table = field(default_factory=dict)
    """Rewriting rules of misspellings."""
    chances: dict[str, list[int]] = field(default_factory=dict)
    """By kind (``spell 7``, ``start``, ``name``, ``upper``, ``split``): errors, and places where they could be."""
    neighbours: Table = field(default_factory=dict)
    """What stands before and behind: ``TYPE left``, ``TYPE PHRASE right``, ``usual``, ``usual PHRASE left``."""

    def save(self, path: str | Path) -> None:
        """Write the model; the same counts give the same bytes."""
        document = {"format": FORMAT, **asdict(self)}
        try:
            text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
            Path(path).write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", path) from None

    @classmethod
    def load(cls, path: str | Path) -> ErrorModel:
        """Read a model; anything else is an `InputError`."""
        try:
            document = parse_json(read_text(path, LARGEST))
        except FileNotFoundError:
            raise InputError("cannot be read: there is no such file", path) from None
        except InputError:
            raise
        except PermendError:
            raise InputError("this is no error model: it is not JSON", path) from None
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise InputError("this is no error model; permend synth fit makes one", path)
        names = {each.name: each for each in fields(cls)}
        model = cls(**{name: value for name, value in document.items() if name in names})
        for name, kind in get_type_hints(cls).items():
            if not _fits(getattr(model, name), kind):
                raise InputError(f'this error model is damaged: "{name}" does not hold what it should', path)
        if (
            any(len(counts) != 2 for counts in model.chances.values())
            or not model.changes.keys() <= model.classes.keys()
        ):
            raise InputError("this error model is damaged: some of its counts are missing", path)
        if not model.types or not model.errors:
            raise InputError("this error model is empty", path)
        return model


def _fits(value: Any, kind: Any) -> bool:
    """Whether a value is of the kind that a field has; counts and rates are never negative."""
    if kind is Any:
        return True
    if get_origin(kind) is dict:
        return isinstance(value, dict) and all(_fits(each, get_args(kind)[1]) for each in value.values())
    if get_origin(kind) is list:
        return isinstance(value, list) and all(_fits(each, get_args(kind)[0]) for each in value)
    if kind in (int, float):
        return isinstance(value, kind | int) and not isinstance(value, bool) and 0 <= value <= _MOST
    return isinstance(value, kind)


def length_class(tokens: int) -> str:
    """Return the class of a sentence by its number of tokens.

    >>> length_class(1), length_class(20)
    ('3', '21')
    """
    return str(next(bound for bound in LENGTHS if tokens <= bound))
