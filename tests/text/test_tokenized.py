"""Edits of text back onto tokens: what nobody touched stays, and what is new is split like the rest."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from permend.text.edits import Edit, diff
from permend.text.tokenized import detokenize, retokenize, split_tokens, token_edits

TOKEN = st.sampled_from(
    ["I", "do", "n't", "'s", "well-known", "-", "haven't", ",", '"', "(", ")", "5%", "U.S.", "a", "😀"]
)
LINE = st.lists(TOKEN, max_size=12)


@given(LINE)
def test_a_system_that_changes_nothing_gives_the_tokens_back(tokens: list[str]) -> None:
    assert retokenize(detokenize(tokens), []) == tokens


@given(LINE, st.text(alphabet="ab '’-.,n't5 ", max_size=8), st.data())
@settings(max_examples=300)
def test_any_edit_keeps_the_tokens_that_do_not_touch_it(tokens: list[str], after: str, data: st.DataObject) -> None:
    line = detokenize(tokens)
    start = data.draw(st.integers(0, len(line.text)))
    end = data.draw(st.integers(start, len(line.text)))
    result = retokenize(line, [Edit(start, end, line.text[start:end], after)])
    far_left = [line.text[a:b] for a, b in line.spans if b < start]
    far_right = [line.text[a:b] for a, b in line.spans if a > end]
    assert result[: len(far_left)] == far_left
    assert result[len(result) - len(far_right) :] == far_right
    written = line.text[:start] + after + line.text[end:]
    assert "".join(result) == "".join(written.split()), "no character is lost or made up"


@given(LINE, LINE)
def test_the_edits_between_two_lines_give_the_characters_of_the_second(source: list[str], target: list[str]) -> None:
    old, new = detokenize(source), detokenize(target)
    edits = diff(old.text, new.text)
    assert "".join(retokenize(old, edits)) == "".join(target)
    rebuilt: list[str] = []
    done = 0
    for edit in token_edits(old, edits):
        assert old.tokens[edit.start : edit.end] == edit.before != edit.after
        rebuilt += [*source[done : edit.start], *edit.after]
        done = edit.end
    assert [*rebuilt, *source[done:]] == retokenize(old, edits)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("He go to school .", "He goes to school.", "He goes to school ."),
        ("He dont know .", "He doesn't know.", "He does n't know ."),
        ("It s John book", "It's John's book", "It 's John 's book"),
        ("They don t care", "They don't care", "They do n't care"),
        ("I ca n't .", "I cannot.", "I can not ."),
        ("a well known man", "a well-known man", "a well - known man"),
        ("a so-called well known man", "a so-called well-known man", "a so-called well-known man"),
        ("Yesterday we left", "Yesterday, we left...", "Yesterday , we left ..."),
        ("at 2 o clock", "at 2:30 (or later)!", "at 2:30 ( or later ) !"),
        ("It costs 5 .", "It costs $1,000.", "It costs $ 1,000 ."),
        ("an 11 years old girl", "an 11-year-old girl", "an 11-year - old girl"),
        ("I haven't see it", "I haven't seen it", "I haven't seen it"),
        ("I haven't see it", "I haven't, seen it", "I haven't , seen it"),
        ("no thing", "nothing", "nothing"),
        ("", "A.", "A ."),
    ],
)
def test_new_text_is_split_as_the_benchmarks_are(source: str, target: str, expected: str) -> None:
    line = detokenize(source.split())
    assert " ".join(retokenize(line, diff(line.text, target))) == expected


def test_an_edit_inside_a_token_splits_that_token_alone() -> None:
    line = detokenize("U.K. and U.S. haven't".split())
    place = line.text.index("S.")
    [edit] = token_edits(line, [Edit(place, place + 1, "S", "S.A")])
    assert (edit.start, edit.end, edit.before, edit.after) == (2, 3, ("U.S.",), ("U.S.A.",))


def test_edits_that_only_move_spaces_vanish() -> None:
    line = detokenize("Fine , thanks".split())
    assert token_edits(line, [Edit(4, 4, "", " ")]) == []


def test_addresses_and_abbreviations_stay_whole() -> None:
    text = "See https://a.org/b-c?d=1, write to x.y@z.org, e.g. Mr. Fox"
    assert split_tokens(text) == "See https://a.org/b-c?d=1 , write to x.y@z.org , e.g. Mr. Fox".split()
