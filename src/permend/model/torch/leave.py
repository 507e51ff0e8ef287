"""The head that lets sentences leave early: trained on states of a frozen encoder, written beside its two parts.

In: the states of the first layers at the tokens of many sentences, and whether the model changed each. Out: a `Head`,
and in an exported folder encoder-start.onnx, which says how much it doubts a sentence, and encoder-rest.onnx.

    head = train_head(Examples(states, lengths, changed))
    write_parts(Path("model"), head, layers=4)

A token's evidence that something is wrong is a small network's of its state; a sentence's is the logsumexp of its
tokens', since one error is enough. Doubts are probabilities that the model would change the sentence.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import NodeProto, TensorProto, helper, numpy_helper
from torch import Tensor, nn
from torch.nn import functional

from permend.errors import InputError, PermendError
from permend.model.config import ModelConfig
from permend.model.folder import write_hashes
from permend.model.onnx import DOUBTS, ENCODER, REST, START, STATES
from permend.model.torch.split import split_graph

HIDDEN = 256
BATCH = 256
RATE = 3e-3
SHARES = (0.95, 0.97, 0.98, 0.99)
"""Shares of the changed sentences that are kept."""
_NEVER = -1e9
_EPSILON = 1e-5


class Examples(NamedTuple):
    """Sentences to learn from."""

    states: NDArray[np.float16]
    """(N, d) of all tokens, sentence after sentence, slots left out."""
    lengths: NDArray[np.int64]
    """(S,) tokens of each sentence."""
    changed: NDArray[np.bool_]
    """(S,) whether the model changed it."""

    def part(self, wanted: NDArray[np.bool_]) -> Examples:
        """Return some of the sentences."""
        return Examples(self.states[np.repeat(wanted, self.lengths)], self.lengths[wanted], self.changed[wanted])


class Head(nn.Module):
    """From states to a sentence's doubt."""

    def __init__(self, width: int, hidden: int = HIDDEN) -> None:
        """Make the layers."""
        super().__init__()
        self.norm = nn.LayerNorm(width, eps=_EPSILON)
        self.inner = nn.Linear(width, hidden)
        self.outer = nn.Linear(hidden, 1)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """Return log-odds (B,) that something is wrong, of states (B, L, d) that count where mask (B, L) is True."""
        evidence = self.outer(functional.gelu(self.inner(self.norm(states))))[..., 0]  # (B, L)
        log_odds: Tensor = evidence.masked_fill(~mask, _NEVER).logsumexp(1)
        return log_odds


def train_head(examples: Examples, epochs: int = 10, hidden: int = HIDDEN, seed: int = 0) -> Head:
    """Learn which sentences are changed."""
    if len(set(examples.changed.tolist())) < 2:
        raise PermendError(
            "a head learns from sentences that the model changes and from others: there is one kind only"
        )
    torch.manual_seed(seed)
    head = Head(examples.states.shape[1], hidden)
    with torch.no_grad():  # a sentence of twenty tokens begins at a small doubt
        head.outer.bias.fill_(-4.0)
    batches = _batches(examples.lengths)
    steps = epochs * len(batches)
    optimiser = torch.optim.AdamW(head.parameters(), RATE, weight_decay=0.05)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps, pct_start=0.1)
    begins = np.concatenate([[0], np.cumsum(examples.lengths)])
    draw = np.random.default_rng(seed)
    for _ in range(epochs):
        for each in draw.permutation(len(batches)):
            states, mask = _padded(examples, begins, batches[each])
            wanted = torch.from_numpy(examples.changed[batches[each]]).float()
            loss = functional.binary_cross_entropy_with_logits(head(functional.dropout(states, 0.1), mask), wanted)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
    return head.eval()


def doubts(head: Head, examples: Examples) -> NDArray[np.float32]:
    """Return the head's doubt of each sentence."""
    found = np.zeros(len(examples.lengths), np.float32)
    begins = np.concatenate([[0], np.cumsum(examples.lengths)])
    with torch.no_grad():
        for places in _batches(examples.lengths):
            found[places] = head(*_padded(examples, begins, places)).sigmoid().numpy()
    return found


def shares_that_leave(head: Head, examples: Examples) -> dict[float, float]:
    """Return which share of the sentences that need no change may leave, by the share of the others that is kept."""
    found = doubts(head, examples)
    changed, others = np.sort(found[examples.changed]), found[~examples.changed]
    if not (changed.size and others.size):
        return {}
    return {share: float((others < changed[int((1 - share) * changed.size)]).mean()) for share in SHARES}


def _batches(lengths: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Put sentences of about the same length together."""
    order = np.argsort(lengths, kind="stable")
    return [order[at : at + BATCH] for at in range(0, len(order), BATCH)]


def _padded(examples: Examples, begins: NDArray[np.int64], places: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
    lengths = examples.lengths[places]
    index = np.arange(lengths.max())[None, :]
    mask = index < lengths[:, None]
    states = examples.states[np.where(mask, begins[places][:, None] + index, 0)]
    return torch.from_numpy(states.astype(np.float32)), torch.from_numpy(mask)


def write_parts(folder: Path, head: Head, layers: int) -> None:
    """Write the encoder's two parts into an exported folder, the head at the end of the first; weights.bin stays."""
    try:
        whole = onnx.load(folder / ENCODER, load_external_data=False)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", folder / ENCODER) from None
    start, rest = split_graph(whole, layers)
    _add_head(start, head, ModelConfig.from_file(folder / "config.json").vocab_size)
    onnx.save(start, folder / START)
    onnx.save(rest, folder / REST)
    write_hashes(folder)


def _add_head(model: onnx.ModelProto, head: Head, vocab_size: int) -> None:
    """Put the head behind the states of a graph."""
    graph = model.graph
    constants = {
        "norm": head.norm.weight,
        "norm_bias": head.norm.bias,
        "inner": head.inner.weight.T,
        "inner_bias": head.inner.bias,
        "outer": head.outer.weight.T,
        "outer_bias": head.outer.bias,
    }
    arrays = {name: value.detach().cpu().float().numpy() for name, value in constants.items()}
    arrays |= {
        "vocab_size": np.array(vocab_size, np.int64),
        "last": np.array([-1], np.int64),
        "first": np.array([1], np.int64),
        "never": np.array(_NEVER, np.float32),
    }
    graph.initializer.extend(
        numpy_helper.from_array(np.ascontiguousarray(array), f"head_{name}") for name, array in arrays.items()
    )
    for node in _head_nodes():
        graph.node.append(node)
    graph.output.append(helper.make_tensor_value_info(DOUBTS, TensorProto.FLOAT, ["batch"]))


def _head_nodes() -> list[NodeProto]:
    steps: list[tuple[str, list[str], str, dict[str, Any]]] = [
        ("LayerNormalization", [STATES, "head_norm", "head_norm_bias"], "head_normed", {"epsilon": _EPSILON}),
        ("MatMul", ["head_normed", "head_inner"], "head_product", {}),
        ("Add", ["head_product", "head_inner_bias"], "head_sum", {}),
        ("Gelu", ["head_sum"], "head_hidden", {}),
        ("MatMul", ["head_hidden", "head_outer"], "head_scores", {}),
        ("Add", ["head_scores", "head_outer_bias"], "head_biased", {}),
        ("Squeeze", ["head_biased", "head_last"], "head_evidence", {}),  # (B, L)
        ("Less", ["ids", "head_vocab_size"], "head_no_slot", {}),
        ("And", ["mask", "head_no_slot"], "head_counts", {}),
        ("Where", ["head_counts", "head_evidence", "head_never"], "head_counted", {}),
        ("ReduceLogSumExp", ["head_counted", "head_first"], "head_log_odds", {"keepdims": 0}),
        ("Sigmoid", ["head_log_odds"], DOUBTS, {}),
    ]
    return [helper.make_node(kind, inputs, [output], output, **more) for kind, inputs, output, more in steps]
