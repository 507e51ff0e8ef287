"""English: the language of the model that is installed with permend.

- `words`: how words are found in a text, which there are, and which word a form belongs to
- `clauses`: whether words make a sentence
- `types`: error types
- `sentences`: a sentence about an error, by its type
- `special`: errors that have a sentence of their own
- `glosses`: words that are taken for one another, nouns without a plural
"""

from __future__ import annotations

from permend.corrector.explaining.en.sentences import explain_change
from permend.corrector.explaining.en.types import FORM_TYPES, type_change
from permend.corrector.explaining.en.words import (
    CAPITALS,
    REPEATABLE,
    WORD,
    carries_meaning,
    clash,
    is_common,
    is_word,
    stem,
)
from permend.corrector.explaining.language import Language, Vocabulary


def is_clause(text: str) -> bool:
    """Whether a text without a full stop may be a sentence all the same."""
    from permend.corrector.explaining.en import clauses  # only documents ask

    return clauses.is_clause(text)


LANGUAGE = Language(
    "en",
    WORD,
    type_change,
    explain_change,
    Vocabulary(is_word, is_common, carries_meaning, stem, REPEATABLE, FORM_TYPES, clash, is_clause, CAPITALS),
)
