"""What is held out is not in what was learned, and a file that is held out is refused."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from permend.corpora.held_out import (
    SHIPPED,
    fingerprints,
    hash_corpus,
    held_out_hashes,
    held_out_sets,
    holds,
    read_hashes,
    refuse_held_out,
)
from permend.errors import InputError
from tests.corpora.invented import RIGHT, WRONG, hold_out_invented, write_invented

ROOT = Path(__file__).parents[2]
TRAINED_ON = Path(__file__).parents[2] / "experiments" / "trained-on.bin"


def test_nothing_that_the_model_learned_is_held_out() -> None:
    learned = read_hashes(TRAINED_ON)
    assert {each.name for each in learned} >= {"W&I train", "FCE train"}
    assert sum(len(each.hashes) for each in learned) > 100_000
    for each in learned:
        for other in held_out_sets():
            assert each.hashes.isdisjoint(other.hashes), f"{each.name} has sentences of {other.name}"


def test_the_sets_are_whole() -> None:
    sizes = {each.name: each.sentences for each in held_out_sets()}
    assert sizes == {
        "W&I+LOCNESS dev": 4384,
        "FCE dev": 2191,
        "FCE test": 2695,
        "CoNLL-2013": 1381,
        "JFLEG dev": 754,
        "CWEB-G dev": 3867,
        "CWEB-S dev": 2862,
    }
    assert all(each.hashes for each in held_out_sets())
    assert SHIPPED.stat().st_size < 250_000
    assert TRAINED_ON.stat().st_size < 1_000_000


def test_only_what_learns_reads_the_hashes() -> None:
    code = "import permend.cli; from permend.corpora import held_out; print(held_out._read.cache_info().currsize)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.strip() == b"0"


def test_a_held_out_file_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hold_out_invented(tmp_path, monkeypatch)
    for texts in (WRONG, RIGHT, [text.replace(" n't", "n't").upper() for text in RIGHT]):
        with pytest.raises(InputError, match=r"^my\.tsv: this is the lamps dev set, which is for validation only"):
            refuse_held_out("my.tsv", texts)


def test_a_few_common_sentences_are_tolerated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hold_out_invented(tmp_path, monkeypatch)
    mine = [f"I counted {number} green doors along the long street." for number in range(100)]
    refuse_held_out("my.tsv", [*mine, *WRONG[:11], "Too short."])
    refuse_held_out("empty.tsv", [])
    with pytest.raises(InputError, match="12 of the first 112 sentences"):
        refuse_held_out("my.tsv", [*mine, *WRONG])


def test_all_sides_are_hashed(tmp_path: Path) -> None:
    path = tmp_path / "two.m2"
    path.write_text(
        "S The old lamp were lit .\n"
        "A 3 4|||R:VERB|||was|||REQUIRED|||-NONE-|||0\n"
        "A 2 3|||R:NOUN|||lamps|||REQUIRED|||-NONE-|||1\n"
        "A 0 3|||R:OTHER|||It|||REQUIRED|||-NONE-|||2\nA 2 4|||R:OTHER|||one is|||REQUIRED|||-NONE-|||2\n",
        encoding="utf-8",
    )
    made = hash_corpus("two", path)
    assert made.sentences == 1
    expected = ("The old lamp were lit.", "The old lamp was lit.", "The old lamps were lit.")  # the third one overlaps
    assert made.hashes == {found for text in expected for found in fingerprints(text)}


def test_a_folder_of_references_is_hashed_whole(tmp_path: Path) -> None:
    for name, text in {"dev.src": "A lamp lite", "dev.spellchecked.src": "A lamp lit", "dev.ref0": "Lamps"}.items():
        (tmp_path / name).write_text(text + "\n", encoding="utf-8")
    assert hash_corpus("dev", tmp_path).hashes == {
        found for text in ("A lamp lite", "A lamp lit", "Lamps") for found in fingerprints(text)
    }


def test_the_script_makes_and_extends_both_files(tmp_path: Path) -> None:
    (tmp_path / "more.tsv").write_text(
        f"{WRONG[0]}\t{RIGHT[0]}\nI counts all green doors.\tI counted all green doors.\n", encoding="utf-8"
    )
    script = runpy.run_path(str(ROOT / "scripts" / "hash-held-out"))["main"]

    def run(*arguments: str | Path) -> None:
        result = CliRunner().invoke(script, [str(argument) for argument in arguments], catch_exceptions=False)
        assert result.exit_code == 0, result.output

    out, learned = tmp_path / "out.bin", tmp_path / "learned.bin"
    run(f"lamps dev={write_invented(tmp_path / 'lamps.m2')}", "-o", out)
    run(tmp_path / "more.tsv", "--without", out, "--least-words", "4", "-o", learned)
    run(tmp_path / "more.tsv", "--extend", "-o", out)
    assert [(each.name, each.sentences) for each in read_hashes(out)] == [("lamps dev", 12), ("more", 2)]
    (kept,) = read_hashes(learned)
    assert kept.sentences == 1
    assert holds("I counted all green doors", kept.hashes)
    assert not holds(RIGHT[0], kept.hashes)


def test_the_shipped_hashes_know_no_invented_sentence() -> None:
    assert not any(holds(text, held_out_hashes()) for text in (*WRONG, *RIGHT))
