"""How often our error types agree with ERRANT's, on edits that an M2 file has types for.

Run: python -m experiments.typer_agreement GOLD.m2 [--retype]

The sentences are written as raw text, as a writer would type them, and typed as the edits of a corrector are. The
operation (M, U, R) is left out of the comparison. Files are typed by the ERRANT of their day; with --retype the
installed one (``eval`` extra) types the same edits again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter

import click
from rich.console import Console
from rich.table import Table

from permend.corpora.m2 import M2Edit, M2Sentence, read_m2
from permend.corrector.explaining.language import load_language, type_edits
from permend.evaluation.errant import load_annotator
from permend.text.edits import Edit
from permend.text.tokenized import Detokenized, detokenize_pair

Places = tuple[M2Edit, int, int]
"""An edit of tokens and the tokens [start, end) of the corrected sentence that it made."""

Counts = Counter[tuple[str, str]]
"""Edits by gold type and our type."""


def places(sentence: M2Sentence, annotator: int) -> Iterator[Places]:
    """Find edits in the corrected sentence; those without a correction are left out."""
    shift = 0
    for edit in sorted(sentence.annotations[annotator], key=lambda edit: (edit.start, edit.end)):
        if edit.type != "UNK":
            start, size = edit.start + shift, len(edit.corrections[0].split())
            shift += size - (edit.end - edit.start)
            yield edit, start, start + size


def raw_edits(old: Detokenized, new: Detokenized, found: Sequence[Places]) -> tuple[str, list[Edit]]:
    """Return the corrected text and the edits of characters that lead there; empty ones change nothing in raw text."""
    target, done = "", 0
    edits: list[Edit] = []
    for edit, new_start, new_end in found:
        start, before = _with_gap(old, edit.start, edit.end)
        _, after = _with_gap(new, new_start, new_end)
        before, start = before[max(done - start, 0) :], max(start, done)
        if before[:1] == after[:1] == " ":
            before, after, start = before[1:], after[1:], start + 1
        edits.append(Edit(start, start + len(before), before, after))
        target += old.text[done:start] + after
        done = start + len(before)
    return target + old.text[done:], edits


def _with_gap(side: Detokenized, start: int, end: int) -> tuple[int, str]:
    """Return tokens as text with the space before them, at the start of a text with the space behind; and its place."""
    first = side.spans[start - 1][1] if start else 0
    last = side.spans[end - 1][1] if end > start else first
    if start == 0 and end < len(side.spans):
        last = side.spans[end][0]
    return first, side.text[first:last]


def gold_types(sentence: M2Sentence, target: Sequence[str], found: Sequence[Places]) -> list[str]:
    """Return the types in the file."""
    return [edit.type for edit, _, _ in found]


def errant_types(sentence: M2Sentence, target: Sequence[str], found: Sequence[Places]) -> list[str]:
    """Let the installed ERRANT name the types."""
    if not found:
        return []
    annotator = load_annotator()
    old, new = annotator.parse(" ".join(sentence.tokens)), annotator.parse(" ".join(target))
    spans = ([edit.start, edit.end, start, end] for edit, start, end in found)
    return [annotator.import_edit(old, new, span, min=False).type for span in spans]


def compare(path: str, types: Callable[..., list[str]] = gold_types) -> tuple[Counts, float]:
    """Count pairs of ERRANT's type and ours; say how long one edit takes, in seconds."""
    counts: Counts = Counter()
    seconds = 0.0
    for sentence in read_m2(path):
        for annotator in sentence.annotations:
            tokens, found = sentence.corrected(annotator), list(places(sentence, annotator))
            old, new = detokenize_pair(sentence.tokens, tokens)
            target, edits = raw_edits(old, new, found)
            begin = perf_counter()
            ours = type_edits(old.text, target, edits, load_language("en"))
            seconds += perf_counter() - begin
            for theirs, our, edit in zip(types(sentence, tokens, found), ours, edits, strict=True):
                if edit.before != edit.after:
                    counts[theirs[2:], our[2:]] += 1
    return counts, seconds / max(counts.total(), 1)


def draw(counts: Counts, seconds: float) -> Table:
    """Make a row for each type: edits, how many of them we type so, how many that we type so are, what else we say."""
    agreed = sum(count for (gold, our), count in counts.items() if gold == our)
    share = 100 * agreed / max(counts.total(), 1)
    title = f"{counts.total():,} edits, {share:.1f}% of types as ERRANT's, {1e6 * seconds:.0f} µs an edit"
    table = Table("type", "edits", "found %", "right %", "instead", title=title)
    totals, named = Counter[str](), Counter[str]()
    for (gold, our), count in counts.items():
        totals[gold] += count
        named[our] += count
    for name, total in totals.most_common():
        both = counts[name, name]
        wrong = Counter({our: count for (gold, our), count in counts.items() if gold == name != our})
        instead = ", ".join(f"{our} {count}" for our, count in wrong.most_common(3))
        table.add_row(
            name, f"{total:,}", f"{100 * both / total:.0f}", f"{100 * both / max(named[name], 1):.0f}", instead
        )
    return table


@click.command()
@click.argument("gold")
@click.option("--retype", is_flag=True, help="Compare with the types that the installed ERRANT gives to the edits.")
def main(gold: str, retype: bool) -> None:
    """Print the table."""
    Console().print(draw(*compare(gold, errant_types if retype else gold_types)))


if __name__ == "__main__":
    main()
