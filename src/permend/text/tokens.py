"""Text to token ids and back, with the character offsets that let untouched text stay untouched.

In: a string. Out: `Tokens`, the ids framed by ``<s>`` and ``</s>`` and the stretch of characters behind each. Any
``tokenizer.json`` serves: WordPiece (BERT), byte-level BPE (BART, RoBERTa), SentencePiece unigram (T5); and whitespace-
separated words, for teaching.

>>> words = WordTokenizer()
>>> tokens = words.encode("I be  busy")
>>> [words.piece(token) for token in tokens.ids]
['<s>', 'I', 'be', 'busy', '</s>']
>>> tokens.spans
((0, 0), (0, 1), (2, 4), (6, 10), (10, 10))

A text is ordinary text: "<mask>" typed by a writer is five letters between two signs, never the mask token.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

import tokenizers

from permend.errors import InputError, PermendError, first_line
from permend.text.json_file import read_text

Offsets = tuple[tuple[int, int], ...]

LARGEST = 64_000_000
"""Bytes that a ``tokenizer.json`` may have; those of a quarter of a million tokens have half of that."""

_START = ("<s>", "[CLS]", "<bos>", "<cls>")
_END = ("</s>", "[SEP]", "<eos>", "<sep>")
_PAD = ("<pad>", "[PAD]")
_MASK = ("<mask>", "[MASK]", "<extra_id_0>")
_UNKNOWN = ("<unk>", "[UNK]")
_SPACE_MARKS = ("Ġ", "▁")  # byte-level BPE, SentencePiece
_CONTINUATION = "##"  # WordPiece
_SURROGATE = re.compile("[\ud800-\udfff]")
_TRIMMING = re.compile(r'"trim_offsets":\s*true')


@dataclass(frozen=True)
class Tokens:
    """A text as token ids, ``<s>`` first and ``</s>`` last, and where each token stands in it."""

    text: str
    ids: tuple[int, ...]
    spans: Offsets
    """Characters [start, end) of each token, without the space before it; ``<s>`` and ``</s>`` are empty."""
    unknown: int | None = None
    """The id that stands for whatever the vocabulary lacks."""

    @cached_property
    def keys(self) -> tuple[int | str, ...]:
        """What to compare when two texts are aligned: ids, but the characters themselves behind an unknown token."""
        if self.unknown is None or self.unknown not in self.ids:
            return self.ids
        return tuple(
            self.text[start:end] if token == self.unknown else token
            for token, (start, end) in zip(self.ids, self.spans, strict=True)
        )


class Tokenizer(Protocol):
    """Text ↔ ids. Slots have no text: the k-th one has the id ``size + k``."""

    start: int
    end: int
    pad: int
    mask: int
    unknown: int | None

    @property
    def size(self) -> int:
        """Number of ids."""

    def encode(self, text: str) -> Tokens:
        """Turn a text into tokens."""

    def encode_batch(self, texts: Sequence[str]) -> list[Tokens]:
        """Turn many texts into tokens at once."""

    def decode(self, ids: Sequence[int]) -> str:
        """Turn ids into text, without a space in front."""

    def piece(self, token: int) -> str:
        """Return the vocabulary's name of an id."""

    def spaced(self, token: int) -> bool | None:
        """Whether a space stands before this token; None when the vocabulary does not say."""


class WordTokenizer:
    """Whitespace-separated words; the vocabulary is whatever words have been met."""

    unknown: int | None = None

    def __init__(self) -> None:
        """Begin with the four special tokens alone."""
        self.start, self.end, self.pad, self.mask = range(4)
        self._pieces = ["<s>", "</s>", "<pad>", "<mask>"]
        self._ids: dict[str, int] = {}  # a word "<s>" of the text gets an id of its own

    @property
    def size(self) -> int:
        """Words met so far, special tokens included."""
        return len(self._pieces)

    def encode(self, text: str) -> Tokens:
        """Split at whitespace."""
        ids, spans = [self.start], [(0, 0)]
        for word in re.finditer(r"\S+", text):
            ids.append(self._id(word.group()))
            spans.append(word.span())
        return Tokens(text, (*ids, self.end), (*spans, (len(text), len(text))))

    def _id(self, word: str) -> int:
        if word not in self._ids:
            self._ids[word] = len(self._pieces)
            self._pieces.append(word)
        return self._ids[word]

    def encode_batch(self, texts: Sequence[str]) -> list[Tokens]:
        """Split each text at whitespace."""
        return [self.encode(text) for text in texts]

    def decode(self, ids: Sequence[int]) -> str:
        """Join words with single spaces."""
        return " ".join(self._pieces[token] for token in ids)

    def piece(self, token: int) -> str:
        """Return the word."""
        return self._pieces[token]

    def spaced(self, token: int) -> bool:
        """Every word has a space before it."""
        return True


class SubwordTokenizer:
    """Any ``tokenizer.json`` of the `tokenizers` library."""

    def __init__(self, definition: str, origin: str | Path = "tokenizer.json") -> None:
        """Build from the text of a ``tokenizer.json``; `origin` is where it came from, for messages."""
        self._origin = origin
        with self._telling("this is not a tokenizer that can be read"):
            # Offsets must say which token owns a space, so none are trimmed.
            self._tokenizer = tokenizers.Tokenizer.from_str(_TRIMMING.sub('"trim_offsets": false', definition))
            self._tokenizer.encode_special_tokens = True
            self._tokenizer.no_truncation()
            self._tokenizer.no_padding()
            frame = self._tokenizer.encode("").ids
            size = self._tokenizer.get_vocab_size()
            largest = max(self._tokenizer.get_vocab().values(), default=0)
        if largest >= size:
            raise InputError(f"this tokenizer has {size:,} tokens, but the id {largest}: ids must have no gaps", origin)
        self.pad = self._special(_PAD, "padding")
        self.mask = self._special(_MASK, "mask")
        self.end = frame[-1] if frame else self._special(_END, "end")
        # T5 has no opening token; there the padding token opens a sequence, as it does for its decoder.
        self.start = frame[0] if len(frame) > 1 else self.pad if frame else self._special(_START, "start")
        found = map(self._tokenizer.token_to_id, _UNKNOWN)
        self.unknown = next((token for token in found if token is not None), None)
        self._special_ids = frozenset((self.start, self.end, self.pad, self.mask))
        self._pieces = [self._tokenizer.id_to_token(token) or "" for token in range(size)]
        self._knows_spaces = any(piece.startswith(_SPACE_MARKS) for piece in self._pieces)
        self._spaced = [self._spacing(piece) for piece in self._pieces]

    @property
    def size(self) -> int:
        """Number of ids, special tokens included."""
        return len(self._pieces)

    @classmethod
    def from_path(cls, path: str | Path) -> SubwordTokenizer:
        """Read a ``tokenizer.json``, or the one in a folder."""
        file = Path(path) / "tokenizer.json" if Path(path).is_dir() else Path(path)
        try:
            return cls(read_text(file, LARGEST), file)
        except FileNotFoundError:
            raise InputError("cannot be read: there is no such file", file) from None

    @contextmanager
    def _telling(self, trouble: str) -> Iterator[None]:
        """Tell in one sentence what goes wrong in the library, which raises plain exceptions, or worse: it panics."""
        try:
            yield
        except BaseException as error:
            if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
                raise
            raise InputError(f"{trouble} ({first_line(error)})", self._origin) from None

    def _spacing(self, piece: str) -> bool | None:
        if self._knows_spaces:
            return piece.startswith(_SPACE_MARKS)
        return False if piece.startswith(_CONTINUATION) else None

    def _special(self, names: Iterable[str], what: str) -> int:
        for name in names:
            token: int | None = self._tokenizer.token_to_id(name)
            if token is not None:
                return token
        raise PermendError(f"{self._origin}: this tokenizer has no {what} token ({', '.join(names)})")

    def encode(self, text: str) -> Tokens:
        """Turn a text into tokens."""
        with self._telling("this tokenizer cannot read a text"):
            encoding = self._tokenizer.encode(_encodable(text), add_special_tokens=False)
        return self._tokens(text, encoding)

    def encode_batch(self, texts: Sequence[str]) -> list[Tokens]:
        """Turn many texts into tokens at once."""
        with self._telling("this tokenizer cannot read a text"):
            encodings = self._tokenizer.encode_batch(list(map(_encodable, texts)), add_special_tokens=False)
        return [self._tokens(text, encoding) for text, encoding in zip(texts, encodings, strict=True)]

    def _tokens(self, text: str, encoding: tokenizers.Encoding) -> Tokens:
        ids: list[int] = encoding.ids
        if self.unknown is not None and not self._special_ids.isdisjoint(ids):
            # A unigram model spells "</s>" with the token of that name, though a writer means the characters.
            ids = [self.unknown if token in self._special_ids else token for token in ids]
        offsets = encoding.offsets
        starts = [*(start for start, _ in offsets[1:]), len(text)]  # where the next token begins
        spans = [
            self._core(text, token, start, end, after) if self._spaced[token] else (start, end)
            for token, (start, end), after in zip(ids, offsets, starts, strict=False)
        ]
        frame = len(text)
        return Tokens(text, (self.start, *ids, self.end), ((0, 0), *spans, (frame, frame)), self.unknown)

    def _core(self, text: str, token: int, start: int, end: int, after: int) -> tuple[int, int]:
        """Return a token's characters without its space, which stands in the text or is only implied at its start."""
        if start < after and text[start].isspace():
            return start + 1, end
        return (start, start) if self._pieces[token] in _SPACE_MARKS else (start, end)

    def decode(self, ids: Sequence[int]) -> str:
        """Turn ids into text, without a space in front."""
        with self._telling("this tokenizer cannot write a text"):
            text: str = self._tokenizer.decode(list(ids), skip_special_tokens=False)
        return text.removeprefix(" " if self._knows_spaces else _CONTINUATION)

    def piece(self, token: int) -> str:
        """Return the vocabulary's name of an id."""
        return self._pieces[token]

    def spaced(self, token: int) -> bool | None:
        """Whether a space stands before this token; None when the vocabulary does not say."""
        return self._spaced[token]


def _encodable(text: str) -> str:
    """Replace lone surrogates, which no encoding has, by as many replacement characters."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
