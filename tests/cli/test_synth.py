"""``permend synth`` as its user meets it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from permend.cli.main import main
from permend.corpora.pairs import read_pairs
from tests.corpora.invented import hold_out_invented
from tests.synthesis.annotated import OTHER_LANGUAGE, write_m2, write_text


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["synth", *map(str, arguments)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with annotated text, clean text and a model."""
    folder = tmp_path_factory.mktemp("synth")
    write_text(folder)
    result = run("fit", write_m2(folder), "-o", folder / "errors.json")
    assert result.exit_code == 0, result.output
    assert "R:VERB:SVA" in result.stderr
    return folder


def make(folder: Path, *options: str | Path) -> Result:
    return run("make", folder / "clean.txt", "--errors", folder / "errors.json", *options)


def test_the_model_names_its_origin(folder: Path) -> None:
    origin = json.loads((folder / "errors.json").read_text(encoding="utf-8"))["origin"]
    assert origin["command"] == "permend synth fit annotated.m2"
    assert origin["sentences"] == 240


def test_nothing_is_learned_from_a_held_out_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = hold_out_invented(tmp_path, monkeypatch)
    result = run("fit", path, "-o", tmp_path / "errors.json")
    assert result.exit_code == 2
    assert f"{path}: this is the lamps dev set, which is for validation only" in result.stderr
    assert not (tmp_path / "errors.json").exists()


def test_pairs_come_out_the_same_for_the_same_seed(folder: Path) -> None:
    first, again, other = make(folder), make(folder), make(folder, "--seed", "3")
    assert first.exit_code == 0, first.output
    assert first.stdout == again.stdout
    assert first.stdout != other.stdout
    targets = [line.split("\t")[1] for line in first.stdout.splitlines()]
    assert "We discussed the problem at home." in " ".join(targets)
    assert "kept" in first.stderr


def test_options(folder: Path) -> None:
    output = folder / "pairs.tsv.gz"
    assert make(folder, "-o", output, "--clean-share", "1", "--limit", "5").exit_code == 0
    assert gzip.decompress(output.read_bytes()).count(b"\n") == 5
    assert all(pair.source == pair.target for pair in read_pairs(output))
    only = make(folder, *(f"--rate={kind}=0" for kind in ("SPELL", "ORTH", "DET")), "--clean-share", "0")
    assert only.exit_code == 0, only.output
    assert make(folder, "--preset", "pie").exit_code == 0
    (folder / "list.txt").write_text("school: scool, shcool*2\n", encoding="utf-8")
    assert make(folder, "--misspellings", folder / "list.txt", "--keep", f"{folder / 'clean.txt'}=0.9").exit_code == 0


def test_lines_can_be_sentences_already(folder: Path) -> None:
    write_text(folder, "lines.txt", "She goes to school by bus. It was a nice day.\nWe like the park.\n")
    result = run("make", folder / "lines.txt", "--lines", "--errors", folder / "errors.json")
    assert [line.count(".") for line in result.stdout.splitlines() if line.endswith("day.")] != []
    assert len(result.stdout.splitlines()) == 2


def test_sentences_are_the_targets_that_make_would_use(folder: Path, tmp_path: Path) -> None:
    options: list[str | Path] = ["--errors", folder / "errors.json"]
    whole = run("sentences", folder / "clean.txt", *options)
    assert whole.exit_code == 0, whole.output
    lines = whole.stdout.splitlines()
    assert sorted(lines) == sorted(line.split("\t")[1] for line in make(folder).stdout.splitlines())
    part = run("sentences", folder / "clean.txt", *options, "--set-aside", "0.5").stdout.splitlines()
    assert set(part) < set(lines)
    packed = run("sentences", folder / "clean.txt", *options, "--limit", "2", "-o", tmp_path / "few.txt.gz")
    assert packed.exit_code == 0
    assert gzip.decompress((tmp_path / "few.txt.gz").read_bytes()).decode().splitlines() == lines[:2]


def test_match_and_report(folder: Path) -> None:
    corpus = folder / "annotated.m2"
    made = make(folder, "--match", corpus, "-o", folder / "made.tsv", "--save-errors", folder / "matched.json")
    assert made.exit_code == 0, made.output
    assert (folder / "matched.json").exists()
    arguments = ("report", folder / "made.tsv", "--against", corpus, "--sample", "60")
    table = run(*arguments, "--chart", folder / "chart.png")
    assert table.exit_code == 0, table.output
    for word in ("VERB:SVA", "made / annotated", "expressed exactly", "missing, %"):
        assert word in table.stdout
    assert (folder / "chart.png").exists()
    document = json.loads(run(*arguments, "--json").stdout)
    assert document["types"]["VERB:SVA"]["annotated"] == pytest.approx(3 / 27, abs=0.02)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("make", "clean.txt", "--errors", "clean.txt"), "this is no error model"),
        (("make", "missing.txt", "--errors", "errors.json"), "missing.txt: cannot be read"),
        (("make", "other.txt", "--errors", "errors.json"), "another language"),
        (("make", "empty.txt", "--errors", "errors.json"), "holds no text"),
        (("make", "image.txt", "--errors", "errors.json"), "this is a binary file"),
        (("make", "titles.txt", "--errors", "errors.json"), "fit to be a target"),
        (("make", "clean.txt", "--errors", "errors.json", "--rate", "NOTHING=2"), "the model has no such type"),
        (("make", "clean.txt", "--errors", "errors.json", "--rate", "SPELL"), "--rate is written NAME=NUMBER"),
        (("make", "clean.txt", "--errors", "errors.json", "--rate", "SPELL=-1"), "is no number"),
        (("make", "clean.txt", "--errors", "errors.json", "--keep", "b.txt=0.5"), "none of the texts"),
        (("make", "clean.txt", "--errors", "errors.json", "--keep", "clean.txt=2"), "between 0 and 1"),
        (("make", "clean.txt", "--errors", "errors.json", "--preset", "pie", "--rate", "SPELL=2"), "its own rates"),
        (("make", "clean.txt", "--errors", "errors.json", "-o", "no/where.tsv"), "cannot be written"),
        (("make", "clean.txt", "--errors", "errors.json", "--match", "clean.txt"), "an M2 line starts with"),
        (("fit", "clean.txt", "-o", "x.json"), "an M2 line starts with"),
        (("fit", "annotated.m2", "-o", "no/where.json"), "cannot be written"),
        (("fit", "-o", "x.json"), "Missing argument"),
        (("report", "clean.txt", "--against", "annotated.m2"), "pairs are read from"),
        (("report", "empty.tsv", "--against", "annotated.m2"), "holds no pairs"),
    ],
)
def test_bad_input_gives_one_sentence_and_exit_code_2(
    folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    write_text(folder, "other.txt", OTHER_LANGUAGE * 3)
    write_text(folder, "empty.txt", "\n")
    write_text(folder, "empty.tsv", "\n")
    write_text(folder, "titles.txt", "the old man and the sea\n")
    (folder / "image.txt").write_bytes(b"\x00\x01\x00")
    monkeypatch.chdir(folder)
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert "Traceback" not in result.output
