"""Examples and batches: what the network reads is the label, whole and in the right place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from permend.corpora.pairs import Pair, read_pairs
from permend.method.label import Labeler
from permend.model.config import ModelConfig
from permend.model.torch.start import token_fields
from permend.text.tokens import SubwordTokenizer
from permend.training.correction.batches import Shape, batch_pairs, collate, empty_batch, fitting, is_full, plan_shapes
from permend.training.correction.data import LeakGuard
from permend.training.correction.examples import PADDING, ExampleMaker, stack

TOY = Path(__file__).parents[3] / "experiments" / "recipes" / "toy"
SLOTS = 4


@pytest.fixture(scope="module")
def tokenizer() -> SubwordTokenizer:
    return SubwordTokenizer.from_path(TOY)


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return list(read_pairs(TOY / "pairs.tsv"))


@pytest.fixture(scope="module")
def config(tokenizer: SubwordTokenizer) -> ModelConfig:
    sizes = {"vocab_size": tokenizer.size, "d": 16, "max_length": 64, "slots": SLOTS}
    return ModelConfig.from_dict({**sizes, **token_fields(tokenizer)})


def _maker(tokenizer: SubwordTokenizer, **options: int) -> ExampleMaker:
    return ExampleMaker(Labeler(tokenizer, slots=SLOTS), **{"max_length": 30, **options})  # type: ignore[arg-type]


def test_a_batch_holds_the_labels_of_its_pairs(
    tokenizer: SubwordTokenizer, pairs: list[Pair], config: ModelConfig
) -> None:
    maker = _maker(tokenizer)
    labeler = maker.labeler
    chunk = maker.make(pairs)
    seen = 0
    for width, examples in chunk.examples.items():
        labels = [
            label
            for label in (labeler.label(pair.source, pair.target) for pair in pairs)
            if maker._width(label) == width
        ]
        batch = collate(examples, Shape(width, len(examples) + 2, len(examples), 512), config)
        tensors = batch.tensors
        assert tensors.ids.shape == tensors.mask.shape == tensors.order.shape == (len(labels) + 2, width)
        assert tensors.template_ids.shape == (len(labels), width)
        owners = [row for row, label in enumerate(labels) if label.template.masks]
        assert tensors.template_row[: len(owners)].tolist() == owners
        filled = tensors.template_ids.flatten().clone()
        counted = tensors.fill_weight > 0
        filled[tensors.fill_index[counted]] = tensors.fill_targets[counted]
        filled = filled.view_as(tensors.template_ids)
        for row, label in enumerate(labels):
            n, plan, template = len(label.source.ids), label.alignment.plan, label.template
            slots = tuple(config.slot_id(k) for k in range(SLOTS))
            assert tensors.ids[row, tensors.mask[row]].tolist() == [*label.source.ids, *slots]
            assert tensors.lengths[row] == n
            assert tensors.order[row, tensors.order_mask[row]].tolist() == list(plan.order)
            if row in owners:
                mine = owners.index(row), tensors.template_mask[owners.index(row)]
                assert filled[mine].tolist() == list(label.output)
                assert tensors.template_source[mine].tolist() == list(template.source)
                assert tensors.coordinates[mine].tolist() == list(template.coordinates)
        assert batch.decisions == sum(len(label.alignment.plan.order) - 1 for label in labels)
        assert batch.fills == sum(len(label.template.masks) for label in labels)
        assert batch.examples == len(labels)
        seen += len(labels)
    assert seen == len(pairs) == chunk.tally.pairs


def test_a_batch_can_be_read_by_people(tokenizer: SubwordTokenizer, pairs: list[Pair], config: ModelConfig) -> None:
    chunk = _maker(tokenizer).make(pairs)
    read = [
        pair
        for width, examples in chunk.examples.items()
        for pair in batch_pairs(collate(examples, Shape(width, 64, 64, 512), config), tokenizer)
    ]
    assert sorted(read, key=lambda pair: pair.source) == sorted(pairs, key=lambda pair: pair.source)


def test_empty_rows_weigh_nothing_and_can_be_attended_to(config: ModelConfig) -> None:
    batch = empty_batch(Shape(16, 3, 2, 64), config)
    assert (batch.examples, batch.decisions, batch.fills) == (0, 0, 0)
    assert batch.tensors.mask.any(1).all()
    assert batch.tensors.template_mask.any(1).all()
    assert not batch.tensors.order_mask.any()
    assert batch.tensors.fill_weight.sum() == 0


def test_every_example_has_the_smallest_width_that_fits(tokenizer: SubwordTokenizer, pairs: list[Pair]) -> None:
    maker = _maker(tokenizer)
    for pair in pairs:
        label = maker.labeler.label(pair.source, pair.target)
        ((width, examples),) = maker.make([pair]).examples.items()
        assert width in maker.widths
        assert len(label.source.ids) + SLOTS <= width
        assert len(label.template.ids) <= width == examples.template.shape[1]
        assert max(len(label.source.ids) + SLOTS, len(label.template.ids)) > width - maker.bucket


def test_long_and_leaked_pairs_are_left_out_and_counted(tokenizer: SubwordTokenizer) -> None:
    known = Pair("He go to the same school every day .", "He goes to the same school every day .")
    guard = LeakGuard([known])
    maker = ExampleMaker(Labeler(tokenizer, slots=SLOTS), max_length=20, guard=guard)
    pairs = [
        Pair("A short one.", "A short one."),
        Pair("word " * 30, "word"),
        Pair("word", "word " * 30),
        Pair("he goes to the same school, every day", "Something else."),
    ]
    tally = maker.make(pairs).tally
    assert (tally.pairs, tally.too_long, tally.leaked) == (4, 2, 1)


def test_an_unknown_fill_is_not_learned(config: ModelConfig, tokenizer: SubwordTokenizer) -> None:
    ((width, examples),) = _maker(tokenizer).make([Pair("I be busy", "I am busy")]).examples.items()
    fills = np.where(examples.fills == PADDING, PADDING, tokenizer.unknown or 0).astype(np.int32)
    changed = type(examples)(**{**vars(examples), "fills": fills})
    assert collate(examples, Shape(width, 1, 1, 64), config).fills > 0
    batch = collate(changed, Shape(width, 1, 1, 64), config)
    assert batch.fills == 0
    assert (batch.tensors.fill_targets == config.pad_id).all()


def test_a_batch_is_full_by_rows_templates_or_fills(tokenizer: SubwordTokenizer, pairs: list[Pair]) -> None:
    examples = max(_maker(tokenizer).make(pairs).examples.values(), key=len)
    masks = (examples.places != PADDING).sum(1)
    assert fitting(examples, Shape(24, 5, 1000, 10_000)) == 5
    assert is_full(examples, Shape(24, 5, 1000, 10_000))
    assert not is_full(examples, Shape(24, len(examples) + 1, 1000, 10_000))
    few = int(masks[:3].sum())
    assert int(masks[: fitting(examples, Shape(24, 1000, 1000, few))].sum()) <= few
    assert is_full(examples, Shape(24, 1000, 1000, few))
    assert int((masks[: fitting(examples, Shape(24, 1000, 2, 10_000))] > 0).sum()) == 2


def test_widened_examples_are_the_same_examples(
    tokenizer: SubwordTokenizer, pairs: list[Pair], config: ModelConfig
) -> None:
    ((width, examples),) = _maker(tokenizer).make(pairs[:1]).examples.items()
    wide = collate(stack([examples.widened(8)]), Shape(width + 8, 1, 1, 64), config).tensors
    narrow = collate(examples, Shape(width, 1, 1, 64), config).tensors
    assert torch.equal(wide.ids[:, :width], narrow.ids)
    assert wide.mask.sum() == narrow.mask.sum()
    assert torch.equal(wide.fill_index, narrow.fill_index)  # of the first template


def test_shapes_hold_the_token_budget_and_the_expected_masks(tokenizer: SubwordTokenizer, pairs: list[Pair]) -> None:
    maker = _maker(tokenizer)
    shapes = plan_shapes(maker.make(pairs).examples, maker.widths, 1024, 12)
    assert list(shapes) == list(maker.widths)
    for width, shape in shapes.items():
        assert shape.tokens <= 1024 < shape.tokens + width
        assert shape.fills % 64 == 0
        assert 12 <= shape.fills <= 12 * shape.rows + 63


def test_pairs_whose_labels_do_not_fit_can_be_left_out(tokenizer: SubwordTokenizer, pairs: list[Pair]) -> None:
    fitting_pair = next(pair for pair in pairs if pair.source != pair.target)
    words = " ".join(pair.target.split()[0] for pair in pairs[:3])
    too_much = Pair(fitting_pair.target, f"{fitting_pair.target} {words} {words} {words}")
    for only_exact, kept in ((False, 2), (True, 1)):
        chunk = _maker(tokenizer, only_exact=only_exact).make([fitting_pair, too_much])
        assert sum(len(examples) for examples in chunk.examples.values()) == kept
        assert (chunk.tally.inexact, chunk.tally.inexpressible) == ((0, 1) if only_exact else (1, 0))
