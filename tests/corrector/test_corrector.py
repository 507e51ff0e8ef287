"""The corrector with networks made by hand: what it promises whatever the weights are."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from permend.corrector.corrector import Corrector, Options
from permend.corrector.filling import AT_A_TIME
from permend.errors import PermendError
from permend.method.plan import Plan
from permend.method.search import Matrices, score_plan, search
from permend.model.config import ModelConfig
from permend.model.networks import Bools, Floats, Ints, TemplateArrays
from permend.model.options import Calibration
from permend.text.edits import apply
from permend.text.tokens import SubwordTokenizer, WordTokenizer
from tests.conftest import make_byte_level

TOKENIZER = SubwordTokenizer(make_byte_level(add_prefix_space=True))
WAS, AM = (TOKENIZER.encode(word).ids[1:-1] for word in ("was", "am"))
assert len(WAS) == len(AM) == 1, "both words are single tokens"


class HandMade:
    """Networks whose pointer follows a rule and whose decoder always writes *am*."""

    def __init__(self, rule: Callable[[Ints, Floats], None], max_length: int = 64, padded: int = 0) -> None:
        self.rule = rule
        self.decoded = 0
        self.config = ModelConfig(
            vocab_size=TOKENIZER.size + padded,
            tokenizer_size=TOKENIZER.size,
            d=4,
            max_length=max_length,
            start_id=TOKENIZER.start,
            end_id=TOKENIZER.end,
            pad_id=TOKENIZER.pad,
            mask_id=TOKENIZER.mask,
            unknown_id=TOKENIZER.unknown,
            slots=2,
        )

    def encode(self, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        assert ids.shape[1] <= self.config.max_length
        scores = np.full((*ids.shape, ids.shape[1]), -9, np.float32)
        for row in range(len(ids)):
            self.rule(ids[row], scores[row])
        return np.zeros((*ids.shape, 4), np.float32), scores

    def fill(self, memory: Floats, mask: Bools, template: TemplateArrays) -> tuple[Ints, Floats]:
        self.decoded += 1
        assert len(template.row) == len(template.ids)
        assert {*template.row.tolist()} == {*range(len(memory))} == {*range(len(mask))}, "no more than is looked at"
        fills = len(template.fill_index)
        tokens = np.where(np.arange(fills) % 3 == 0, AM[0], TOKENIZER.pad)
        return tokens, np.full(fills, np.log(0.9), np.float32)


def next_token(ids: Ints, scores: Floats) -> None:
    """Point to the token to the right."""
    np.fill_diagonal(scores[:, 1:], 3)


def sure(ids: Ints, scores: Floats) -> None:
    """Point to the token to the right, and nowhere else."""
    np.fill_diagonal(scores[:, 1:], 30)


def replace_was(ids: Ints, scores: Floats) -> None:
    """Point past *was*, through the next slot."""
    next_token(ids, scores)
    first_slot = int(np.argmax(ids >= TOKENIZER.size))
    for slot, place in enumerate(np.flatnonzero(ids == WAS[0])[:2], start=first_slot):
        scores[place - 1, [place, slot]] = -9, 5
        scores[slot, place + 1] = 5


def wild(ids: Ints, scores: Floats) -> None:
    """Point anywhere."""
    scores[:] = np.random.default_rng(int(ids.sum())).normal(0, 3, scores.shape)


def corrector(rule: Callable[[Ints, Floats], None], **options: float) -> Corrector:
    return Corrector.of(HandMade(rule), TOKENIZER, Options(**options))  # type: ignore[arg-type]


def test_a_replacement_with_its_edit_and_the_unchanged_runner_up() -> None:
    correction = corrector(replace_was).correct("I  was busy.")
    assert correction.text == "I  am busy."
    [edit] = correction.edits
    assert (edit.start, edit.end, edit.before, edit.after) == (3, 6, "was", "am")
    assert 0.5 < edit.probability <= 1
    assert [each.text for each in correction.alternatives if each.unchanged] == ["I  was busy."]
    assert correction.margin > 0
    best = correction.alternatives[0]
    assert best.score == pytest.approx((best.plan_log_prob + best.fill_log_prob) / best.length)


def test_the_decoder_rests_where_no_plan_has_a_slot() -> None:
    fixed = corrector(next_token, beam=1, alternatives=1)
    assert fixed.correct("All is well.").text == "All is well."
    assert isinstance(fixed.networks, HandMade)
    assert fixed.networks.decoded == 0


def test_a_sentence_is_left_alone_where_confidence_is_low() -> None:
    assert corrector(replace_was, min_margin=99).correct("I was busy.").text == "I was busy."


@pytest.mark.parametrize("rule", [next_token, replace_was, wild])
@pytest.mark.parametrize("least", [0.0, 0.2, 1.0])
def test_pruning_saves_work_and_changes_no_answer(rule: Callable[[Ints, Floats], None], least: float) -> None:
    texts = ["I was busy.", "All is well.", "He was here, and I was there.", "was was was", "I am busy and glad."]
    pruned, full = (corrector(rule, min_margin=least, prune=prune) for prune in (True, False))
    for text in texts:
        found, wanted = pruned.correct(text), full.correct(text)
        assert found.text == wanted.text
        if wanted.text != text:
            assert found.margin == pytest.approx(wanted.margin)
        assert len(found.alternatives) <= len(wanted.alternatives)
    assert isinstance(pruned.networks, HandMade)
    assert isinstance(full.networks, HandMade)
    assert pruned.networks.decoded <= full.networks.decoded


@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from([0.3, 1.0, 3.0]),
    st.sampled_from([0.0, 0.5, 2.5]),
    st.sampled_from([0, 0.3]),
)
def test_what_is_not_searched_could_not_have_changed(seed: int, spread: float, least: float, bias: float) -> None:
    """Where pruning leaves a sentence alone unsearched, no plan of a wide beam is better enough than the sentence."""
    length, slots = 6, 2
    scores = np.random.default_rng(seed).normal(0, spread, (length + slots, length + slots))
    np.fill_diagonal(scores[: length - 1, 1:length], 4 * spread)
    fixed = corrector(next_token, beam=50, alternatives=50, min_margin=least, bias=bias)
    [found] = search([scores], [length], beam=50, bias=bias)
    same = score_plan(scores, Plan.identity(length), bias=bias)
    if not fixed._may_change(np.array([same.log_prob]))[0]:
        others = [each.log_prob for each in found if not each.plan.is_identity]
        assert max(others) < same.log_prob + least
        assert fixed._hypotheses(Matrices([scores], [length]), [length]) == [[same]]


def test_correct_text_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[object] = []

    def watched(_: Matrices, rows: Sequence[int], **__: object) -> list[object]:
        searched.extend(rows)
        return []

    monkeypatch.setattr(Matrices, "search", watched)
    assert corrector(sure).correct("All is well.").text == "All is well."
    assert not searched


class Uneven(HandMade):
    """Networks whose decoder is the less sure the more masks a template has, and counts those that it fills."""

    masks = 0

    def fill(self, memory: Floats, mask: Bools, template: TemplateArrays) -> tuple[Ints, Floats]:
        tokens, _ = super().fill(memory, mask, template)
        self.masks += len(template.fill_index)
        crowd = (template.ids == TOKENIZER.mask).sum(axis=1)[template.fill_index // template.ids.shape[1]]
        return tokens, (-0.01 * crowd).astype(np.float32)


@pytest.mark.parametrize("rule", [next_token, replace_was, wild])
def test_shared_gaps_save_work_and_the_best_still_writes_its_own(rule: Callable[[Ints, Floats], None]) -> None:
    texts = ["I was busy.", "He was here, and I was there.", "was was was", "I am busy and glad."]
    shared, own = (Corrector.of(Uneven(rule), TOKENIZER, Options(shared=each, steps=1)) for each in (True, False))
    for text in texts:
        found, wanted = shared.correct(text), own.correct(text)
        best = found.alternatives[0]
        same = next(each for each in wanted.alternatives if each.text == best.text)
        assert best.fill_log_prob == pytest.approx(same.fill_log_prob), "not what another hypothesis wrote"
    assert isinstance(shared.networks, Uneven)
    assert isinstance(own.networks, Uneven)
    assert shared.networks.masks <= own.networks.masks
    if rule is wild:
        assert shared.networks.masks < own.networks.masks


def test_ranking_by_the_pointer_alone_ignores_the_decoder() -> None:
    joint, alone = (
        corrector(replace_was, joint=joint).correct("I was busy.").alternatives[0] for joint in (True, False)
    )
    assert alone.score == pytest.approx(alone.plan_log_prob / alone.length)
    assert joint.score < alone.score


@given(st.text(alphabet=st.characters(codec=None), max_size=60))
@settings(max_examples=50)
def test_untouched_text_stays_as_it_is_however_long_and_odd(text: str) -> None:
    cautious = Corrector.of(HandMade(next_token, max_length=12), TOKENIZER)
    assert cautious.correct(text).text == text


@given(st.lists(st.text(alphabet="ab I\nbe.,😀", max_size=40), max_size=5))
@example([".IIIII😀", ".,,,,I\n\n\n\n😀.,I"])  # two parts put something in where the text was split
@settings(max_examples=30)
def test_edits_lead_from_source_to_text_in_every_batch(texts: list[str]) -> None:
    free = Corrector.of(HandMade(wild, max_length=20), TOKENIZER)
    together = free.correct_batch(texts, batch_size=2)
    assert [correction.source for correction in together] == texts
    for correction in together:
        assert apply(correction.source, correction.edits) == correction.text
        assert any(each.unchanged and each.text == correction.source for each in correction.alternatives)
        scores = [each.score for each in correction.alternatives]
        assert scores == sorted(scores, reverse=True)


def test_a_long_text_is_split_between_sentences_and_corrected_throughout() -> None:
    text = "I was busy. " * 30
    split = Corrector.of(HandMade(replace_was, max_length=14), TOKENIZER)
    correction = split.correct(text)
    assert correction.text == text.replace("was", "am")
    assert len(correction.edits) == 30
    assert apply(text, correction.edits) == correction.text
    assert correction.alternatives[1].unchanged


@pytest.mark.parametrize(("before", "after"), [("\t", ""), ("", "  \r\n"), ("   ", "\n\n")])
def test_whitespace_around_a_sentence_stays_and_changes_no_answer(before: str, after: str) -> None:
    plain = corrector(wild).correct("I was busy.")
    framed = corrector(wild).correct(f"{before}I was busy.{after}")
    assert framed.text == before + plain.text + after
    assert apply(framed.source, framed.edits) == framed.text
    assert [each.text for each in framed.alternatives] == [before + each.text + after for each in plain.alternatives]
    assert framed.margin == plain.margin


def test_any_number_of_sentences_is_corrected_as_it_is_asked_for() -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield f"I was number {taken}."

    found = corrector(replace_was).correct_all(endless())
    assert taken == 0
    assert [next(found).text for _ in range(300)] == [f"I am number {number}." for number in range(1, 301)]
    assert taken < 600
    assert list(corrector(replace_was).correct_all([])) == []


def test_threads_may_share_a_corrector() -> None:
    shared = corrector(replace_was)
    groups = [[f"I was number {number} of {size}." for number in range(size)] for size in range(1, 20)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(shared.correct_batch, groups))
    assert found == [corrector(replace_was).correct_batch(group) for group in groups]


def test_a_tokenizer_of_another_model_is_refused() -> None:
    networks = HandMade(next_token)
    with pytest.raises(PermendError, match=f"has 4 tokens, the model {TOKENIZER.size}: they do not fit"):
        Corrector.of(networks, WordTokenizer())


def test_a_checkpoint_may_embed_more_ids_than_the_tokenizer_has() -> None:
    padded = HandMade(replace_was, padded=7)
    assert padded.config.slot_id(0) == TOKENIZER.size + 7
    assert Corrector.of(padded, TOKENIZER).correct("I was busy.").text == "I am busy."


def test_an_unchanged_sentence_has_no_edits_and_is_byte_identical() -> None:
    correction = corrector(next_token).correct(" odd\u00a0 spacing ,kept\n")
    assert correction.text == correction.source
    assert correction.edits == ()
    assert correction.alternatives[0].unchanged


@pytest.mark.parametrize("text", ["", " ", "\t\n", "\u2028"])
def test_where_there_is_nothing_to_read_nothing_is_written(text: str) -> None:
    correction = corrector(wild).correct(text)
    assert (correction.text, correction.edits, correction.margin) == (text, (), 0)
    assert [each.unchanged for each in correction.alternatives] == [True]


@pytest.mark.parametrize(
    "options", [{"beam": 0}, {"alternatives": 0}, {"steps": 0}, {"bias": 2.0}, {"min_margin": float("nan")}]
)
def test_options_that_mean_nothing_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(PermendError):
        Options(**options)  # type: ignore[arg-type]


CALIBRATION = Calibration(0.0, 0.5, 0.1, 0.0)


def hesitate(ids: Ints, scores: Floats) -> None:
    """Replace *was*, the last time with some doubt."""
    replace_was(ids, scores)
    last = int(np.flatnonzero(ids == WAS[0])[-1])
    scores[last - 1, last] = 4


@pytest.mark.parametrize("prune", [True, False])
def test_edits_below_the_least_probability_are_dropped_one_by_one(prune: bool) -> None:
    text = "He was here, and I was there."
    every = Corrector.of(HandMade(hesitate), TOKENIZER, Options(prune=prune), CALIBRATION).correct(text)
    probabilities = sorted(edit.probability for edit in every.edits)
    assert len(set(probabilities)) == 2, "one of the two edits is surer"
    options = Options(prune=prune, min_confidence=probabilities[1])
    fewer = Corrector.of(HandMade(hesitate), TOKENIZER, options, CALIBRATION).correct(text)
    assert fewer.edits == tuple(edit for edit in every.edits if edit.probability == probabilities[1])
    assert fewer.text == apply(text, fewer.edits)
    assert fewer.margin == pytest.approx(every.margin), "the sentence is as suspect as before"
    none = Corrector.of(HandMade(hesitate), TOKENIZER, Options(min_confidence=1), CALIBRATION).correct(text)
    assert (none.text, none.edits) == (text, ())


def test_dropping_edits_of_a_text_that_was_split_leaves_the_other_parts_alone() -> None:
    text = "I was busy, and then again. " * 8
    networks = HandMade(replace_was, max_length=24)
    every = Corrector.of(networks, TOKENIZER, None, CALIBRATION).correct(text)
    least = sorted(edit.probability for edit in every.edits)[len(every.edits) // 2]
    fewer = Corrector.of(networks, TOKENIZER, Options(min_confidence=least), CALIBRATION).correct(text)
    assert fewer.edits == tuple(edit for edit in every.edits if edit.probability >= least)
    assert fewer.text == apply(text, fewer.edits)


def test_a_calibration_changes_probabilities_and_nothing_else() -> None:
    text = "He was here, and I was there."
    plain, calibrated = (
        Corrector.of(HandMade(replace_was), TOKENIZER, None, each).correct(text) for each in (None, CALIBRATION)
    )
    assert (plain.text, plain.margin, plain.alternatives) == (
        calibrated.text,
        calibrated.margin,
        calibrated.alternatives,
    )
    for edit in calibrated.edits:
        assert edit.probability + sum(each.probability for each in edit.alternatives) <= 1


def test_the_decoder_never_gets_more_masks_than_memory_was_planned_for() -> None:
    """However large the batch: the scores of the whole vocabulary at every mask are what takes memory."""

    class Counting(HandMade):
        masks: tuple[int, ...] = ()

        def fill(self, memory: Floats, mask: Bools, template: TemplateArrays) -> tuple[Ints, Floats]:
            self.masks += (len(template.fill_index),)
            return super().fill(memory, mask, template)

    networks = Counting(replace_was)
    texts = [f"I was {word} {n}." for n in range(15) for word in ("busy", "late")]
    together = Corrector.of(networks, TOKENIZER).correct_batch(texts, batch_size=30)
    assert AT_A_TIME - 3 < max(networks.masks) <= AT_A_TIME < sum(networks.masks)
    assert [each.text for each in together] == [text.replace("was", "am") for text in texts]


def test_a_second_reading_finds_what_the_first_had_no_room_for() -> None:
    text = "I was busy, I was late, I was tired and I was here."
    once, twice, often = (corrector(replace_was, readings=count).correct(text) for count in (1, 2, 9))
    assert once.text == "I am busy, I am late, I was tired and I was here."
    assert twice.text == often.text == text.replace("was", "am")
    assert [(edit.before, edit.after) for edit in twice.edits] == [("was", "am")] * 4
    assert apply(text, twice.edits) == twice.text
    assert (twice.margin, twice.alternatives) == (once.margin, once.alternatives)


def test_what_does_not_change_is_not_read_again() -> None:
    read: list[int] = []

    def rule(ids: Ints, scores: Floats) -> None:
        read.append(int((ids == WAS[0]).sum()))
        replace_was(ids, scores)

    corrector(rule, readings=5).correct_batch(["I am here.", "I was, was and was here.", "We go."])
    assert sorted(read[:3]) == [0, 0, 3], "all of them once"
    assert read[3:] == [1, 0], "the changed one, and once more since it changed again"


@given(st.lists(st.text(" \nIwas.,é", max_size=30), max_size=5))
@settings(max_examples=60, deadline=None)
def test_several_readings_lead_from_source_to_text_too(texts: list[str]) -> None:
    for text, correction in zip(texts, corrector(wild, readings=3).correct_batch(texts), strict=True):
        assert correction.source == text
        assert apply(text, correction.edits) == correction.text
        assert list(correction.edits) == sorted(correction.edits)


def swap(ids: Ints, scores: Floats) -> None:
    """Let the second and the third token change places, every time."""
    next_token(ids, scores)
    for here, there in ((0, 2), (2, 1), (1, 3)):
        scores[here, there] = 9


def drop_first(ids: Ints, scores: Floats) -> None:
    """Drop the first token, as long as there is one to spare."""
    next_token(ids, scores)
    if int(np.argmax(ids >= TOKENIZER.size)) > 4:
        scores[0, 2] = 9


class Counting(HandMade):
    """Networks that count how often they read."""

    readings = 0

    def encode(self, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        self.readings += 1
        return super().encode(ids, mask)


@pytest.mark.parametrize(
    ("rule", "text", "read"),
    [
        (next_token, "All is well.", 1),
        (replace_was, "I was busy.", 2),
        (swap, "I am busy", 2),
        (drop_first, "a " * 25, 20),
    ],
    ids=["right", "wrong", "to and fro", "without end"],
)
def test_readings_end_whatever_is_asked_for(rule: Callable[[Ints, Floats], None], text: str, read: int) -> None:
    networks = Counting(rule)
    found = Corrector.of(networks, TOKENIZER, Options(readings=10**9)).correct(text)
    assert networks.readings == read
    assert apply(found.source, found.edits) == found.text
    if rule is swap:
        assert found.text == text, "a second reading takes back what the first has done"


def test_without_reasons_the_same_is_corrected_and_nothing_is_explained() -> None:
    texts = ["I was busy.", "He was here, and I was there.", "was was was", "All is well."]
    plain = corrector(replace_was)
    explained = plain.correct_batch(texts)
    plain.reasons = False
    found = pickle.loads(pickle.dumps(plain)).correct_batch(texts)
    for ours, theirs in zip(found, explained, strict=True):
        assert (ours.text, ours.margin, ours.withheld) == (theirs.text, theirs.margin, theirs.withheld)
        assert [replace(edit, explanation="", alternatives=()) for edit in theirs.edits] == list(ours.edits)
    assert any(edit.explanation for each in explained for edit in each.edits)
