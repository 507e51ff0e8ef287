"""Streams: the same batches whatever the machine, every pair once, and no pair twice after a resume."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import cast

import pytest
import torch
from accelerate import Accelerator

from permend.corpora.pairs import Pair
from permend.errors import PermendError
from permend.text.tokens import SubwordTokenizer
from permend.training.correction import stream as stream_module
from permend.training.correction.batches import Batch, ShapePacker, batch_pairs
from permend.training.correction.examples import Examples
from permend.training.correction.recipe import Recipe
from permend.training.correction.run import make_streams
from permend.training.correction.start import plan_config
from permend.training.correction.stream import Stream, prefetch
from permend.training.task import Delivery

Tiny = Callable[..., Recipe]


class Numbers:
    """A source without files: *number 0*, *number 1*, …, in another order in each epoch."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __len__(self) -> int:
        return self.count

    def read(self, epoch: int, seed: int, start: int, stop: int) -> Iterator[Pair]:
        for place in range(start, stop):
            number = (place * 7 + epoch + seed) % self.count
            yield Pair(f"number {number}" + " and so on" * (number % 4), f"the number {number}")


@pytest.fixture(autouse=True)
def _small_pools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_module, "_CHUNK", 16)
    monkeypatch.setattr(stream_module, "_POOL_BATCHES", 6)


def _stream(recipe: Recipe, count: int = 150, **options: int) -> Stream[Examples, Batch]:
    tokenizer = SubwordTokenizer.from_path(str(recipe.model.tokenizer))
    (made,) = make_streams(recipe, plan_config(recipe.model), tokenizer, Numbers(count), [], Accelerator())
    return Stream(**{**vars(made), **options})


def _same(ours: Delivery[Batch], theirs: Delivery[Batch]) -> bool:
    equal = all(torch.equal(a, b) for a, b in zip(ours.batch.tensors, theirs.batch.tensors, strict=True))
    return equal and ours[1:] == theirs[1:]


def _sources(deliveries: list[Delivery[Batch]], recipe: Recipe) -> list[str]:
    tokenizer = SubwordTokenizer.from_path(str(recipe.model.tokenizer))
    return [pair.source for delivery in deliveries for pair in batch_pairs(delivery.batch, tokenizer)]


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # Python 3.12 on forking beside threads
def test_the_number_of_workers_changes_nothing(tiny: Tiny) -> None:
    alone = list(_stream(tiny("optimisation.epochs=2")).open())
    helped = list(_stream(tiny("optimisation.epochs=2"), workers=2).open())
    assert len(alone) == len(helped) > 6
    assert all(map(_same, alone, helped))


def test_an_epoch_has_every_pair_once(tiny: Tiny) -> None:
    recipe = tiny("optimisation.epochs=2")
    deliveries = list(_stream(recipe).open())
    for epoch in (0, 1):
        sources = _sources([delivery for delivery in deliveries if epoch < delivery.epochs <= epoch + 1], recipe)
        wanted = [pair.source for pair in Numbers(150).read(epoch, 1, 0, 150)]
        assert sorted(sources) == sorted(wanted)
    assert sum(delivery.tally["pairs"] for delivery in deliveries) == 300
    assert deliveries[-1].epochs == 2.0
    assert [delivery.epochs for delivery in deliveries] == sorted(delivery.epochs for delivery in deliveries)


def test_streams_share_an_epoch(tiny: Tiny) -> None:
    recipe = tiny("optimisation.epochs=1")
    parts = [list(_stream(recipe, number=number, streams=3).open()) for number in range(3)]
    sources = [source for part in parts for source in _sources(part, recipe)]
    assert sorted(sources) == sorted(pair.source for pair in Numbers(150).read(0, 1, 0, 150))


@pytest.mark.parametrize("number", [0, 1])
def test_a_stream_goes_on_from_any_position(tiny: Tiny, number: int) -> None:
    stream = _stream(tiny("optimisation.epochs=2"), number=number, streams=2)
    whole = list(stream.open())
    for used in range(len(whole)):
        position = whole[used - 1].after if used else ()
        again = list(stream.open(position))
        assert len(again) == len(whole) - used
        for ours, theirs in zip(again, whole[used:], strict=True):
            assert torch.equal(ours.batch.tensors.ids, theirs.batch.tensors.ids)
            assert (ours.after, ours.epochs) == (theirs.after, theirs.epochs)


def test_batches_have_one_shape_for_each_width(tiny: Tiny) -> None:
    stream = _stream(tiny("optimisation.epochs=3"))
    packer = cast(ShapePacker, stream.packer)
    for delivery in stream.open():
        shape = delivery.batch.shape
        assert shape == packer.shapes[shape.width]
        assert delivery.batch.tensors.ids.shape == (shape.rows, shape.width)
        assert delivery.batch.tensors.fill_index.shape == (shape.fills,)


def test_without_a_number_of_epochs_there_is_no_end(tiny: Tiny) -> None:
    deliveries = islice(_stream(tiny("optimisation.steps=1"), count=20).open(), 50)
    assert max(delivery.after[0] for delivery in deliveries) > 5


def test_pairs_that_cannot_be_used_are_an_error_not_a_wait(tiny: Tiny) -> None:
    with pytest.raises(PermendError, match="none of 20 pairs can be used: 20 are longer"):
        next(_stream(tiny("optimisation.steps=1", "data.max_length=1"), count=20).open())
    with pytest.raises(PermendError, match="1 pairs are too few for 2 streams"):
        _stream(tiny("optimisation.steps=1"), count=1, streams=2).open()


def test_errors_of_the_thread_are_raised_where_items_are_wanted() -> None:
    def broken() -> Iterator[int]:
        yield 1
        raise PermendError("broken")

    items = prefetch(broken(), 2)
    assert next(items) == 1
    with pytest.raises(PermendError, match="broken"):
        next(items)


def test_closing_stops_the_thread() -> None:
    def endless() -> Iterator[int]:
        while True:
            yield 1

    items = prefetch(endless(), 2)
    assert next(items) == 1
    items.close()  # type: ignore[attr-defined]
