"""From a model folder, or from the model inside the package, to what a corrector needs.

In: a folder, or None for the model that is installed with permend. Out: a `Pretrained`.

    networks, tokenizer, options, calibration = load("my-model", mode="precise")

An exported folder is loaded without torch, a trained one with it. The installed model is checked against its hashes
(`runtime.integrity`), since nobody has reason to change it; a folder of one's own may be edited, so there only what
cannot be read is refused, and `permend info` compares the hashes.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from permend.calibration import Calibration, read_calibration
from permend.errors import InputError, MissingExtraError, PermendError
from permend.modes import read_modes
from permend.options import Options
from permend.runtime.integrity import check_hashes
from permend.runtime.networks import Networks
from permend.text.tokens import SubwordTokenizer


class Pretrained(NamedTuple):
    """A model folder, loaded."""

    networks: Networks
    tokenizer: SubwordTokenizer
    options: Options
    calibration: Calibration | None
    """None where the folder has none: probabilities are then the hypotheses' shares."""


def installed_model() -> Path:
    """Return the folder of the model that is installed with permend, which must be there and undamaged."""
    folder = Path(str(files("permend"))) / "data" / "model"
    if not folder.is_dir():
        raise PermendError(
            "no model is installed with this permend: name a model folder with --model, "
            "in Python with Corrector.from_pretrained(folder)"
        )
    try:
        check_hashes(folder)
    except InputError as error:
        raise PermendError(f"{error}; install permend again") from None
    return folder


def load(
    path: str | Path | None = None,
    options: Options | None = None,
    mode: str | None = None,
    threads: int | None = None,
) -> Pretrained:
    """Load a model folder with the given options, or with those of a mode, or with those of its default mode."""
    if options is not None and mode is not None:
        raise PermendError("a mode is a name for options: give a mode or options, not both")
    folder = installed_model() if path is None else Path(path)
    networks = _networks(folder, threads)
    options = options or read_modes(folder).options(mode)
    return Pretrained(networks, SubwordTokenizer.from_path(folder), options, read_calibration(folder))


def _networks(folder: Path, threads: int | None) -> Networks:
    if (folder / "encoder.onnx").exists():
        from permend.runtime.onnx import OnnxNetworks

        return OnnxNetworks(folder, threads)
    if (folder / "model.safetensors").exists():
        try:
            from permend.model.torch_networks import TorchNetworks
        except ImportError:
            raise MissingExtraError("A model that is not exported", "train") from None

        return TorchNetworks.from_pretrained(folder, threads=threads)
    if not folder.is_dir():
        raise InputError("no such model folder", folder)
    raise InputError("this folder holds neither an exported model (encoder.onnx) nor a trained one", folder)
