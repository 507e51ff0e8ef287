"""Label a pair of texts, and count what the label scheme does to many.

In: two strings, a tokenizer and the options of the label scheme. Out: a `Label`, from which the decoder's input and
output and the text that the label stands for can be read. Out of many labels, one by one: `Statistics`, how many pairs
the scheme can express, and what corrections look like as plans.

>>> from permend.text.tokens import WordTokenizer
>>> label = Labeler(WordTokenizer()).label("I be busy", "I am busy")
>>> label.alignment.plan.order, label.text()
((0, 1, 5, 3, 4), 'I am busy')
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from permend.method.align import MASKS, MAX_LEN, SLOTS, Alignment, Losses, Overflow, align, align_felix
from permend.method.template import Template, make_template, render
from permend.text.tokens import Tokenizer, Tokens

Scheme = Literal["permend", "felix"]


@dataclass(frozen=True)
class Label:
    """What a network shall learn from one pair."""

    source: Tokens
    alignment: Alignment[int]
    template: Template
    """The decoder's input."""
    output: tuple[int, ...]
    """The decoder's wanted output: the template with its masks filled."""
    tokenizer: Tokenizer

    def text(self) -> str:
        """Write the text that the label stands for: the target, unless something was lost."""
        return render(self.source, self.alignment.plan, self.alignment.fills, self.tokenizer)


@dataclass(frozen=True)
class Labeler:
    """A tokenizer and the options of the label scheme."""

    tokenizer: Tokenizer
    scheme: Scheme = "permend"
    """Algorithm 1 of the paper, or FELIX's way of pointing."""
    slots: int = SLOTS
    masks: int = MASKS
    max_len: int = MAX_LEN
    overflow: Overflow = "cut"

    def label(self, source: str, target: str) -> Label:
        """Label a pair of texts."""
        return self.label_tokens(self.tokenizer.encode(source), self.tokenizer.encode(target))

    def label_tokens(self, source: Tokens, target: Tokens) -> Label:
        """Label a pair that is tokenised already."""
        if self.scheme == "felix":
            found = align_felix(source.keys, target.keys, slots=self.slots, masks=self.masks, overflow=self.overflow)
        else:
            found = align(
                source.keys,
                target.keys,
                slots=self.slots,
                masks=self.masks,
                max_len=self.max_len,
                overflow=self.overflow,
            )
        unknown = -1 if self.tokenizer.unknown is None else self.tokenizer.unknown
        fills = tuple(tuple(key if isinstance(key, int) else unknown for key in fill) for fill in found.fills)
        template = make_template(source.ids, found.plan, self.tokenizer.mask, self.masks)
        return Label(
            source,
            Alignment(found.plan, fills, found.losses),
            template,
            template.fill(fills, self.tokenizer.pad),
            self.tokenizer,
        )


@dataclass
class Statistics:
    """Counts over the labels of a corpus; every histogram maps a number to how often it occurred."""

    pairs: int = 0
    unchanged: int = 0
    """Pairs whose source is right already."""
    exact: int = 0
    """Pairs whose label gives the target without loss."""
    losses: Counter[str] = field(default_factory=Counter)
    """Pairs that each kind of loss touches."""
    insertions: Counter[int] = field(default_factory=Counter)
    """Slots per pair."""
    insertion_lengths: Counter[int] = field(default_factory=Counter)
    """Tokens per slot."""
    edits: Counter[int] = field(default_factory=Counter)
    """Places per pair where the plan leaves the source's order: an insertion, a deletion, a replacement, a move."""
    reorderings: Counter[int] = field(default_factory=Counter)
    """Steps back per pair."""

    def add(self, label: Label) -> None:
        """Count one label."""
        plan, losses = label.alignment.plan, label.alignment.losses
        self.pairs += 1
        self.unchanged += plan.is_identity
        self.exact += losses.exact
        for kind in fields(Losses):
            self.losses[kind.name] += getattr(losses, kind.name) > 0
        self.insertions[plan.slots] += 1
        self.insertion_lengths.update(map(len, label.alignment.fills))
        self.edits[sum(first < plan.length for first, _ in plan.runs()) - 1] += 1
        self.reorderings[plan.moved] += 1

    def share(self, count: int) -> float:
        """Return a count of pairs as a share of all."""
        return count / self.pairs if self.pairs else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return everything for a program to read: shares between 0 and 1, histograms by number."""
        return {
            "pairs": self.pairs,
            "unchanged": self.share(self.unchanged),
            "exact": self.share(self.exact),
            "losses": {kind: self.share(count) for kind, count in self.losses.items()},
            "histograms": {
                name: {str(number): count for number, count in sorted(getattr(self, name).items())}
                for name in ("insertions", "insertion_lengths", "edits", "reorderings")
            },
        }
