"""Plans become text: untouched characters stay, new words are spaced as a writer would."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permend.method.label import Labeler
from permend.method.plan import Plan
from permend.method.template import make_template, render, split_fills
from permend.text.tokens import Tokenizer, WordTokenizer
from tests.conftest import SENTENCES

any_text = st.text(alphabet=st.characters(codec=None), max_size=30) | st.text(
    alphabet="ab \t\r\n.,'\"()-😀👩\u200d\u0301שلא日ﬁ\ufeff\x00", max_size=20
)


@given(text=any_text)
def test_a_plan_that_changes_nothing_gives_back_every_character(tokenizer: Tokenizer, text: str) -> None:
    tokens = tokenizer.encode(text)
    assert render(tokens, Plan.identity(len(tokens.ids)), [], tokenizer) == text


@given(source=any_text, target=any_text)
def test_a_label_stands_for_its_target_whatever_the_characters(byte_level: Tokenizer, source: str, target: str) -> None:
    label = Labeler(byte_level, slots=99, masks=99).label(source, target.encode("utf-8", "replace").decode())
    assert label.text().lstrip(" ") == target.encode("utf-8", "replace").decode().lstrip(" ")


WORDS = ["I", "am", "was", "the", "a", "busy", "dog,", "(by)", "films.", "don't", "“so”", "😀"]
words = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)


@given(source=words, target=words)
def test_a_label_stands_for_its_target_in_every_family_that_knows_spaces(
    tokenizer: Tokenizer, source: str, target: str
) -> None:
    if all(tokenizer.spaced(token) is not None for token in tokenizer.encode("dog").ids[1:-1]):
        label = Labeler(tokenizer, slots=99, masks=99).label(source, target)
        unknown = tokenizer.unknown is not None and any(tokenizer.unknown in fill for fill in label.alignment.fills)
        assert unknown or label.text() == target


@pytest.mark.parametrize("target", SENTENCES)
def test_a_vocabulary_without_spaces_gets_a_writers_spacing(wordpiece: Tokenizer, target: str) -> None:
    source = " ".join(target.split()[::2])
    assert Labeler(wordpiece, slots=99, masks=99).label(source, target).text() == target


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("I  be\tbusy\r\n", "I  am\tbusy\r\n"),
        ("  He go home. ", "  He went home. "),
        ("Well, I go.", "I go."),
        ("dog barks", "The dog barks"),
        ("I like it", "I like it."),
        ("a\nb x c", "a\nb c"),
        ("He said\nthat that is so", "He said\nthat is so"),
    ],
)
def test_whitespace_around_a_change_survives(byte_level: Tokenizer, source: str, target: str) -> None:
    assert Labeler(byte_level, slots=99).label(source, target).text() == target


def test_deleting_words_at_a_line_break_keeps_the_break() -> None:
    words = WordTokenizer()
    source = words.encode("one\nvery two")
    assert render(source, Plan((0, 1, 3, 4), 5), [], words) == "one\ntwo"


def test_a_character_of_several_tokens_can_be_changed_in_part(byte_level: Tokenizer) -> None:
    label = Labeler(byte_level).label("so 😀!", "so 😁!")
    assert label.alignment.plan.slots == 1
    assert label.text() == "so 😁!"


def test_masks_sit_between_the_tokens_around_them() -> None:
    template = make_template([10, 11, 12, 13, 14], Plan((0, 3, 5, 1, 4), 5), mask=9)
    assert list(template.ids) == [10, 13, 9, 9, 9, 11, 14]
    assert list(template.source) == [0, 3, 5, 5, 5, 1, 4]
    assert list(template.coordinates) == [0, 3, 3.25, 3.5, 3.75, 1, 4]
    assert list(template.masks) == [2, 3, 4]
    assert list(template.fill([(7, 8)], pad=1)) == [10, 13, 7, 8, 1, 11, 14]
    assert split_fills([7, 8, 1], pad=1) == [(7, 8)]


def test_training_and_correction_share_one_template(tokenizer: Tokenizer) -> None:
    label = Labeler(tokenizer).label("She go to school by the bus.", "She went to school by bus.")
    at_masks = [label.output[place] for place in label.template.masks]
    fills = split_fills(at_masks, tokenizer.pad)
    assert tuple(fills) == label.alignment.fills
    assert render(label.source, label.alignment.plan, fills, tokenizer) == label.text()
