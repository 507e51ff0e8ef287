"""A rival as a corrector: it is asked what permend is asked, by the same scorers, benchmarks and documents.

In: a trained `System`, and how it decodes. Out: `Correction`s, with edits and one alternative, the unchanged sentence.

    corrector = RivalCorrector.load("runs/gector/last", steps=3)
    corrector.correct_batch(["He go to school yesterday."])[0].text
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from experiments.rivals.sentences import SentenceCorrector
from experiments.rivals.system import Decoding, Guess, System, load_system, tokenizer_of
from permend.errors import PermendError
from permend.text.tokens import Tokenizer, Tokens

if TYPE_CHECKING:
    from permend.corrector.explaining.language import Language


class RivalCorrector(SentenceCorrector[Tokens]):
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

    def read(self, texts: Sequence[str]) -> list[Tokens]:
        """Return the tokens of texts."""
        return self.tokenizer.encode_batch(texts)

    def length(self, sentence: Tokens) -> int:
        """Return the number of tokens; 0 where there is none, or more than the encoder takes."""
        length = len(sentence.ids)
        return length if 2 < length <= self.system.config.max_length else 0

    def guess(self, sentences: Sequence[Tokens]) -> list[Guess]:
        """Return what the system makes of sentences, all at once; the system is left as it was."""
        was_training = self.system.training
        self.system.eval()
        try:
            with torch.inference_mode():
                return self.system.guess(sentences, self.tokenizer, self.how)
        finally:
            self.system.train(was_training)


def make_decoding(system: System, values: dict[str, Any]) -> Decoding:
    """Return a system's decoding with these values."""
    known = [field.name for field in fields(system.decodings)]
    if unknown := sorted(values.keys() - set(known)):
        has = f"; there is {', '.join(known)}" if known else ""
        raise PermendError(f"{system.name} has no option {unknown[0]!r}{has}")
    return system.decodings(**values)
