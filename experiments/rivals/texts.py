"""From a rival's ids back to text: what stays keeps the source's exact characters, as with permend.

In: a source and the ids of its correction, both from ``<s>`` to ``</s>``. Out: the corrected text, written by the code
that writes permend's own: the kept tokens are a plan, the new ones its fills.

>>> from permend.text.tokens import WordTokenizer
>>> words = WordTokenizer()
>>> source = words.encode("I be  busy")
>>> write(source, words.encode("I am very busy").ids, words)
'I am very  busy'
"""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import Indel

from permend.method.plan import Plan
from permend.method.template import render
from permend.text.tokens import Tokenizer, Tokens


def write(source: Tokens, ids: Sequence[int], tokenizer: Tokenizer) -> str:
    """Return the text of corrected ids."""
    order: list[int] = []
    fills: list[list[int]] = []
    new: list[int] = []
    length = len(source.ids)
    for step in Indel.opcodes(list(source.ids), list(ids)):
        if step.tag == "insert":
            # An unknown token that is not the source's has no text.
            new += [token for token in ids[step.dest_start : step.dest_end] if token != tokenizer.unknown]
        if step.tag == "equal":
            if new:
                order.append(length + len(fills))
                fills.append(new)
                new = []
            order += range(step.src_start, step.src_end)
    return render(source, Plan(tuple(order), length), fills, tokenizer)
