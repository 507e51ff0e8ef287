"""Between plans and text: the only code that does it, for training and for correction alike (Section 3.1).

`make_template` applies a plan to the source ids and puts `masks` mask tokens where a slot stands: the decoder's input.
`Template.fill` puts tokens where the masks are: the decoder's wanted output. `render` writes the corrected text.

>>> from permend.method.plan import Plan
>>> from permend.text.tokens import WordTokenizer
>>> words = WordTokenizer()
>>> source = words.encode("I be  busy!")
>>> plan = Plan((0, 1, 5, 3, 4), length=5)
>>> template = make_template(source.ids, plan, words.mask)
>>> [words.piece(token) for token in template.ids]
['<s>', 'I', '<mask>', '<mask>', '<mask>', 'busy!', '</s>']
>>> am = words.encode("am").ids[1:-1]
>>> [words.piece(token) for token in template.fill([am], words.pad)]
['<s>', 'I', 'am', '<pad>', '<pad>', 'busy!', '</s>']
>>> render(source, plan, [am], words)
'I am  busy!'

Copied stretches keep the source's exact characters; only the joints between stretches are ours to space.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from permend.method.align import MASKS
from permend.method.plan import Plan
from permend.text.spacing import space_between
from permend.text.tokens import Tokenizer, Tokens


@dataclass(frozen=True)
class Template:
    """A plan applied to ids, with masks for its slots: what the decoder reads."""

    ids: tuple[int, ...]
    source: tuple[int, ...]
    """Position among source tokens and slots that each element comes from; the masks of a slot share the slot's."""
    coordinates: tuple[float, ...]
    """Where each element lies in the source: a token at its position, masks in the gap behind the token before."""
    masks: tuple[int, ...]
    """Places of the masks in `ids`, slot by slot."""

    def fill(self, fills: Sequence[Sequence[int]], pad: int) -> tuple[int, ...]:
        """Put the tokens of each slot where its masks stand, padded to their number."""
        ids = list(self.ids)
        width = len(self.masks) // len(fills) if fills else 0
        for slot, fill in enumerate(fills):
            padded = (*fill, *[pad] * (width - len(fill)))
            for place, token in zip(self.masks[slot * width : (slot + 1) * width], padded, strict=True):
                ids[place] = token
        return tuple(ids)

    def of_slots(self, slots: Sequence[int], width: int) -> Template:
        """Return the template with the masks of some slots as those to fill, `width` each."""
        masks = tuple(place for slot in slots for place in self.masks[slot * width : (slot + 1) * width])
        return Template(self.ids, self.source, self.coordinates, masks)


def make_template(ids: Sequence[int], plan: Plan, mask: int, masks: int = MASKS) -> Template:
    """Apply a plan to the ids of its source."""
    out: list[int] = []
    source: list[int] = []
    coordinates: list[float] = []
    places: list[int] = []
    before = 0
    for first, last in plan.runs():
        if first < plan.length:
            out.extend(ids[first : last + 1])
            source.extend(range(first, last + 1))
            coordinates.extend(range(first, last + 1))
            before = last
        else:
            places.extend(range(len(out), len(out) + masks))
            out.extend([mask] * masks)
            source.extend([first] * masks)
            coordinates.extend(before + (k + 1) / (masks + 1) for k in range(masks))
    return Template(tuple(out), tuple(source), tuple(coordinates), tuple(places))


def split_fills(tokens: Sequence[int], pad: int, masks: int = MASKS) -> list[tuple[int, ...]]:
    """Turn the tokens at the masks of a template into fills, slot by slot, without padding.

    >>> split_fills([7, 0, 0, 8, 9, 0], pad=0)
    [(7,), (8, 9)]
    """
    return [
        tuple(token for token in tokens[place : place + masks] if token != pad)
        for place in range(0, len(tokens), masks)
    ]


def render(source: Tokens, plan: Plan, fills: Sequence[Sequence[int]], tokenizer: Tokenizer) -> str:
    """Write the text of a plan and its fills."""
    return _Writer(source, plan, tokenizer).write(fills)


class _Writer:
    """Writes one corrected text, stretch by stretch.

    A stretch is either copied characters or ids to decode. Ids are decoded together where they touch: a byte-level
    vocabulary may spell one character with several tokens, of which some are copied and some are new.
    """

    def __init__(self, source: Tokens, plan: Plan, tokenizer: Tokenizer) -> None:
        self.source, self.plan, self.tokenizer = source, plan, tokenizer
        self.text, self.spans = source.text, source.spans
        self.kept = frozenset(plan.order)
        self.out: list[str] = []
        self.pending: list[int] = []  # ids not decoded yet
        self.last = 0  # source position of what was copied last
        self.begun = False  # whether anything but <s> is written

    def write(self, fills: Sequence[Sequence[int]]) -> str:
        length = self.plan.length
        for first, last in self.plan.runs():
            if first >= length:
                self.pending.extend(fills[first - length])
            else:
                self._copy(first, last)
        return "".join(self.out)

    def _copy(self, first: int, last: int) -> None:
        """Copy tokens first … last; those that share a character with a token outside are decoded instead."""
        while first <= last and self._glued(first):
            self.pending.append(self.source.ids[first])
            first += 1
        clean = last
        while clean >= first and self._glued(clean + 1):
            clean -= 1
        if first <= clean:
            self._flush()
            if first:
                self.out.append(self._gap_before_copy(first))
            self.out.append(self.text[self.spans[first][0] : self.spans[clean][1]])
            self.last = clean
            self.begun |= clean > 0
        self.pending.extend(self.source.ids[clean + 1 : last + 1])

    def _glued(self, position: int) -> bool:
        """Whether a token shares a character with the one before it."""
        return 0 < position < self.plan.length and self.spans[position][0] < self.spans[position - 1][1]

    def _flush(self) -> None:
        """Decode what is pending: at once where pieces know their spaces, else word by word."""
        words: list[list[int]] = []
        for token in self.pending:
            if not words or self.tokenizer.spaced(token) is None:
                words.append([])
            words[-1].append(token)
        for place, word in enumerate(words):
            text = self.tokenizer.decode(word)
            spaced = self.tokenizer.spaced(word[0])
            if spaced is None:
                spaced = space_between("".join(self.out), text)
            self.out.append(self._gap_before_new(spaced) if place == 0 else " " if spaced else "")
            self.out.append(text)
            self.begun = True
        self.pending.clear()

    def _gap(self, position: int) -> str:
        """Return the source's characters between a token and the one before it."""
        return self.text[self.spans[position - 1][1] : self.spans[position][0]]

    def _gap_before_new(self, spaced: bool) -> str:
        if not self.begun:  # the text begins as the source began
            return self._gap(1) if self.plan.length > 2 else ""
        if not spaced:
            return ""
        after = self.last + 1
        # Where source tokens are replaced, the replacement stands behind the same whitespace as they did.
        replaced = after < self.plan.length - 1 and after not in self.kept
        return (self._gap(after) if replaced else "") or " "

    def _gap_before_copy(self, first: int) -> str:
        if first == self.plan.length - 1:
            return self._gap(first)
        if not self.begun:
            return self._gap(1)
        gap = self._gap(first) if first > 1 else ""
        spaced = self.tokenizer.spaced(self.source.ids[first])
        if spaced is None:
            start, end = self.spans[first]
            if gap:
                spaced = space_between("".join(self.out), "x")  # only an opening bracket before it takes the space
            else:
                spaced = space_between("".join(self.out), self.text[start:end])
        if not spaced:
            return ""
        skipped = self._gap(self.last + 1) if self.last + 1 < self.plan.length - 1 else ""
        if "\n" in skipped and "\n" not in gap and self.last + 1 not in self.kept:
            return skipped  # a line break outlives the deletion of the words around it
        return gap or " "
