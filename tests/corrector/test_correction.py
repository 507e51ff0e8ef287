"""What is said about each edit of a correction, whatever the hypotheses are."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permend.corrector.correction import Alternative, Correction, ScoredEdit, Suggestion, distinct, join
from permend.corrector.explaining.language import load_language
from permend.corrector.scoring import calibrated, compose, equalise_moved_halves, score_edits
from permend.text.edits import apply, diff

SOURCE = "He go to school ."
ENGLISH = load_language("en")


def ranked(*texts: str) -> list[Alternative]:
    """Make alternatives with probabilities 8 : 4 : 2 …"""
    return [Alternative(text, -0.6931471805599453 * at, 0.0, 9, -float(at), False) for at, text in enumerate(texts)]


def suggestions(edit: ScoredEdit) -> dict[str, float]:
    return {each.after: round(each.probability * 15, 6) for each in edit.alternatives}


@pytest.mark.parametrize("probability", [0.0, 0.2, 0.5, 0.9, 1.0])
def test_a_calibrated_edit_stays_ahead_of_its_alternatives(probability: float) -> None:
    edit = ScoredEdit(3, 5, "go", "went", 0.6, "R:VERB:TENSE", "", (Suggestion("goes", 0.3), Suggestion("is", 0.1)))
    changed = calibrated(edit, probability)
    shares = [changed.probability, *(each.probability for each in changed.alternatives)]
    assert shares[0] == probability
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) <= 1 + 1e-9


def test_alternatives_are_what_other_hypotheses_write_in_the_same_place() -> None:
    hypotheses = ranked("He goes to school .", "He went to school.", "He go to school .", "He went to school .")
    [edit] = score_edits(SOURCE, "He goes to school .", hypotheses, ENGLISH)
    assert (edit.before, edit.after, round(edit.probability * 15, 6)) == ("go", "goes", 8)
    assert suggestions(edit) == {"went": 5}, "those that write the same are taken together, the unchanged one left out"


def test_a_hypothesis_that_cannot_be_told_apart_there_suggests_nothing() -> None:
    [edit] = score_edits(SOURCE, "He goes to school .", ranked("He goes to school .", "He visited a school ."), ENGLISH)
    assert edit.alternatives == ()


def test_what_is_hardly_likely_is_no_suggestion() -> None:
    texts = [f"He goes to school {number} ." for number in range(7)]
    [edit] = score_edits(
        SOURCE, "He goes to school .", ranked("He goes to school .", *texts, "He fly to school ."), ENGLISH
    )
    assert edit.alternatives == ()


def test_insertions_compete_with_insertions() -> None:
    texts = "He go to the school .", "He go to a school .", "He go to my school .", "He goes to school ."
    [edit] = score_edits(SOURCE, texts[0], ranked(*texts), ENGLISH)
    assert edit.before == ""
    assert {after.strip(): share for after, share in suggestions(edit).items()} == {"a": 4, "my": 2}


def test_edits_say_what_they_are_and_why() -> None:
    first, last = score_edits(SOURCE, "He goes to school.", ranked("He goes to school."), ENGLISH)
    assert (first.type, last.type) == ("R:VERB:SVA", "R:ORTH")
    assert "goes" in first.explanation
    assert last.explanation.endswith(".")


@given(
    st.lists(st.lists(st.sampled_from("He go goes went to the school .".split()), max_size=6), min_size=2, max_size=6)
)
def test_whatever_is_suggested_fits_its_place(hypotheses: list[list[str]]) -> None:
    source, *texts = (" ".join(words) for words in hypotheses)
    edits = score_edits(source, texts[0], ranked(*texts), ENGLISH)
    assert apply(source, edits) == texts[0]
    for edit in edits:
        shares = [each.probability for each in edit.alternatives]
        assert shares == sorted(shares, reverse=True)
        assert edit.probability + sum(shares) <= 1 + 1e-9
        afters = [each.after for each in edit.alternatives]
        assert len({*afters, edit.before, edit.after}) == len(afters) + 2


def part(source: str, text: str) -> Correction:
    alternatives = (*ranked(text), Alternative(source, -1.0, 0.0, 9, -1.0, True))
    return Correction(source, text, score_edits(source, text, alternatives, ENGLISH), alternatives, 1.0)


def test_a_longer_text_keeps_what_was_said_about_its_parts() -> None:
    correction = part(SOURCE, "He goes to school.")
    shifted = correction.shifted("\t", "\n")
    joined = join([correction, shifted, part("All is well.", "All is well.")])
    for whole, times in ((shifted, 1), (joined, 2)):
        assert apply(whole.source, whole.edits) == whole.text
        assert [edit.explanation for edit in whole.edits] == times * [edit.explanation for edit in correction.edits]
        assert [edit.type for edit in whole.edits] == times * ["R:VERB:SVA", "R:ORTH"]


@pytest.mark.parametrize(("rule", "loaded"), [("next_token", False), ("replace_was", True)])
def test_the_word_list_is_read_only_where_something_is_wrong(rule: str, loaded: bool) -> None:
    code = f"""
import sys
from tests.corrector.test_corrector import corrector, {rule}
corrector({rule}).correct("I was busy.")
print("permend.corrector.explaining" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(loaded)


def test_both_halves_of_a_move_stand_or_fall_together() -> None:
    taken, put = ScoredEdit(2, 8, "often ", "", 0.9), ScoredEdit(20, 20, "", " often", 0.2)
    other = ScoredEdit(10, 12, "go", "went", 0.7)
    assert [edit.probability for edit in equalise_moved_halves([taken, other, put])] == [0.2, 0.7, 0.2]


def _part(source: str, *edits: ScoredEdit) -> Correction:
    text = apply(source, edits)
    alternatives = [
        Alternative(text, -1.0, 0.0, 5, -0.2, text == source),
        Alternative(source, -2.0, 0.0, 5, -0.4, True),
    ]
    return Correction(source, text, edits, tuple(distinct(alternatives)), 1.0)


def test_a_cut_inside_a_sentence_makes_no_capital_and_no_full_stop() -> None:
    first = _part("He came home,", ScoredEdit(3, 7, "came", "went", 0.9), ScoredEdit(12, 13, ",", ".", 0.9))
    second = _part(" and he sleep.", ScoredEdit(1, 4, "and", "And", 0.9), ScoredEdit(8, 13, "sleep", "slept", 0.9))
    whole = join([first, second])
    assert whole.text == "He went home, and he slept."
    assert apply(whole.source, whole.edits) == whole.text
    third = _part(" then it rained.", ScoredEdit(1, 5, "then", "Then", 0.9))
    assert join([second, third]).text.endswith("slept. Then it rained.")


WORDS = st.lists(st.sampled_from(["a", "go", "to", "the", "school", ",", "."]), max_size=9)


def scored(source: str, text: str, probability: float) -> tuple[ScoredEdit, ...]:
    """Make edits that have a type of their own, so that one can tell who has made them."""
    edits = diff(source, text)
    return tuple(ScoredEdit(e.start, e.end, e.before, e.after, probability, f"T{at}") for at, e in enumerate(edits))


@given(WORDS, WORDS, WORDS)
def test_two_rounds_of_edits_are_one_round(first: list[str], second: list[str], third: list[str]) -> None:
    source, middle, text = " ".join(first), " ".join(second), " ".join(third)
    composed = compose(source, scored(source, middle, 0.9), scored(middle, text, 0.4), ENGLISH)
    assert apply(source, composed) == text
    assert list(composed) == sorted(composed)
    assert all(edit.type for edit in composed)
    assert {edit.probability for edit in composed} <= {0.9, 0.4}


def test_edits_that_do_not_touch_stay_as_they_are() -> None:
    source, middle = "She have many friend here .", "She has many friend here ."
    first, second = scored(source, middle, 0.9), scored(middle, "She has many friends here .", 0.4)
    composed = compose(source, first, second, ENGLISH)
    assert composed[0] == first[0]
    assert (composed[1].start, composed[1].before, composed[1].after, composed[1].probability) == (
        source.index("friend"),
        "friend",
        "friends",
        0.4,
    )


def test_what_the_second_reading_undoes_is_no_edit() -> None:
    first, second = scored("I go .", "I went .", 0.9), scored("I went .", "I go .", 0.8)
    assert compose("I go .", first, second, ENGLISH) == ()


def test_a_word_changed_twice_is_one_edit_as_sure_as_the_less_sure_of_both() -> None:
    [edit] = compose("I gos .", scored("I gos .", "I goes .", 0.9), scored("I goes .", "I go .", 0.6), ENGLISH)
    assert (edit.before, edit.after, edit.probability) == ("gos", "go", 0.6)
    assert edit.type == "R:SPELL" or edit.type.startswith("R:VERB")
    assert edit.explanation
