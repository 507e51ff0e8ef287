"""From a model folder, or from the model inside the package, to what a corrector needs.

In: a folder, or None for the model that is installed with permend. Out: a `Pretrained`.

    networks, tokenizer, options, calibration = load("my-model", mode="precise")

An exported folder is loaded without torch, a trained one with it. Exported files are compared with the hashes that were
written with them (`model.folder`): a damaged graph may well load, and then corrects badly. Whoever changes a file
of a folder by hand deletes its hashes.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from permend.errors import ArgumentError, InputError, MissingExtraError, PermendError
from permend.model.config import ModelConfig
from permend.model.folder import HASHES, check_hashes
from permend.model.networks import Networks
from permend.model.options import Calibration, Options, read_calibration, read_modes
from permend.text.tokens import SubwordTokenizer


class Pretrained(NamedTuple):
    """A model folder, loaded."""

    networks: Networks
    tokenizer: SubwordTokenizer
    options: Options
    calibration: Calibration | None
    """None where the folder has none: probabilities are then the hypotheses' shares."""


def model_folder(path: str | Path | None = None) -> Path:
    """Return a model folder, or that of the model that is installed with permend; a damaged one is refused."""
    folder = installed_model() if path is None else Path(path)
    advice = "install permend again" if path is None else f"export it again, or delete {HASHES} if the change is yours"
    try:
        if path is None or (folder / HASHES).is_file():
            check_hashes(folder)
    except InputError as error:
        raise PermendError(f"{error}; {advice}") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", folder) from None
    return folder


def installed_model() -> Path:
    """Return the folder of the model that is installed with permend."""
    folder = Path(str(files("permend"))) / "data" / "model"
    if not folder.is_dir():
        raise PermendError(
            "no model is installed with this permend: name a model folder with --model, "
            "in Python with Corrector.from_pretrained(folder)"
        )
    return folder


def load(
    path: str | Path | None = None,
    options: Options | None = None,
    mode: str | None = None,
    threads: int | None = None,
    device: str | None = None,
) -> Pretrained:
    """Load a model folder with the given options, or with those of a mode, or with those of its default mode.

    A `device` has torch run the networks there; "auto" is CUDA where there is one, and no device otherwise.
    """
    if options is not None and mode is not None:
        raise ArgumentError("a mode is a name for options: give a mode or options, not both")
    folder = model_folder(path)
    try:
        networks = _on_device(folder, device, threads) or _networks(folder, threads)
        check_room(networks.config, folder)
        options = options or read_modes(folder).options(mode)
        return Pretrained(networks, SubwordTokenizer.from_path(folder), options, read_calibration(folder))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", folder) from None


def check_room(config: ModelConfig, folder: Path) -> None:
    """Refuse a model whose encoder has no place for a token beside ``<s>``, ``</s>`` and the slots."""
    if config.max_length < config.slots + 3:
        raise InputError(f"max_length {config.max_length} leaves no room beside {config.slots} slots", folder)


def usable_device(device: str | None) -> str | None:
    """Return the name of a device that can be used, None where there shall be none; one that is missing is an error."""
    if device is None:
        return None
    try:
        from permend.model.torch.device import find_device
    except ImportError as error:
        if error.name and error.name.startswith("permend"):
            raise
        if device == "auto":
            return None
        raise MissingExtraError(f"The device {device!r}", "train") from None
    found = find_device(device)
    return None if found is None else str(found)


def _on_device(folder: Path, device: str | None, threads: int | None) -> Networks | None:
    found = usable_device(device)
    if found is None:
        return None
    from permend.model.torch.device import DeviceNetworks

    return DeviceNetworks.load(folder, found, threads)


def _networks(folder: Path, threads: int | None) -> Networks:
    if (folder / "encoder.onnx").exists():
        from permend.model.onnx import OnnxNetworks

        return OnnxNetworks(folder, threads)
    if (folder / "model.safetensors").exists():
        try:
            from permend.model.torch.networks import TorchNetworks
        except ImportError:
            raise MissingExtraError("A model that is not exported", "train") from None

        return TorchNetworks.from_pretrained(folder, threads=threads)
    if not folder.is_dir():
        raise InputError("no such model folder", folder)
    raise InputError("this folder holds neither an exported model (encoder.onnx) nor a trained one", folder)
