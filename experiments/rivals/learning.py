"""What tagging rivals learn from pairs before training: which edits are frequent.

In: pairs, a recipe's options. Out: tokens of both sides, a few hundred pairs at a time; the most frequent names.

>>> most_frequent(Counter("abracadabra"), 3)
['a', 'b', 'r']
>>> counts_of({"tags": 100}, {"tags": 5000, "grams": 1000})
{'tags': 100, 'grams': 1000}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeVar

from permend.corpora.pairs import Pair
from permend.errors import PermendError
from permend.text.tokens import Tokenizer, Tokens

_AT_ONCE = 512
Name = TypeVar("Name", str, tuple[int, ...])


def couples(pairs: Iterable[Pair], tokenizer: Tokenizer) -> Iterator[tuple[Tokens, Tokens]]:
    """Yield the tokens of both sides of each pair."""
    waiting = iter(pairs)
    while chunk := list(islice(waiting, _AT_ONCE)):
        sides = tokenizer.encode_batch([side for pair in chunk for side in (pair.source, pair.target)])
        yield from zip(sides[::2], sides[1::2], strict=True)


def most_frequent(counts: Counter[Name], most: int) -> list[Name]:
    """Return the most frequent names; among equals the first in order, whichever was counted first."""
    return sorted(sorted(counts), key=lambda name: -counts[name])[: max(0, most)]


def counts_of(options: Mapping[str, Any], known: Mapping[str, int]) -> dict[str, int]:
    """Return a system's options, which are all counts, with the `known` ones' values where they are not given."""
    for name, value in options.items():
        if name not in known:
            raise PermendError(f"the system has no option {name!r}; there is {', '.join(known)}")
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise PermendError(f"the option {name!r} is a positive number, not {value!r}")
    return {**known, **options}
