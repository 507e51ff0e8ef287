"""Documents of any length and of six formats (`FORMATS`): what of them is prose, and the way back for edits."""

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
