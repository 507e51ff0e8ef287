"""Algorithm 1: the paper's examples, agreement with its triple loop, and an honest account of losses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.naive_alignment import naive_align, naive_choose
from permend.method.align import Losses, Span, align, align_felix, choose

START, END = 100, 101
sentences = st.lists(st.integers(0, 6), max_size=14).map(lambda words: [START, *words, END])


def frame(text: str) -> list[str]:
    return ["<s>", *text.split(), "</s>"]


@pytest.mark.parametrize(
    ("source", "target", "order"),
    [
        ("I be busy", "I am busy", (0, 1, 5, 3, 4)),
        (
            "it was 20 years ago we were friends since us were 10",
            "it was 20 years ago and we had been friends since we were 10",
            (0, 1, 2, 3, 4, 5, 14, 6, 15, 8, 9, 16, 11, 12, 13),
        ),
        (
            "I like films when I was younger I watched on TV",
            "I like films I watched on TV when I was younger",
            (0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12),
        ),
    ],
    ids=["Figure 1", "Figure 2", "Figure 3b"],
)
def test_the_papers_examples(source: str, target: str, order: tuple[int, ...]) -> None:
    label = align(frame(source), frame(target), slots=3)
    assert label.plan.order == order
    assert label.losses == Losses()


def test_figure_2_fills() -> None:
    label = align(
        frame("it was 20 years ago we were friends since us were 10"),
        frame("it was 20 years ago and we had been friends since we were 10"),
    )
    assert label.fills == (("and",), ("had", "been"), ("we",))


def test_figure_3a_felix_tears_the_clauses() -> None:
    source = frame("I like films when I was younger I watched on TV")
    target = frame("I like films I watched on TV when I was younger")
    assert align_felix(source, target).plan.order == (0, 1, 2, 3, 5, 9, 10, 11, 4, 8, 6, 7, 12)


@given(sentences, sentences, st.integers(1, 3))
def test_the_fast_version_equals_the_papers_loops(source: list[int], target: list[int], max_len: int) -> None:
    assert align(source, target, max_len=max_len) == naive_align(source, target, max_len)


@given(st.permutations(range(8)), st.lists(st.integers(1, 9), min_size=10, max_size=10), st.integers(1, 3))
def test_the_chosen_spans_equal_those_of_an_exhaustive_choice(
    order: list[int], lengths: list[int], max_len: int
) -> None:
    ranks = [0, *(rank + 1 for rank in order), 9]
    spans = [
        Span(rank * 10, place * 10, length) for place, (rank, length) in enumerate(zip(ranks, lengths, strict=True))
    ]
    assert choose(spans, max_len) == naive_choose(spans, max_len)


def filled(source: list[int], label_order: tuple[int, ...], fills: tuple[tuple[int, ...], ...]) -> list[int]:
    out: list[int] = []
    for position in label_order:
        out.extend([source[position]] if position < len(source) else fills[position - len(source)])
    return out


@given(sentences, sentences, st.sampled_from(["permend", "felix"]))
def test_a_filled_plan_gives_the_target_unless_a_loss_is_reported(
    source: list[int], target: list[int], scheme: str
) -> None:
    label = (align if scheme == "permend" else align_felix)(source, target)
    result = filled(source, label.plan.order, label.fills)
    assert (result == target) == label.losses.exact


@given(sentences, sentences)
def test_wide_slots_lose_nothing(source: list[int], target: list[int]) -> None:
    label = align(source, target, slots=99, masks=99)
    assert filled(source, label.plan.order, label.fills) == target


@given(sentences)
def test_equal_sentences_stay_as_they_are(sentence: list[int]) -> None:
    label = align(sentence, list(sentence))
    assert label.plan.is_identity
    assert label.losses == Losses()


def test_a_long_insertion_is_cut_or_the_source_kept() -> None:
    source, target = frame("we x home"), frame("we would like to go home")
    cut = align(source, target)
    assert (cut.plan.order, cut.fills) == ((0, 1, 5, 3, 4), (("would", "like", "to"),))
    assert cut.losses == Losses(insertions_cut=1)
    keep = align(source, target, overflow="keep")
    assert keep.plan.is_identity
    assert keep.losses == Losses(insertions_cut=1)


def test_insertions_past_the_last_slot_are_left_out_or_the_source_kept() -> None:
    source, target = frame("a x b y c"), frame("a 1 b 2 c")
    cut = align(source, target, slots=1)
    assert (cut.plan.order, cut.fills) == ((0, 1, 7, 3, 5, 6), (("1",),))
    assert cut.losses == Losses(slots_exceeded=1)
    keep = align(source, target, slots=1, overflow="keep")
    assert keep.plan.order == (0, 1, 7, 3, 4, 5, 6)


@given(sentences, sentences, st.sampled_from([0, 1, 8]))
def test_keeping_the_source_makes_lawful_plans(source: list[int], target: list[int], slots: int) -> None:
    label = align(source, target, slots=slots, masks=2, overflow="keep")
    assert label.plan.slots == len(label.fills) <= slots


def test_a_span_that_moves_too_far_is_dropped_and_counted() -> None:
    # Four spans swap round: the last one would have to jump three ranks to the front.
    source, target = frame("a 1 b 2 c 3 d"), frame("d x a x b x c")
    label = align(source, target, max_len=2)
    assert label.losses.spans_dropped == 1
    assert filled_text(source, label.plan.order, label.fills) == target


def filled_text(source: list[str], order: tuple[int, ...], fills: tuple[tuple[str, ...], ...]) -> list[str]:
    return [w for p in order for w in ([source[p]] if p < len(source) else fills[p - len(source)])]


@pytest.mark.parametrize("target", [[], ["b"] * 9998], ids=["empty", "nothing in common"])
def test_very_long_sentences_are_aligned(target: list[str]) -> None:
    label = align(["<s>", *["a"] * 9998, "</s>"], ["<s>", *target, "</s>"])
    assert label.plan.order[0] == 0
