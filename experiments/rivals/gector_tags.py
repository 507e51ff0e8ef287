"""GECToR's tags: one for the sentence's start and one for each word, learned from pairs, carried out on text.

In: the words of both sides of a pair. Out: names of tags. Where a word needs several, it gets the first; the others are
for the passes that follow. In, to `carry_out`: words and their tags. Out: the text.

>>> from permend.text.tokens import WordTokenizer
>>> tokenizer = WordTokenizer()
>>> source = words_of(tokenizer.encode("i be agree  with you and any body"))
>>> target = words_of(tokenizer.encode("So I agree  with most of you and anybody"))
>>> tagger = Tagger(Forms({"verbs": [], "nouns": []}))
>>> tags = tagger.tags(source, target)
>>> tags[:5], tags[5:]
(['$APPEND_So', '$CASE_CAPITAL', '$DELETE', '$KEEP', '$APPEND_most'], ['$KEEP', '$KEEP', '$MERGE_SPACE', '$KEEP'])
>>> tagger.carry_out(source, tags)
'So I agree  with most you and anybody'

- $KEEP, $DELETE, $APPEND_w (put w behind the word), $REPLACE_w
- $CASE_…, $NOUN_NUMBER_…, $VERB_FORM_…: see `gector_forms`
- $MERGE_SPACE: the word loses the space behind it. A hyphen is a word of its own here, so GECToR's merging with a
  hyphen is $APPEND_-, and its splitting at one is $DELETE on the hyphen.
- $UNKNOWN: an edit that no tag of the vocabulary stands for; carried out, it keeps the word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from experiments.rivals.aligning import mapped
from experiments.rivals.gector_forms import Forms, learn_forms
from experiments.rivals.learning import most_frequent
from experiments.rivals.words import TokenWords, rewrite, words_of
from permend.text.tokens import Tokens

KEEP, DELETE, MERGE, UNKNOWN = "$KEEP", "$DELETE", "$MERGE_SPACE", "$UNKNOWN"
_APPEND, _REPLACE = "$APPEND_", "$REPLACE_"
ALWAYS = (KEEP, DELETE, UNKNOWN)
"""What every vocabulary begins with."""


@dataclass(frozen=True)
class Tagger:
    """Tags and what they mean."""

    forms: Forms

    def tags(self, source: TokenWords, target: TokenWords) -> list[str]:
        """Return the tags of the start and of each word."""
        old, new = source.tokens, target.tokens
        if old == new:
            return [KEEP] * (len(old) + 1)
        stretches = mapped(old, new)
        first = [new[place] for place in stretches[0]]
        tags = [_APPEND + first[0] if first else KEEP]
        tags += [self._tag(word, new[each.start : each.stop]) for word, each in zip(old, stretches[1:], strict=True)]
        for place, (left, right) in enumerate(pairwise(old), 1):
            _merge(tags, place, left + right, [new[each.start : each.stop] for each in stretches[place : place + 2]])
        return tags

    def _tag(self, word: str, becomes: Sequence[str]) -> str:
        if not becomes:
            return DELETE
        if becomes[0] == word:
            return _APPEND + becomes[1] if len(becomes) > 1 else KEEP
        return self.forms.between(word, becomes[0]) or _REPLACE + becomes[0]

    def carry_out(self, words: TokenWords, tags: Sequence[str]) -> str:
        """Return the text after the tags; one that cannot be carried out keeps its word."""
        new = [self._written("", tags[0])[1:]]
        new += [self._written(word, tag) for word, tag in zip(words.tokens, tags[1:], strict=True)]
        merged = {word for word, tag in enumerate(tags[1:]) if tag == MERGE}
        return rewrite(words, new, merged)

    def _written(self, word: str, tag: str) -> list[str]:
        """Return the words that come to stand in the place of one."""
        if tag == DELETE:
            return []
        if tag.startswith(_APPEND):
            return [word, tag.removeprefix(_APPEND)]
        if tag.startswith(_REPLACE):
            return [tag.removeprefix(_REPLACE)]
        return [self.forms.apply(word, tag) or word]


def _merge(tags: list[str], place: int, together: str, becomes: Sequence[Sequence[str]]) -> None:
    """Set the tags of the word at a place and the next, where one of them becomes both together."""
    here, following = becomes
    if list(here) == [together] and not following:
        tags[place : place + 2] = MERGE, KEEP
    elif not here and following[:1] == [together]:
        tags[place : place + 2] = MERGE, _APPEND + following[1] if len(following) > 1 else KEEP


def learn_tags(couples: Iterable[tuple[Tokens, Tokens]], most: int) -> dict[str, Any]:
    """Return, as plain values, the forms of the words in tokenised pairs, and the most frequent tags."""
    seen: Counter[str] = Counter()
    edits: Counter[tuple[str, str]] = Counter()
    without_forms = Tagger(Forms({"verbs": [], "nouns": []}))
    for source, target in couples:
        old, new = words_of(source), words_of(target)
        seen.update(old.tokens)
        seen.update(new.tokens)
        if old.tokens != new.tokens:
            edits.update(zip(["", *old.tokens], without_forms.tags(old, new), strict=True))
    learned = learn_forms(seen)
    forms = Forms(learned)
    counts: Counter[str] = Counter()
    for (word, tag), count in edits.items():
        changed = forms.between(word, tag.removeprefix(_REPLACE)) if tag.startswith(_REPLACE) else None
        counts[changed or tag] += count
    frequent = Counter({tag: count for tag, count in counts.items() if tag not in ALWAYS})
    return {**learned, "tags": [*ALWAYS, *most_frequent(frequent, most - len(ALWAYS))]}
