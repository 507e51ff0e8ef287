"""Split a text that is too long for the network, at the best boundary there is, never inside a token.

In: a tokenised text and the most tokens a part may have. Out: character ranges that cover the text from end to end.

>>> from permend.text.tokens import WordTokenizer
>>> tokens = WordTokenizer().encode("I was tired, so I slept. Then it rained all day long.")
>>> [tokens.text[start:end] for start, end in split_text(tokens, limit=7)]
['I was tired, so I slept.', ' Then it rained all day long.']
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from permend.text.tokens import Tokens

SENTENCE_END = frozenset(".!?…。！？\n")
_CLAUSE_END = frozenset(",;:)—–、，；：")


def split_text(tokens: Tokens, limit: int) -> list[tuple[int, int]]:
    """Cut into parts of at most `limit` tokens, ``<s>`` and ``</s>`` not counted.

    Of all places in a part's second half, the last one behind a sentence is best, then behind a clause, then a space;
    where there is none of these, the part is as long as it may be.
    """
    spans = tokens.spans[1:-1]
    parts = []
    begin, at = 0, 0
    while len(spans) - at > limit:
        cut = _best_cut(tokens.text, spans, at, limit)
        end = spans[cut - 1][1]
        parts.append((begin, end))
        begin, at = end, cut
    return [*parts, (begin, len(tokens.text))]


def _best_cut(text: str, spans: Sequence[tuple[int, int]], at: int, limit: int) -> int:
    """Return the token before which to cut."""
    tests: tuple[Callable[[int], bool], ...] = (
        lambda place: text[spans[place - 1][1] - 1] in SENTENCE_END and _apart(place),
        lambda place: text[spans[place - 1][1] - 1] in _CLAUSE_END and _apart(place),
        lambda place: _apart(place),
    )

    def _apart(place: int) -> bool:
        return text[spans[place - 1][1] : spans[place][0]].isspace()

    for test in tests:
        for place in range(at + limit, at + max(1, limit // 2) - 1, -1):
            if place < len(spans) and spans[place - 1][1] > 0 and test(place):
                return place
    place = at + limit
    while place > at + 1 and spans[place][0] < spans[place - 1][1]:  # not inside a character
        place -= 1
    return place
