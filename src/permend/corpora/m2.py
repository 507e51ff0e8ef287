r"""Sentences with their annotated edits, from an M2 file.

In: the path of an M2 file, the format of the CoNLL-2014 and BEA-2019 shared tasks. Out: `M2Sentence` objects, one at
a time, with the edits of every annotator. A sentence is a line ``S tokens``, followed by one line per edit,
``A start end|||type|||correction|||required|||comment|||annotator``, and a blank line:

    S He go to to school .
    A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
    A 3 4|||U:PREP||||||REQUIRED|||-NONE-|||0

Positions count tokens from 0, and the end is the first token behind the edit. Alternatives stand apart by ``||``;
an empty correction (or ``-NONE-``) deletes. Type ``noop`` says that an annotator changed nothing; type ``UNK`` marks an
error without a correction.

>>> edits = (M2Edit(1, 2, "R:VERB:SVA", ("goes",), 0), M2Edit(3, 4, "U:PREP", ("",), 0))
>>> M2Sentence(("He", "go", "to", "to", "school", "."), {0: edits}).corrected()
['He', 'goes', 'to', 'school', '.']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from permend.corpora.lines import read_lines
from permend.errors import InputError


@dataclass(frozen=True, slots=True)
class M2Edit:
    """What one annotator would write instead of the source tokens from `start` up to `end`."""

    start: int
    end: int
    type: str
    corrections: tuple[str, ...]
    """Alternatives, each space-tokenised; the empty string deletes."""
    annotator: int


@dataclass(frozen=True, slots=True)
class M2Sentence:
    """A source sentence and the edits of its annotators, in the order of the file."""

    tokens: tuple[str, ...]
    annotations: dict[int, tuple[M2Edit, ...]]
    """Edits by annotator; at least one annotator, perhaps with no edits."""
    path: str | Path | None = None
    line: int | None = None

    def corrected(self, annotator: int = 0) -> list[str]:
        """Apply one annotator's edits, the first alternative of each; overlapping edits are an `InputError`."""
        if annotator not in self.annotations:
            raise InputError(f"annotator {annotator} has not seen this sentence", self.path, self.line)
        result: list[str] = []
        done = 0
        for edit in sorted(self.annotations[annotator], key=lambda edit: (edit.start, edit.end)):
            if edit.start < done:
                raise InputError(
                    f"the edits of annotator {annotator} overlap at token {edit.start}", self.path, self.line
                )
            result += self.tokens[done : edit.start]
            result += self.tokens[edit.start : edit.end] if edit.type == "UNK" else edit.corrections[0].split()
            done = edit.end
        return [*result, *self.tokens[done:]]


def read_m2(path: str | Path) -> Iterator[M2Sentence]:
    """Yield the sentences of an M2 file; anything that is not M2 is an `InputError` with its line."""
    sentence: M2Sentence | None = None
    found = False
    for number, line in enumerate(read_lines(path), start=1):
        if line.startswith("A "):
            if sentence is None:
                raise InputError("this edit (A) belongs to no sentence (S)", path, number)
            _add_edit(sentence, line[2:], number)
            continue
        if sentence is not None:
            yield _complete(sentence)
            sentence = None
        if line == "S" or line.startswith("S "):
            sentence, found = M2Sentence(tuple(line[2:].split()), {}, path, number), True
        elif line.strip():
            raise InputError("an M2 line starts with 'S ' or 'A ' or is blank, this one does not", path, number)
    if sentence is not None:
        yield _complete(sentence)
    if not found:
        raise InputError("holds no sentences", path)


def _complete(sentence: M2Sentence) -> M2Sentence:
    """Give a sentence without any edit line its one annotator, who found nothing."""
    if not sentence.annotations:
        sentence.annotations[0] = ()
    return sentence


def _add_edit(sentence: M2Sentence, text: str, number: int) -> None:
    edit = _parse_edit(text, sentence.path, number)
    changes_nothing = edit.type == "noop" or edit.start == edit.end == -1
    if not changes_nothing and not 0 <= edit.start <= edit.end <= len(sentence.tokens):
        size = f"a sentence of {len(sentence.tokens)} tokens"
        raise InputError(f"an edit from {edit.start} to {edit.end} does not fit {size}", sentence.path, number)
    mine = sentence.annotations.get(edit.annotator, ())
    sentence.annotations[edit.annotator] = mine if changes_nothing else (*mine, edit)


def _parse_edit(text: str, path: str | Path | None, number: int) -> M2Edit:
    fields = text.split("|||")
    if len(fields) != 6:
        raise InputError(f"an edit has 6 fields with ||| between them, this one has {len(fields)}", path, number)
    try:
        start, end = map(int, fields[0].split())
        annotator = int(fields[5])
    except ValueError:
        raise InputError("an edit needs whole numbers for its start, end and annotator", path, number) from None
    corrections = tuple("" if text.strip() == "-NONE-" else text.strip() for text in fields[2].split("||"))
    return M2Edit(start, end, fields[1], corrections, annotator)
