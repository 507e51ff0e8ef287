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

from permend.training.correction.recipe import Recipe, write_recipe
from permend.training.correction.run import train
from permend.training.log import read_log

Tiny = Callable[..., Recipe]
_LAUNCH = [
    sys.executable,
    "-m",
    "torch.distributed.run",
    "--nproc-per-node=2",
    "--master-port=0",
    "--rdzv-backend=c10d",
]
_SUMS = ("loss", "pointer_loss", "infill_loss", "gradient")
_SHARES = ("pointer_accuracy", "infill_accuracy")
_RUN = "from permend.cli.train import train; train()"


def _launch(arguments: Sequence[str], folder: Path) -> subprocess.Popen[str]:
    script = folder / "train.py"
    script.write_text(_RUN, encoding="utf-8")
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    command = [*_LAUNCH, "--rdzv-endpoint=localhost:0", str(script), *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def test_two_processes_take_the_steps_of_one_with_the_joint_batch(tiny: Tiny, tmp_path: Path) -> None:
    """Dropout and sampling included: random numbers belong to a batch's stream, not to a process.

    The two are told to stop after some steps; they save, and one process takes over with both streams.
    """
    changes = ("model.dropout=0.1", "optimisation.edit_weight=3", "optimisation.schedule=constant")
    recipe = tmp_path / "recipe.toml"
    apart = f"output.folder={tmp_path / 'apart'}"
    recipe.write_text(write_recipe(tiny(*changes, apart, "optimisation.steps=100000")), encoding="utf-8")
    launched = _launch([str(recipe)], tmp_path)
    log = tmp_path / "apart" / "log.csv"
    _wait_for(lambda: launched.poll() is not None or (log.exists() and len(log.read_text().splitlines()) > 3))
    launched.send_signal(signal.SIGTERM)
    said, _ = launched.communicate(timeout=60)
    assert (tmp_path / "apart" / "checkpoint.pt").exists(), said
    steps = f"optimisation.steps={int(read_log(log)[-1]['step']) + 2}"

    train(tiny(*changes, apart, steps, "optimisation.accumulate=2"), resume=True)
    train(tiny(*changes, steps, "optimisation.accumulate=2"))
    joint, parts = read_log(tmp_path / "run" / "log.csv"), read_log(log)
    assert [row["step"] for row in parts] == [row["step"] for row in joint]
    for ours, theirs in zip(joint, parts, strict=True):
        assert {name: ours[name] for name in _SUMS} == pytest.approx({name: theirs[name] for name in _SUMS}, rel=1e-4)
        for name in _SHARES:  # a tie may fall to either side when the last digit differs
            assert ours[name] == pytest.approx(theirs[name], abs=0.03)


def _wait_for(condition: Callable[[], bool]) -> None:
    for _ in range(600):
        if condition():
            return
        time.sleep(0.1)
    pytest.fail("nothing happened for a minute")
