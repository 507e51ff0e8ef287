"""``permend export`` from the outside, with graphs that were traced once for all tests."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import onnx
import pytest
from click.testing import CliRunner, Result

from permend.cli.main import main
from permend.corrector.corrector import Corrector
from permend.model.torch import export as exporting
from permend.model.torch import parity
from permend.model.torch.parity import SENTENCES
from tests.model.tiny import exported, texts


@pytest.fixture
def trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a trained model, with a card and a file of sentences in it."""
    network, folder = exported()
    monkeypatch.setattr(exporting, "encoder_graph", lambda network: onnx.load(folder / "encoder.onnx"))
    monkeypatch.setattr(exporting, "decoder_graph", lambda network: onnx.load(folder / "decoder.onnx"))
    network.save_pretrained(tmp_path / "trained", notes="Trained on air.")
    (tmp_path / "sentences.txt").write_text("\n".join(texts(20)) + "\n\n", encoding="utf-8")
    return tmp_path / "trained"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["export", *map(str, arguments)])


def test_a_folder_and_a_report_come_out(trained: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = run(trained, out, "--quantize", "none", "--sentences", tmp_path / "sentences.txt", "--json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report["quantize"] == "none"
    assert (report["sentences"], report["changed_corrections"], report["changed"]) == (20, 0, [])
    assert report["score"] is None, "these sentences have no references"
    assert report["decisions"] > 100
    assert report["pointer_difference"] < 1e-3
    assert set(report["sizes"]) == {"trained", *(file.name for file in out.iterdir())}
    assert "Trained on air.\n\nExported with `--quantize none`." in (out / "README.md").read_text(encoding="utf-8")
    assert Corrector.from_pretrained(out).correct("w5 w6").source == "w5 w6"


def test_sentences_that_are_too_long_for_what_was_learned_are_split(trained: Path, tmp_path: Path) -> None:
    options: list[str | Path] = ["--quantize", "none", "--sentences", tmp_path / "sentences.txt"]
    assert run(trained, tmp_path / "out", *options, "--longest", "10").exit_code == 0
    config = Corrector.from_pretrained(tmp_path / "out").networks.config
    assert config.max_length == 10 + config.slots + 2
    too_many = run(trained, tmp_path / "other", *options, "--longest", "100000")
    assert too_many.exit_code == 2
    assert "--longest 100000 needs" in too_many.stderr


def test_people_see_what_was_found_and_what_is_allowed(
    trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(parity.BOUNDS, "int8", parity.Bound(float("inf"), 1.0, 1.0))
    (tmp_path / "pairs.tsv").write_text("".join(f"{text}\tw5\n" for text in texts(9)), encoding="utf-8")
    result = run(trained, tmp_path / "out", "--sentences", tmp_path / "pairs.tsv")
    assert result.exit_code == 0, result.output
    for words in ("corrections that changed", "of 9 (", "allowed", "any", "megabytes", "F0.5 lost, edits of words"):
        assert words in result.stdout
    result = run(trained, tmp_path / "again", "--sentences", tmp_path / "sentences.txt")
    assert "not measured, no references" in result.stdout


@pytest.fixture
def own_corrections(trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return pairs that the trained model gets all right; four bits may change what they will, but for the score."""
    monkeypatch.setitem(parity.BOUNDS, "int4", parity.Bound(float("inf"), 1.0, 1.0))
    corrections = Corrector.from_pretrained(trained).correct_batch(texts(30))
    lines = [f"{each.source}\t{each.text}\n" for each in corrections]
    (tmp_path / "own.tsv").write_text("".join(lines), encoding="utf-8")
    return tmp_path / "own.tsv"


def test_what_the_export_costs_in_f_is_reported(trained: Path, tmp_path: Path, own_corrections: Path) -> None:
    arguments = (trained, tmp_path / "out", "--quantize", "int4", "--sentences", own_corrections)
    result = run(*arguments, "--max-loss", "100", "--json")
    assert result.exit_code == 0, result.output
    score = json.loads(result.stdout)["score"]
    assert score["metric"] == "edits"
    assert score["trained"]["f0.5"] == 1.0
    assert 0 < score["exported"]["f0.5"] < 1
    assert score["loss"] == pytest.approx(100 * (1 - score["exported"]["f0.5"]))


def test_an_export_that_costs_too_much_fails_and_is_removed(
    trained: Path, tmp_path: Path, own_corrections: Path
) -> None:
    result = run(trained, tmp_path / "out", "--quantize", "int4", "--sentences", own_corrections)
    assert result.exit_code == 2
    assert "points of F0.5 against the trained one, 0.3 are allowed" in result.stderr
    assert "out was removed" in result.stderr
    assert not (tmp_path / "out").exists()
    assert "(100.00 to " in result.stdout


def test_a_single_changed_correction_is_no_reason_to_fail(trained: Path, tmp_path: Path, own_corrections: Path) -> None:
    result = run(trained, tmp_path / "out", "--quantize", "int4", "--sentences", own_corrections, "--max-loss", "100")
    [changed] = [line for line in result.stdout.splitlines() if line.startswith("  source  ")][:1]
    pair = next(line for line in own_corrections.read_text().splitlines() if line.startswith(changed[10:] + "\t"))
    (tmp_path / "one.tsv").write_text(pair + "\n", encoding="utf-8")
    result = run(trained, tmp_path / "one", "--quantize", "int4", "--sentences", tmp_path / "one.tsv")
    assert result.exit_code == 0, result.output
    assert "(100.00 to " in result.stdout


def test_an_export_that_disagrees_fails_and_is_removed(
    trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(parity.BOUNDS, "int4", parity.Bound(1e-6, 0, 0))
    result = run(trained, tmp_path / "out", "--quantize", "int4", "--sentences", tmp_path / "sentences.txt")
    assert result.exit_code == 2
    assert "log-probability, 1e-06 is allowed" in result.stderr
    assert "out was removed" in result.stderr
    assert not (tmp_path / "out").exists()
    assert "corrections that changed" in result.stdout, "the report tells more"


def test_mistakes_are_told_in_a_sentence(trained: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("\n", encoding="utf-8")
    for arguments, message in (
        ((tmp_path / "gone", tmp_path / "out"), "gone: no such model folder"),
        ((trained, trained), "this folder is not empty"),
        ((exported()[1], tmp_path / "out"), "this is an exported model"),
        ((trained, tmp_path / "out", "--sentences", tmp_path / "empty.txt"), "holds no sentences"),
        ((trained, tmp_path / "out", "--sentences", tmp_path / "none.m2"), "cannot be read"),
    ):
        result = run(*arguments)
        assert result.exit_code == 2
        assert message in result.stderr
        assert len(result.stderr.splitlines()) == 1
        assert not (tmp_path / "out").exists()
    assert (trained / "model.safetensors").exists()
    assert run(trained, tmp_path / "out", "--quantize", "int2").exit_code == 2


def test_without_the_extra_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    result = run(tmp_path, tmp_path / "out")
    assert result.exit_code == 2
    assert "pip install '.[train]'" in result.stderr


def test_help_teaches_without_torch() -> None:
    code = (
        "import sys\nfrom click.testing import CliRunner\nfrom permend.cli.main import main\n"
        "result = CliRunner().invoke(main, ['export', '--help'])\n"
        "assert 'Examples' in result.output and '--quantize' in result.output\n"
        "assert not {'torch', 'transformers', 'onnx', 'onnxruntime'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_built_in_sentences_are_forty_and_varied() -> None:
    assert len(set(SENTENCES)) == 40
    assert min(map(len, SENTENCES)) < 15
    assert max(map(len, SENTENCES)) > 150
