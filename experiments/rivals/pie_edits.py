"""PIE's edits: one for each sub-token, learned from pairs, carried out on ids.

In: the sub-tokens of both sides of a pair. Out: the number of an edit for each sub-token of the source but ``</s>``.
In, to `carry_out`: ids and edits. Out: the ids of the correction.

    <s>   I     go            to    school  yesterday
    copy  copy  replace went  copy  copy    append .

- copy, delete
- append a gram of one or two sub-tokens behind this one, or replace it by one: the most frequent grams of either kind
- exchange the sub-token's ending, as *d>ing*: the most frequent changes, which go before replacements. The new ending
  becomes a sub-token of its own where the vocabulary has none for the whole.

As in the paper, a pair that needs a longer gram cannot be expressed, and an edit that there is no number for is a copy.

>>> from permend.text.tokens import WordTokenizer
>>> words = WordTokenizer()
>>> pairs = [("She smile often", "She smiles often today"), ("They smiles", "They smile"), ("I am", "I was")]
>>> couples = [(words.encode(a), words.encode(b)) for a, b in pairs]
>>> learned = learn_edits(couples, pieces_of(words), {"grams": 10, "suffixes": 10})
>>> learned["suffixes"], len(learned["appends"]), len(learned["replaces"])
(['>s', 's>'], 1, 1)
>>> editor = Editor.of(learned, words)
>>> source, target = words.encode("They smile often"), words.encode("They smiles often today")
>>> edits = editor.edits(source, target)
>>> [editor.name(edit) for edit in edits]
['copy', 'copy', '>s', 'append today']
>>> words.decode(editor.carry_out(source.ids, edits)[1:-1])
'They smiles often today'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from experiments.rivals.aligning import mapped
from experiments.rivals.learning import most_frequent
from permend.synthesis.morphology import Endings
from permend.text.tokens import Tokenizer, Tokens

Gram: TypeAlias = tuple[int, ...]
Most: TypeAlias = Mapping[str, int]
"""How many `grams` of either kind, and how many `suffixes`."""
LONGEST = 2
"""Sub-tokens of the longest gram."""
COPY, DELETE = 0, 1
_FIRST = 2
_MARKS = "Ġ▁#"
_ENDINGS = Endings()


@dataclass(frozen=True)
class Editor:
    """The numbers of edits: copy, delete, appended grams, replacing grams, changes of endings."""

    appends: tuple[Gram, ...]
    replaces: tuple[Gram, ...]
    suffixes: tuple[str, ...]
    pieces: Sequence[str]
    """The tokenizer's vocabulary."""
    unknown: int | None

    @classmethod
    def of(cls, learned: Mapping[str, Any], tokenizer: Tokenizer) -> Editor:
        """Return the editor of what `learn_edits` returned."""
        appends, replaces = (tuple(map(tuple, learned[name])) for name in ("appends", "replaces"))
        return cls(appends, replaces, tuple(learned["suffixes"]), pieces_of(tokenizer), tokenizer.unknown)

    @property
    def size(self) -> int:
        """Number of edits."""
        return self.first_suffix + len(self.suffixes)

    @property
    def first_replace(self) -> int:
        """The number of the first replacement."""
        return _FIRST + len(self.appends)

    @property
    def first_suffix(self) -> int:
        """The number of the first change of an ending."""
        return self.first_replace + len(self.replaces)

    def edits(self, source: Tokens, target: Tokens) -> list[int] | None:
        """Return the edit of each sub-token but the last; None where a gram is too long."""
        if source.ids == target.ids:
            return [COPY] * (len(source.ids) - 1)
        changes = changes_of(source, target, self.pieces)
        return None if changes is None else [self._number(token, becomes) for token, becomes in changes]

    def _number(self, token: int, becomes: Gram) -> int:
        if becomes == (token,) or self.unknown in becomes:
            return COPY
        if not becomes:
            return DELETE
        ending = self._numbers.get(ending_between(token, becomes, self.pieces))
        if ending is not None and self._exchanged(token, self.suffixes[ending - self.first_suffix]) is not None:
            return ending
        key = ("append", becomes[1:]) if becomes[0] == token else ("replace", becomes)
        return self._numbers.get(key, COPY)

    def carry_out(self, ids: Sequence[int], edits: Sequence[int]) -> list[int]:
        """Return the ids after the edits of all but ``</s>``; what cannot be carried out is a copy."""
        out = [ids[0]]
        if _FIRST <= edits[0] < self.first_replace:
            out += self.appends[edits[0] - _FIRST]
        for token, edit in zip(ids[1:-1], edits[1:], strict=True):
            out += self._written(token, edit)
        return [*out, ids[-1]]

    def _written(self, token: int, edit: int) -> Gram:
        """Return what one sub-token becomes."""
        if edit == COPY:
            return (token,)
        if edit == DELETE:
            return ()
        if edit < self.first_replace:
            return (token, *self.appends[edit - _FIRST])
        if edit < self.first_suffix:
            return self.replaces[edit - self.first_replace]
        return self._exchanged(token, self.suffixes[edit - self.first_suffix]) or (token,)

    def _exchanged(self, token: int, change: str) -> Gram | None:
        """Return a sub-token with another ending, as one sub-token or as two."""
        piece = self.pieces[token]
        letters = piece.lstrip(_MARKS)
        changed = _ENDINGS.apply(letters, change)
        if changed is None:
            return None
        mark, (old, new) = piece.removesuffix(letters), change.split(">")
        whole = self._ids.get(mark + changed)
        if whole is not None:
            return (whole,)
        stem, ending = self._ids.get(mark + letters.removesuffix(old)), self._ids.get(new)
        return None if stem is None or ending is None else (stem, ending)

    def name(self, edit: int) -> str:
        """Return what an edit does, for people."""
        if edit < _FIRST:
            return ("copy", "delete")[edit]
        if edit >= self.first_suffix:
            return self.suffixes[edit - self.first_suffix]
        append = edit < self.first_replace
        gram = self.appends[edit - _FIRST] if append else self.replaces[edit - self.first_replace]
        return " ".join(["append" if append else "replace", *(self.pieces[token] for token in gram)])

    @cached_property
    def _numbers(self) -> dict[Any, int]:
        """Edits by what they do: a kind and a gram, or a change of an ending."""
        keys = [("append", gram) for gram in self.appends] + [("replace", gram) for gram in self.replaces]
        return {key: number for number, key in enumerate([*keys, *self.suffixes], _FIRST)}

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {piece: token for token, piece in enumerate(self.pieces)}


def pieces_of(tokenizer: Tokenizer) -> list[str]:
    """Return a tokenizer's vocabulary."""
    return [tokenizer.piece(token) for token in range(tokenizer.size)]


def changes_of(source: Tokens, target: Tokens, pieces: Sequence[str]) -> list[tuple[int, Gram]] | None:
    """Return each sub-token but ``</s>`` and what it becomes; None where more than a gram is new at one place."""
    old, new = ([k if isinstance(k, str) else pieces[k] for k in side.keys[1:-1]] for side in (source, target))
    changes: list[tuple[int, Gram]] = []
    for token, stretch in zip(source.ids, mapped(old, new), strict=False):
        becomes = target.ids[1 + stretch.start : 1 + stretch.stop]
        if not changes:  # <s> stays, and what stands in its stretch is put in behind it
            becomes = (token, *becomes)
        if len(becomes) - (becomes[:1] == (token,)) > LONGEST:
            return None
        changes.append((token, becomes))
    return changes


def ending_between(token: int, becomes: Gram, pieces: Sequence[str]) -> str | None:
    """Return the change of the ending that makes a sub-token into others; None where there is none."""
    old, new = pieces[token], "".join(pieces[each] for each in becomes)
    letters, changed = old.lstrip(_MARKS), new.lstrip(_MARKS)
    if old.removesuffix(letters) != new.removesuffix(changed) or not changed.isascii():  # a mark inside is a word more
        return None
    return _ENDINGS.change(letters, changed)


def learn_edits(couples: Iterable[tuple[Tokens, Tokens]], pieces: Sequence[str], most: Most) -> dict[str, Any]:
    """Return, as plain values, the most frequent edits of each kind in tokenised pairs."""
    seen: Counter[tuple[int, Gram]] = Counter()
    for source, target in couples:
        seen.update(changes_of(source, target, pieces) or () if source.ids != target.ids else ())
    changes = {key: count for key, count in seen.items() if key[1] not in ((), key[:1])}
    endings: Counter[str] = Counter()
    for (token, becomes), count in changes.items():
        ending = ending_between(token, becomes, pieces)
        if ending is not None:
            endings[ending] += count
    suffixes = most_frequent(endings, most["suffixes"])
    appends: Counter[Gram] = Counter()
    replaces: Counter[Gram] = Counter()
    for (token, becomes), count in changes.items():
        if ending_between(token, becomes, pieces) not in suffixes:
            if becomes[0] == token:
                appends[becomes[1:]] += count
            else:
                replaces[becomes] += count
    grams = {"appends": appends, "replaces": replaces}
    found = {name: [list(gram) for gram in most_frequent(counts, most["grams"])] for name, counts in grams.items()}
    return {**found, "suffixes": suffixes}
