"""``permend correct`` from the outside: bytes that need no correction survive, and every mistake is one sentence."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from permend.cli import lines as line_stream
from permend.cli.main import main
from permend.corrector.corrector import Correction, Corrector, Options
from permend.model.options import Mode, Modes, write_modes
from permend.text.edits import Edit, apply
from tests.corrector.test_corrector import wild
from tests.model.tiny import exported, texts


def run(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["correct", *map(str, arguments)], input=stdin)


def succeed(*arguments: str | Path, stdin: str | bytes | None = None) -> bytes:
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 0, result.output
    return result.stdout_bytes


def documents(*arguments: str | Path, stdin: str | bytes | None = None) -> list[dict[str, Any]]:
    return [json.loads(line) for line in succeed("--json", *arguments, stdin=stdin).splitlines()]


@pytest.mark.usefixtures("by_hand")
def test_sentences_come_from_arguments_files_or_standard_input(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"I was busy.\n")
    (tmp_path / "b.txt").write_bytes(b"All is well.\nI was late.")
    assert succeed("I was busy.", "All is well.") == b"I am busy.\nAll is well.\n"
    assert (
        succeed("--file", tmp_path / "a.txt", "--file", tmp_path / "b.txt") == b"I am busy.\nAll is well.\nI am late."
    )
    assert succeed(stdin="I was busy.\n") == b"I am busy.\n"
    assert succeed("--file", "-", stdin="I was busy.\n") == b"I am busy.\n"
    assert succeed(stdin="") == b""


ODD = (
    b"\xef\xbb\xbfBOM first\r\n\r\n\n   \n\tindented , oddly  spaced \r\nbell\x07 esc\x1b[0m \x0c form feed\r return\n"
    + "Привет, мир! 你好，世界。 שלום 😀\u2028 separator\n".encode()
    + b"caf\xe9 is latin-1, \xff\xfe is nothing\n"
    + b"x" * 100_000
    + b"\n"
    + b"word " * 20_000
    + b"\nno end"
)


@pytest.mark.usefixtures("by_hand")
def test_untouched_lines_are_byte_identical_however_odd() -> None:
    assert succeed("--lines", stdin=ODD) == ODD


@pytest.mark.usefixtures("by_hand")
def test_around_a_correction_nothing_is_lost() -> None:
    odd = b"\xef\xbb\xbf \xe9\x07 was  busy.\r\n"
    assert succeed("--lines", stdin=odd) == odd.replace(b"was", b"am")
    corrected = succeed("--lines", stdin=b"I was busy. " * 9_000 + b"\n")
    assert corrected.count(b"I am busy. ") > 1_000, "two in every part of a line of 108,000 characters"
    assert corrected.replace(b"am", b"was") == b"I was busy. " * 9_000 + b"\n"


def test_empty_lines_stay_empty_whatever_the_networks_say(by_hand: Callable[..., None]) -> None:
    by_hand(wild)
    assert succeed("--lines", stdin="\n  \n\t\r\n") == b"\n  \n\t\r\n"


@pytest.mark.usefixtures("by_hand")
def test_memory_does_not_grow_with_the_input(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    whole = Corrector.correct_batch

    def watched(self: Corrector, texts: Sequence[str], **options: Any) -> list[Correction]:
        sizes.append(sum(map(len, texts)))
        return whole(self, texts, **options)

    monkeypatch.setattr(Corrector, "correct_batch", watched)
    monkeypatch.setattr(line_stream, "CHARACTERS", 200)
    assert succeed("--lines", stdin="I was busy.\n" * 500) == b"I am busy.\n" * 500
    assert len(sizes) > 20
    assert max(sizes) < 250


@pytest.mark.usefixtures("by_hand")
def test_json_has_all_that_a_program_needs() -> None:
    busy, blank = documents("--lines", stdin="I  was busy.\r\n\n")
    assert (busy["source"], busy["text"]) == ("I  was busy.", "I  am busy.")
    [edit] = busy["edits"]
    assert edit["probability"] > 0.5
    assert edit["type"] == "R:VERB:TENSE"
    assert "“am”" in edit["explanation"]
    assert edit["alternatives"] == sorted(edit["alternatives"], key=lambda each: -each["probability"])
    assert apply(busy["source"], [Edit(*(edit[key] for key in ("start", "end", "before", "after")))]) == busy["text"]
    assert busy["margin"] > 0
    assert busy["alternatives"][0]["text"] == busy["text"]
    assert any(each["text"] == busy["source"] for each in busy["alternatives"])
    assert blank == {"source": "", "text": "", "edits": [], "margin": 0, "alternatives": [{"text": "", "score": 0}]}
    [odd] = documents("--lines", stdin=b"caf\xe9\n")
    assert odd["text"] == "caf\udce9"


@pytest.mark.usefixtures("by_hand")
def test_alternatives_are_listed_and_never_change_the_correction() -> None:
    [one] = documents("--alternatives", "1", "I was busy.")
    [seven] = documents("--alternatives", "7", "I was busy.")
    assert len(one["alternatives"]) == 1
    assert 2 < len(seven["alternatives"]) <= 7
    assert one["text"] == seven["text"] == "I am busy."
    lines = succeed("--alternatives", "2", "I was busy.").decode().splitlines()
    assert [line.partition("\t")[2] for line in lines] == [each["text"] for each in seven["alternatives"][:2]] + [""]


@pytest.mark.usefixtures("by_hand")
def test_options_reach_the_search() -> None:
    assert succeed("--min-margin", "99", "I was busy.") == b"I was busy.\n"
    assert succeed("--bias", "1", "I was busy.") == b"I was busy.\n"
    assert succeed("--steps", "1", "I was busy.") == b"I am busy.\n"


@pytest.mark.usefixtures("by_hand")
def test_tokenized_lines_keep_their_tokens() -> None:
    untouched = b'He said  " hello " , did n\'t he ?\r\n\nwell - known\t( 5% )\n'
    assert succeed("--tokenized", stdin=untouched) == untouched
    assert succeed("--tokenized", stdin="I was n't busy .\n") == b"I am n't busy .\n"
    [document] = documents("--tokenized", stdin="So , I was n't busy .\n")
    assert document["text"] == "So , I am n't busy ."
    [edit] = document["edits"]
    assert (edit["start"], edit["end"], edit["before"], edit["after"]) == (3, 4, "was", "am")
    assert document["alternatives"][0]["text"] == document["text"]
    assert any(each["text"] == document["source"] for each in document["alternatives"])


def test_an_exported_folder_corrects_as_the_library_does() -> None:
    folder = exported()[1]
    expected = [correction.text for correction in Corrector.from_pretrained(folder).correct_batch(texts(20))]
    assert (
        succeed("--lines", "--model", folder, "--threads", "1", stdin="\n".join(texts(20)) + "\n").decode().splitlines()
        == expected
    )
    for text in (ODD[:400], b"w5 w6 " * 200):
        lines = succeed("--lines", "--model", folder, stdin=text).count(b"\n")
        assert lines == text.count(b"\n"), "one line out for each line in"


def test_a_mode_sets_the_options(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(exported()[1], folder)
    result = run("--model", folder, "--mode", "precise", "w5 w6")
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
    assert "this model has no mode 'precise': it comes without modes.json" in result.stderr
    write_modes(folder, Modes({"balanced": Mode(Options()), "precise": Mode(Options(min_margin=1e9))}))
    lines = "\n".join(texts(20))
    assert succeed("--model", folder, "--mode", "precise", stdin=lines).decode() == lines
    assert succeed("--model", folder, stdin=lines).decode() != lines


def test_mistakes_are_told_in_a_sentence(tmp_path: Path) -> None:
    folder = exported()[1]
    damaged = tmp_path / "damaged"
    shutil.copytree(folder, damaged)
    (damaged / "weights.bin").write_bytes((folder / "weights.bin").read_bytes()[:-1] + b"?")
    (tmp_path / "packed.gz").write_bytes(gzip.compress(b"I was busy.\n" * 99, mtime=0))
    for arguments, message in (
        (("w5", "--model", tmp_path / "gone"), "no such model folder"),
        (("--model", folder, "--file", tmp_path / "gone.txt"), "gone.txt: no such file"),
        (("--model", folder, "--file", tmp_path), "cannot be read: Is a directory"),
        (("--model", folder, "--file", tmp_path / "packed.gz"), "packed.gz:1: this is a binary file, not text"),
        (("w5", "--file", tmp_path / "gone.txt"), "not both"),
        (("w5", "--model", folder, "--bias", "2"), "--bias"),
        (("w5", "--model", folder, "--min-margin", "nan"), "min_margin must be a number"),
        (("w5", "--mode", "bold"), "--mode"),
        (("w5", "--model", damaged), "damaged: weights.bin is not the file that was exported"),
    ):
        result = run(*arguments)
        assert result.exit_code == 2
        assert message in result.stderr
        assert "Traceback" not in result.stderr


def test_a_pipe_that_closes_early_is_no_error() -> None:
    code = "import sys\nfrom permend.cli.correct import correct\nsys.argv[0] = 'permend'\ncorrect()\n"
    command = [sys.executable, "-c", code, "--model", str(exported()[1]), "--threads", "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(b"\n" * 100_000)
        process.stdin.close()
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
