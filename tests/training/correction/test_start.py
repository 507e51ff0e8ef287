"""Where a run begins, and what it will weigh."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from permend.errors import PermendError
from permend.training.correction.recipe import Recipe, make_recipe
from permend.training.correction.start import estimate_memory, make_network, plan_config, tokenizer_of

Tiny = Callable[..., Recipe]


def test_new_weights_depend_on_the_seed_alone(tiny: Tiny) -> None:
    model = tiny("optimisation.steps=1").model
    first, again, other = make_network(model, 1), make_network(model, 1), make_network(model, 2)
    assert first.backbone.embeddings.equal(again.backbone.embeddings)
    assert not first.backbone.embeddings.equal(other.backbone.embeddings)
    assert first.training


def test_a_trained_model_is_a_beginning(tiny: Tiny, tmp_path: Path) -> None:
    network = make_network(tiny("optimisation.steps=1").model, 1)
    network.save_pretrained(tmp_path / "model")
    model = make_recipe({}, [f"model.start={tmp_path / 'model'}", "model.dropout=0.3"]).model
    started = make_network(model, 2)
    assert started.backbone.embeddings.equal(network.backbone.embeddings)
    assert (started.config.dropout, started.config.slots) == (0.3, 4)
    assert tokenizer_of(started).size == network.config.vocab_size


def test_the_estimate_counts_every_weight(tiny: Tiny) -> None:
    recipe = tiny("optimisation.steps=1", "optimisation.ema=0.9")
    estimate = estimate_memory(recipe)
    count = sum(parameter.numel() for parameter in make_network(recipe.model, 1).parameters())
    assert estimate.parameters == count
    assert (estimate.weights, estimate.optimizer, estimate.average) == (4 * count, 8 * count, 4 * count)
    assert estimate.total > 20 * count
    muon = estimate_memory(tiny("optimisation.steps=1", "optimisation.optimizer=muon"))
    assert 4 * count < muon.optimizer < 8 * count


def test_what_cannot_begin_is_refused(tiny: Tiny, tmp_path: Path) -> None:
    with pytest.raises(PermendError, match="it needs model.encoder".replace(".", r"\.")):
        make_network(tiny("model.init=encoder").model, 1)
    with pytest.raises(PermendError, match="no Hugging Face configuration there"):
        plan_config(make_recipe({}, [f"model.encoder={tmp_path}"]).model)
    with pytest.raises(PermendError, match="tokenizer"):
        plan_config(make_recipe({}, ["model.encoder_config.model_type=bert"]).model)
