"""Documents of any length and of six formats (`FORMATS`): what of them is prose, and the way back for edits."""

from permend.documents.document import Block, Document, read_document
from permend.documents.encoding import Encoding
from permend.documents.formats import FORMATS, format_of
from permend.documents.language import is_foreign
from permend.documents.sentence import Sentence

__all__ = ["FORMATS", "Block", "Document", "Encoding", "Sentence", "format_of", "is_foreign", "read_document"]
