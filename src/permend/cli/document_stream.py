"""Documents on their way through a checker; what goes wrong with one is told, and the next one follows.

In: paths. Out: checked documents, whose blocks are read, corrected and, if wanted, saved as a report goes through them.
Neither ever raises a `PermendError`: it is one sentence on standard error, counted in `troubles`. A file is read to its
end before it is corrected, so that one that is no text leaves no half of itself in the output.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TypeAlias

import click

from permend.checking import CheckedBlock, Checker
from permend.cli.saving import Saver
from permend.documents import Document, Encoding, read_document
from permend.errors import InputError, PermendError
from permend.reports.places import CheckedDocument
from permend.words import Words

_Advance: TypeAlias = Callable[[int], None]
"""Hears how many bytes are done."""
LONG = 200_000
"""Bytes from which on a progress bar is drawn."""


@dataclass
class DocumentStream:
    """Checks documents one after the other, each with the words of its project."""

    checker: Checker
    format: str | None = None
    """The format of all documents, where it does not go by their endings."""
    encoding: str | None = None
    saver: Saver | None = None
    """What puts corrected files in place, if they are to be."""
    findings: int = 0
    documents: int = 0
    flawed: int = 0
    """Documents with findings."""
    troubles: int = 0
    _words: dict[Path, Words] = field(default_factory=dict)

    def tell(self, error: PermendError) -> None:
        """Say what is wrong."""
        self.troubles += 1
        click.echo(f"Error: {error}", err=True)

    @contextmanager
    def _telling(self, name: str) -> Iterator[None]:
        """Say what is wrong with a document, and go on behind it."""
        try:
            yield
        except PermendError as error:
            self.tell(error)
        except UnicodeError:
            self.tell(InputError(f"this is not valid {self.encoding or 'UTF-8'}", name))

    def check(self, names: Sequence[str], stack: ExitStack) -> Iterator[CheckedDocument]:
        """Check files; ``-`` is standard input."""
        advance = draw_progress(names, stack, alone=self.saver is not None)
        for name in names:
            with self._telling(name):
                document = self._open(name)
                self.checker.words = self._words_for(Path(name).parent)
                yield self._checked(name, document, advance)

    def check_texts(self, texts: Iterable[str]) -> Iterator[CheckedDocument]:
        """Check texts, each a document."""
        self.checker.words = self._words_for(Path())
        for text in texts:
            yield self._checked("-", Document.from_text(text, self.format or "plain"), lambda size: None)

    def summary(self, what: str) -> str:
        """Say how much was found, in a line: *3 findings in 2 of 5 documents*."""
        found = f"{self.findings:,} {what}{'' if self.findings == 1 else 's'}"
        return f"{found} in {self.flawed:,} of {self.documents:,} document{'' if self.documents == 1 else 's'}"

    def _open(self, name: str) -> Document:
        if name == "-":
            return read_document(click.open_file("-", "rb"), self.format, self.encoding)
        if self.saver:
            self.saver.inspect(name)
        if os.path.isfile(name):
            self._read_to_the_end(name)
        return read_document(name, self.format, self.encoding)

    def _read_to_the_end(self, name: str) -> None:
        """Refuse a file that cannot be read, or could not be written again byte for byte."""
        document = read_document(name, self.format, self.encoding)
        written = blake2b(document.encoding.mark)
        for chunk in document.chunks:
            if self.encoding is not None:  # Unicode without errors is sure to come out as it went in
                written.update(document.encoding.encode(chunk))
        if self.encoding is not None and written.digest() != _digest(name):
            raise InputError(f"{self.encoding} would not write this file as it was", name)

    def _words_for(self, folder: Path) -> Words:
        if folder not in self._words:
            self._words[folder] = Words.load(folder)
        return self._words[folder]

    def _checked(self, name: str, document: Document, advance: _Advance) -> CheckedDocument:
        self.documents += 1
        blocks = self._blocks(name, document, advance)
        return CheckedDocument(name, blocks, document.format, document.encoding)

    def _blocks(self, name: str, document: Document, advance: _Advance) -> Iterator[CheckedBlock]:
        blocks: Iterable[CheckedBlock]
        blocks = (_writable(each, document.encoding) for each in self.checker.check(document))
        if self.saver and name != "-":
            blocks = self.saver.save(name, document.encoding, blocks)
        found = 0
        with self._telling(name):
            for checked in blocks:
                found += len(checked.findings)
                advance(len(document.encoding.encode(checked.block.text)))
                yield checked
            self.findings += found
            self.flawed += bool(found)


def _writable(checked: CheckedBlock, encoding: Encoding) -> CheckedBlock:
    """Leave out what cannot be written in the document's encoding."""
    if encoding.can_write(checked.text):
        return checked
    kept = tuple(each for each in checked.findings if encoding.can_write(each.after))
    return CheckedBlock(checked.block, kept, checked.block.apply(kept))


def _digest(name: str) -> bytes:
    digest = blake2b()
    with open(name, "rb") as file:
        for chunk in iter(lambda: file.read(65_536), b""):
            digest.update(chunk)
    return digest.digest()


def draw_progress(names: Sequence[str], stack: ExitStack, alone: bool = False) -> _Advance:
    """Draw a progress bar for long input on standard error, where somebody looks and nothing else is written."""
    size = sum(os.path.getsize(name) for name in names if os.path.isfile(name))
    if size < LONG or not sys.stderr.isatty() or (sys.stdout.isatty() and not alone):
        return lambda size: None
    from rich.console import Console
    from rich.progress import Progress

    progress = stack.enter_context(Progress(console=Console(stderr=True), transient=True))
    task = progress.add_task("correcting", total=size)
    return lambda size: progress.advance(task, size)
