"""English words of raw text, contractions apart, as annotated corpora split them.

>>> WORD.findall("I don't know John's well-known song.")
['I', 'do', "n't", 'know', 'John', "'s", 'well', '-', 'known', 'song', '.']
"""

from __future__ import annotations

import re

WORD = re.compile(
    r"""
    [^\W\d_]+ (?![\w'’.])                          # most words
  | [^\W\d_]+ (?= n['’]t\b) | n['’]t\b             # do n't
  | ['’] (?: [smd] | re | ve | ll ) \b             # it 's
  | (?: [^\W\d_] \. ){2,}                          # e.g., U.S.
  | (?: mrs? | ms | dr | prof ) \.
  | \d+ (?: [.,:] \d+ )*
  | [\w\u0300-\u036f]+
  | \.{2,} | --+ | \S
    """,
    re.VERBOSE | re.IGNORECASE,
)
