"""From text to an encoder: it learns, can be interrupted, and others can read what it leaves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

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
from tests.training.listening import Memory, Stopping


def test_the_toy_learns_and_leaves_an_encoder(tiny: Callable[..., Recipe], tmp_path: Path) -> None:
    memory = Memory()
    outcome = pretrain(tiny("optimisation.steps=150", "optimisation.learning_rate=1e-2"), [memory])
    assert sum(memory.losses[-10:]) < 0.8 * sum(memory.losses[:10])
    assert [step for step, _ in memory.scores] == [100, 150]
    assert memory.scores[-1][1] == outcome.scores
    assert memory.stages[:4] == [
        "learning the vocabulary",
        "reading the text",
        "trying the largest batch",
        "pretraining",
    ]
    run = tmp_path / "run"
    assert len(read_log(run / "log.csv")) == 152
    samples = (run / "samples.txt").read_text(encoding="utf-8")
    loss = memory.scores[-1][1].values["held_out_loss"]
    assert f"step 150, held-out loss {loss:.4f}\n    {memory.scores[-1][1].samples[0]}\n" in samples
    assert "[" in samples
    assert f"masks: {loss:.4f}." in (run / "last" / "README.md").read_text(encoding="utf-8")
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


def test_a_checkpoint_from_before_the_shared_loop_can_be_resumed(tiny: Callable[..., Recipe], tmp_path: Path) -> None:
    """It had weights, optimisers, step and seconds alone: rows followed from the step."""
    whole, second = Memory(), Memory()
    changes = ("optimisation.steps=none", "optimisation.epochs=2", "optimisation.accumulate=2")
    pretrain(tiny(*changes, f"output.folder={tmp_path / 'whole'}"), [whole])
    pretrain(tiny(*changes), [first := Stopping(after=4)])
    path = tmp_path / "run" / "checkpoint.pt"
    state = torch.load(path, weights_only=True)
    del state["recipe"]["optimisation"]["ema"]
    old = {name: state[name] for name in ("recipe", "step", "seconds", "network", "optimizers")}
    torch.save(old, path)
    pretrain(tiny(*changes), [second], resume=True)
    assert first.losses + second.losses == whole.losses
    weights = [(tmp_path / name / "last" / "model.safetensors").read_bytes() for name in ("whole", "run")]
    assert weights[0] == weights[1]


def test_the_rows_of_a_bad_batch_are_text(
    tiny: Callable[..., Recipe], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forward = Guesser.forward

    def broken(self: Guesser, *inputs: Any) -> Any:
        loss, right = forward(self, *inputs)
        return loss * float("nan"), right

    monkeypatch.setattr(Guesser, "forward", broken)
    with pytest.raises(PermendError, match="step 1 has the loss nan"):
        pretrain(tiny("optimisation.steps=2"))
    rows = (tmp_path / "run" / "bad-batch-1-0.txt").read_text(encoding="utf-8").splitlines()
    words = set(Path("experiments/recipes/pretrain-toy.txt").read_text(encoding="utf-8").split())
    assert len(rows) == 16
    assert len(words & set(" ".join(rows).split())) > 10


def test_more_parts_save_memory(tiny: Callable[..., Recipe], monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Guesser, *inputs: Any) -> Any:
        raise torch.OutOfMemoryError("no")

    monkeypatch.setattr(Guesser, "forward", full)
    with pytest.raises(PermendError, match=r"8 rows of 32 tokens do not fit .* set optimisation\.accumulate=4"):
        pretrain(tiny("optimisation.accumulate=2"))


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
    with pytest.raises(PermendError, match="rows of 128 are longer than the encoder's 64 positions"):
        pretrain(tiny("data.row=128"))
    with pytest.raises(PermendError, match="only ModernBERT encoders"):
        pretrain(tiny("encoder.config.model_type=bert"))
    pretrain(tiny("optimisation.steps=1"))
    with pytest.raises(InputError, match=r"of another recipe: masking.share differ"):
        pretrain(tiny("masking.share=0.4"), resume=True)
    with pytest.raises(PermendError, match=r"the loss nan"):
        pretrain(tiny("optimisation.learning_rate=1e30", f"output.folder={tmp_path / 'nan'}"))
    tokenizer = SubwordTokenizer.from_path(tmp_path / "run")
    with pytest.raises(PermendError, match="no Hugging Face configuration there"):
        make_network(tiny(f"encoder.start={tmp_path}").encoder, tokenizer, 32, 1)
