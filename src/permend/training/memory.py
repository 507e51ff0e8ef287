"""How much memory a run will take on each device, before anything is loaded.

In: a recipe. Out: an `Estimate` in bytes. Weights, gradients and the optimisers' state are exact; activations are a
rule of thumb (what each block keeps for the backward pass, and the logits at the masks), right to a factor of two.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from permend.model.torch.network import PointerInfiller
from permend.training.correction.recipe import Recipe
from permend.training.correction.start import plan_config
from permend.training.optimisers import linear_weights

_KEPT_PER_BLOCK = 24
"""Numbers kept for each position and each unit of width in one block."""
_MASKS_PER_POSITION = 0.15
"""Masks to fill for each source position, typically."""
_KEPT_PER_LOGIT = 12
"""Bytes kept for each logit: itself in float32, its log-softmax, its gradient."""


@dataclass(frozen=True)
class Estimate:
    """Bytes on one device."""

    parameters: int
    """Number of weights (not bytes)."""
    weights: int
    gradients: int
    optimizer: int
    average: int
    activations: int

    @property
    def total(self) -> int:
        """All together."""
        return self.weights + self.gradients + self.optimizer + self.average + self.activations


def estimate_memory(recipe: Recipe) -> Estimate:
    """Estimate what a run of the recipe takes on a GPU."""
    config, options = plan_config(recipe.model), recipe.optimisation
    with torch.device("meta"):
        network = PointerInfiller(config)
    parameters = sum(parameter.numel() for parameter in network.parameters())
    groups = linear_weights(network).values() if options.optimizer == "muon" else ()
    matrices = sum(weight.numel() for group in groups for weight in group)
    number = 4 if options.precision == "float32" else 2
    layers = int(network.backbone.config.num_hidden_layers) + 1 + 2 * config.decoder_layers
    passes = 1 if options.lambda_0 == 1 else 2
    tokens = options.tokens_per_batch
    blocks = tokens * config.d * _KEPT_PER_BLOCK * number * layers
    logits = passes * int(tokens * _MASKS_PER_POSITION) * config.vocab_size * _KEPT_PER_LOGIT
    return Estimate(
        parameters=parameters,
        weights=4 * parameters,
        gradients=4 * parameters,
        optimizer=8 * (parameters - matrices) + 4 * matrices,
        average=4 * parameters if options.ema else 0,
        activations=blocks + logits,
    )
