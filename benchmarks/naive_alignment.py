"""Algorithm 1 as the paper prints it, loop by loop: the reference for the fast version, in tests and benchmarks."""

from __future__ import annotations

from collections.abc import Sequence

from permend.method.align import MAX_LEN, Alignment, Span, write_label


def naive_align(source: Sequence[int], target: Sequence[int], max_len: int = MAX_LEN) -> Alignment[int]:
    """Label a pair of id sequences (ids are not negative)."""
    spans = naive_match(source, target)
    chosen = naive_choose(spans, max_len)
    return write_label(source, target, chosen, len(spans) - len(chosen))


def naive_match(source: Sequence[int], target: Sequence[int]) -> list[Span]:
    """Look for every stretch of the target, longest first, in what is left of the source."""
    masked_source, masked_target = list(source), list(target)
    spans = []
    for length in range(len(target), 0, -1):
        for i in range(len(target) - length + 1):
            start = _find(masked_target[i : i + length], masked_source)
            if start != -1:
                spans.append(Span(start, i, length))
                masked_source[start : start + length] = [-1] * length
                masked_target[i : i + length] = [-2] * length
    return sorted(spans, key=lambda span: span.target)


def _find(stretch: list[int], within: list[int]) -> int:
    for start in range(len(within) - len(stretch) + 1):
        if within[start : start + len(stretch)] == stretch:
            return start
    return -1


def naive_choose(spans: Sequence[Span], max_len: int) -> list[Span]:
    """Try every predecessor of every span: first without breaking the rank limit, else with one broken step."""
    order = sorted(range(len(spans)), key=lambda index: spans[index].source)
    rank = {index: place for place, index in enumerate(order)}
    # best[broken][j] = (tokens covered, chain of span indices) of the best chain from span 0 to span j
    best: list[list[tuple[int, list[int]] | None]] = [[(spans[0].length, [0])], [None]]
    for j in range(1, len(spans)):
        for broken in (0, 1):
            found: tuple[int, list[int]] | None = None
            for i in reversed(range(j)):
                near = abs(rank[i] - rank[j]) <= max_len
                options = [best[broken][i]] if near else []
                if broken:
                    options.append(best[0][i])
                for option in options:
                    if option and (found is None or option[0] > found[0]):
                        found = option
            best[broken].append((found[0] + spans[j].length, [*found[1], j]) if found else None)
    chain = best[0][-1] or best[1][-1]
    assert chain is not None, "one broken step always leads from the first span to the last"
    return [spans[j] for j in chain[1]]
