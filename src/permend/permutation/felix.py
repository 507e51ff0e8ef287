"""FELIX labels (Mallinson et al. 2020), the rival of Algorithm 1 in the paper's ablation (Figure 3a).

In and out as in `permend.permutation.align`. Each target token in turn takes the unused source token of the same kind
that lies nearest to the one taken last; a token that finds none is inserted. Repeated words therefore stay near the
words before them, at the price of torn clauses:

>>> source = "<s> I like films when I was younger I watched on TV </s>".split()
>>> target = "<s> I like films I watched on TV when I was younger </s>".split()
>>> align_felix(source, target).plan.order
(0, 1, 2, 3, 5, 9, 10, 11, 4, 8, 6, 7, 12)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from permend.permutation.align import MASKS, SLOTS, Alignment, Overflow, Span, Token, write_label


def align_felix(
    source: Sequence[Token],
    target: Sequence[Token],
    *,
    slots: int = SLOTS,
    masks: int = MASKS,
    overflow: Overflow = "cut",
) -> Alignment[Token]:
    """Label a pair the way FELIX points; at equal distance the earlier source token wins."""
    unused: defaultdict[Token, list[int]] = defaultdict(list)
    for position, token in enumerate(source):
        unused[token].append(position)
    spans = []
    last = 0
    for place, token in enumerate(target):
        if unused[token]:
            last = min(unused[token], key=lambda position: (abs(position - last), position))
            unused[token].remove(last)
            spans.append(Span(last, place, 1))
    return write_label(source, target, spans, 0, slots=slots, masks=masks, overflow=overflow)
