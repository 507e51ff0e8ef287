"""``permend align`` as its user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permend.cli.main import main
from tests.conftest import make_byte_level


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["align", *arguments])


def test_figure_1_as_json() -> None:
    result = run("I be busy", "I am busy", "--words", "--slots", "1", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "plan": [0, 1, 5, 3, 4],
        "input": ["<s>", "I", "<mask>", "<mask>", "<mask>", "busy", "</s>"],
        "output": ["<s>", "I", "am", "<pad>", "<pad>", "busy", "</s>"],
        "losses": {"insertions_cut": 0, "slots_exceeded": 0, "spans_dropped": 0},
    }


def test_figure_3_both_ways() -> None:
    pair = (
        "I like films when I was younger I watched on TV",
        "I like films I watched on TV when I was younger",
    )
    ours = json.loads(run(*pair, "--json").stdout)["plan"]
    felix = json.loads(run(*pair, "--labels", "felix", "--json").stdout)["plan"]
    assert ours == [0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12]
    assert felix == [0, 1, 2, 3, 5, 9, 10, 11, 4, 8, 6, 7, 12]


def test_people_see_what_moved_what_went_and_what_came() -> None:
    moved = run("I films like", "I like films").stdout
    assert "← 3" in moved
    assert "→ 2" in moved
    replaced = run("I be busy", "I am busy").stdout
    assert "[-be-]" in replaced
    assert "{+am+}" in replaced
    assert "longer than a slot" in run("x", "a b c d").stdout
    assert "nothing changes" in run("all well", "all well").stdout


def test_a_tokenizer_file_is_used(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text(make_byte_level(), encoding="utf-8")
    output = json.loads(run("I be 😀", "I am 😀", "--tokenizer", str(tmp_path), "--json").stdout)
    assert "Ġam" in output["output"]


@pytest.mark.parametrize(
    ("source", "target", "plan"),
    [("", "", [0, 1]), ("a b", "", [0, 3]), ("", "a", [0, 2, 1]), ("a", "a", [0, 1, 2])],
)
def test_empty_and_equal_sentences(source: str, target: str, plan: list[int]) -> None:
    assert json.loads(run(source, target, "--json").stdout)["plan"] == plan


def test_ten_thousand_tokens() -> None:
    words = [f"w{i}" for i in range(10_000)]
    output = json.loads(run(" ".join(words), " ".join(words[:5000] + words[5001:]), "--json").stdout)
    assert len(output["plan"]) == 10_001


def test_a_corpus_is_counted(tmp_path: Path) -> None:
    corpus = tmp_path / "pairs.tsv"
    corpus.write_text("I be busy\tI am busy\n\nall well\tall well\n", encoding="utf-8")
    counts = json.loads(run("--pairs", str(corpus), "--json").stdout)
    assert (counts["pairs"], counts["unchanged"], counts["exact"]) == (2, 0.5, 1.0)
    assert counts["histograms"]["edits"] == {"0": 1, "1": 1}
    table = run("--pairs", str(corpus)).stdout
    assert "2 pairs" in table
    assert "50.00%" in table


def test_a_corpus_of_annotations_is_counted(tmp_path: Path) -> None:
    corpus = tmp_path / "gold.m2"
    corpus.write_text("S I be busy\nA 1 2|||R:VERB|||am|||REQUIRED|||-NONE-|||0\n\nS all well\n\n", encoding="utf-8")
    assert json.loads(run("--pairs", str(corpus), "--json").stdout)["histograms"]["insertions"] == {"0": 1, "1": 1}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("pairs.tsv", b"one\ttwo\nno tab here\n", "pairs.tsv:2: a pair has two columns"),
        ("pairs.tsv", b"a\tb\n\xff\xfe\tb\n", "pairs.tsv:2: this is not valid UTF-8"),
        ("pairs.tsv", b"\n\n", "holds no pairs"),
        ("pairs.txt", b"a\tb\n", "pairs are read from"),
        ("gold.m2", b"S a b\nA 0 9|||R|||x|||REQUIRED|||-NONE-|||0\n", "gold.m2:2"),
        (
            "gold.m2",
            b"S a b c\nA 0 2|||R|||x|||REQUIRED|||-NONE-|||0\nA 1 3|||R|||y|||REQUIRED|||-NONE-|||0\n",
            "gold.m2:1: the edits of annotator 0 overlap",
        ),
    ],
)
def test_bad_files_give_one_sentence_and_exit_code_2(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    result = run("--pairs", str(tmp_path / name))
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("only one",),
        ("a", "b", "--pairs", "x.tsv"),
        ("a", "b", "--words", "--tokenizer", "t.json"),
        ("a", "b", "--tokenizer", "missing.json"),
        ("a", "b", "--slots", "-1"),
        ("--pairs", "missing.tsv"),
        ("a\udcff", "b"),
    ],
)
def test_bad_arguments_give_one_sentence_and_exit_code_2(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Error" in result.stderr
    assert "Traceback" not in result.output
