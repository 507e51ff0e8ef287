"""An hour of writing, made with a seed: what a writer does to documents, keystroke by keystroke.

In: a seed and how many seconds. Out: events, each with its time; whoever plays them back needs nothing else.

Writers type sentences with errors, paste, delete, undo, select and replace, rename files, open large ones, close them.
Documents hold what is hard to count: emoji, combining accents, ``\\r\\n``, signs that are line ends elsewhere, markup.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

WORDS = (
    "the a teh old new house river he go goes went to from with and but because friend letter 😀 café naïve cafe\u0301 "
    "word, home. yesterday , today winter `code` **bold** *very* $x^2$ <b>loud</b> "
    "👩‍👩‍👧 \u2028 \x0c &amp; \\emph{so} it's “quoted”"
).split(" ")
ENDINGS = (".", ".", ".", "!", "?", ".\n", ".\n\n", ".\r\n", ".\n\n## Teh heading\n\n", ".\n\n- ", ".\n\n> ")
ASIDES = (
    "<!-- permend-ignore -->\n",
    "\n```\nhe go code\n```\n",
    "% permend-ignore\n",
    "\n\n| a | teh |\n|---|---|\n",
    "\r",
)
LANGUAGES = {"plaintext": ".txt", "markdown": ".md", "latex": ".tex", "html": ".html", "restructuredtext": ".rst"}
KEY = 0.18
"""Seconds between two keystrokes, about."""


@dataclass(frozen=True)
class Event:
    """Something that a writer does."""

    seconds: float
    """When, from the beginning."""
    kind: str
    """``open``, ``edit``, ``rewrite`` or ``close``."""
    uri: str
    start: int = 0
    end: int = 0
    text: str = ""
    language: str = ""


@dataclass
class _Document:
    uri: str
    language: str
    text: str
    cursor: int = 0
    undo: list[tuple[int, int, str]] = field(default_factory=list)


class Writer:
    """Somebody with a few documents."""

    def __init__(self, seed: int, large: int = 120_000) -> None:
        """Take a seed, and how many characters a large file has."""
        self._random = Random(seed)
        self._large = large
        self._now = 0.0
        self._names = 0
        self._documents: list[_Document] = []

    def write(self, seconds: float) -> Iterator[Event]:
        """Yield what happens in so many seconds."""
        for language in ("markdown", "plaintext", "latex"):
            yield self._open(language, self._sentences(30))
        while self._now < seconds:
            yield from self._turn()

    def _turn(self) -> Iterator[Event]:
        """Do one thing, after a while of looking at the screen."""
        random = self._random
        self._now += random.uniform(0.5, 5)
        document = random.choice(self._documents)
        if random.random() < 0.4:
            document.cursor = random.randint(0, len(document.text))
        what = random.random()
        if what < 0.6:
            yield from self._type(document, self._sentence())
        elif what < 0.7:
            yield from self._delete(document, random.randint(1, 40))
        elif what < 0.8:
            yield self._edit(document, document.cursor, document.cursor, self._sentences(random.randint(1, 12)))
        elif what < 0.88:
            for _ in range(random.randint(1, 12)):
                yield from self._undo(document)
        elif what < 0.93:
            end = min(len(document.text), document.cursor + random.randint(0, 400))
            yield self._edit(document, document.cursor, end, random.choice((*ASIDES, "", self._sentence())))
        elif what < 0.95:
            yield self._rewrite(document)
        elif what < 0.98:
            yield from self._rename(document)
        else:
            yield from self._open_another()

    def _open(self, language: str, text: str) -> Event:
        self._names += 1
        uri = f"file:///book/text%20{self._names}{LANGUAGES[language]}"
        self._documents.append(_Document(uri, language, text, cursor=len(text)))
        return Event(self._now, "open", uri, text=text, language=language)

    def _open_another(self) -> Iterator[Event]:
        """Open a large file, or close one."""
        if len(self._documents) < 6:
            size = self._random.choice((2_000, 20_000, self._large))
            yield self._open(self._random.choice(list(LANGUAGES)), self._sentences(size // 50))
        else:
            yield Event(self._now, "close", self._documents.pop().uri)

    def _rename(self, document: _Document) -> Iterator[Event]:
        """Give a file another name: for a server it is closed, and another one opened."""
        yield Event(self._now, "close", document.uri)
        self._documents.remove(document)
        yield self._open(document.language, document.text)

    def _type(self, document: _Document, text: str) -> Iterator[Event]:
        for sign in text:
            self._now += self._random.uniform(0.5, 1.5) * KEY
            yield self._edit(document, document.cursor, document.cursor, sign)
            if self._random.random() < 0.03:
                yield from self._delete(document, 1)

    def _delete(self, document: _Document, count: int) -> Iterator[Event]:
        for _ in range(count):
            self._now += KEY / 4
            if document.cursor:
                yield self._edit(document, document.cursor - 1, document.cursor, "")

    def _undo(self, document: _Document) -> Iterator[Event]:
        self._now += KEY
        if document.undo:
            event = self._edit(document, *document.undo.pop())
            document.undo.pop()
            yield event

    def _edit(self, document: _Document, start: int, end: int, new: str) -> Event:
        start, end = (_outside_line_end(document.text, at) for at in (start, end))
        document.undo.append((start, start + len(new), document.text[start:end]))
        del document.undo[:-500]
        document.text = document.text[:start] + new + document.text[end:]
        document.cursor = start + len(new)
        return Event(self._now, "edit", document.uri, start, end, new)

    def _rewrite(self, document: _Document) -> Event:
        """Have a program rewrite all of a file."""
        document.text = document.text.replace("teh", "the", 3)
        document.undo.clear()
        document.cursor = min(document.cursor, len(document.text))
        return Event(self._now, "rewrite", document.uri, text=document.text)

    def _sentence(self) -> str:
        random = self._random
        words = " ".join(random.choice(WORDS) for _ in range(random.randint(3, 18)))
        return f" {words[:1].upper()}{words[1:]}{random.choice(ENDINGS)}"

    def _sentences(self, count: int) -> str:
        return "".join(self._sentence() for _ in range(count))


def _outside_line_end(text: str, at: int) -> int:
    """Return the place itself, or the one before a line end that it would part: editors have no place there."""
    return at - 1 if text[at - 1 : at + 1] == "\r\n" else at
