"""Hashes of a model folder: any change of what decides a correction is noticed."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from permend.errors import InputError
from permend.model.folder import check_hashes
from tests.model.tiny import exported


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(exported()[1], tmp_path / "model")
    return tmp_path / "model"


def test_an_export_is_whole_and_its_card_may_be_edited(folder: Path) -> None:
    check_hashes(folder)
    (folder / "README.md").write_text("# Ours\n", encoding="utf-8")
    check_hashes(folder)


def _flip(name: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        content = bytearray((folder / name).read_bytes())
        content[len(content) // 2] ^= 1
        (folder / name).write_bytes(content)

    return damage


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_flip("encoder.onnx"), "encoder.onnx is not the file that was exported"),
        (_flip("tokenizer.json"), "tokenizer.json is not the file"),
        (lambda folder: (folder / "decoder.onnx").unlink(), "decoder.onnx is missing"),
        (lambda folder: (folder / "config.json").write_bytes(b"{}"), "config.json is not the file"),
        (lambda folder: (folder / "hashes.json").unlink(), "hashes.json is missing"),
        (lambda folder: (folder / "hashes.json").write_bytes(b"[1]"), "hashes.json cannot be read"),
        (lambda folder: (folder / "hashes.json").write_bytes(b"\xff"), "hashes.json cannot be read"),
    ],
)
def test_damage_is_told_in_a_sentence(damage: Callable[[Path], None], message: str, folder: Path) -> None:
    damage(folder)
    with pytest.raises(InputError, match=message):
        check_hashes(folder)
