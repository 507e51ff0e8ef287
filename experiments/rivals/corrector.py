"""A rival as a corrector: it is asked what permend is asked, by the same scorers, benchmarks and documents.

In: a trained `System`, and how it decodes. Out: `Correction`s, with edits and one alternative, the unchanged sentence.

    corrector = RivalCorrector.load("runs/gector/last", steps=3)
    corrector.correct_batch(["He go to school yesterday."])[0].text

A sentence that is longer than the encoder takes is left as it is.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from experiments.rivals.system import Decoding, Guess, System, load_system, tokenizer_of
from permend.corrector.correction import Alternative, Correction, distinct
from permend.corrector.corrector import Known
from permend.corrector.scoring import score_edits
from permend.errors import PermendError, check_count, check_texts
from permend.text.quotes import straighten
from permend.text.tokens import Tokenizer, Tokens

if TYPE_CHECKING:
    from permend.corrector.explaining.language import Language


class RivalCorrector:
    """Corrects sentences with a rival."""

    def __init__(self, system: System, tokenizer: Tokenizer, how: Decoding | None = None) -> None:
        """Take a system, and how it decodes; without that, as it does by default."""
        self.system, self.tokenizer = system, tokenizer
        self.how = how or system.decodings()

    @classmethod
    def load(cls, folder: str | Path, device: str | torch.device = "cpu", **how: Any) -> RivalCorrector:
        """Load a rival's folder; `how` are values of its decoding."""
        system = load_system(folder).to(device)
        return cls(system, tokenizer_of(system), make_decoding(system, how))

    @property
    def options(self) -> Hashable:
        """What its answers depend on."""
        return self.how

    @property
    def language(self) -> Language:
        """What types and explains its edits."""
        from permend.corrector.explaining.language import load_language

        return load_language(self.system.config.language)

    def correct_batch(self, texts: Sequence[str], batch_size: int = 8, known: Known = None) -> list[Correction]:
        """Correct sentences, the longest together with the longest; the order of the results is the texts'."""
        check_count("batch_size", batch_size)
        originals = list(check_texts("texts", texts))
        cores = [straighten(text).strip() for text in originals]
        tokens = self.tokenizer.encode_batch(cores)
        limit = self.system.config.max_length
        readable = [place for place, each in enumerate(tokens) if 2 < len(each.ids) <= limit]
        readable.sort(key=lambda place: len(tokens[place].ids))
        corrections = [Correction.blank(core) for core in cores]
        for start in range(0, len(readable), batch_size):
            places = readable[start : start + batch_size]
            for place, guess in zip(places, self.guess([tokens[place] for place in places]), strict=True):
                corrections[place] = self._correction(cores[place], guess)
        return [_as_written(each, text) for each, text in zip(corrections, originals, strict=True)]

    def guess(self, sentences: Sequence[Tokens]) -> list[Guess]:
        """Return what the system makes of sentences, all at once; the system is left as it was."""
        was_training = self.system.training
        self.system.eval()
        try:
            with torch.inference_mode():
                return self.system.guess(sentences, self.tokenizer, self.how)
        finally:
            self.system.train(was_training)

    def _correction(self, source: str, guess: Guess) -> Correction:
        same = Alternative(source, -guess.confidence, 0.0, 1, -guess.confidence, True)
        if guess.text == source:
            return Correction(source, source, (), (same,), 0.0)
        ranked = distinct([Alternative(guess.text, 0.0, 0.0, 1, 0.0, False), same])
        return Correction(
            source, guess.text, score_edits(source, guess.text, ranked, self.language), tuple(ranked), guess.confidence
        )


def make_decoding(system: System, values: dict[str, Any]) -> Decoding:
    """Return a system's decoding with these values."""
    known = [field.name for field in fields(system.decodings)]
    if unknown := sorted(values.keys() - set(known)):
        has = f"; there is {', '.join(known)}" if known else ""
        raise PermendError(f"{system.name} has no option {unknown[0]!r}{has}")
    return system.decodings(**values)


def _as_written(correction: Correction, text: str) -> Correction:
    """Return the correction of a core as that of the whole text, with its own quotation marks and spaces."""
    core = text.strip()
    before, _, after = text.partition(core) if core else (text, "", "")
    return correction.in_style_of(core).shifted(before, after)
