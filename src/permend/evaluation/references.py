"""Sentences together with what they should be: texts for a system to correct, and a judge of what comes out.

In: an M2 file, a table of pairs, or a folder of the JFLEG kind. Out: a `References`.

    references = read_references("dev.m2")
    corrected = [correction.text for correction in corrector.correct_batch(references.texts)]
    references.metric               # 'errant'
    references.score(corrected)     # Score(tp=…, fp=…, fn=…)

M2 files are scored by ERRANT where it is installed: corrections go back onto the file's tokens and are compared with
its annotated edits, as `permend evaluate --metric errant` does. Everything else is scored by the edits of words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from permend.corpora.detokenize import detokenize
from permend.corpora.lines import content_suffix
from permend.corpora.m2 import read_m2
from permend.corpora.pairs import read_pairs
from permend.corpora.tokenized import retokenize
from permend.errors import MissingExtraError
from permend.evaluation.edits import score_edits, word_edits
from permend.evaluation.errant import load_annotator, score_errant
from permend.evaluation.score import Score
from permend.text.edits import diff

_TABLES = (".tsv", ".csv", ".jsonl")


@dataclass(frozen=True)
class References:
    """Sentences with references."""

    texts: list[str]
    """The sources as a writer types them."""
    metric: Literal["errant", "edits"]
    score: Callable[[Sequence[str]], Score]
    """From the corrected texts, one for each source, to their score."""


def has_references(path: str | Path) -> bool:
    """Whether `read_references` can read a file: its ending says so."""
    return content_suffix(path) in (".m2", *_TABLES) or Path(path).is_dir()


def read_references(path: str | Path) -> References:
    """Read a file or folder; its ending says what it holds."""
    suffix = content_suffix(path)
    if suffix == ".m2" and _has_errant():
        return _read_m2(path)
    pairs = list(read_pairs(path, raw=suffix not in _TABLES))
    texts = [pair.source for pair in pairs]
    return References(texts, "edits", lambda corrected: score_edits(pairs, corrected, word_edits))


def _read_m2(path: str | Path) -> References:
    sentences = list(read_m2(path))
    lines = [detokenize(sentence.tokens) for sentence in sentences]

    def score(corrected: Sequence[str]) -> Score:
        hypotheses = (retokenize(line, diff(line.text, text)) for line, text in zip(lines, corrected, strict=True))
        return score_errant(sentences, hypotheses).total

    return References([line.text for line in lines], "errant", score)


def _has_errant() -> bool:
    try:
        load_annotator()
    except MissingExtraError:
        return False
    return True
