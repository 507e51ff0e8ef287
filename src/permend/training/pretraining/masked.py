"""Guessing hidden tokens: masks, the network that guesses, and how well it guesses text that it never learned.

In: rows of ids, a tokenizer, the recipe's encoder. Out: `Masked` rows, always with equally many tokens to guess, so
that every tensor of a step has one shape and the output layer runs at those places alone; a `ModernBertForMaskedLM` in
float32, written as a Hugging Face folder that ``AutoModelForMaskedLM``, ``AutoTokenizer`` and ``model.encoder`` of a
training recipe read; and from `HeldOut` the mean of −log p over masks that are always the same, with filled rows:

    The [children] went to [the/a] park .       [guess] where it is right, [guess/truth] where it is not
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import ModernBertConfig, ModernBertForMaskedLM, PreTrainedTokenizerFast

from permend.errors import PermendError
from permend.model.torch.backbone import config_from_dict, load_config, quiet
from permend.text.tokens import SubwordTokenizer
from permend.training.memory import Estimate, estimate
from permend.training.pretraining.recipe import Encoder, Masking, Recipe
from permend.training.pretraining.text import Ids
from permend.training.task import Scores

IGNORED = -100
"""Target of a place that does not count."""


class Masked(NamedTuple):
    """Rows with something to guess."""

    ids: Tensor
    """(B, L)"""
    places: Tensor
    """(k,) positions in the flattened rows."""
    targets: Tensor
    """(k,) ids that stood there."""


class Masker:
    """Hides tokens."""

    def __init__(self, masking: Masking, tokenizer: SubwordTokenizer, size: int, device: torch.device) -> None:
        """Hide them among `size` ids as the recipe says; special tokens are never to be guessed."""
        self._masking, self._mask = masking, tokenizer.mask
        self._special = torch.zeros(size, dtype=torch.bool, device=device)  # (V,)
        self._special[list(special_ids(tokenizer))] = True

    def share(self, done: float) -> float:
        """Return the share of tokens to guess when a share of training is done."""
        return self._masking.share if done < self._masking.late_from else self._masking.late_share

    def count(self, tokens: int, share: float) -> int:
        """Return how many of so many tokens are hidden."""
        return max(1, int(share * tokens))

    def hide(self, ids: Tensor, share: float, seed: int, *, all_masks: bool = False) -> Masked:
        """Hide a share of the tokens of ids (B, L); with `all_masks`, behind nothing but ``<mask>``."""
        random = torch.Generator(ids.device).manual_seed(seed)
        flat = ids.flatten()
        count = self.count(len(flat), share)
        chance = torch.rand(len(flat), generator=random, device=ids.device)
        places = chance.masked_fill(self._special[flat], 2.0).topk(count, largest=False, sorted=False).indices  # (k,)
        truth = flat[places]
        others = flat[torch.randint(len(flat), (count,), generator=random, device=ids.device)]
        kind = torch.rand(count, generator=random, device=ids.device)
        masks, changes = (1.0, 0.0) if all_masks else (self._masking.mask, self._masking.other)
        shown = torch.where(kind < masks, self._mask, torch.where(kind < masks + changes, others, truth))
        targets = truth.masked_fill(self._special[truth], IGNORED)
        return Masked(flat.index_copy(0, places, shown).view_as(ids), places, targets)


def special_ids(tokenizer: SubwordTokenizer) -> tuple[int, ...]:
    """Return the tokens that are never to be guessed."""
    return tokenizer.start, tokenizer.end, tokenizer.pad, tokenizer.mask


class Guesser(nn.Module):
    """Encoder, head and loss as one module, which is what is compiled."""

    def __init__(self, network: ModernBertForMaskedLM, bfloat16: bool) -> None:
        """Guess with this network."""
        super().__init__()
        self.network, self._bfloat16 = network, bfloat16

    def forward(self, ids: Tensor, places: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        """Return the sum of −log p over the targets (k,), and how many are the most probable token."""
        logits = self.guess(ids, places).float()
        loss = functional.cross_entropy(logits, targets, ignore_index=IGNORED, reduction="sum")
        return loss, (logits.detach().argmax(-1) == targets).sum()

    def guess(self, ids: Tensor, places: Tensor) -> Tensor:
        """Return the logits (k, V) at places of the flattened rows ids (B, L)."""
        network = cast(Any, self.network)
        with torch.autocast(ids.device.type, torch.bfloat16, enabled=self._bfloat16):
            hidden = network.model(input_ids=ids).last_hidden_state  # (B, L, d)
            return cast(Tensor, network.decoder(network.head(hidden.flatten(0, 1)[places])))


def plan_config(encoder: Encoder, size: int, row: int) -> ModernBertConfig:
    """Return the configuration for a vocabulary of so many pieces, if rows of that length fit."""
    config = load_config(encoder.start) if encoder.start else _config({**encoder.config, "vocab_size": size})
    if not isinstance(config, ModernBertConfig):
        raise PermendError(f"{encoder.start or 'encoder.config'}: only ModernBERT encoders are trained here")
    if config.vocab_size < size:
        raise PermendError(f"the tokenizer has {size} pieces, the encoder's vocabulary {config.vocab_size}")
    if config.max_position_embeddings < row:
        raise PermendError(f"rows of {row} are longer than the encoder's {config.max_position_embeddings} positions")
    return config


def _config(values: dict[str, Any]) -> object:
    if values.get("model_type", "modernbert") != "modernbert":
        raise PermendError(f"encoder.config: only ModernBERT encoders are trained here, not {values['model_type']}")
    # transformers checks the special ids against the vocabulary; the real ones follow with the tokenizer.
    unset = dict.fromkeys(("pad_token_id", "bos_token_id", "eos_token_id", "cls_token_id", "sep_token_id"))
    return config_from_dict({**unset, **values, "model_type": "modernbert"})


def make_network(encoder: Encoder, tokenizer: SubwordTokenizer, row: int, seed: int) -> ModernBertForMaskedLM:
    """Build an encoder with random weights, or load the one to go on from."""
    config = plan_config(encoder, tokenizer.size, row)
    torch.manual_seed(seed)
    if encoder.start is None:
        config.pad_token_id, config.mask_token_id = tokenizer.pad, tokenizer.mask
        config.bos_token_id = config.cls_token_id = tokenizer.start
        config.eos_token_id = config.sep_token_id = tokenizer.end
        try:
            return ModernBertForMaskedLM(config)
        except (ValueError, TypeError, ZeroDivisionError) as error:
            raise PermendError(f"encoder.config does not make an encoder ({error})") from error
    with quiet():
        try:
            network, info = cast(Any, ModernBertForMaskedLM).from_pretrained(
                encoder.start, dtype=torch.float32, output_loading_info=True
            )
        except (OSError, ValueError, RuntimeError) as error:
            raise PermendError(f"{encoder.start}: the encoder cannot be loaded ({error})") from error
    absent = sorted(info["missing_keys"])
    if absent:
        raise PermendError(f"{encoder.start}: {len(absent)} weights are missing, e.g. {absent[0]}")
    return cast(ModernBertForMaskedLM, network)


def estimate_memory(recipe: Recipe) -> Estimate:
    """Estimate what a run of the recipe takes on a GPU; the text's ids, two or four bytes each, come on top."""
    given = recipe.encoder.start or recipe.tokenizer.path
    size = SubwordTokenizer.from_path(given).size if given else recipe.tokenizer.vocabulary
    config, options = plan_config(recipe.encoder, size, recipe.data.row), recipe.optimisation
    with torch.device("meta"):
        network = ModernBertForMaskedLM(config)
    tokens = options.rows // options.accumulate * recipe.data.row
    logits = int(tokens * max(recipe.masking.share, recipe.masking.late_share)) * config.vocab_size
    return estimate(network, options, tokens * config.hidden_size * config.num_hidden_layers, logits)


def write_folder(
    network: ModernBertForMaskedLM, definition: str, folder: Path, dtype: torch.dtype = torch.float32, notes: str = ""
) -> None:
    """Write a Hugging Face folder, its notes as README.md; `definition` is the text of the tokenizer.json."""
    tokenizer = SubwordTokenizer(definition)
    names = {"bos_token": tokenizer.start, "cls_token": tokenizer.start, "eos_token": tokenizer.end}
    names |= {"sep_token": tokenizer.end, "pad_token": tokenizer.pad, "mask_token": tokenizer.mask}
    names |= {} if tokenizer.unknown is None else {"unk_token": tokenizer.unknown}
    folder.mkdir(parents=True)
    (folder / "tokenizer.json").write_text(definition, encoding="utf-8")
    with quiet():
        spoken = {name: tokenizer.piece(token) for name, token in names.items()}
        limit = int(network.config.max_position_embeddings)
        cast(Any, PreTrainedTokenizerFast)(
            tokenizer_file=str(folder / "tokenizer.json"), model_max_length=limit, **spoken
        ).save_pretrained(folder)
        written = network if dtype == torch.float32 else cast(Any, copy.deepcopy(network)).to(dtype)
        written.save_pretrained(folder)
    (folder / "tokenizer.json").write_text(definition, encoding="utf-8")  # as it was, not as transformers puts it
    (folder / "README.md").write_text(notes, encoding="utf-8")


_AT_ONCE = 64


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
    def measure(self, guesser: Guesser, device: torch.device, samples: int) -> Scores:
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
        return Scores({"held_out_loss": loss / count, "held_out_accuracy": right / count}, tuple(shown))

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
    special = special_ids(tokenizer)
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
