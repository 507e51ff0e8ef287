"""Stretches of a text that are no words: base64, hashes, keys, whatever has no space for a hundred characters.

In: a text. Out: where such stretches stand, without the marks around them (`find_no_words`; `find_codes` finds them
within markup too), or the text cut there. Nobody means them to be read, so they are never corrected; and since they may
be megabytes long, each is looked at once.

>>> text = "The hash (d41d8cd98f00b204e9800998ecf8427e) is old."
>>> [text[start:end] for start, end in find_no_words(text)]
['d41d8cd98f00b204e9800998ecf8427e']
>>> split_no_words(text)
[('The hash ', True), ('(d41d8cd98f00b204e9800998ecf8427e)', False), (' is old.', True)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator

SHORTEST, LONGEST = 32, 100
"""Characters without a space that may be a hash, as MD5's are; and that are no word, whatever they are."""
_STRETCH = re.compile(rf"(?<!\S)\S{{{SHORTEST},}}")
_RUN = re.compile(rf"(?<![\w+/=-])[\w+/=-]{{{SHORTEST},}}")
_MARKS = "\"'“”‘’«»()[]{}<>.,;:!?…*"
_CODE = re.compile(
    r"""
    (?= [^0-9]{0,99} [0-9] )
    (?: (?= [^A-Za-z]{0,99} [A-Za-z] ) [0-9A-Fa-f]{32,}
      | (?= [^a-z]{0,99} [a-z] ) (?= [^A-Z]{0,99} [A-Z] ) [A-Za-z0-9+/_-]{40,} ={0,2} )
    """,
    re.VERBOSE,
)


def find_codes(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Yield where nothing but letters, digits and the signs of base64 stand that are no words, as markup is not."""
    for run in _RUN.finditer(text, start, len(text) if end is None else end):
        if len(run.group()) >= LONGEST or _CODE.fullmatch(run.group()):
            yield run.span()


def find_no_words(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Yield where stretches that are no words begin and end."""
    for stretch in _STRETCH.finditer(text, start, len(text) if end is None else end):
        whole = stretch.group()
        core = whole.strip(_MARKS)
        if len(core) >= LONGEST or _CODE.fullmatch(core):
            first = stretch.start() + len(whole) - len(whole.lstrip(_MARKS))
            yield first, first + len(core)
        elif len(whole) >= LONGEST:  # a line of dots
            yield stretch.span()


def split_no_words(text: str) -> list[tuple[str, bool]]:
    """Cut a text where no words stand, with the marks around them, and tell of each part whether it can be read."""
    parts = []
    at = 0
    for stretch in _STRETCH.finditer(text):
        if any(find_no_words(text, *stretch.span())):
            parts += [(text[at : stretch.start()], True), (stretch.group(), False)]
            at = stretch.end()
    return [part for part in [*parts, (text[at:], True)] if part[0]] or [(text, True)]
