"""How well text that nobody learned is guessed, with samples to look at.

In: held-out ids. Out: a `Measured`: the mean of −log p over the masks, always the same ones, and filled rows:

    The [children] went to [the/a] park .       [guess] where it is right, [guess/truth] where it is not
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from permend.pretraining.encoder import Guesser
from permend.pretraining.masking import Masked, Masker
from permend.pretraining.packing import Ids
from permend.text.tokens import SubwordTokenizer

_AT_ONCE = 64


@dataclass(frozen=True)
class Measured:
    """What a measurement has found."""

    loss: float
    """Mean of −log p."""
    accuracy: float
    """Share of masks whose most probable token is right."""
    samples: tuple[str, ...]


class HeldOut:
    """Rows to measure on, masked once and for all."""

    def __init__(
        self, ids: Ids, row: int, rows: int, share: float, masker: Masker, tokenizer: SubwordTokenizer
    ) -> None:
        """Take at most so many rows, from the first."""
        count = min(rows, len(ids) // row)
        table = torch.from_numpy(ids[: count * row]).view(count, row).long()
        self._rows = [table[first : first + _AT_ONCE] for first in range(0, count, _AT_ONCE)]
        self._share, self._masker, self._tokenizer = share, masker, tokenizer

    @torch.no_grad()
    def measure(self, guesser: Guesser, device: torch.device, samples: int) -> Measured:
        """Guess the masks of all rows; write down the first `samples` rows."""
        guesser.eval()
        loss = right = 0.0
        count, shown = 0, list[str]()
        for number, rows in enumerate(self._rows):
            masked = self._masker.hide(rows.to(device), self._share, number, all_masks=True)
            total, hits = guesser(*masked)
            loss, right, count = loss + float(total), right + int(hits), count + len(masked.targets)
            if len(shown) < samples:
                wanted = min(samples - len(shown), len(rows))
                shown += self._samples(guesser.guess(masked.ids, masked.places).argmax(-1), masked, rows[:wanted])
        guesser.train()
        return Measured(loss / count, right / count, tuple(shown))

    def _samples(self, guesses: Tensor, masked: Masked, rows: Tensor) -> list[str]:
        guessed = dict(zip(masked.places.tolist(), guesses.tolist(), strict=True))
        length = rows.shape[1]
        return [
            show(
                {place % length: token for place, token in guessed.items() if place // length == number},
                row,
                self._tokenizer,
            )
            for number, row in enumerate(rows.tolist())
        ]


def show(guessed: dict[int, int], row: Sequence[int], tokenizer: SubwordTokenizer) -> str:
    """Return a row as text, with the guesses for some of its places."""
    special = {tokenizer.start, tokenizer.end, tokenizer.pad, tokenizer.mask}
    text, run = "", list[int]()
    for place, truth in [*enumerate(row), (len(row), tokenizer.end)]:
        if place not in guessed and truth not in special:
            run.append(truth)
            continue
        text += _space(run, tokenizer) + tokenizer.decode(run)
        run = []
        if place in guessed:
            guess = guessed[place]
            said = [tokenizer.decode([token]) for token in ([guess] if guess == truth else [guess, truth])]
            text += _space([truth], tokenizer) + f"[{'/'.join(said)}]"
        elif truth in special and text and not text.endswith("| "):
            text += " |"
    return " ".join(text.split()).removesuffix("|").replace("| |", "|").strip()


def _space(run: Sequence[int], tokenizer: SubwordTokenizer) -> str:
    return " " if run and tokenizer.spaced(run[0]) is not False else ""
