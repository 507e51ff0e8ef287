"""A learned corrupter: errors drawn from a network that was trained backwards, from right to wrong (`data.reverse`).

In: such a network, correct sentences, a temperature. Out: the sentences as a learner might have written them. Where a
corrector searches for the most probable plan, a corrupter draws one, step by step, by the rules of Eq. 2, and then
draws the words for its slots; so the same sentence gets other errors each time, as often as learners make them.

    sampler = Sampler.from_pretrained("corrupter", temperature=1.0, seed=1)
    sampler.sample(["He goes to school."])        # ['He go to school.']
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from permend.errors import PermendError
from permend.method.plan import Plan
from permend.method.template import Template, make_template, render, split_fills
from permend.model.networks import sentence_arrays, template_arrays
from permend.model.torch.network import PointerInfiller
from permend.text.tokens import Tokens
from permend.training.correction.loss import put
from permend.training.correction.start import tokenizer_of

_NEVER = float("-inf")


class Sampler:
    """Draws errors."""

    def __init__(self, network: PointerInfiller, temperature: float = 1.0, seed: int = 0) -> None:
        """Take a network trained backwards; the higher the temperature, the bolder the errors."""
        if temperature <= 0:
            raise PermendError(f"the temperature must be positive, not {temperature}")
        self._network = network.eval()
        self._config = network.config
        self._tokenizer = tokenizer_of(network)
        self._temperature = temperature
        self._device = network.backbone.embeddings.device
        self._random = torch.Generator(self._device).manual_seed(seed)

    @classmethod
    def from_pretrained(cls, folder: str | Path, temperature: float = 1.0, seed: int = 0) -> Sampler:
        """Load a corrupter, onto a GPU where there is one."""
        device = "cuda" if torch.cuda.is_available() else "cpu"
        return cls(PointerInfiller.from_pretrained(folder, device=device), temperature, seed)

    @torch.no_grad()
    def sample(self, sentences: Sequence[str]) -> list[str]:
        """Make errors in a batch of sentences; one that is too long for the network stays as it is."""
        tokens = self._tokenizer.encode_batch(list(sentences))
        written = list(sentences)
        most = self._config.max_length - self._config.slots
        places = [place for place, each in enumerate(tokens) if len(each.ids) <= most]
        if places:
            for place, text in zip(places, self._write([tokens[place] for place in places]), strict=True):
                written[place] = text
        return written

    def _write(self, sentences: Sequence[Tokens]) -> list[str]:
        config = self._config
        ids, mask = sentence_arrays(
            [each.ids for each in sentences], config.slots, config.slot_id(0), self._tokenizer.pad
        )
        lengths = [len(each.ids) for each in sentences]
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._device.type == "cuda"):
            memory, scores = self._network.encode(self._tensor(ids), self._tensor(mask))
            orders = draw_orders(
                scores.float() / self._temperature, self._tensor(np.array(lengths)), config.slots, self._random
            )
            plans = _plans(orders.cpu().numpy(), lengths)
            templates = {
                row: make_template(sentences[row].ids, plan, self._tokenizer.mask, config.masks)
                for row, plan in enumerate(plans)
                if plan.slots
            }
            fills = self._fill(templates, memory, self._tensor(mask))
        return [
            sentences[row].text
            if plan.is_identity
            else render(sentences[row], plan, fills.get(row, []), self._tokenizer)
            for row, plan in enumerate(plans)
        ]

    def _fill(self, templates: dict[int, Template], memory: Tensor, mask: Tensor) -> dict[int, list[tuple[int, ...]]]:
        """Draw the words for all slots: once from masks alone, once more with the first draw in sight."""
        if not templates:
            return {}
        rows = torch.tensor(list(templates), device=self._device)
        arrays = template_arrays(list(templates.values()), self._tokenizer.pad)
        ids, *others = [self._tensor(array) for array in arrays]
        index = self._tensor(arrays.fill_index)
        for _ in range(2):
            logits = self._network.decode(memory[rows], mask[rows], ids, *others)
            tokens = _draw(logits.float() / self._temperature, self._random)
            ids = put(ids, index, torch.ones_like(index), tokens)
        drawn, at = tokens.tolist(), 0
        fills: dict[int, list[tuple[int, ...]]] = {}
        for row, template in templates.items():
            end = at + len(template.masks)
            fills[row] = split_fills(drawn[at:end], self._tokenizer.pad, self._config.masks)
            at = end
        return fills

    def _tensor(self, array: NDArray[np.generic]) -> Tensor:
        return torch.from_numpy(array).to(self._device)


def draw_orders(scores: Tensor, lengths: Tensor, slots: int, random: torch.Generator) -> Tensor:
    """Draw a plan for every sentence from its scores (B, L, L); return the orders (B, P), -1 behind their ends."""
    batch, size = scores.shape[:2]
    rows = torch.arange(batch, device=scores.device)
    column = torch.arange(size, device=scores.device)  # (L,)
    is_slot = (column >= lengths[:, None]) & (column < lengths[:, None] + slots)  # (B, L)
    never = is_slot[:, :, None] & is_slot[:, None, :]  # no slot behind a slot
    scores = scores.masked_fill(never, _NEVER)
    free = ((column > 0) & (column < lengths[:, None])) | (column == lengths[:, None])  # (B, L): the first slot is open
    last = torch.zeros(batch, dtype=torch.long, device=scores.device)
    done = torch.zeros(batch, dtype=torch.bool, device=scores.device)
    order = [last]
    for _ in range(size):
        chosen = _draw(scores[rows, last].masked_fill(~free, _NEVER), random)
        order.append(torch.where(done, -1, chosen))
        free[rows, chosen] = False
        behind = (chosen + 1).clamp(max=size - 1)
        free[rows, behind] |= is_slot[rows, chosen] & is_slot[rows, behind] & (behind > chosen)
        done = done | (chosen == lengths - 1)
        last = chosen
        free[:, 1] |= done  # somewhere to go for those that have arrived
        if len(order) % 8 == 0 and bool(done.all()):
            break
    return torch.stack(order, dim=1)


def _draw(logits: Tensor, random: torch.Generator) -> Tensor:
    """Draw from softmax(logits) along the last dimension, by Gumbel noise."""
    noise = torch.empty_like(logits).exponential_(generator=random).log()
    return (logits - noise).argmax(-1)


def _plans(orders: NDArray[np.int64], lengths: Sequence[int]) -> list[Plan]:
    return [Plan(tuple(order[order >= 0].tolist()), length) for order, length in zip(orders, lengths, strict=True)]
