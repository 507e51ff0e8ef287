"""Text to learn from: paragraphs, a vocabulary learned from them, and rows of ids.

In: the recipe's data. Out: paragraphs to learn from and paragraphs to measure on, which never meet: where no held-out
file is named, a paragraph's own characters decide where it belongs. `train_tokenizer` learns a byte-level BPE whose
pieces suit moving, inserting and deleting single tokens. It is cased and can spell every text. Every word carries its
leading space, the first one too, so that a word keeps its id wherever it moves; punctuation marks stand alone, so that
one can be deleted without its neighbour; digits go at most three together:

    "Well (2024)..."  →  ĠWell Ġ( 202 4 ) . . .

`pack` turns the text into one long line of ids, every paragraph between its ``<s>`` and ``</s>``; `Rows` says where
the rows of each step begin:

    <s> I am busy . </s> <s> She went | home . </s> <s> It is …      rows of 9 tokens, cut wherever they end

Every pass over the text cuts at other places and takes the rows in another order. Both follow from the seed and the
number of the step alone, so the number of the step is a feed's whole position.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import tokenizers
import torch
from numpy.typing import NDArray
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from torch import Tensor

from permend.corpora.lines import read_paragraphs
from permend.errors import InputError, PermendError
from permend.text.tokens import SubwordTokenizer
from permend.training.pretraining.recipe import Data
from permend.training.task import Delivery

_KEEP, _HOLD_OUT, _VOCABULARY = range(3)


def learned(data: Data) -> Iterator[str]:
    """Yield the paragraphs to learn from."""
    return (paragraph for paragraph in _used(data) if not _is_held_out(paragraph, data))


def held_out(data: Data) -> Iterator[str]:
    """Yield the paragraphs to measure on."""
    if data.held_out is not None:
        return read_paragraphs(data.held_out)
    return (
        (paragraph for paragraph in _used(data) if _is_held_out(paragraph, data)) if data.held_out_share else iter(())
    )


def sampled(data: Data, share: float) -> Iterator[str]:
    """Yield a share of the paragraphs to learn from: those that the vocabulary is learned from."""
    return (paragraph for paragraph in learned(data) if _draw(paragraph, _VOCABULARY) < share)


def _used(data: Data) -> Iterator[str]:
    shares = data.text_shares or (1.0,) * len(data.text)
    for path, share in zip(data.text, shares, strict=True):
        for paragraph in read_paragraphs(path):
            if share >= 1 or _draw(paragraph, _KEEP) < share:
                yield paragraph


def _is_held_out(paragraph: str, data: Data) -> bool:
    return data.held_out is None and _draw(paragraph, _HOLD_OUT) < data.held_out_share


def _draw(paragraph: str, purpose: int) -> float:
    """Return a number in [0, 1) that depends on the paragraph and on what it is drawn for."""
    return zlib.crc32(f"{purpose} {paragraph}".encode(errors="replace")) / 2**32


Ids = NDArray[np.int16] | NDArray[np.int32]
_AT_ONCE = 4096


@dataclass(frozen=True)
class Packed:
    """Text as ids."""

    learned: Ids
    """(T,)"""
    held_out: Ids
    """(H,), possibly empty."""


def pack(data: Data, definition: str) -> Packed:
    """Turn the recipe's text into ids, or take them from the cache."""
    origin = _origin(data, definition)
    if data.cache is not None and Path(data.cache).exists():
        kept = _read_cache(Path(data.cache), origin)
        if kept is not None:
            return kept
    packed = Packed(_encode(learned(data), definition), _encode(held_out(data), definition))
    if packed.learned.size < data.row:
        raise PermendError(f"the text has {packed.learned.size} tokens to learn from, fewer than a row of {data.row}")
    if 0 < packed.held_out.size < data.row:
        raise PermendError(
            f"the held-out text has {packed.held_out.size} tokens, fewer than a row of {data.row}: name a file in "
            "data.held_out, or set data.held_out_share to more, or to 0 for none"
        )
    if data.cache is not None:
        _write_cache(Path(data.cache), origin, packed)
    return packed


def _encode(paragraphs: Iterable[str], definition: str) -> Ids:
    special = SubwordTokenizer(definition)
    # Offsets, which `SubwordTokenizer` finds, are not needed here, and cost ten times the encoding.
    raw = tokenizers.Tokenizer.from_str(definition)
    raw.encode_special_tokens = True
    raw.no_truncation()
    raw.no_padding()
    kind = np.int16 if special.size <= 2**15 else np.int32
    parts = [np.empty(0, kind)]
    for some in _parted(paragraphs, _AT_ONCE):
        found = raw.encode_batch_fast(some, add_special_tokens=False)
        ids = chain.from_iterable((special.start, *encoding.ids, special.end) for encoding in found)
        parts.append(np.fromiter(ids, kind))
    return np.concatenate(parts)


def _parted(paragraphs: Iterable[str], size: int) -> Iterator[list[str]]:
    rest = iter(paragraphs)
    while some := list(islice(rest, size)):
        yield some


def _origin(data: Data, definition: str) -> str:
    """Return what a cache must have been made of: files with their sizes, shares, and the tokenizer."""
    files = [*data.text, *([] if data.held_out is None else [data.held_out])]
    sizes = [(path, Path(path).stat().st_size) for path in files]
    tokenizer = hashlib.sha256(definition.encode()).hexdigest()
    return json.dumps([sizes, data.text_shares, data.held_out_share, tokenizer])


def _read_cache(path: Path, origin: str) -> Packed | None:
    try:
        with np.load(path) as kept:
            return Packed(kept["learned"], kept["held_out"]) if str(kept["origin"]) == origin else None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise InputError("this is no cache of a text (the recipe names it in data.cache)", path) from None


def _write_cache(path: Path, origin: str, packed: Packed) -> None:
    new = path.with_name(f".{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with new.open("wb") as file:
            np.savez(file, learned=packed.learned, held_out=packed.held_out, origin=np.array(origin))
        new.replace(path)
    except OSError as error:
        raise InputError(f"the cache cannot be written: {error.strerror or error}", path) from None


class RowBatch(NamedTuple):
    """Some rows of a step."""

    ids: Tensor
    """(B, L) on the device."""
    words: int
    """Tokens that are not special."""


class Rows:
    """Batches of rows out of ids that lie on the device."""

    def __init__(
        self, ids: Ids, row: int, rows: int, seed: int, device: torch.device, special: Sequence[int] = ()
    ) -> None:
        """Take batches of `rows` rows of `row` tokens."""
        self._array, self._special = ids, special
        self._ids = torch.from_numpy(ids).to(device)  # (T,)
        self._row, self._rows, self._seed = row, rows, seed
        # One row fewer than there are, so that a pass can begin anywhere in the first.
        self._in_pass = max(1, len(ids) // row - 1)
        self._slack = len(ids) - self._in_pass * row
        self._pass: tuple[int, NDArray[np.int64]] | None = None

    def batch(self, step: int, part: int = 0, parts: int = 1) -> RowBatch:
        """Return the rows of a step, or one of so many equal parts of them."""
        size = self._rows // parts
        starts = self._starts(step)[part * size : (part + 1) * size]
        places = starts[:, None] + np.arange(self._row)  # (B, L)
        # Counted here, beside the device, so that nobody waits for it.
        words = places.size - int(np.isin(self._array[places], self._special).sum())
        return RowBatch(self._ids[torch.from_numpy(places).to(self._ids.device)].long(), words)

    def passes(self, step: int) -> float:
        """Return how often the text has been gone through before a step."""
        return step * self._rows / self._in_pass

    def _starts(self, step: int) -> NDArray[np.int64]:
        """Return where the rows of a step begin (rows,)."""
        first, last = step * self._rows, (step + 1) * self._rows
        starts = []
        while first < last:
            number, place = divmod(first, self._in_pass)
            some = self._order(number)[place : place + last - first]
            starts.append(some)
            first += len(some)
        return np.concatenate(starts)

    def _order(self, number: int) -> NDArray[np.int64]:
        """Return where the rows of a pass begin, in the order in which they are taken."""
        if self._pass is None or self._pass[0] != number:
            random = np.random.default_rng([self._seed, number])
            offset = random.integers(min(self._slack, self._row) + 1)
            self._pass = number, offset + random.permutation(self._in_pass) * self._row
        return self._pass[1]


@dataclass(frozen=True)
class RowFeed:
    """One part of every step's rows."""

    rows: Rows
    epochs: int | None = None
    """Passes over the text; None for no end."""
    number: int = 0
    """This feed among `feeds`."""
    feeds: int = 1

    def open(self, position: Sequence[int] = ()) -> Iterator[Delivery[RowBatch]]:
        """Yield the rows from a step on."""
        step = position[0] if position else 0
        while self.epochs is None or self.rows.passes(step) < self.epochs:
            batch = self.rows.batch(step, self.number, self.feeds)
            step += 1
            yield Delivery(batch, (step,), self.rows.passes(step), batch.ids.numel())


SPECIAL = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
"""Special tokens; their ids are their places here."""
# What a piece may span is decided before pieces are learned: GPT-2's pattern parts words, numbers and marks; runs of
# marks are then cut behind each mark, runs of digits behind every third. The cuts see the bytes of UTF-8 as byte-level
# BPE writes them, where the lead byte tells ¿ « (Â), – “ … (âĢ), 。 「 (ãĢ) and ， ？ (ï¼) from letters.
_ASCII_MARK = r"[!-&(-/:-@\[-`{-~]|'(?![a-z])"  # the apostrophe of 's and 't stays with its letters
_MARK = _ASCII_MARK + r"|Â.|â[Ģģ].|ãĢ.|ï¼[ģ-ıļ-ł]"
_DIGITS = r"Ġ?[0-9]{1,3}"


def train_tokenizer(paragraphs: Iterable[str], vocabulary: int) -> str:
    """Learn at most `vocabulary` pieces; fewer where the text does not have so many."""
    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.ByteLevel(add_prefix_space=True, use_regex=True),
            pre_tokenizers.Split(Regex(_MARK), behavior="merged_with_previous"),
            pre_tokenizers.Split(Regex(_DIGITS), behavior="isolated"),
        ]
    )
    raw.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    if vocabulary < len(SPECIAL) + len(alphabet):
        raise PermendError(f"a vocabulary of {vocabulary} has no room for 256 bytes and {len(SPECIAL)} special tokens")
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary, special_tokens=list(SPECIAL), initial_alphabet=alphabet, show_progress=False
    )
    raw.train_from_iterator(paragraphs, trainer)
    start, end = SPECIAL.index("<s>"), SPECIAL.index("</s>")
    frame = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", start), ("</s>", end)])
    raw.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=True), frame])
    definition: str = raw.to_str()
    return definition
