"""Texts corrected in batches of about the same length, with one setting or with many.

In: a corrector, texts, settings. Out: for each setting what it makes of each text, in the texts' order.

    first, second = correct_with(corrector, texts, [Options(bias=0.0), Options(bias=0.3)])
    only = correct_all(corrector, texts)        # with the corrector's own options
    only[0].text, only[0].margin

What does not depend on the setting is computed once: the networks read a text once, however many settings search it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from permend.corrector.correction import ScoredEdit
from permend.corrector.corrector import Corrector
from permend.model.config import ModelConfig
from permend.model.networks import Bools, Floats, Ints, Networks, Parts, TemplateArrays, parts_of
from permend.model.options import Options

CHUNK = 64
"""Texts whose encodings are kept while they are searched with one setting after the other."""
BATCH = 8
"""Texts that go through the networks together."""

T = TypeVar("T")


class Tracked(Protocol):
    """Hands items on, and may show how far they are."""

    def __call__(self, items: Sequence[T], what: str, /) -> Iterable[T]:
        """Return the items."""


def silently(items: Sequence[T], what: str) -> Iterable[T]:
    """Show nothing."""
    return items


@dataclass(frozen=True)
class Corrected:
    """What a system makes of a text, and by how much it prefers something else to the text itself."""

    text: str
    margin: float = 0.0
    edits: tuple[ScoredEdit, ...] = ()
    fill: float = 0.0
    """log p(y | π) of the text."""


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

    @property
    def parts(self) -> Parts | None:
        """The networks' encoder in two parts, where they have it; what these say is not remembered."""
        return parts_of(self._networks)

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
    corrector: Corrector,
    texts: Sequence[str],
    settings: Sequence[Options],
    tracked: Tracked = silently,
    what: str = "correcting",
    chunk: int = CHUNK,
    batch: int = BATCH,
) -> list[list[Corrected]]:
    """Correct texts with each of some settings, a `chunk` of texts of about the same length at a time."""
    networks = EncodedOnce(corrector.networks)
    correctors = [Corrector.of(networks, corrector.tokenizer, each, corrector.calibration) for each in settings]
    results = [[Corrected(text) for text in texts] for _ in settings]
    by_length = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    for places in tracked([by_length[at : at + chunk] for at in range(0, len(texts), chunk)], what):
        for result, each in zip(results, correctors, strict=True):
            for place, found in zip(places, each.correct_batch([texts[p] for p in places], batch), strict=True):
                fill = found.alternatives[0].fill_log_prob
                result[place] = Corrected(found.text, found.margin, found.edits, fill)
        networks.forget()
    return results


def correct_all(
    corrector: Corrector, texts: Sequence[str], tracked: Tracked = silently, what: str = "correcting", batch: int = 32
) -> list[Corrected]:
    """Correct texts with the corrector's own options."""
    return correct_with(corrector, texts, [corrector.options], tracked, what, batch, batch)[0]
