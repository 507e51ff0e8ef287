"""Documents of any length and of many formats: what of them is prose, what is wrong in it, and the way back for edits.

- `document`: a text or file, block by block, with the sentences of each block
- `rereading`: a text that an editor has changed, of which only the changed pieces are read again
- `encoding`: bytes to text and back
- `formats`: a file's format, and whether its name is that of prose, code or data
- `paragraphs`: runs and paragraphs, which every format's scanner builds; names, lines
- `sentence`: sentences, and their edits turned into edits of the document
- `plain`, `markdown`, `html`, `latex`, `rst`, `asciidoc`: a format each
- `annotated`: text and markup that come in pieces, as other programs send them
- `inline`, `markdown_inline`, `rst_inline`, `asciidoc_inline`: markup inside a paragraph
- `commit`: messages of git commits
- `comments`: comments and docstrings of source code
- `latex_commands`: which commands of LaTeX hold prose
- `ignoring`: comments that say what is to be left alone
- `language`: sentences in another language
- `intended`: pieces that are no sentences, and names, stay as their writer meant them
- `checker`: a document in, findings out
- `written`: a sentence as its writer sees it, for explanations
- `dictionary`, `shared_file`: personal words and dismissed findings; the files that they lie in
- `files`: which documents arguments and folders mean
- `stream`: many files through a checker, with their errors
- `saving`: files replaced whole or not at all
- `reports`: findings for people and programs, a format a file
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from permend.documents.document import Block, Document, read_document
    from permend.documents.encoding import Encoding
    from permend.documents.formats import FORMATS, format_of
    from permend.documents.language import is_foreign
    from permend.documents.sentence import Sentence

__all__ = ["FORMATS", "Block", "Document", "Encoding", "Sentence", "format_of", "is_foreign", "read_document"]

_HOMES = {
    "FORMATS": "formats",
    "Block": "document",
    "Document": "document",
    "Encoding": "encoding",
    "Sentence": "sentence",
    "format_of": "formats",
    "is_foreign": "language",
    "read_document": "document",
}


def __getattr__(name: str) -> Any:
    """Load a name when it is first asked for: who needs the personal dictionary alone reads no document."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return value
