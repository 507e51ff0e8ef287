"""PIE (Awasthi et al. 2019): the encoder says an edit for each sub-token, all at once, round by round.

In: a sentence. Out: the sentence after a few rounds, each of which carries out one edit a sub-token (`pie_edits`).

What comes to stand at a place is predicted as in the paper, by the encoder itself: beside the states h of the
sub-tokens it computes, with the same weights, states r of a mask in the place of each sub-token, which does not see
that sub-token, and states a of a mask behind each. One run of the encoder does it all, on a row three times as long:

    row         x₀ x₁ … | M  M … | M   M …
    positions   0  1  … | 0  1 … | ½  1½ …      rotary, so they may lie between two sub-tokens
    sees        all x   | all x but its own, itself | all x, itself

No x sees a mask, so h is what it always is. An edit's logit is θ·h, and with the embeddings φ

    copy, ending   + φ(x)·h        append w   + φ(x)·h + φ(w)·a
    delete         + 0             replace w  + (φ(w) − φ(x))·r

where one linear layer stands before all products with embeddings, as in a masked-language head: the bare states of a
ModernBERT are long, and training would begin with edits that it is sure of for no reason.

Options are how many `grams` can be appended and how many can replace, 1,000 each, and how many `suffixes` there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from experiments.rivals.iterating import iterate
from experiments.rivals.labels import Columns, Labels, Row
from experiments.rivals.learning import counts_of, couples
from experiments.rivals.pie_edits import LONGEST, Editor, Gram, learn_edits, pieces_of
from experiments.rivals.system import Decoding, Guess, System, cross_entropy
from experiments.rivals.texts import write
from permend.corpora.pairs import Pair
from permend.errors import PermendError
from permend.model.config import ModelConfig
from permend.model.torch.backbone import Backbone
from permend.model.torch.layers import linear
from permend.text.tokens import Tokenizer, Tokens
from permend.training.task import Term

OPTIONS = {"grams": 1000, "suffixes": 58}


@dataclass(frozen=True)
class Rounds(Decoding):
    """How often edits are carried out."""

    rounds: int = 1
    """Passes, at most; up to 4 in the paper."""


@dataclass(frozen=True)
class Edits:
    """Labels: an edit on each sub-token but ``</s>``."""

    editor: Editor
    read: frozenset[str] = frozenset({"source"})

    def row(self, source: Tokens, target: Tokens) -> Row | None:
        """Return the row of a pair."""
        edits = self.editor.edits(source, target)
        return None if edits is None else {"source": source.ids, "edits": edits}

    def counts(self, columns: Columns) -> tuple[float, ...]:
        """Return the number of edits, once for each term."""
        edits = float(np.count_nonzero(columns["edits"] >= 0))
        return edits, edits


class Pie(System):
    """An encoder that reads a sentence with masks in and between its sub-tokens."""

    name = "pie"
    terms = (Term("edit_loss", 1.0), Term("edit_accuracy"))
    decodings = Rounds

    def __init__(self, config: ModelConfig, learned: Mapping[str, Any], backbone: Backbone) -> None:
        """Add the edits' own vectors θ."""
        super().__init__(config, learned, backbone)
        if backbone.config.model_type != "modernbert":
            raise PermendError(
                f"pie needs the rotary positions of ModernBERT, not a {backbone.config.model_type} encoder"
            )
        self.appends, self.replaces = (
            Grams([tuple(gram) for gram in learned[name]]) for name in ("appends", "replaces")
        )
        self.suffixes = len(learned["suffixes"])
        self.drop = nn.Dropout(backbone.shape.dropout)
        self.head = linear(backbone.shape.width, backbone.shape.width, bias=True)
        self.theta = linear(backbone.shape.width, 2 + len(self.appends) + len(self.replaces) + self.suffixes, bias=True)
        self._editor: Editor | None = None

    @classmethod
    def learn(cls, pairs: Iterable[Pair], tokenizer: Tokenizer, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the most frequent grams and endings."""
        return learn_edits(couples(pairs, tokenizer), pieces_of(tokenizer), counts_of(options, OPTIONS))

    def labels(self, tokenizer: Tokenizer) -> Labels:
        """Return what turns pairs into rows."""
        return Edits(Editor.of(self.learned, tokenizer))

    def forward(self, columns: Mapping[str, Tensor]) -> tuple[Tensor, ...]:
        """Return the sums of a batch."""
        return cross_entropy(self._logits(columns["source"]), columns["edits"])

    def states(self, ids: Tensor) -> tuple[Tensor, ...]:
        """Return the states (B, L, d) of the sub-tokens `ids`, of masks in their places, and of masks behind them."""
        length, there = ids.shape[1], ids >= 0
        masks = torch.full_like(ids, self.config.mask_id)
        row = torch.cat([torch.where(there, ids, self.config.pad_id), masks, masks], dim=1)  # (B, 3L)
        places = torch.arange(length, device=ids.device)
        positions = torch.cat([places, places, places + 0.5])  # (3L,)
        itself = torch.eye(3 * length, dtype=torch.bool, device=ids.device)
        seen = itself.clone()  # (3L, 3L): who sees whom
        seen[:, :length] = True
        seen[length : 2 * length, :length] = ~itself[:length, :length]
        whole = seen & torch.cat([there, there, there], dim=1)[:, None, None, :] | itself  # (B, 1, 3L, 3L)
        window = getattr(self.backbone.config, "sliding_window", None) or 3 * length
        near = (positions[:, None] - positions).abs() <= window
        output = cast(Any, self.backbone.encoder)(
            input_ids=row,
            attention_mask={"full_attention": whole, "sliding_attention": whole & near},
            position_ids=positions[None],
            return_dict=True,
        )
        states: tuple[Tensor, ...] = output.last_hidden_state.chunk(3, dim=1)
        return states

    def _logits(self, ids: Tensor) -> Tensor:
        """Return float32 logits (B, L, edits)."""
        states = self.drop(torch.stack(self.states(ids)))  # (3, B, L, d)
        here, inside, behind = self.head(states)  # h, r, a
        table = self.backbone.embeddings
        own = functional.embedding(ids.clamp(min=0), table)  # (B, L, d)
        stays = (own * here).sum(-1, keepdim=True)  # (B, L, 1)
        goes = (own * inside).sum(-1, keepdim=True)
        parts = [
            stays,
            torch.zeros_like(stays),
            stays + self.appends(behind, table),
            self.replaces(inside, table) - goes,
            stays.expand(-1, -1, self.suffixes),
        ]
        logits: Tensor = self.theta(states[0]).float() + torch.cat([part.float() for part in parts], dim=-1)
        return logits

    def guess(self, sentences: Sequence[Tokens], tokenizer: Tokenizer, how: Rounds) -> list[Guess]:
        """Correct sentences, round by round."""
        editor = self._editor = self._editor or Editor.of(self.learned, tokenizer)

        def once(some: Sequence[Tokens]) -> list[str]:
            best = self._logits(self.batch_of([each.ids for each in some])).argmax(-1).tolist()
            return [
                write(each, editor.carry_out(each.ids, edits[: len(each.ids) - 1]), tokenizer)
                for each, edits in zip(some, best, strict=True)
            ]

        return iterate(sentences, tokenizer, how.rounds, self.config.max_length, once)


class Grams(nn.Module):
    """Scores of grams: the sum of their tokens' embeddings against a state."""

    tokens: Tensor
    used: Tensor

    def __init__(self, grams: Sequence[Gram]) -> None:
        """Take the grams."""
        super().__init__()
        tokens = torch.tensor([[*gram, *[-1] * (LONGEST - len(gram))] for gram in grams], dtype=torch.long)
        tokens = tokens.view(-1, LONGEST)
        self.register_buffer("tokens", tokens.clamp(min=0), persistent=False)
        self.register_buffer("used", (tokens >= 0)[..., None].float(), persistent=False)

    def __len__(self) -> int:
        """Return the number of grams."""
        return len(self.tokens)

    def forward(self, states: Tensor, table: Tensor) -> Tensor:
        """Return scores (B, L, grams) of states (B, L, d)."""
        grams = (functional.embedding(self.tokens, table) * self.used).sum(1)  # (grams, d)
        return functional.linear(states, grams)
