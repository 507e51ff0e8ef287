"""A batch as text, for a person who wants to know why its loss was not a number.

In: a batch. Out: the pairs behind it, as far as ids can be turned back into text.
"""

from __future__ import annotations

from pathlib import Path

from permend.corpora.pairs import Pair
from permend.text.tokens import Tokenizer
from permend.training.batches import Batch


def batch_pairs(batch: Batch, tokenizer: Tokenizer) -> list[Pair]:
    """Return the pairs: sources as they were read, targets as far as labels express them."""
    tensors = batch.tensors
    filled = tensors.template_ids.clone().flatten()  # (D·T,)
    counted = tensors.fill_weight > 0
    filled[tensors.fill_index[counted]] = tensors.fill_targets[counted]
    width = tensors.template_ids.shape[1]
    used = {int(place) // width for place in tensors.fill_index[counted]}
    templates = {int(tensors.template_row[k]): filled[k * width : (k + 1) * width].tolist() for k in used}
    special = {tokenizer.start, tokenizer.end, tokenizer.pad, tokenizer.mask}
    pairs = []
    for row in range(batch.examples):
        ids = tensors.ids[row]
        copied = ids[tensors.order[row, tensors.order_mask[row]]].tolist()
        sides = ids[: int(tensors.lengths[row])].tolist(), templates.get(row, copied)
        pairs.append(Pair(*(tokenizer.decode([token for token in side if token not in special]) for side in sides)))
    return pairs


def write_batch(batch: Batch, tokenizer: Tokenizer, path: Path) -> None:
    """Write the pairs of a batch as a .tsv file."""
    lines = (f"{_line(pair.source)}\t{_line(pair.target)}\n" for pair in batch_pairs(batch, tokenizer))
    path.write_text("".join(lines), encoding="utf-8")


def _line(text: str) -> str:
    return " ".join(text.split())
