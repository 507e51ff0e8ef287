r"""Bytes to text and back, so that what is not changed comes out byte for byte.

In: chunks of bytes. Out: the encoding, with its byte-order mark, and chunks of text.

>>> encoding, chunks = decode([b"\xef\xbb\xbfna", b"\xc3", b"\xafve\r\n"])
>>> text = "".join(chunks)
>>> text, encoding.name, encoding.mark + encoding.encode(text)
('naïve\r\n', 'utf-8', b'\xef\xbb\xbfna\xc3\xafve\r\n')

UTF-8 is read with or without a mark, UTF-16 and UTF-32 with one; for anything else the encoding must be given, and the
error says which one it looks like. UTF-16 or UTF-32 that is given without its byte order is read in the order that the
bytes show, and written so. Files that are no text are refused.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from permend.errors import InputError, PermendError

_MARKS = (
    ("utf-8", codecs.BOM_UTF8),
    ("utf-32-le", codecs.BOM_UTF32_LE),  # begins like UTF-16's, so it is tried before
    ("utf-32-be", codecs.BOM_UTF32_BE),
    ("utf-16-le", codecs.BOM_UTF16_LE),
    ("utf-16-be", codecs.BOM_UTF16_BE),
)
_NO_TEXT = {
    b"%PDF-": "a PDF file",
    b"{\\rtf": "an RTF file",
    b"%!PS": "a PostScript file",
    b"PK\x03\x04": "a packed file (such as .docx, .odt or .zip)",
    b"\x1f\x8b": "a packed file (gzip)",
    b"\xfd7zXZ": "a packed file (xz)",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"\xd0\xcf\x11\xe0": "an old Office file (such as .doc)",
}
_WIDTHS = {"utf-16": 2, "utf-32": 4}  # bytes a unit; Python's codecs of these names write a mark of their own
_SAMPLE = 65_536  # bytes that a guess is made from


@dataclass(frozen=True)
class Encoding:
    """How a document was written."""

    name: str = "utf-8"
    mark: bytes = b""
    """The byte-order mark before the text, if there was one: to be written first."""

    def encode(self, text: str) -> bytes:
        """Turn text into bytes, without the mark."""
        try:
            return text.encode(self.name)
        except UnicodeEncodeError as error:
            raise PermendError(f"{self.name} cannot write {text[error.start]!r}") from None

    def can_write(self, text: str) -> bool:
        """Whether a correction can be written in this encoding."""
        try:
            text.encode(self.name)
        except UnicodeEncodeError:
            return False
        return True


def decode(
    chunks: Iterable[bytes], encoding: str | None = None, path: str | Path | None = None
) -> tuple[Encoding, Iterator[str]]:
    """Find out the encoding from the first chunk, unless it is given, and decode chunks as they come."""
    remaining = iter(chunks)
    head = b""
    while len(head) < 8 and (more := next(remaining, b"")):
        head += more
    _refuse_other_files(head, path)
    found = _marked(head, encoding) or Encoding(_in_order(_known(encoding or "utf-8"), head))
    if found.name == "utf-8" and encoding is None:
        _refuse_nulls(head, path)
    guessed = encoding is None and not found.mark
    return found, _decoded(chain([head[len(found.mark) :]], remaining), found, guessed, path)


def _marked(head: bytes, encoding: str | None) -> Encoding | None:
    """Return the encoding of the byte-order mark, if there is one and no other encoding is wanted."""
    for name, mark in _MARKS:
        if head.startswith(mark) and (encoding is None or name.startswith(_known(encoding))):
            return Encoding(name, mark)
    return None


def _in_order(name: str, head: bytes) -> str:
    r"""Add the byte order to a name without one: zeros stand where units begin, or where they end.

    >>> _in_order("utf-16", b"\0a\0b"), _in_order("utf-32", b"a\0\0\0"), _in_order("utf-8", b"ab")
    ('utf-16-be', 'utf-32-le', 'utf-8')
    """
    if name not in _WIDTHS:
        return name
    sample, width = head[:_SAMPLE], _WIDTHS[name]
    is_big = sample[::width].count(0) > sample[width - 1 :: width].count(0)
    return f"{name}-be" if is_big else f"{name}-le"


def _known(name: str) -> str:
    try:
        return codecs.lookup(name).name.removesuffix("-sig")  # the mark is ours to keep
    except LookupError:
        raise PermendError(f"{name!r} is no encoding that Python knows") from None


def _decoded(chunks: Iterable[bytes], encoding: Encoding, guessed: bool, path: str | Path | None) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding.name)()
    done = len(encoding.mark)
    for chunk in chain(chunks, [None]):
        waiting = len(decoder.getstate()[0])
        try:
            text = decoder.decode(chunk or b"", final=chunk is None)
        except UnicodeDecodeError as error:
            place = done - waiting + error.start + 1
            guess = guess_encoding(chunk or error.object)
            advice = f"; it looks like {guess}{_advice(guess)}" if guessed else ""
            raise InputError(f"this is not valid {encoding.name.upper()} (byte {place}){advice}", path) from None
        done += len(chunk or b"")
        if "\0" in text:
            raise InputError("this is a binary file, not text", path)
        if text:
            yield text


def _refuse_other_files(head: bytes, path: str | Path | None) -> None:
    for beginning, what in _NO_TEXT.items():
        if head.startswith(beginning):
            raise InputError(f"this is {what}, not text", path)


def _refuse_nulls(head: bytes, path: str | Path | None) -> None:
    if b"\0" not in head:
        return
    sample = head[:_SAMPLE]
    for name, zeros, letters in (("utf-16-le", sample[1::2], sample[::2]), ("utf-16-be", sample[::2], sample[1::2])):
        if zeros.count(0) > 0.9 * len(zeros) and letters.count(0) == 0:
            raise InputError(f"this looks like {name.upper()} without a byte-order mark{_advice(name)}", path)
    raise InputError("this is a binary file, not text", path)


def _advice(guess: str) -> str:
    """Name the option that reads it, which is the command line's and Python's.

    >>> _advice("iso-8859-1 (or windows-1252)")
    ': read it with --encoding iso-8859-1'
    """
    return f": read it with --encoding {guess.split()[0]}"


def guess_encoding(sample: bytes) -> str:
    """Name the encoding that bytes look like which are no UTF-8.

    >>> guess_encoding("naïve “café”".encode("cp1252")), guess_encoding("Доброе утро всем".encode("cp1251"))
    ('windows-1252', 'windows-1251')
    """
    sample = sample[:_SAMPLE]
    high = len(re.findall(rb"[\x80-\xff]", sample))
    low = len(re.findall(rb"[A-Za-z]", sample))
    if high > low and sample.count(b" ") * 12 > high:  # words of letters, not of syllables
        return "windows-1251"
    if high > low:
        for name in ("shift_jis", "gb18030", "euc_kr"):
            if _share_of_ideographs(sample, name) > 0.9:
                return name
    return "windows-1252" if re.search(rb"[\x80-\x9f]", sample) else "iso-8859-1 (or windows-1252)"


def _share_of_ideographs(sample: bytes, name: str) -> float:
    try:
        text = codecs.getincrementaldecoder(name)().decode(sample)
    except UnicodeDecodeError:
        return 0.0
    letters = [character for character in text if ord(character) > 127]
    common = sum("\u3000" <= character <= "\u30ff" or "\u4e00" <= character <= "\ud7a3" for character in letters)
    return common / len(letters) if letters else 0.0
