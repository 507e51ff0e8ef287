"""Many settings on the same texts: what does not depend on the setting is computed once.

In: a corrector, texts, settings. Out: for each setting what it makes of each text.

    first, second = correct_with(corrector, texts, [Options(bias=0.0), Options(bias=0.3)])

The networks read a text once, however many settings search it.
"""

from __future__ import annotations

from collections.abc import Sequence

from permend.config import ModelConfig
from permend.corrector import Corrector, Options
from permend.runtime.networks import Bools, Floats, Ints, Networks, TemplateArrays
from permend.tuning.sentences import Corrected, Tracked, silently

CHUNK = 64
"""Sentences whose encodings are kept while they are searched with one set of options after the other."""


class EncodedOnce:
    """Networks that remember the last chunk's encodings, which do not depend on how one searches."""

    def __init__(self, networks: Networks) -> None:
        """Wrap networks."""
        self._networks = networks
        self._memory: dict[bytes, tuple[Floats, Floats]] = {}

    @property
    def config(self) -> ModelConfig:
        """The networks' config."""
        return self._networks.config

    def encode(self, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        """Encode, or remember."""
        key = ids.tobytes()
        if key not in self._memory:
            self._memory[key] = self._networks.encode(ids, mask)
        return self._memory[key]

    def fill(self, memory: Floats, mask: Bools, template: TemplateArrays) -> tuple[Ints, Floats]:
        """Fill."""
        return self._networks.fill(memory, mask, template)

    def forget(self) -> None:
        """Make room for the next chunk."""
        self._memory.clear()


def correct_with(
    corrector: Corrector, texts: Sequence[str], settings: Sequence[Options], tracked: Tracked = silently
) -> list[list[Corrected]]:
    """Correct texts with each of some settings; every text is encoded once."""
    networks = EncodedOnce(corrector.networks)
    correctors = [Corrector(networks, corrector.tokenizer, each, corrector.calibration) for each in settings]
    results = [[Corrected(text) for text in texts] for _ in settings]
    by_length = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    for places in tracked([by_length[at : at + CHUNK] for at in range(0, len(texts), CHUNK)], "correcting"):
        for result, each in zip(results, correctors, strict=True):
            for place, found in zip(places, each.correct_batch([texts[p] for p in places]), strict=True):
                fill = found.alternatives[0].fill_log_prob
                result[place] = Corrected(found.text, found.margin, found.edits, fill)
        networks.forget()
    return results
