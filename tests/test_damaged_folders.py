"""A model folder that was damaged, or crafted to do harm: it works, or one sentence says why not."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import onnx
import pytest
from click.testing import CliRunner
from onnx import TensorProto, helper

from permend.cli.main import main
from permend.corrector.corrector import Corrector
from permend.errors import PermendError
from permend.model.onnx import DECODER_INPUTS, DECODER_OUTPUTS, ENCODER_INPUTS, ENCODER_OUTPUTS
from permend.model.options import Calibration, Measured, Mode, Modes, Options, write_calibration, write_modes
from permend.text.json_file import SETTINGS
from tests.model.tiny import exported, texts

SETTING_FILES = ("config.json", "modes.json", "calibration.json", "hashes.json")
FILES = (*SETTING_FILES, "tokenizer.json", "encoder.onnx", "decoder.onnx", "weights.bin", "README.md")
TEXTS = texts(2)
GONE = object()
WRONG: tuple[Any, ...] = (None, True, "x", [], {}, -1, 0, 1.5, 10**6, 10**400, 1e300, "\ud800", [[1]], GONE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with every file that a model can have."""
    where = tmp_path / "model"
    shutil.copytree(exported()[1], where)
    write_modes(where, Modes({"balanced": Mode(Options(prune=False), Measured(0.6, 0.3, 0.5, 2, 9))}, "dev.m2"))
    write_calibration(where, Calibration(-0.8, 0.3, 0.5, 3.3, 0.1, {"R:OTHER": -1.2}))
    return where


def correct(folder: Path) -> str | None:
    """Load a folder and correct sentences; return what was told, or None where it went well."""
    told = None
    try:
        corrections = Corrector.from_pretrained(folder, threads=1).correct_batch(TEXTS)
    except PermendError as error:
        told = str(error)
    if told is None:
        assert [correction.source for correction in corrections] == TEXTS
    else:
        assert "\n" not in told
        assert 10 < len(told.replace(str(folder), "")) < 500
    return told


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to every value inside a JSON value, and to itself."""
    yield path
    parts: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*path, key))


def changed(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Return a document with another value at a place, or without one there."""
    if not path:
        return "" if value is GONE else value
    copy = json.loads(json.dumps(document))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    if value is GONE:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return copy


@pytest.mark.parametrize("name", SETTING_FILES)
def test_any_value_of_the_settings_may_be_anything(folder: Path, name: str) -> None:
    document = json.loads((folder / name).read_text(encoding="utf-8"))
    if name != "hashes.json":
        (folder / "hashes.json").unlink()  # which would tell first
    told = []
    for path in places(document):
        if path[:1] == ("encoder",) and len(path) > 1:  # torch's own, which is not read here
            continue
        for value in WRONG:
            (folder / name).write_text(json.dumps(changed(document, path, value)), encoding="utf-8")
            told.append(correct(folder))
    assert sum(each is not None for each in told) > len(told) / 3


def test_any_value_of_a_tokenizer_may_be_anything(folder: Path) -> None:
    document = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    (folder / "hashes.json").unlink()
    draw = random.Random(0)
    every = [(path, value) for path in places(document) for value in WRONG]
    for path, value in draw.sample(every, 120):
        (folder / "tokenizer.json").write_text(json.dumps(changed(document, path, value)), encoding="utf-8")
        correct(folder)


@pytest.mark.parametrize("name", SETTING_FILES)
@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[" * 50_000 + "]" * 50_000,
        '{"format":' * 900 + "1" + "}" * 900,
        '{"format": NaN}',
        '{"format": Infinity}',
        '{"format": 1e999}',
        '{"format": ' + "9" * 5000 + "}",
        '{"format": 1, "format": 1}',
        " " * (SETTINGS + 1),
        "\ufeff{}",
        '{"modes": "\\ud800"}',
        "\0",
    ],
    ids=range(14),
)
def test_settings_that_are_no_json_of_ours_are_told_in_a_sentence(folder: Path, name: str, text: str) -> None:
    if name != "hashes.json":
        (folder / "hashes.json").unlink()
    (folder / name).write_text(text, encoding="utf-8")
    assert correct(folder) is not None or (name, text) == ("hashes.json", "\ufeff{}")


def directory(file: Path) -> None:
    file.unlink()
    file.mkdir()


def pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def circle(file: Path) -> None:
    file.unlink()
    file.symlink_to(file)


def endless(file: Path) -> None:
    file.unlink()
    file.symlink_to("/dev/zero")


def huge(file: Path) -> None:
    os.truncate(file, 10**11)  # a file with a hole, which takes no place on the disk


def unreadable(file: Path) -> None:
    file.chmod(0)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
@pytest.mark.parametrize("hashed", [True, False], ids=["hashed", "not hashed"])
@pytest.mark.parametrize("damage", [directory, pipe, circle, endless, huge, unreadable])
@pytest.mark.parametrize("name", FILES)
def test_what_is_no_file_to_read_is_told_in_a_sentence(
    folder: Path, name: str, damage: Callable[[Path], None], hashed: bool
) -> None:
    if not hashed and name != "hashes.json":
        (folder / "hashes.json").unlink()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    damage(folder / name)
    told = correct(folder)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 500_000, "kilobytes, or bytes on a Mac"
    if name in ("config.json", "tokenizer.json", "encoder.onnx") and damage is not unreadable:  # root reads all
        assert told is not None


@pytest.mark.parametrize("name", FILES)
def test_files_that_are_cut_or_flipped_work_or_are_told_in_a_sentence(
    folder: Path, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    whole = (folder / name).read_bytes()
    draw = random.Random(name)
    if name != "hashes.json":
        (folder / "hashes.json").unlink()
    for _ in range(6):
        (folder / name).write_bytes(whole[: draw.randrange(len(whole))])
        correct(folder)
        content = bytearray(whole)
        for _ in range(draw.randrange(1, 9)):
            content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
        (folder / name).write_bytes(content)
        correct(folder)
    printed = capfd.readouterr()
    assert not printed.out, "output is for corrections alone"
    assert not printed.err


def graph(path: Path, inputs: Sequence[str], outputs: Sequence[str], kind: int) -> None:
    """Write a graph whose outputs are its first input, cast to a kind."""
    onnx.save(
        helper.make_model(
            helper.make_graph(
                [helper.make_node("Cast", [inputs[0]], [output], to=kind) for output in outputs],
                "crafted",
                [helper.make_tensor_value_info(name, TensorProto.INT64, None) for name in inputs],
                [helper.make_tensor_value_info(name, kind, None) for name in outputs],
            ),
            opset_imports=[helper.make_opsetid("", 18)],
            ir_version=9,
        ),
        path,
    )


def test_graphs_of_another_kind_are_told_in_a_sentence(folder: Path) -> None:
    (folder / "hashes.json").unlink()
    graph(folder / "encoder.onnx", ["x"], ["y"], TensorProto.FLOAT)
    assert "has other inputs or outputs than permend exports" in (correct(folder) or "")
    for kind in (TensorProto.FLOAT, TensorProto.INT64, TensorProto.STRING):
        graph(folder / "encoder.onnx", ENCODER_INPUTS, ENCODER_OUTPUTS, kind)
        assert "this graph is no encoder with a pointer" in (correct(folder) or "")
    shutil.copy(exported()[1] / "encoder.onnx", folder)
    graph(folder / "decoder.onnx", DECODER_INPUTS, DECODER_OUTPUTS, TensorProto.FLOAT)
    assert "this graph is no decoder that fills masks" in (correct(folder) or "")


def test_weights_outside_the_folder_are_not_read(folder: Path) -> None:
    (folder / "hashes.json").unlink()
    (folder / "weights.bin").rename(folder.parent / "weights.bin")
    for name in ("../weights.bin", str(folder.parent / "weights.bin")):
        loaded = onnx.load(exported()[1] / "encoder.onnx", load_external_data=False)
        for tensor in loaded.graph.initializer:
            for entry in tensor.external_data:
                if entry.key == "location":
                    entry.value = name
        (folder / "encoder.onnx").write_bytes(loaded.SerializeToString())
        assert "onnxruntime cannot load the graph" in (correct(folder) or "")


def test_hashes_name_only_files_of_the_folder(folder: Path) -> None:
    for name in ("../../etc/passwd", "/etc/passwd", "..", "sub/../../x", "C:\\x", "a\0b"):
        (folder / "hashes.json").write_text(json.dumps({name: {"bytes": 1, "sha256": ""}}), encoding="utf-8")
        assert "which is no file of it" in (correct(folder) or "")


def test_a_tokenizer_with_ids_that_the_model_lacks_is_refused(folder: Path) -> None:
    document = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    (folder / "hashes.json").unlink()
    document["model"]["vocab"]["w39"] = 4_000_000_000
    (folder / "tokenizer.json").write_text(json.dumps(document), encoding="utf-8")
    assert "ids must have no gaps" in (correct(folder) or "")
    del document["model"]["vocab"]["w39"]
    (folder / "tokenizer.json").write_text(json.dumps(document), encoding="utf-8")
    assert "the tokenizer has 39 tokens, the model 40" in (correct(folder) or "")


@pytest.mark.parametrize("value", [{}, {"model_type": "x"}, {"model_type": "modernbert", "hidden_size": "wide"}])
def test_a_trained_folder_whose_encoder_cannot_be_built_is_told_in_a_sentence(tmp_path: Path, value: Any) -> None:
    exported()[0].save_pretrained(tmp_path)
    document = json.loads((tmp_path / "config.json").read_text(encoding="utf-8"))
    (tmp_path / "config.json").write_text(json.dumps({**document, "encoder": value}), encoding="utf-8")
    assert correct(tmp_path) is not None
    (tmp_path / "model.safetensors").write_bytes(b"nothing")
    assert correct(tmp_path) is not None


def test_a_card_cannot_steer_the_terminal_or_stop_permend_info(folder: Path) -> None:
    for card in (
        "# [/red] \x1b[31mred\n\n| a | [/b] |\n|---|---|\n| \x1b]0;x\x07 | y |\n",
        "# x\n\n| " + " " * 500_000 + "\n| " + "[" * 400_000 + " | b |\n",
        "\ufffe" * 100,
    ):
        (folder / "README.md").write_text(card, encoding="utf-8")
        for more in ([], ["--json"]):
            result = CliRunner().invoke(main, ["info", "--model", str(folder), *more])
            assert result.exit_code == 0, result.output
            assert "\x1b" not in result.output


def test_the_command_line_prints_one_line_and_exits_with_2(folder: Path) -> None:
    (folder / "hashes.json").unlink()
    (folder / "config.json").write_text('{"format": "new"}', encoding="utf-8")
    for command in (["correct", "--model", str(folder), "w5"], ["info", "--model", str(folder)]):
        result = CliRunner().invoke(main, command)
        assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1), result.output
