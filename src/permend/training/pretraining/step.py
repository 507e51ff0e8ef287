"""One step of pretraining: hide tokens, guess them, update the weights.

In: the rows of a step. Out: loss, share of right guesses and norm of the gradient, on the device, so that nobody waits
for them. All steps have one of two shapes (early and late masking), for which forward and backward are compiled once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import torch
from torch import Tensor
from torch.optim import Optimizer
from transformers import ModernBertForMaskedLM

from permend.errors import PermendError
from permend.text.tokens import SubwordTokenizer
from permend.training.optimisers import make_optimizers, set_rates
from permend.training.pretraining.masked import IGNORED, Guesser, Masker
from permend.training.pretraining.recipe import Masking, Optimisation
from permend.training.step import in_bfloat16, step_seed


class Stepper:
    """The network with all that changes it."""

    def __init__(
        self,
        network: ModernBertForMaskedLM,
        tokenizer: SubwordTokenizer,
        masking: Masking,
        options: Optimisation,
        device: torch.device,
    ) -> None:
        """Put the network on its device, compiled as wanted."""
        self.network = cast(ModernBertForMaskedLM, cast(Any, network).to(device).train())
        self.options, self.device = options, device
        self.masker = Masker(masking, tokenizer, int(network.config.vocab_size), device)
        self.guesser = Guesser(network, in_bfloat16(options, device))
        whole: Any = torch.compile(self.guesser, dynamic=False) if options.compile else self.guesser
        self._guess: Callable[..., tuple[Tensor, Tensor]] = whole
        self.optimizers: list[Optimizer] = make_optimizers(network, options)

    def step(self, rows: Tensor, number: int, share: float, factor: float) -> Tensor:
        """Update the weights on rows (B, L); return loss, share of right guesses and the gradient's norm (3,)."""
        set_rates(self.optimizers, factor)
        found = self._gradients(rows, number, share)
        limit = self.options.clip_norm or float("inf")
        norm = torch.nn.utils.clip_grad_norm_(self.network.parameters(), limit)
        for optimizer in self.optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        return torch.cat([found, norm.detach().float()[None]])

    def rehearse(self, rows: Tensor) -> None:
        """Go through both shapes without an update: this compiles them, and shows whether they fit into memory."""
        for share in sorted({self.masker.share(0.0), self.masker.share(1.0)}, reverse=True):
            try:
                self._gradients(rows, 0, share)
            except torch.OutOfMemoryError as error:
                parts = self.options.accumulate
                raise PermendError(
                    f"{len(rows) // parts} rows of {rows.shape[1]} tokens do not fit into the device's memory: "
                    f"set optimisation.accumulate={2 * parts} for the same steps"
                ) from error
            self.network.zero_grad(set_to_none=True)

    def _gradients(self, rows: Tensor, number: int, share: float) -> Tensor:
        """Add up the gradients of the batch's parts; return loss and share of right guesses (2,)."""
        total = torch.zeros(2, device=self.device)
        for part, ids in enumerate(rows.chunk(self.options.accumulate)):
            masked = self.masker.hide(ids, share, step_seed(self.options.seed, number, part))
            loss, right = self._guess(*masked)
            count = (masked.targets != IGNORED).sum().clamp(min=1) * self.options.accumulate
            (loss / count).backward()  # type: ignore[no-untyped-call]
            total += torch.stack([loss.detach(), right]) / count
        return total
