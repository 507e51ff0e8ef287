"""From the data section of a recipe to its source of pairs: files, errors made in text, or both.

In: `Data`. Out: a `PairSource`. An epoch is one pass over all pairs of `data.train` and all sentences of `data.text`,
shuffled together; `data.reverse` exchanges the sides of every pair.

    make_source(Data(train=("wi.m2", "sampled.tsv"), text=("news.txt.xz",), errors="errors.json"))
"""

from __future__ import annotations

from collections.abc import Iterator

from permend.corpora.paragraphs import is_set_aside, read_paragraphs
from permend.errors import PermendError
from permend.synthesis.corrupt import Corruptor, Settings
from permend.synthesis.filters import Judge
from permend.synthesis.generate import Job
from permend.synthesis.misspellings import read_misspellings
from permend.synthesis.model import ErrorModel
from permend.synthesis.source import Sentences, SyntheticPairs
from permend.training.recipe import Data
from permend.training.sources import FilePairs, MixedPairs, PairSource, ReversedPairs


def make_source(data: Data) -> PairSource:
    """Return where the recipe's pairs come from."""
    sources: list[PairSource] = []
    if data.train:
        sources.append(FilePairs(data.train, data.raw))
    if data.text:
        sources.append(_made(data))
    mixed = sources[0] if len(sources) == 1 else MixedPairs(sources)
    return ReversedPairs(mixed) if data.reverse else mixed


def _made(data: Data) -> SyntheticPairs:
    """Return the text's sentences, in which errors are made."""
    model = ErrorModel.load(str(data.errors))
    lists = read_misspellings(data.misspellings, model.words) if data.misspellings else {}
    corruptor = Corruptor(model, Settings(rates=_rates(model, data), misspellings=lists))
    if data.lines:
        return SyntheticPairs(Sentences(_lines(data)), corruptor)
    joined, lines = model.chances.get("joined", (0, 1))
    job = Job(
        corruptor,
        language=model.language or "en",
        joined=joined / max(1, lines),
        judge=Judge(known=frozenset(model.words)),
    )
    sentences = Sentences.read(
        data.text,
        job,
        keep=dict(zip(data.text, data.text_shares, strict=False)),
        wanted=lambda paragraph: not is_set_aside(paragraph, data.set_aside),
    )
    return SyntheticPairs(sentences, corruptor)


def _rates(model: ErrorModel, data: Data) -> dict[str, float]:
    unknown = data.rates.keys() - model.types.keys()
    if unknown:
        known = ", ".join(sorted(model.types))
        raise PermendError(f"data.rates: {data.errors} has no type {min(unknown)}; it has {known}")
    return dict(model.rates) | {name: model.rates.get(name, 1.0) * factor for name, factor in data.rates.items()}


def _lines(data: Data) -> Iterator[str]:
    """Yield lines that are sentences already."""
    if data.text_shares or data.set_aside:
        raise PermendError("data.text_shares and data.set_aside choose paragraphs: data.lines has none")
    for path in data.text:
        yield from read_paragraphs(path)
