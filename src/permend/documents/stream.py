"""From files to findings: documents on their way through a checker.

In: paths, or texts. Out: checked documents, whose blocks are read, corrected and, if wanted, saved as a report goes
through them. What goes wrong with one is reported, as one sentence, and the next one follows:

    stream = DocumentStream(Checker(Corrector()), report=lambda error: print(error, file=sys.stderr))
    for document in stream.check(["a.md", "b.txt"]):
        for checked in document.blocks:
            print(document.name, checked.findings)
    stream.findings, stream.troubles

A file is read to its end before it is corrected, so that one that is no text leaves no half of itself in the output.
"""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import IO, Protocol, cast

from permend.documents.checker import CheckedBlock, CheckedDocument, Checker
from permend.documents.dictionary import PersonalDictionary
from permend.documents.document import Document, read_document
from permend.documents.encoding import Encoding
from permend.documents.formats import source_format_of
from permend.documents.saving import Saver
from permend.errors import InputError, MissingExtraError, PermendError, describe

KEPT = 8_000_000
"""Characters of a file that stay in memory between reading it and correcting it; a longer one is read twice."""


class Progress(Protocol):
    """Hears how much is done."""

    def expect(self, size: int) -> None:
        """Be told how many bytes there are."""

    def advance(self, size: int) -> None:
        """Be told that so many more of them are done."""


def _ignore(error: PermendError) -> None:
    """Report nothing."""


@dataclass
class DocumentStream:
    """Checks documents one after the other, each with the words of its project."""

    checker: Checker
    format: str | None = None
    """The format of all documents, where it does not go by their endings."""
    encoding: str | None = None
    saver: Saver | None = None
    """What puts corrected files in place, if they are to be."""
    report: Callable[[PermendError], None] = _ignore
    """Is told what is wrong with a document."""
    progress: Progress | None = None
    comments: bool = False
    """Whether programs are read, for their comments, by what their endings say."""
    findings: int = 0
    documents: int = 0
    flawed: int = 0
    """Documents with findings."""
    troubles: int = 0
    """Documents, or parts of them, that could not be used."""
    _words: dict[Path | None, PersonalDictionary] = field(default_factory=dict)
    _missing: set[str] = field(default_factory=set)

    def tell(self, error: PermendError) -> None:
        """Count and report something that is wrong."""
        self.troubles += 1
        self.report(error)

    def check(self, names: Sequence[str]) -> Iterator[CheckedDocument]:
        """Check files; ``-`` is standard input."""
        if self.progress:
            self.progress.expect(sum(map(size_of, names)))
        for name in names:
            with self._telling(name):
                yield self._checked(name, self._open(name), self._words_for(Path(name).parent))

    def check_texts(self, texts: Iterable[str]) -> Iterator[CheckedDocument]:
        """Check texts, each a document."""
        words = self._words_for(Path())
        for text in texts:
            yield self._checked("-", Document.from_text(text, self.format or "plain"), words)

    def summary(self, what: str) -> str:
        """Say how much was found, in a line: *3 findings in 2 of 5 documents*."""
        found = f"{self.findings:,} {what}{'' if self.findings == 1 else 's'}"
        return f"{found} in {self.flawed:,} of {self.documents:,} document{'' if self.documents == 1 else 's'}"

    @contextmanager
    def _telling(self, name: str) -> Iterator[None]:
        """Report what is wrong with a document, and go on behind it."""
        try:
            yield
        except MissingExtraError as error:  # the same for every document that needs it
            self.troubles += 1
            if error.extra not in self._missing:
                self.report(error)
            self._missing.add(error.extra)
        except PermendError as error:
            is_nameless = isinstance(error, InputError) and error.path is None
            self.tell(InputError(str(error), name) if is_nameless else error)
        except UnicodeError:
            self.tell(InputError(f"this is not valid {self.encoding or 'UTF-8'}", name))
        except RecursionError:
            self.tell(InputError("this is nested too deeply", name))
        except (OSError, MemoryError) as error:
            self.tell(InputError(describe(error), None if getattr(error, "filename", None) else name))

    def _open(self, name: str) -> Document:
        form = self.format or (source_format_of(name) if self.comments else None)
        if name == "-":
            typed = sys.stdin.isatty()  # then one Ctrl-D is to end it, and not one for every attempt to read
            source = sys.stdin.buffer
            return read_document(io.BytesIO(source.read()) if typed else source, form, self.encoding)
        if self.saver:
            self.saver.inspect(name)
        if os.path.isfile(name):
            return _read_to_the_end(name, form, self.encoding)
        return read_document(name, form, self.encoding)

    def _words_for(self, folder: Path | None) -> PersonalDictionary:
        if folder not in self._words:
            self._words[folder] = PersonalDictionary.load(folder)
        return self._words[folder]

    def _checked(self, name: str, document: Document, words: PersonalDictionary) -> CheckedDocument:
        self.documents += 1
        blocks = self._blocks(name, document, words)
        return CheckedDocument(name, blocks, document.format, document.encoding)

    def _blocks(self, name: str, document: Document, words: PersonalDictionary) -> Iterator[CheckedBlock]:
        blocks: Iterable[CheckedBlock]
        blocks = (_writable(each, document.encoding) for each in self.checker.check(document, words))
        if self.saver and name != "-":
            blocks = self.saver.save(name, document.encoding, blocks)
        found = 0
        with self._telling(name):
            for checked in blocks:
                found += len(checked.findings)
                yield checked
                if self.progress:
                    self.progress.advance(len(document.encoding.encode(checked.block.text)))
            self.findings += found
            self.flawed += bool(found)


def size_of(name: str) -> int:
    """Return how many bytes there are to read; 0 where nobody can know."""
    try:
        found = os.fstat(0) if name == "-" else os.stat(name)
    except OSError:
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0


def _read_to_the_end(name: str, format_: str | None, encoding: str | None) -> Document:
    """Read a file, and refuse one that is no text or could not be written again byte for byte."""
    kept: list[str] = []
    length = 0
    with _open_file(name) as file:
        source = _Hashing(file)
        document = read_document(cast(IO[bytes], source), format_, encoding)
        written = blake2b(document.encoding.mark)
        for chunk in document.chunks:
            if encoding is not None:  # Unicode without errors is sure to come out as it went in
                written.update(document.encoding.encode(chunk))
            length += len(chunk)
            if length <= KEPT:
                kept.append(chunk)
    if encoding is not None and written.digest() != source.digest.digest():
        raise InputError(f"{encoding} would not write this file as it was", name)
    return replace(document, chunks=kept) if length <= KEPT else read_document(name, format_, encoding)


def _open_file(name: str) -> IO[bytes]:
    try:
        return open(name, "rb")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", name) from None


class _Hashing:
    """A file whose bytes are hashed as they are read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self.name, self.digest = file, file.name, blake2b()

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self.digest.update(data)
        return data


def _writable(checked: CheckedBlock, encoding: Encoding) -> CheckedBlock:
    """Leave out what cannot be written in the document's encoding."""
    if encoding.can_write(checked.text):
        return checked
    kept = tuple(each for each in checked.findings if encoding.can_write(each.after))
    return CheckedBlock(checked.block, kept, checked.block.apply(kept))
