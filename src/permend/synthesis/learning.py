"""From annotated files to a finished error model: learn, then set the rates.

In: paths of M2 files, and of files whose sentences must not be learned from, beside the sets that are held out always
(`corpora.held_out`). Out: an `ErrorModel` whose rates make errors in the corrected text of those very files with the
shares that were learned, and whose origin is stated in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from permend.corpora.detokenize import detokenize
from permend.corpora.fingerprints import fingerprints, holds
from permend.corpora.held_out import LEAST_WORDS, held_out_hashes, refuse_held_out
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


@dataclass
class Files:
    """Annotated files, less the sentences that are held out."""

    paths: Sequence[str | Path]
    held_out: Sequence[str | Path] = ()

    def __post_init__(self) -> None:
        """Refuse files that are held out themselves, and note the sentences to leave alone."""
        for path in self.paths:
            refuse_held_out(path, (side for sentence in read_m2(path) for side in self._sides(sentence)))
        given = (side for path in self.held_out for sentence in read_m2(path) for side in self._sides(sentence))
        self._known = frozenset[bytes]().union(*map(fingerprints, given))
        self._shipped = held_out_hashes()

    def read(self) -> Iterator[M2Sentence]:
        """Yield all sentences."""
        for path in self.paths:
            yield from read_m2(path)

    def is_held_out(self, sentence: M2Sentence) -> bool:
        """Whether a sentence, wrong or corrected, is also in a file that must not be learned from."""
        return any(
            holds(side, self._known) or holds(side, self._shipped, LEAST_WORDS) for side in self._sides(sentence)
        )

    @staticmethod
    def _sides(sentence: M2Sentence) -> list[str]:
        mirrored = mirror_or_none(sentence)
        return [" ".join(side) for side in (sentence.tokens, *([mirrored[0]] if mirrored else []))]


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
