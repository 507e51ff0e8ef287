"""Slips: made where they can be, one kind at a time, and nowhere else."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from experiments.slips import (
    Change,
    disagree,
    double,
    drop_apostrophe,
    inflect_base,
    join,
    main,
    make,
    misspell,
    mistake_article,
    mistake_participle,
    open_without_comma,
    space,
    split,
)
from permend.corpora.pairs import read_pairs
from permend.synthesis.spelling import LetterNoise

WORDS = {"some": 900, "one": 900, "out": 900, "side": 900}


def made(change: Change, sentence: str, turns: int = 500) -> set[str | None]:
    """Return all that a kind of slip makes of a sentence."""
    return {change(sentence, random.Random(seed)) for seed in range(turns)}


@pytest.mark.parametrize(
    ("change", "sentence", "wrong"),
    [
        (drop_apostrophe, "I don't think so.", "I dont think so."),
        (drop_apostrophe, "I'm sure that he's late.", "Im sure that hes late."),
        (drop_apostrophe, "It is my brother's bike.", "It is my brothers bike."),
        (double, "We met at noon.", "We met at at noon."),
        (double, "The bus was late.", "The the bus was late."),
        (join, "We have at least two hours.", "We have atleast two hours."),
        (join, "Turn right next to the bank.", "Turn righ tnext to the bank."),
        (partial(split, words=WORDS), "Someone called.", "Some one called."),
        (space, "We need milk, eggs and bread.", "We need milk,eggs and bread."),
        (space, "Are you ready?", "Are you ready ?"),
        (space, "It was late. We left.", "It was late.We left."),
        (mistake_article, "It took an hour.", "It took a hour."),
        (mistake_article, "He has a useful tool.", "He has an useful tool."),
        (disagree, "The list of names is long.", "The list of names are long."),
        (disagree, "One of my friends lives here.", "One of my friends live here."),
        (disagree, "There are many reasons.", "There is many reasons."),
        (disagree, "She doesn't know.", "She don't know."),
        (mistake_participle, "He has gone home.", "He has went home."),
        (mistake_participle, "I saw him.", "I seen him."),
        (inflect_base, "Did you go there?", "Did you went there?"),
        (inflect_base, "He can speak French.", "He can speaks French."),
        (inflect_base, "You must pay now.", "You must to pay now."),
        (open_without_comma, "When it rains, we stay in.", "When it rains we stay in."),
    ],
)
def test_a_slip_is_made(change: Change, sentence: str, wrong: str) -> None:
    assert wrong in made(change, sentence)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (drop_apostrophe, "We do not know."),
        (mistake_article, "We know nothing."),
        (disagree, "Nobody came."),
        (mistake_participle, "He has walked home."),
        (open_without_comma, "We stayed in, as it rained."),
        (double, "I know that."),
    ],
)
def test_where_a_slip_cannot_be_nothing_is_made(change: Change, sentence: str) -> None:
    assert "that that" not in "".join(filter(None, made(change, sentence)))
    if change is not double:
        assert made(change, sentence) == {None}


def test_the_first_word_keeps_its_capital_when_it_is_misspelt() -> None:
    change = partial(misspell, first=True, lists={"because": {"becuase": 1.0}}, noise=LetterNoise({}))
    wrong = made(change, "Because it rained, we stayed.") - {None}
    assert "Becuase it rained, we stayed." in wrong
    assert all(each and each[0] == "B" and each.endswith(" it rained, we stayed.") for each in wrong)


def test_a_word_stays_a_word_of_letters() -> None:
    change = partial(misspell, first=False, lists={}, noise=LetterNoise({}))
    for each in made(change, "We don't use the NASA server's address."):
        assert each is None or ("don't" in each and "NASA" in each and "server's" in each)


def test_kinds_take_turns_and_a_sentence_serves_once() -> None:
    changes = {"article": mistake_article, "doubled": double}
    sentences = [f"We saw a bird and number {number} in the garden." for number in range(40)]
    found = list(make(sentences, changes, 10, random.Random(1)))
    assert sorted(kind for kind, _ in found) == ["article"] * 10 + ["doubled"] * 10
    assert len({pair.target for _, pair in found}) == 20
    assert all(pair.source != pair.target for _, pair in found)


def test_the_command_writes_the_same_pairs_again(tmp_path: Path) -> None:
    sentences = tmp_path / "sentences.txt"
    sentences.write_text("".join(f"If it rains, we do not go to an old house {number}.\n" for number in range(60)))
    files = [tmp_path / "a.tsv", tmp_path / "b.tsv"]
    for file in files:
        result = CliRunner().invoke(main, [str(sentences), "--each", "2", "--clean", "5", "-o", str(file)])
        assert result.exit_code == 0, result.output
        assert "5 clean" in result.output
    assert files[0].read_bytes() == files[1].read_bytes()
    pairs = list(read_pairs(files[0]))
    assert [pair.source == pair.target for pair in pairs[:6]] == [True] * 5 + [False]
