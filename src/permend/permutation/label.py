"""Label a pair of texts: tokenise both, align them, and keep what belongs together.

In: two strings, a tokenizer and the options of the label scheme. Out: a `Label`, from which the decoder's input and
output and the text that the label stands for can be read.

>>> from permend.text.tokens import WordTokenizer
>>> label = Labeler(WordTokenizer()).label("I be busy", "I am busy")
>>> label.alignment.plan.order, label.text()
((0, 1, 5, 3, 4), 'I am busy')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from permend.permutation.align import MASKS, MAX_LEN, SLOTS, Alignment, Overflow, align
from permend.permutation.felix import align_felix
from permend.permutation.template import Template, make_template, render
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
