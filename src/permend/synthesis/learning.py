"""From annotated files to a finished error model: learn, then set the rates.

In: paths of M2 files, and of files whose sentences must not be learned from. Out: an `ErrorModel` whose rates make
errors in the corrected text of those very files with the shares that were learned, and whose origin is stated in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from permend.corpora.detokenize import detokenize
from permend.corpora.m2 import M2Sentence, read_m2
from permend.errors import PermendError
from permend.synthesis.calibrate import calibrate
from permend.synthesis.changes import mirror_or_none
from permend.synthesis.corrupt import Settings
from permend.synthesis.drawing import take_sample
from permend.synthesis.fit import fit
from permend.synthesis.model import ErrorModel
from permend.synthesis.profile import Profile

_SAMPLE = 3000
_WORDS = re.compile(r"\w+")


@dataclass
class Files:
    """Annotated files, less the sentences that are held out."""

    paths: Sequence[str | Path]
    held_out: Sequence[str | Path] = ()

    def __post_init__(self) -> None:
        """Note the sentences to leave alone, by their words."""
        self._known = {
            key for path in self.held_out for sentence in read_m2(path) for key in self._keys(sentence) if key
        }

    def read(self) -> Iterator[M2Sentence]:
        """Yield all sentences."""
        for path in self.paths:
            yield from read_m2(path)

    def is_held_out(self, sentence: M2Sentence) -> bool:
        """Whether a sentence, wrong or corrected, is also in a file that must not be learned from."""
        return bool(self._known) and any(key in self._known for key in self._keys(sentence))

    @staticmethod
    def _keys(sentence: M2Sentence) -> list[str]:
        mirrored = mirror_or_none(sentence)
        sides = [sentence.tokens, *([mirrored[0]] if mirrored else [])]
        return [" ".join(_WORDS.findall(" ".join(side).casefold())) for side in sides]


def learn(files: Files, language: str | None = "en", progress: Callable[[], object] = lambda: None) -> ErrorModel:
    """Learn a model and set its rates; `progress` is called after each step."""
    left_out = sum(map(files.is_held_out, files.read()))
    model = fit(files.read, language, files.is_held_out)
    progress()
    names = [Path(path).name for path in files.paths]
    model.origin = {"corpora": names, **model.origin, "held_out": [Path(p).name for p in files.held_out]}
    model.origin["left_out"] = left_out
    texts = (
        detokenize(mirrored[0]).text
        for sentence in files.read()
        if not files.is_held_out(sentence) and (mirrored := mirror_or_none(sentence)) and mirrored[0]
    )
    sample = take_sample(texts, _SAMPLE)
    if not sample:
        raise PermendError("all annotated sentences are held out: nothing is left to learn from")
    model.rates = dict(
        calibrate(model, sample, wanted_profile(model), settings=Settings(), progress=progress).rates or {}
    )
    return model


def wanted_profile(model: ErrorModel) -> Profile:
    """Return the profile of the corpus that a model was learned from."""
    profile = Profile()
    profile.types.update(model.types)
    for counts in model.errors.values():
        for number, sentences in enumerate(counts):
            profile.errors[number] += round(sentences)
    profile.sentences = profile.errors.total()
    return profile
