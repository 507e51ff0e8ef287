"""``permend evaluate`` from the outside: numbers, ways to name the files, and one sentence for every mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from permend.cli.main import main

GOLD = """S He go to to school .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 3 4|||U:PREP||||||REQUIRED|||-NONE-|||0

S Fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S What a days
A 2 3|||R:NOUN:NUM|||day|||REQUIRED|||-NONE-|||0
A 3 3|||M:PUNCT|||!|||REQUIRED|||-NONE-|||0
"""
HYPOTHESIS = "He goes to to school .\nVery fine .\nWhat a day !\n"
SOURCE = "He go to to school .\nFine .\nWhat a days\n"
REFERENCE = "He goes to school .\nFine .\nWhat a day !\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {"gold.m2": GOLD, "hyp.txt": HYPOTHESIS, "src.txt": SOURCE, "ref0.txt": REFERENCE, "ref1.txt": HYPOTHESIS}
    for name, text in texts.items():
        Path(name).write_text(text, encoding="utf-8")


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["evaluate", *arguments], input=stdin)


def run_json(*arguments: str, stdin: str | None = None) -> dict[str, Any]:
    result = run(*arguments, "--json", stdin=stdin)
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert isinstance(document, dict)
    return document


def test_m2_numbers() -> None:
    # right: goes, day, "!"; wrong: Very fine; missed: the second "to"
    document = run_json("--metric", "m2", "--gold", "gold.m2", "hyp.txt")
    assert document == {
        "metric": "m2",
        "sentences": 3,
        "tp": 3,
        "fp": 1,
        "fn": 1,
        "precision": 0.75,
        "recall": 0.75,
        "f0.5": 0.75,
    }


def test_errant_numbers_by_type() -> None:
    # "Fine -> Very fine" is one edit for ERRANT
    document = run_json("--metric", "errant", "--gold", "gold.m2", "--hypothesis", "hyp.txt", "--by-type")
    assert (document["tp"], document["fp"], document["fn"]) == (3, 1, 1)
    assert document["types"]["PREP"] == {"tp": 0, "fp": 0, "fn": 1, "precision": 1.0, "recall": 0.0, "f0.5": 0.0}
    assert sum(each["tp"] for each in document["types"].values()) == 3


def test_the_name_of_f_follows_beta() -> None:
    assert run_json("--metric", "m2", "--gold", "gold.m2", "src.txt", "--beta", "1")["f1"] == 0
    assert "f2.5" in run_json("--metric", "m2", "--gold", "gold.m2", "src.txt", "--beta", "2.5")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--source", "src.txt", "--references", "ref0.txt", "ref1.txt", "--hypothesis", "hyp.txt"],
        ["--source", "src.txt", "--references", "ref0.txt", "--references", "ref1.txt", "--hypothesis", "hyp.txt"],
        ["--references=ref0.txt", "--references=ref1.txt", "--source", "src.txt", "hyp.txt"],
        ["hyp.txt", "--source", "src.txt", "--references", "ref0.txt", "ref1.txt"],
    ],
)
def test_gleu_takes_references_in_every_way(arguments: list[str]) -> None:
    document = run_json("--metric", "gleu", *arguments)
    assert (document["sentences"], document["references"], document["iterations"]) == (3, 2, 500)
    assert document["ngrams"] == [13, 10, 7, 4]  # 6 + 3 + 4 tokens
    assert 0 < document["gleu"] < 1


def test_gleu_of_the_only_reference_is_one() -> None:
    arguments = ["--source", "src.txt", "--references", "ref0.txt", "--hypothesis", "ref0.txt"]
    assert run_json("--metric", "gleu", *arguments)["gleu"] == 1


def test_tables_for_people() -> None:
    table = run("--metric", "m2", "--gold", "gold.m2", "hyp.txt").stdout
    assert "75.00" in table
    assert "F0.5" in table
    assert "VERB:SVA" in run("--metric", "errant", "--gold", "gold.m2", "hyp.txt", "--by-type").stdout
    gleu = run("--metric", "gleu", "--source", "src.txt", "--references", "ref0.txt", "--hypothesis", "ref0.txt")
    assert "100.00" in gleu.stdout
    assert gleu.stderr == ""  # no progress bar where nobody looks


def test_standard_input() -> None:
    assert run_json("--metric", "m2", "--gold", "gold.m2", "-", stdin=HYPOTHESIS)["tp"] == 3


def test_an_empty_line_is_a_hypothesis() -> None:
    Path("hyp.txt").write_text("\nFine .\nWhat a day !\n", encoding="utf-8")
    document = run_json("--metric", "m2", "--gold", "gold.m2", "hyp.txt")
    # right: the second "to" goes, day, "!"; wrong: what goes before it and behind it; missed: goes
    assert (document["tp"], document["fp"], document["fn"]) == (3, 2, 1)


@pytest.mark.parametrize("metric", ["m2", "errant"])
def test_ten_thousand_tokens(metric: str) -> None:
    long = " ".join(f"w{i % 50}" for i in range(10_000))
    Path("gold.m2").write_text(f"S {long}\nA 0 1|||R|||x|||REQUIRED|||-NONE-|||0\n", encoding="utf-8")
    Path("hyp.txt").write_text(long.replace("w0", "x", 1) + "\n", encoding="utf-8")
    result = run("--metric", metric, "--gold", "gold.m2", "hyp.txt", "--json")
    if metric == "m2":
        assert json.loads(result.stdout)["f0.5"] == 1
    else:
        assert result.exit_code == 2
        assert "gold.m2:1: 10000 source tokens and 10000 hypothesis tokens are too many" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--metric", "m2", "hyp.txt"], "--metric m2 needs --gold."),
        (["--metric", "m2", "--gold", "gold.m2"], "Give the file to score with --hypothesis"),
        (["--metric", "m2", "--gold", "gold.m2", "hyp.txt", "--hypothesis", "hyp.txt"], "Give the hypothesis once"),
        (["--metric", "m2", "--gold", "gold.m2", "hyp.txt", "--by-type"], "--by-type does not belong to --metric m2."),
        (["--metric", "m2", "--gold", "gold.m2", "hyp.txt", "--source", "src.txt"], "--source does not belong"),
        (["--metric", "m2", "--gold", "gold.m2", "hyp.txt", "--beta", "0"], "--beta must be a number above 0."),
        (["--metric", "m2", "--gold", "gold.m2", "hyp.txt", "--beta", "nan"], "--beta must be a number above 0."),
        (["--metric", "m2", "--gold", "-", "-"], "Only one file can be standard input."),
        (["--metric", "gleu", "--source", "src.txt", "hyp.txt"], "--metric gleu needs --references."),
        (["--metric", "gleu", "--references", "ref0.txt", "--hypothesis", "hyp.txt"], "needs --source."),
        (["--metric", "gleu", "--source", "src.txt", "--references", "ref0.txt", "hyp.txt"], "before --references."),
        (["--metric", "gleu", "--gold", "gold.m2", "hyp.txt"], "--gold does not belong to --metric gleu."),
        (["--metric", "m2", "--gold", "nothing.m2", "hyp.txt"], "nothing.m2: cannot be read: No such file"),
        (["--metric", "m2", "--gold", "empty", "hyp.txt"], "empty: holds no sentences"),
        (["--metric", "m2", "--gold", "gold.m2", "empty"], "empty: holds no sentences"),
        (["--metric", "gleu", "--source", "empty", "--references", "empty", "--hypothesis", "empty"], "no sentences"),
        (["--metric", "m2", "--gold", "gold.m2", "short.txt"], "short.txt: has 1 lines, but gold.m2 has 3 sentences"),
        (["--metric", "errant", "--gold", "gold.m2", "latin1"], "latin1:2: this is not valid UTF-8"),
        (["--metric", "m2", "--gold", "outside.m2", "short.txt"], "outside.m2:2: an edit from 0 to 9 does not fit"),
        (
            ["--metric", "gleu", "--source", "src.txt", "--references", "short.txt", "--hypothesis", "hyp.txt"],
            "short.txt: has 1 lines, but src.txt has 3 sentences",
        ),
    ],
)
def test_mistakes_give_one_sentence_and_code_2(arguments: list[str], message: str) -> None:
    Path("empty").touch()
    Path("short.txt").write_text("He goes .\n", encoding="utf-8")
    Path("latin1").write_bytes(b"He goes .\nd\xe9j\xe0 vu\n.\n")
    Path("outside.m2").write_text("S a\nA 0 9|||R|||x|||REQUIRED|||-NONE-|||0\n", encoding="utf-8")
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_overlapping_gold_edits_are_scored_as_the_official_scorers_do() -> None:
    lines = ["S a b c", "A 1 2|||R|||x|||REQUIRED|||-NONE-|||0", "A 1 3|||R|||x c|||REQUIRED|||-NONE-|||0"]
    Path("gold.m2").write_text("\n".join(lines), encoding="utf-8")
    Path("hyp.txt").write_text("a x c\n", encoding="utf-8")
    document = run_json("--metric", "m2", "--gold", "gold.m2", "hyp.txt")
    assert (document["tp"], document["fp"], document["fn"]) == (1, 0, 1)


def test_help_teaches() -> None:
    text = run("--help").output
    assert "permend evaluate --metric gleu --source dev.src --references dev.ref0 dev.ref1" in text
