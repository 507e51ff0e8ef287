"""Everyday errors: made where they can be, and nowhere else."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from experiments.everyday import confuse, count, double, main, make
from permend.corpora.pairs import Pair, read_pairs


@pytest.mark.parametrize(
    ("sentence", "wrong", "right"),
    [
        ("There is so much traffic today.", "so many traffics", "so much traffic"),
        ("She has a lot of information about it.", "many informations", "much information"),
        ("He gave me a piece of advice.", "an advice", "a piece of advice"),
    ],
)
def test_nouns_without_a_plural_are_counted(sentence: str, wrong: str, right: str) -> None:
    pairs = [count(sentence, random.Random(seed)) for seed in range(40)]
    made = [pair for pair in pairs if pair is not None]
    assert any(wrong in pair.source and right in pair.target for pair in made)
    assert all(pair.source != pair.target for pair in made)


def test_the_verb_before_goes_wrong_with_them() -> None:
    pairs = [count("She has a lot of information about it.", random.Random(seed)) for seed in range(80)]
    assert Pair("She have many informations about it.", "She has much information about it.") in pairs


@pytest.mark.parametrize(
    ("sentence", "wrong"),
    [
        ("He is taller than me.", "He is more taller than me."),
        ("It was the easiest question.", "It was the most easiest question."),
        ("I would do it rather than wait.", None),
        ("We no longer live there.", None),
        ("She is more beautiful than before.", None),
        ("The rest of the team left.", None),
    ],
)
def test_comparisons_are_doubled(sentence: str, wrong: str | None) -> None:
    assert double(sentence, random.Random(1)) == (None if wrong is None else Pair(wrong, sentence))


def test_words_that_sound_alike_are_confused() -> None:
    sentence = "They're going there, and you should have known whether their car is here."
    sources = {pair.source for seed in range(60) if (pair := confuse(sentence, random.Random(seed)))}
    assert any(source.startswith(("Their ", "There ")) for source in sources), "a capital stays one"
    assert any("should of known" in source for source in sources)
    assert any("weather" in source for source in sources)
    assert confuse("Nothing at all.", random.Random(1)) is None


def test_no_kind_is_made_more_often_than_wanted() -> None:
    sentences = ["He is taller than me."] * 5 + ["They know whether it rains."] * 5
    pairs = list(make(sentences, {"counted": 9, "doubled": 2, "confused": 3, "clean": 0}, random.Random(1)))
    assert len(pairs) == 5
    assert sum("more taller" in pair.source for pair in pairs) == 2


def test_the_command_writes_pairs(tmp_path: Path) -> None:
    (tmp_path / "clean.txt").write_text("He is taller than me.\n" * 3 + "Too short.\n", encoding="utf-8")
    done = CliRunner().invoke(main, [str(tmp_path / "clean.txt"), "--each", "2", "-o", str(tmp_path / "pairs.tsv")])
    assert done.exit_code == 0, done.output
    assert [pair.source for pair in read_pairs(tmp_path / "pairs.tsv")] == ["He is more taller than me."] * 2
