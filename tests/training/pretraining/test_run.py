"""From text to an encoder: it learns, can be interrupted, and others can read what it leaves."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForMaskedLM, AutoTokenizer

from permend.errors import InputError, PermendError
from permend.model.torch.backbone import load_backbone
from permend.text.tokens import SubwordTokenizer
from permend.training.log import read_log
from permend.training.pretraining.masked import Guesser, make_network
from permend.training.pretraining.recipe import Recipe
from permend.training.pretraining.run import pretrain
from tests.training.pretraining.listening import Memory


def test_the_toy_learns_and_leaves_an_encoder(tiny: Callable[..., Recipe], tmp_path: Path) -> None:
    memory = Memory()
    outcome = pretrain(tiny("optimisation.steps=150", "optimisation.learning_rate=1e-2"), [memory])
    assert sum(memory.losses[-10:]) < 0.8 * sum(memory.losses[:10])
    assert [step for step, _ in memory.found] == [100, 150]
    assert memory.found[-1][1] == outcome.measured
    assert memory.stages == ["learning the vocabulary", "reading the text", "trying a batch", "pretraining"]
    run = tmp_path / "run"
    assert len(read_log(run / "log.csv")) == 152
    assert "[" in (run / "samples.txt").read_text(encoding="utf-8")
    assert (run / "loss.png").read_bytes().startswith(b"\x89PNG")

    tokenizer = SubwordTokenizer.from_path(run / "last")
    ids = torch.tensor([tokenizer.encode("The dog sleeps.").ids])
    memory_of_text = load_backbone(run / "last", slots=2, mask_id=tokenizer.mask)(ids, torch.ones_like(ids).bool())
    assert memory_of_text.shape == (1, ids.shape[1], 32)
    network = AutoModelForMaskedLM.from_pretrained(run / "last")
    assert network.config.vocab_size == tokenizer.size
    places = torch.arange(ids.shape[1])
    assert torch.allclose(network(ids).logits[0], Guesser(network, False).guess(ids, places), atol=1e-5)
    assert AutoTokenizer.from_pretrained(run / "last")("The dog sleeps.").input_ids == ids[0].tolist()


def test_a_resumed_run_equals_one_that_was_never_interrupted(tiny: Callable[..., Recipe], tmp_path: Path) -> None:
    whole, first, second = Memory(), Memory(), Memory()
    constant = ("optimisation.schedule=constant", "masking.late_share=0.3", "optimisation.warmup_steps=5")
    pretrain(tiny("optimisation.steps=12", *constant, f"output.folder={tmp_path / 'whole'}"), [whole])
    pretrain(tiny("optimisation.steps=7", *constant), [first])
    outcome = pretrain(tiny("optimisation.steps=12", *constant), [second], resume=True)
    assert outcome.step == 12
    assert first.losses + second.losses == whole.losses
    weights = [(tmp_path / name / "last" / "model.safetensors").read_bytes() for name in ("whole", "run")]
    assert weights[0] == weights[1]
    assert [row["step"] for row in read_log(tmp_path / "run" / "log.csv") if "loss" in row] == list(range(1, 13))


def test_a_signal_saves_and_ends_the_run(tiny: Callable[..., Recipe], tmp_path: Path) -> None:
    class Terminator(Memory):
        def progress(self, report: object) -> None:
            os.kill(os.getpid(), signal.SIGTERM)

    outcome = pretrain(tiny("optimisation.steps=1000"), [Terminator()])
    assert outcome.interrupted
    assert 0 < outcome.step < 10
    assert (tmp_path / "run" / "checkpoint.pt").exists()
    assert not (tmp_path / "run" / "last").exists()
    end = f"optimisation.steps={outcome.step + 2}"
    assert not pretrain(tiny(end), resume=True).interrupted


def test_parts_of_a_batch_take_about_the_same_step(tiny: Callable[..., Recipe], tmp_path: Path) -> None:
    whole, parts = Memory(), Memory()
    pretrain(tiny("optimisation.steps=3", f"output.folder={tmp_path / 'whole'}"), [whole])
    pretrain(tiny("optimisation.steps=3", "optimisation.accumulate=4"), [parts])
    assert parts.losses == pytest.approx(whole.losses, rel=0.02)


def test_an_encoder_can_be_trained_on(tiny: Callable[..., Recipe], tmp_path: Path) -> None:
    pretrain(tiny("optimisation.steps=60", "optimisation.learning_rate=1e-2"))
    start = tmp_path / "run" / "last"
    memory = Memory()
    pretrain(tiny("optimisation.steps=5", f"encoder.start={start}", f"output.folder={tmp_path / 'on'}"), [memory])
    assert memory.losses[0] < 5.5  # log 400 is 6.0
    assert "learning the vocabulary" not in memory.stages
    assert (tmp_path / "on" / "last" / "tokenizer.json").read_text() == (start / "tokenizer.json").read_text()


def test_half_the_bytes_hold_nearly_the_same_encoder(tiny: Callable[..., Recipe], tmp_path: Path) -> None:
    pretrain(tiny("optimisation.steps=2", "output.dtype=bfloat16"))
    folder = tmp_path / "run" / "last"
    backbone = load_backbone(folder)
    assert backbone.embeddings.dtype == torch.float32
    assert (folder / "model.safetensors").stat().st_size < 60_000


def test_mistakes_are_one_sentence(tiny: Callable[..., Recipe], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no checkpoint to resume from"):
        pretrain(tiny(), resume=True)
    with pytest.raises(PermendError, match="rows of 128 are longer than the encoder's 64 positions"):
        pretrain(tiny("data.row=128"))
    with pytest.raises(PermendError, match="only ModernBERT encoders"):
        pretrain(tiny("encoder.config.model_type=bert"))
    pretrain(tiny("optimisation.steps=1"))
    with pytest.raises(PermendError, match="holds a run already"):
        pretrain(tiny())
    with pytest.raises(InputError, match=r"of another recipe: masking.share differ"):
        pretrain(tiny("masking.share=0.4"), resume=True)
    with pytest.raises(PermendError, match=r"the loss nan"):
        pretrain(tiny("optimisation.learning_rate=1e30", f"output.folder={tmp_path / 'nan'}"))
    tokenizer = SubwordTokenizer.from_path(tmp_path / "run")
    with pytest.raises(PermendError, match="no Hugging Face configuration there"):
        make_network(tiny(f"encoder.start={tmp_path}").encoder, tokenizer, 32, 1)
