"""How much memory pretraining will take, before anything is loaded.

In: a recipe. Out: an `Estimate` in bytes; weights, gradients and the optimisers' state are exact, activations roughly.
"""

from __future__ import annotations

import torch
from transformers import ModernBertForMaskedLM

from permend.text.tokens import SubwordTokenizer
from permend.training.memory import Estimate
from permend.training.optimisers import linear_weights
from permend.training.pretraining.masked import plan_config
from permend.training.pretraining.recipe import Recipe

_KEPT_PER_BLOCK = 24
"""Numbers kept for each position and each unit of width in one block."""
_KEPT_PER_LOGIT = 12
"""Bytes kept for each logit: itself in float32, its log-softmax, its gradient."""


def estimate_memory(recipe: Recipe) -> Estimate:
    """Estimate what a run of the recipe takes on a GPU; the text's ids, two or four bytes each, come on top."""
    given = recipe.encoder.start or recipe.tokenizer.path
    size = SubwordTokenizer.from_path(given).size if given else recipe.tokenizer.vocabulary
    config, options = plan_config(recipe.encoder, size, recipe.data.row), recipe.optimisation
    with torch.device("meta"):
        network = ModernBertForMaskedLM(config)
    parameters = sum(parameter.numel() for parameter in network.parameters())
    groups = linear_weights(network).values() if options.optimizer == "muon" else ()
    matrices = sum(weight.numel() for group in groups for weight in group)
    number = 4 if options.precision == "float32" else 2
    tokens = options.rows // options.accumulate * recipe.data.row
    blocks = tokens * config.hidden_size * _KEPT_PER_BLOCK * number * config.num_hidden_layers
    logits = int(tokens * max(recipe.masking.share, recipe.masking.late_share)) * config.vocab_size * _KEPT_PER_LOGIT
    return Estimate(
        parameters=parameters,
        weights=4 * parameters,
        gradients=4 * parameters,
        optimizer=8 * (parameters - matrices) + 4 * matrices,
        average=0,
        activations=blocks + logits,
    )
