"""permend's own HTTP API: JSON in, JSON out, below ``/api``. Offsets count UTF-16 units, as browsers and editors do.

    curl --json '{"text": "He go to *school*.", "format": "markdown"}' http://127.0.0.1:8081/api/check

``/api/check/stream`` sends a line for each stretch of the text as soon as it is checked, and at last one that says
``done``. Both take whole documents: sentences that were checked before are remembered.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import JSONResponse, Response

from permend import __version__
from permend.corrector.trace import trace_json
from permend.documents.checker import CheckedBlock
from permend.documents.document import Document
from permend.documents.formats import FORMATS
from permend.documents.reports.places import Located, MeasuredBlock, Place, measure, units
from permend.documents.reports.rules import find_rule
from permend.errors import PermendError, check_characters
from permend.serving.batching import Withdrawn
from permend.serving.engine import Engine
from permend.serving.leaving import HeldResponse, unless_gone
from permend.serving.messages import (
    KINDS,
    CheckAnswer,
    CheckRequest,
    CorrectionAnswer,
    CorrectRequest,
    DismissRequest,
    ErrorAnswer,
    TraceRequest,
    WordRequest,
)

_KINDS = {"SPELL": "spelling", "PUNCT": "punctuation", "ORTH": "capitals"} | dict.fromkeys(
    ("OTHER", "NOUN", "VERB", "ADJ", "ADV", "CONJ"), "wording"
)
_ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorAnswer, "description": "Something in the request cannot be used"},
    413: {"model": ErrorAnswer, "description": "The text is too long"},
    422: {"model": ErrorAnswer, "description": "The request is not as described"},
    503: {
        "model": ErrorAnswer,
        "description": "Too busy, or the text took too long; ask again after `Retry-After` seconds",
    },
}
_WORDS: dict[int | str, dict[str, Any]] = {
    400: _ERRORS[400],
    403: {"model": ErrorAnswer, "description": "This server keeps no words"},
    422: _ERRORS[422],
}


def make_router(engine: Engine) -> APIRouter:
    """Return the routes below ``/api``."""
    router = APIRouter(prefix="/api", tags=["permend"])
    facts = _facts(engine)

    @router.post("/check", response_model=CheckAnswer, responses=_ERRORS)
    async def check(wanted: CheckRequest, request: Request) -> Response:
        """Check a document and answer with all that is wrong in it."""
        document = Document.from_text(check_characters("text", wanted.text), wanted.format)
        blocks: list[CheckedBlock] = []

        async def collect() -> None:
            async for block in engine.check(document, ticket):
                blocks.append(block)

        async with engine.admit(len(wanted.text), wanted.mode, wanted.min_confidence) as ticket:
            await unless_gone(request, collect(), engine.metrics.gone.inc)
        return JSONResponse(
            {
                "findings": [finding for each in measure(blocks) for finding in map(finding_answer, each.locate())],
                "sentences": sum(len(each.block.sentences) for each in blocks),
                "characters": units(wanted.text),
                "corrected": "".join(each.text for each in blocks),
            }
        )

    @router.post("/check/stream", responses={**_ERRORS, 200: {"content": {"application/x-ndjson": {}}}})
    async def check_stream(wanted: CheckRequest) -> Response:
        """Check a document and send a line of JSON for each stretch of it as soon as that is checked."""
        document = Document.from_text(check_characters("text", wanted.text), wanted.format)
        held = AsyncExitStack()
        ticket = await held.enter_async_context(engine.admit(len(wanted.text), wanted.mode, wanted.min_confidence))

        async def lines() -> AsyncIterator[bytes]:
            at, sentences = Place(1, 1, 0), 0
            try:
                async for checked in engine.check(document, ticket):
                    measured = MeasuredBlock(checked, at)
                    found = [finding_answer(each) for each in measured.locate()]
                    stretch = {"start": at.unit, "end": measured.end.unit, "findings": found}
                    sentences += len(checked.block.sentences)
                    yield _line({**stretch, "sentences": len(checked.block.sentences)})
                    at = measured.end
                yield _line({"done": True, "characters": at.unit, "sentences": sentences})
            except (PermendError, Withdrawn) as error:
                yield _line({"error": str(error) or "the server is ending"})
            answer.finished = True

        answer = HeldResponse(lines(), held, engine.metrics.gone.inc, media_type="application/x-ndjson")
        return answer

    @router.post("/correct", response_model=list[CorrectionAnswer], responses=_ERRORS)
    async def correct(wanted: CorrectRequest, request: Request) -> Response:
        """Correct sentences, each by itself and as it is: no markup, no splitting."""
        sentences = [check_characters("sentences", each) for each in wanted.sentences]
        async with engine.admit(sum(map(len, sentences)), wanted.mode) as ticket:
            found = await unless_gone(request, engine.correct(sentences, ticket), engine.metrics.gone.inc)
        return JSONResponse(
            [
                {
                    "source": each.source,
                    "text": each.text,
                    "edits": [
                        {
                            "start": units(each.source[: edit.start]),
                            "end": units(each.source[: edit.end]),
                            "before": edit.before,
                            "after": edit.after,
                            "probability": round(edit.probability, 4),
                            "type": edit.type,
                            "kind": kind_of(edit.type),
                            "explanation": edit.explanation,
                            "alternatives": _suggestions(edit.alternatives),
                        }
                        for edit in each.edits
                    ],
                    "alternatives": [
                        {"text": other.text, "score": round(other.score, 4), "unchanged": other.unchanged}
                        for other in each.alternatives
                    ],
                }
                for each in found
            ]
        )

    @router.post("/trace", responses=_ERRORS)
    async def trace(wanted: TraceRequest) -> dict[str, Any]:
        """Show how a sentence is decided: the pointer's scores, the ranked plans, what the decoder wrote."""
        sentence = check_characters("sentence", wanted.sentence)
        async with engine.admit(len(sentence), wanted.mode):
            return trace_json(await engine.trace(sentence, wanted.mode))

    @router.get("/words")
    async def list_words() -> dict[str, list[str]]:
        """List the words of the user's dictionary."""
        return {"words": await engine.run(lambda: engine.words().words())}

    @router.post("/words", responses=_WORDS)
    async def add_word(wanted: WordRequest) -> dict[str, bool]:
        """Add a word to the user's dictionary: it is never changed again."""
        return {"added": await engine.change_words(lambda words: words.add(check_characters("word", wanted.word)))}

    @router.delete("/words", responses=_WORDS)
    async def delete_word(word: Annotated[str, Query(max_length=200)]) -> dict[str, bool]:
        """Take a word out of the user's dictionary."""
        return {"deleted": await engine.change_words(lambda words: words.remove(word))}

    @router.post("/dismissed", responses=_WORDS)
    async def dismiss(wanted: DismissRequest) -> dict[str, bool]:
        """Never report this finding again."""
        return {
            "dismissed": await engine.change_words(lambda words: words.ignore_id(check_characters("id", wanted.id)))
        }

    @router.delete("/dismissed", responses=_WORDS)
    async def restore(id: Annotated[str, Query(max_length=100)]) -> dict[str, bool]:  # noqa: A002
        """Report a dismissed finding again."""
        return {"restored": await engine.change_words(lambda words: words.restore(id))}

    @router.get("/info")
    async def info() -> dict[str, Any]:
        """Tell what this server is: version, model, modes with their measured figures, formats, limits."""
        return facts

    @router.get("/health")
    async def health() -> dict[str, str]:
        """Say that the server is there."""
        return {"status": "ok"}

    @router.get("/ready", responses={503: {"model": ErrorAnswer, "description": "Too much to do, or about to end"}})
    async def ready() -> Response:
        """Say whether another check would be taken on."""
        if engine.leaving or engine.in_hand >= engine.settings.queue:
            why = "the server is ending" if engine.leaving else "too much to do at the moment"
            return JSONResponse({"error": why}, 503, {"Retry-After": "1"})
        return JSONResponse({"status": "ready"})

    return router


def finding_answer(found: Located) -> dict[str, Any]:
    """Return a finding as clients get it."""
    finding = found.finding
    return {
        "start": found.start.unit,
        "end": found.end.unit,
        "before": finding.before,
        "after": finding.after,
        "probability": round(finding.probability, 4),
        "type": finding.type,
        "kind": kind_of(finding.type),
        "title": find_rule(finding.type).name,
        "explanation": finding.explanation,
        "alternatives": _suggestions(finding.alternatives),
        "sentence": finding.sentence,
        "id": finding.id,
    }


def kind_of(type_: str) -> str:
    """Return what an error of a type is about.

    >>> kind_of("R:SPELL"), kind_of("M:DET"), kind_of("R:NOUN"), kind_of("R:NOUN:NUM")
    ('spelling', 'grammar', 'wording', 'grammar')
    """
    return _KINDS.get(find_rule(type_).id, "grammar")


def _suggestions(alternatives: Any) -> list[dict[str, Any]]:
    return [{"after": each.after, "probability": round(each.probability, 4)} for each in alternatives]


def _line(values: dict[str, Any]) -> bytes:
    return json.dumps(values, ensure_ascii=False).encode() + b"\n"


def _facts(engine: Engine) -> dict[str, Any]:
    settings = engine.settings
    return {
        "version": __version__,
        "model": engine.name,
        "modes": {
            name: {} if mode.measured is None else vars(mode.measured) for name, mode in engine.modes.modes.items()
        },
        "mode": settings.mode,
        "formats": list(FORMATS),
        "kinds": list(KINDS),
        "max_characters": settings.max_characters,
        "language": engine.language,
        "read_only": settings.read_only,
        "token_required": bool(settings.token),
    }
