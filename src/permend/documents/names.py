r"""Names in any kind of text: URLs, e-mail addresses, paths, file names, @names, #tags; and what is no word (a hash).

>>> text = "Mail ann@example.org or @ann about src/main.py, https://example.org/a_(b). And/or run it.so we know #fun"
>>> [text[start:end] for start, end in find_names(text, 0, len(text))]
['ann@example.org', '@ann', 'src/main.py', 'https://example.org/a_(b)', '#fun']

A learner who forgets the space behind a full stop writes what looks like a file name (*it.so*), therefore only endings
that are no English words count; and *he/she* is no path. Every repetition is bounded: a line of 50 MB is no problem.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from heapq import merge

from permend.text.no_words import find_codes, find_no_words

_ENDINGS = (
    "7z avi bash bat bib bmp bz2 cfg conf cpp csv css dll doc docx epub exe gif gz hpp htm html ico ini ipynb iso jpeg"
    " jpg js json jsonl jsx kt m2 md mkv mjs mov mp3 mp4 msi odt onnx pdf pem php png ppt pptx ps1 psd py pyi rb rst"
    " rtf safetensors scss sh sql svg tar tex tgz tif tiff toml ts tsv tsx txt wav webp xls xlsx xml xz yaml yml zip"
)
_ENDING = "(?:" + "|".join(_ENDINGS.split()) + ")"
_DOMAIN = r"(?:[a-z0-9][a-z0-9-]{0,62}\.){1,6}"
_PATH_PART = r"[\w.@~+-]{1,255}"
# A URL ends before the sign that closes the sentence or the bracket around it.
_URL_TAIL = r"(?:[^\s<>\"'`{}|\\^()\[\],.;:!?*]|\([^\s()<>]{0,200}\)|[,.;:!?'*&](?=[^\s<>\"'`(){}\[\]|,.;:!?*]))"

_NAME = re.compile(
    rf"""
    (?<![\w@]) (?:(?:https?|ftp|file|git|ssh|irc)://|(?:doi|tel|urn|arxiv):(?=\d)) {_URL_TAIL}{{1,2048}}
  | (?<![\w@.]) (?:mailto:)? [\w+-][\w.+-]{{0,62}} @ {_DOMAIN} [a-z]{{2,24}} \b
  | (?<![\w@./-]) www\. {_URL_TAIL}{{1,2048}}
  | (?<![\w@./-]) {_DOMAIN} (?:com|org|net|edu|gov|io|dev|co\.uk|ac\.uk) \b (?![\w@-]) (?: / {_URL_TAIL}{{0,2048}} )?
  | (?<![\w.@/]) (?:[A-Za-z]: | \\\\ {_PATH_PART}) (?: \\ {_PATH_PART} (?<!\.) ){{1,64}} \\?
  | (?<![\w.@/<]) (?:~|\.{{1,2}})? / {_PATH_PART} (?: / {_PATH_PART} ){{1,64}} (?<![.]) /?
  | (?<![\w.@/]) (?:~|\.{{1,2}}) / {_PATH_PART} (?<![.]) /?
  | (?<![\w.@/-]) (?:[\w.@~+-]{{1,255}} / ){{0,64}} [\w@+-][\w.@~+-]{{0,254}} \. {_ENDING} \b (?![\w@-])
  | (?<![\w.@/]) (?:[\w.@~+-]{{1,255}} / ){{2,64}} (?=[\s,.;:)]|$)
  | (?<![\w@.&]) @ [A-Za-z_][\w-]{{0,63}} (?: [.][\w-]{{1,63}} ){{0,4}}
  | (?<![\w\#&]) \# \w{{1,100}}
  | (?<!\w) _{{0,2}} [A-Za-z][A-Za-z0-9]{{0,63}} (?: _{{1,2}} [A-Za-z0-9]{{1,64}} ){{1,16}} _{{0,2}} (?: \(\) )? (?!\w)
  | (?<!\w) [A-Za-z]\w{{0,63}} (?: \. [A-Za-z]\w{{0,63}} ){{0,8}} \(\)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SIGN = re.compile(r"[@#/\\_]|\.(?=\w)|\(\)|:(?=\d)")  # every name has one of these
_SPACE = re.compile(r"\s")
_LONGEST = 16_384  # characters without a space among which there may be names

INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u2060\u2066-\u2069\u202a-\u202e\ufeff]+")
"""Soft hyphens, spaces without width and marks of direction: part of a word's look, not of its spelling."""


def find_names(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where names and codes stand between two places, whatever markup is around them."""
    return _united(_names(text, start, end), find_codes(text, start, end))


def find_unread(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where names and whatever else is no word stand between two places without markup."""
    return _united(_names(text, start, end), find_no_words(text, start, end))


def _united(*found: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield ranges in their order, those that touch each other as one."""
    start = end = -1
    for first, last in merge(*found):
        if first > end and end >= 0:
            yield start, end
        start, end = (start if first <= end else first), max(end, last)
    if end >= 0:
        yield start, end


def _names(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where names stand; only where there is a sign of one is it worth to look closer."""
    at = start
    while sign := _SIGN.search(text, at, end):
        first = sign.start()
        while first > at and not text[first - 1].isspace():
            first -= 1
        space = _SPACE.search(text, sign.end(), end)
        last = space.start() if space else end
        if last - first <= _LONGEST:
            yield from (name.span() for name in _NAME.finditer(text, first, last))
        at = last
