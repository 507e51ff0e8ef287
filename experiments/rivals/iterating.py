"""Correcting again what was just corrected, until nothing changes: GECToR and PIE alike.

In: sentences, and what corrects each of several once, with one run of a network. Out: `Guess`es. A sentence leaves the
batch when a pass changes nothing, when it comes back to what it was before, and when it no longer fits the network:

    iterate(sentences, tokenizer, 3, 512, once)     # at most three passes
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from experiments.rivals.system import Guess
from permend.errors import check_count
from permend.text.tokens import Tokenizer, Tokens

Once: TypeAlias = Callable[[Sequence[Tokens]], list[str]]
"""The texts of sentences after one pass."""


def iterate(sentences: Sequence[Tokens], tokenizer: Tokenizer, passes: int, longest: int, once: Once) -> list[Guess]:
    """Correct sentences; `longest` is the longest row that the network takes."""
    check_count("passes", passes)
    texts = [sentence.text for sentence in sentences]
    seen = [{text} for text in texts]
    runs = [0] * len(texts)
    going = dict(enumerate(sentences))
    for _ in range(passes):
        corrected = once(list(going.values())) if going else []
        changed = []
        for place, text in zip(going, corrected, strict=True):
            runs[place] += 1
            texts[place] = text
            if text not in seen[place]:
                seen[place].add(text)
                changed.append(place)
        tokens = tokenizer.encode_batch([texts[place] for place in changed])
        going = {place: each for place, each in zip(changed, tokens, strict=True) if 2 < len(each.ids) <= longest}
    return [Guess(text, passes=count) for text, count in zip(texts, runs, strict=True)]
