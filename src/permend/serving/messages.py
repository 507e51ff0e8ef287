"""What goes over the wire: forms, and the bodies of requests and answers, from which the OpenAPI page is made.

>>> read_form("language=en", b"text=a+%C3%BC")
{'language': 'en', 'text': 'a ü'}

LibreOffice 7.4 encodes nothing; its text is taken as it stands.

>>> read_form("", b"text=R&D gets 100%.&language=en-US")
{'text': 'R&D gets 100%.', 'language': 'en-US'}
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias
from urllib.parse import parse_qsl

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from permend.documents.formats import FORMATS
from permend.errors import ArgumentError
from permend.model.options import NAMES

_MOST_FIELDS = 1_000  # of a form
_TEXT_FIRST = re.compile(r"text=(?P<text>.*)&(?P<rest>language=[^&]*+(?:&(?:username|apiKey)=[^&]*+)*+)", re.S)
"""A form as LibreOffice 7.4 puts it together."""
_RAW = re.compile(r"[^!-~]")
"""What an encoded text cannot have."""


def read_form(query: str, body: bytes) -> dict[str, str]:
    """Read a query and a body as one form, whatever the body says it is; of fields of one name the last one holds."""
    form = body.decode("utf-8", "replace")
    given = {}
    if (plain := _TEXT_FIRST.fullmatch(form)) and _RAW.search(plain["text"]):
        form, given = plain["rest"], {"text": plain["text"]}
    try:
        parts = (parse_qsl(part, True, errors="replace", max_num_fields=_MOST_FIELDS) for part in (query, form))
        return given | dict(pair for part in parts for pair in part)
    except ValueError:
        raise ArgumentError(f"a form has {_MOST_FIELDS} fields at most") from None


def _one_of(names: tuple[str, ...]) -> Any:
    """Return the type of a name that must be one of these."""

    def check(name: str) -> str:
        if name not in names:
            raise ValueError(f"choose from {', '.join(names)}")
        return name

    return Annotated[str, AfterValidator(check), Field(json_schema_extra={"enum": list(names)})]


if TYPE_CHECKING:
    FormatName: TypeAlias = str
    ModeName: TypeAlias = str
else:
    FormatName, ModeName = _one_of(FORMATS), _one_of(NAMES)
KINDS = ("spelling", "grammar", "punctuation", "capitals", "wording")
"""What a finding is about, in five words."""
_MOST_SENTENCES = 256  # in a request to correct


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class CheckRequest(_Body):
    """A document to check."""

    text: str
    format: FormatName = Field(default="plain", description="What it is written in.")
    mode: ModeName | None = Field(default=None, description="How much to find; the server's own mode otherwise.")
    min_confidence: float | None = Field(default=None, ge=0, le=1, description="Leave out what is less probable.")


class CorrectRequest(_Body):
    """Sentences to correct."""

    sentences: list[str] = Field(max_length=_MOST_SENTENCES)
    mode: ModeName | None = None


class TraceRequest(_Body):
    """A sentence to explain."""

    sentence: str = Field(max_length=2_000)
    mode: ModeName | None = None


class WordRequest(_Body):
    """A word for the dictionary."""

    word: str = Field(max_length=200)


class DismissRequest(_Body):
    """A finding that shall not be reported again."""

    id: str = Field(max_length=100, description="As findings have it.")


class Suggestion(BaseModel):
    """What could stand there."""

    after: str
    probability: float


class FindingAnswer(BaseModel):
    """Something that is wrong, and what should stand there."""

    start: int = Field(description="In UTF-16 units from the beginning of the text.")
    end: int
    before: str = Field(description="Empty where something is missing.")
    after: str
    probability: float
    type: str = Field(description="ERRANT's type, such as R:VERB:SVA.")
    kind: str = Field(description=f"One of {', '.join(KINDS)}.")
    title: str
    explanation: str
    alternatives: list[Suggestion]
    sentence: str
    id: str


class CheckAnswer(BaseModel):
    """What is wrong in a document."""

    findings: list[FindingAnswer]
    sentences: int
    characters: int
    corrected: str


class CorrectionAnswer(BaseModel):
    """A corrected sentence."""

    source: str
    text: str
    edits: list[dict[str, Any]]
    alternatives: list[dict[str, Any]]


class ErrorAnswer(BaseModel):
    """Why there is no answer."""

    error: str
