"""The model that is installed with permend, and folders of one's own."""

from __future__ import annotations

import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from permend.corrector.corrector import Corrector, Options
from permend.errors import PermendError
from permend.model import pretrained
from permend.model.options import Mode, Modes, write_modes
from tests.model.tiny import exported, texts


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a package folder in which a tiny model is installed."""
    folder = tmp_path / "data" / "model"
    shutil.copytree(exported()[1], folder)
    precise = Mode(Options(min_margin=1e9))
    write_modes(folder, Modes({"balanced": Mode(Options(bias=0.1)), "precise": precise}))
    monkeypatch.setattr(pretrained, "files", lambda name: tmp_path)
    return tmp_path


@pytest.mark.usefixtures("package")
def test_a_corrector_without_arguments_takes_the_installed_model() -> None:
    assert Corrector().options == Options(bias=0.1)
    assert Corrector(options=Options(beam=2)).options == Options(beam=2)
    precise = Corrector(mode="precise")
    assert [correction.text for correction in precise.correct_batch(texts(5))] == texts(5)
    assert Corrector.from_pretrained(threads=1).options == Options(bias=0.1)
    with pytest.raises(PermendError, match="no mode 'bold': it has balanced, precise"):
        Corrector(mode="bold")
    with pytest.raises(PermendError, match="give a mode or options, not both"):
        Corrector(mode="precise", options=Options())


def test_an_installed_model_that_is_damaged_is_told_in_a_sentence(package: Path) -> None:
    decoder = package / "data" / "model" / "decoder.onnx"
    decoder.write_bytes(decoder.read_bytes()[:-1] + b"?")
    with pytest.raises(PermendError, match=r"decoder.onnx is not the file that was exported; install permend again"):
        Corrector()


def test_without_an_installed_model_it_says_how_to_name_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pretrained, "files", lambda name: tmp_path)
    with pytest.raises(
        PermendError, match=r"name a model folder with --model, in Python with Corrector.from_pretrained"
    ):
        Corrector()


def test_a_corrector_can_be_put_together_from_parts() -> None:
    whole = Corrector(exported()[1])
    assert Corrector.of(whole.networks, whole.tokenizer).options == Options()


def test_a_corrector_travels_to_another_process_as_its_arguments() -> None:
    corrector = Corrector(exported()[1], Options(beam=2), threads=1)
    sent = pickle.dumps(corrector)
    assert len(sent) < 2000, "the model's weights stay where they are"
    code = (
        "import pickle, sys; print([each.text for each in pickle.load(sys.stdin.buffer).correct_batch(sys.argv[1:])])"
    )
    done = subprocess.run([sys.executable, "-c", code, *texts(5)], input=sent, capture_output=True, check=True)
    assert done.stdout.decode().strip() == str([each.text for each in corrector.correct_batch(texts(5))])
    corrector.options = Options(bias=0.3)
    assert pickle.loads(pickle.dumps(corrector)).options == Options(bias=0.3)
