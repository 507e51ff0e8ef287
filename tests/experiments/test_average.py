"""The mean of models."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from click.testing import CliRunner

from experiments.average import average, main
from permend.errors import PermendError
from permend.model.torch.network import PointerInfiller
from tests.model.tiny import exported, network, tokenizer_json


def test_the_mean_of_two_models_lies_between_them(tmp_path: Path) -> None:
    networks = [network(seed=seed) for seed in (1, 2)]
    for number, each in enumerate(networks):
        each.tokenizer_json = tokenizer_json()
        each.save_pretrained(tmp_path / str(number))
    names = [str(tmp_path / "0"), str(tmp_path / "1"), "-o", str(tmp_path / "mean")]
    done = CliRunner().invoke(main, [*names, "--weight", "1", "--weight", "3"])
    assert done.exit_code == 0, done.output
    mean = PointerInfiller.from_pretrained(tmp_path / "mean").state_dict()
    first, second = (each.state_dict() for each in networks)
    for name, value in mean.items():
        assert torch.allclose(value, 0.25 * first[name] + 0.75 * second[name], atol=1e-6)


def test_an_export_counts_with_the_weights_that_training_goes_on_from(tmp_path: Path) -> None:
    folder = exported()[1]
    done = CliRunner().invoke(main, [str(folder), str(folder), "-o", str(tmp_path / "mean")])
    assert done.exit_code == 0, done.output
    start = PointerInfiller.from_exported(folder).state_dict()
    for name, value in PointerInfiller.from_pretrained(tmp_path / "mean").state_dict().items():
        assert torch.allclose(value, start[name], atol=1e-6)


def test_models_of_different_configs_have_no_mean() -> None:
    with pytest.raises(PermendError, match="one and the same config"):
        average([network(), network(decoder_layers=3)], [1, 1])
