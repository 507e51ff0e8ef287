"""No pair that gets past the guard has a sentence that is held out, whatever it looks like."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from permend.corpora.pairs import Pair
from permend.errors import InputError
from permend.text.tokenized import detokenize
from permend.training.correction.data import LeakGuard, count_leaks, make_guard, make_source, refuse_held_out_files
from permend.training.correction.recipe import Data
from tests.corpora.invented import RIGHT, WRONG, hold_out_invented

OTHER = "I counted the green doors along the street."


@pytest.fixture(name="lamps")
def _lamps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return hold_out_invented(tmp_path, monkeypatch)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    sentence=st.sampled_from(WRONG + RIGHT),
    written=st.booleans(),
    upper=st.booleans(),
    before=st.sampled_from(["", "Well. ", OTHER + " "]),
    other=st.sampled_from([OTHER, ""]),
    swap=st.booleans(),
    least=st.integers(1, 10),
)
def test_no_held_out_sentence_gets_past(
    lamps: Path, sentence: str, written: bool, upper: bool, before: str, other: str, swap: bool, least: int
) -> None:
    text = detokenize(sentence.split()).text if written else sentence
    side = before + (text.upper() if upper else text)
    pair = Pair(other, side) if swap else Pair(side, other)
    assert LeakGuard(least_words=least).leaks(pair)


def test_what_is_not_held_out_is_learned(lamps: Path) -> None:
    for least in (1, 7):
        assert not LeakGuard(least_words=least).leaks(Pair(OTHER, OTHER))
        assert not LeakGuard(least_words=least).leaks(Pair(WRONG[0].replace("one", "thousand"), ""))


def test_length_decides_for_a_short_sentence() -> None:
    short = Pair("Lamps off , please zzyzx .", "Lamps off, please, zzyzx.")
    assert LeakGuard([short], least_words=1).leaks(Pair("lamps off please zzyzx", ""))
    assert LeakGuard([short], least_words=4).leaks(short)
    assert not LeakGuard([short]).leaks(short)


def test_a_recipe_can_give_up_the_guard_of_its_own_file_only(lamps: Path) -> None:
    mine = Pair(OTHER + " Twice a day.", OTHER)
    assert make_guard(Data(), [mine]).leaks(mine)
    guard = make_guard(Data(leak_tokens=0), [mine])
    assert not guard.leaks(mine)
    assert guard.leaks(Pair(WRONG[0], RIGHT[0]))


def test_files_are_refused(lamps: Path, tmp_path: Path) -> None:
    text, pairs = tmp_path / "text.txt", tmp_path / "pairs.tsv"
    text.write_text(" ".join(RIGHT) + f"\n{OTHER}\n", encoding="utf-8")
    pairs.write_text(f"{OTHER}\t{OTHER}\n" * 30 + f"{WRONG[0]}\t{RIGHT[0]}\n", encoding="utf-8")
    for data in (Data(train=(str(pairs), str(lamps))), Data(text=(str(text),)), Data(train=(str(lamps),), raw=False)):
        with pytest.raises(InputError, match="is the lamps dev set"):
            refuse_held_out_files(data)
    with pytest.raises(InputError, match="validation file"):
        refuse_held_out_files(Data(train=(str(pairs),), validation=str(tmp_path / "." / pairs.name)))
    refuse_held_out_files(Data(train=(str(pairs),), validation=str(lamps)))
    assert count_leaks(Data(train=(str(pairs),), validation=str(lamps))) == (1, 31)
    assert count_leaks(Data(text=(str(text),))) == (1, 2)


def test_a_recipe_names_repositories_and_files_that_it_learns_nothing_from(tmp_path: Path) -> None:
    names, pairs, measured = tmp_path / "names.txt", tmp_path / "pairs.jsonl", tmp_path / "measured.jsonl"
    names.write_text("theirs\n", encoding="utf-8")
    rows = [
        {"source": OTHER + end, "target": OTHER, "repository": name}
        for end, name in (("", "ours"), (" Yes.", "theirs"))
    ]
    pairs.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    measured.write_text(json.dumps(rows[1]) + "\n", encoding="utf-8")
    source = make_source(Data(train=(str(pairs),), without=str(names)))
    assert [pair.source for pair in source.read(0, 0, 0, len(source))] == [OTHER]
    assert make_guard(Data(held_out=(str(measured),)), []).leaks(Pair(OTHER, OTHER))
    assert count_leaks(Data(train=(str(pairs),), held_out=(str(measured),))) == (2, 2)
    assert count_leaks(Data(train=(str(pairs),), without=str(names))) == (0, 1)
