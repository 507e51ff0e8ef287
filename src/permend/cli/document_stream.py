"""Documents on their way through a checker; what goes wrong with one is told, and the next one follows.

In: paths. Out: checked documents, whose blocks are read, corrected and, if wanted, saved as a report goes through them.
Neither ever raises a `PermendError`: it is one sentence on standard error, counted in `troubles`. A file is read to its
end before it is corrected, so that one that is no text leaves no half of itself in the output.
"""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

import click

from permend.cli.ending import sentence, tell
from permend.cli.saving import Saver
from permend.cli.terminal import Bar
from permend.documents import Document, Encoding, read_document
from permend.documents.checker import CheckedBlock, Checker
from permend.documents.dictionary import Words
from permend.documents.reports.places import CheckedDocument
from permend.errors import InputError, PermendError


@dataclass
class DocumentStream:
    """Checks documents one after the other, each with the words of its project."""

    checker: Checker
    format: str | None = None
    """The format of all documents, where it does not go by their endings."""
    encoding: str | None = None
    saver: Saver | None = None
    """What puts corrected files in place, if they are to be."""
    bar: Bar = field(default_factory=Bar)
    """Shows how much is done."""
    findings: int = 0
    documents: int = 0
    flawed: int = 0
    """Documents with findings."""
    troubles: int = 0
    _words: dict[Path | None, Words] = field(default_factory=dict)

    def tell(self, error: PermendError) -> None:
        """Say what is wrong."""
        self.troubles += 1
        self.bar.step_aside(sys.stderr)
        tell(error)

    @contextmanager
    def _telling(self, name: str) -> Iterator[None]:
        """Say what is wrong with a document, and go on behind it."""
        try:
            yield
        except PermendError as error:
            self.tell(error)
        except UnicodeError:
            self.tell(InputError(f"this is not valid {self.encoding or 'UTF-8'}", name))
        except RecursionError:
            self.tell(InputError("this is nested too deeply", name))
        except (OSError, MemoryError) as error:
            self.tell(InputError(sentence(error), None if getattr(error, "filename", None) else name))

    def check(self, names: Sequence[str]) -> Iterator[CheckedDocument]:
        """Check files; ``-`` is standard input."""
        self.bar.expect(sum(map(size_of, names)))
        for name in names:
            with self._telling(name):
                document = self._open(name)
                self.checker.words = self._words_for(Path(name).parent)
                yield self._checked(name, document)

    def check_texts(self, texts: Iterable[str]) -> Iterator[CheckedDocument]:
        """Check texts, each a document."""
        self.checker.words = self._words_for(Path())
        for text in texts:
            yield self._checked("-", Document.from_text(text, self.format or "plain"))

    def summary(self, what: str) -> str:
        """Say how much was found, in a line: *3 findings in 2 of 5 documents*."""
        found = f"{self.findings:,} {what}{'' if self.findings == 1 else 's'}"
        return f"{found} in {self.flawed:,} of {self.documents:,} document{'' if self.documents == 1 else 's'}"

    def _open(self, name: str) -> Document:
        if name == "-":
            typed = sys.stdin.isatty()  # then one Ctrl-D is to end it, and not one for every attempt to read
            source = click.open_file("-", "rb")
            return read_document(io.BytesIO(source.read()) if typed else source, self.format, self.encoding)
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

    def _words_for(self, folder: Path | None) -> Words:
        if folder not in self._words:
            self._words[folder] = Words.load(folder)
        return self._words[folder]

    def _checked(self, name: str, document: Document) -> CheckedDocument:
        self.documents += 1
        blocks = self._blocks(name, document)
        return CheckedDocument(name, blocks, document.format, document.encoding)

    def _blocks(self, name: str, document: Document) -> Iterator[CheckedBlock]:
        blocks: Iterable[CheckedBlock]
        blocks = (_writable(each, document.encoding) for each in self.checker.check(document))
        if self.saver and name != "-":
            blocks = self.saver.save(name, document.encoding, blocks)
        found = 0
        with self._telling(name):
            for checked in blocks:
                found += len(checked.findings)
                yield checked
                self.bar.advance(len(document.encoding.encode(checked.block.text)))
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


def size_of(name: str) -> int:
    """Return how many bytes there are to read; 0 where nobody can know."""
    try:
        found = os.fstat(0) if name == "-" else os.stat(name)
    except OSError:
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0
