"""Misspellings look like those that were learned, and lists of them can be read."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from permend.errors import InputError
from permend.synthesis.spelling import LetterNoise, learn_rules, read_misspellings


def test_learned_confusions_prevail() -> None:
    noise = LetterNoise(learn_rules([("receive", "recieve", 50), ("address", "adress", 50)]))
    seen = [noise.misspell("deceive", random.Random(n)) for n in range(200)]
    assert seen.count("decieve") > 140
    assert [noise.misspell("paddle", random.Random(n)) for n in range(200)].count("padle") > 100


@given(st.text("abcdeilmnorst", min_size=3, max_size=12), st.integers(0, 50))
def test_a_misspelling_stays_near(word: str, number: int) -> None:
    noise = LetterNoise(learn_rules([("beautiful", "beautifull", 3), ("until", "untill", 2), ("they", "thay", 1)]))
    assert OSA.distance(word, noise.misspell(word, random.Random(number))) <= 4


LISTS = {
    "wikipedia.txt": "recieve->receive\nthier->their, there\n",
    "norvig.txt": "receive: recieve*4, receeve\ntheir: thier\n",
    "birkbeck.dat": "$receive\nrecieve\n$their\nthier\n",
    "tagged.dat": "I <ERR targ=receive> recieve </ERR> <ERR targ=their> thier </ERR> books.\n",
    "words.txt": "receive recieve\ntheir thier there\n",
    "flat.json": '{"recieve": "receive", "thier": "their"}',
    "deep.json": '{"lists": [{"words": ["recieve->receive", "thier->their"]}]}',
}


@pytest.mark.parametrize("name", LISTS)
def test_lists_of_misspellings(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(LISTS[name], encoding="utf-8")
    found = read_misspellings([tmp_path / name], {"there"})
    assert "recieve" in found["receive"]
    assert "thier" in found["their"]
    assert "there" not in found.get("their", {})  # a real word is nobody's misspelling


def test_nearer_misspellings_weigh_more(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("beautiful beautifull bautifull xylophone\n", encoding="utf-8")
    found = read_misspellings([tmp_path / "list.txt"])["beautiful"]
    assert found["beautifull"] > found["bautifull"]
    assert "xylophone" not in found


@pytest.mark.parametrize(("name", "text"), [("list.txt", "nothing\n"), ("list.json", "{"), ("list.json", "[1]")])
def test_files_without_misspellings_are_refused(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=name):
        read_misspellings([tmp_path / name])
