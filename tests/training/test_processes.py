"""Several processes: two of them with a batch each take the same step as one with both."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from permend.training.correction.recipe import write_recipe
from permend.training.log import read_log
from permend.training.pretraining.recipe import write_recipe as write_pretraining_recipe
from tests.training.conftest import Kind, kind_of

_LAUNCH = [
    sys.executable,
    "-m",
    "torch.distributed.run",
    "--nproc-per-node=2",
    "--master-port=0",
    "--rdzv-backend=c10d",
]
_RUN = "from permend.cli.{0} import {0}; {0}()"


def _launch(command: str, arguments: Sequence[str], folder: Path) -> subprocess.Popen[str]:
    script = folder / "train.py"
    script.write_text(_RUN.format(command), encoding="utf-8")
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    parts = [*_LAUNCH, "--rdzv-endpoint=localhost:0", str(script), *arguments]
    return subprocess.Popen(parts, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def _correction(folder: Path) -> tuple[str, Kind, tuple[str, ...]]:
    changes = ("model.dropout=0.1", "optimisation.edit_weight=3")
    return "train", kind_of("correction", folder), changes


def _pretraining(folder: Path) -> tuple[str, Kind, tuple[str, ...]]:
    changes = ("encoder.config.mlp_dropout=0.1", "masking.late_share=0.3")  # which would depend on the steps
    return "pretrain", kind_of("pretraining", folder), changes


@pytest.mark.usefixtures("_at_the_root")
@pytest.mark.parametrize("made", [_correction, _pretraining])
def test_two_processes_take_the_steps_of_one_with_the_joint_batch(
    made: Callable[[Path], tuple[str, Kind, tuple[str, ...]]], tmp_path: Path
) -> None:
    """Dropout, sampling and masks included: random numbers belong to a batch's feed, not to a process.

    The two are told to stop after some steps; they save, and one process takes over with both feeds.
    """
    command, kind, special = made(tmp_path / "run")
    changes = (*special, "optimisation.schedule=constant")
    path, apart = tmp_path / "recipe.toml", f"output.folder={tmp_path / 'apart'}"
    endless = kind.recipe(*changes, apart, "optimisation.steps=100000")
    write = write_recipe if command == "train" else write_pretraining_recipe
    path.write_text(write(endless), encoding="utf-8")
    log = tmp_path / "apart" / "log.csv"
    with _launch(command, [str(path)], tmp_path) as launched:
        try:
            _wait_for(lambda: launched.poll() is not None or (log.exists() and len(log.read_text().splitlines()) > 3))
        finally:  # also where the wait was in vain: nothing may be left running
            launched.send_signal(signal.SIGTERM)
            said, _ = launched.communicate(timeout=300)
    assert (tmp_path / "apart" / "checkpoint.pt").exists(), said
    steps = f"optimisation.steps={int(read_log(log)[-1]['step']) + 2}"

    kind.run(*changes, apart, steps, "optimisation.accumulate=2", resume=True)
    kind.run(*changes, steps, "optimisation.accumulate=2")
    joint, parts = read_log(tmp_path / "run" / "log.csv"), read_log(log)
    assert [row["step"] for row in parts] == [row["step"] for row in joint]
    for ours, theirs in zip(joint, parts, strict=True):
        for name in (name for name in ours if name.endswith("loss") or name == "gradient"):
            assert ours[name] == pytest.approx(theirs[name], rel=1e-4)
        for name in (name for name in ours if name.endswith("accuracy")):  # a tie may fall to either side
            assert ours[name] == pytest.approx(theirs[name], abs=0.03)


def _wait_for(condition: Callable[[], bool]) -> None:
    for _ in range(3000):  # two interpreters load torch meanwhile, perhaps on a busy machine
        if condition():
            return
        time.sleep(0.1)
    pytest.fail("nothing happened for five minutes")
