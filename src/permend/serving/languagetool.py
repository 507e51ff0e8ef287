"""LanguageTool's HTTP API, for the clients that speak it: ``/v2/check`` and what they ask besides.

In: a form, in the query or in the body whatever its content type says. Out: LanguageTool's JSON, or ``Error: …``.

    curl -d "language=en-US" -d "text=He go to school yesterday." http://127.0.0.1:8081/v2/check

What means something here is honoured: rules and categories that are switched on and off, ``level=picky`` (the mode
`thorough`), annotated text (``data``), variants of the language. What does not is passed over, as LanguageTool does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from permend import __version__
from permend.documents.annotated import AnnotatedDocument, Piece
from permend.documents.checker import CheckedBlock
from permend.documents.document import Document
from permend.documents.language import is_foreign
from permend.documents.reports.languagetool import PREFIX, languagetool, software
from permend.documents.reports.places import units
from permend.errors import ArgumentError, check_characters
from permend.model.options import THOROUGH
from permend.serving.engine import Engine
from permend.serving.leaving import unless_gone
from permend.serving.messages import read_form

ENGLISH = {
    "en": "English",
    "en-US": "English (US)",
    "en-GB": "English (GB)",
    "en-AU": "English (Australian)",
    "en-CA": "English (Canadian)",
    "en-NZ": "English (New Zealand)",
    "en-ZA": "English (South African)",
}
_PLAIN_VARIANT = "en-US"  # what a text in English is when nobody says more
_SPELLERS = ("MORFOLOGIK_RULE_", "HUNSPELL_RULE")
"""What LanguageTool's own rules for spelling begin with: clients that have a speller of their own switch them off."""
_MOST_WORDS = 1_000  # in one answer
_FORM = {
    "language": "A code such as en-US, or auto.",
    "text": "The text to check; this or `data`.",
    "data": 'JSON: {"annotation": [{"text": "He "}, {"markup": "<b>", "interpretAs": ""}]}.',
    "level": "`default`, or `picky` to find more.",
    "enabledRules": "Ids of rules, separated by commas.",
    "disabledRules": "Ids of rules.",
    "enabledCategories": "Ids of categories, such as TYPOS or GRAMMAR.",
    "disabledCategories": "Ids of categories.",
    "enabledOnly": "`true` to use only what is enabled.",
    "preferredVariants": "With language=auto: which variant is meant, such as en-GB.",
}


@dataclass(frozen=True)
class Wish:
    """Which matches a client wants."""

    rules: frozenset[str]
    categories: frozenset[str]
    no_rules: frozenset[str]
    no_categories: frozenset[str]
    only: bool

    @classmethod
    def of(cls, form: dict[str, str]) -> Wish:
        """Read a form."""
        wish = cls(
            frozenset(_ids(form, "enabledRules")),
            frozenset(_listed(form, "enabledCategories")),
            frozenset(_ids(form, "disabledRules")),
            frozenset(_listed(form, "disabledCategories")),
            form.get("enabledOnly", "").lower() in ("true", "yes"),
        )
        if wish.only and (wish.no_rules or wish.no_categories):
            raise ArgumentError("You cannot specify disabled rules or categories using enabledOnly=true")
        if wish.only and not (wish.rules or wish.categories):
            raise ArgumentError("You must specify enabled rules or categories when using enabledOnly=true")
        return wish

    def wants(self, match: dict[str, Any]) -> bool:
        """Whether a match is wanted."""
        rule, category = match["rule"]["id"], match["rule"]["category"]["id"]
        if self.only:
            return rule in self.rules or category in self.categories
        return rule not in self.no_rules and (category not in self.no_categories or rule in self.rules)


def _listed(form: dict[str, str], name: str) -> list[str]:
    return [part.strip() for part in form.get(name, "").split(",") if part.strip()]


def _ids(form: dict[str, str], name: str) -> list[str]:
    """Return ids of rules; those of LanguageTool's spelling mean ours."""
    return [f"{PREFIX}SPELL" if rule.startswith(_SPELLERS) else rule for rule in _listed(form, name)]


def make_router(engine: Engine) -> APIRouter:
    """Return the routes below ``/v2``."""
    router = APIRouter(prefix="/v2", tags=["LanguageTool"])
    names = ENGLISH if engine.language == "en" else {engine.language: engine.language}

    async def check(request: Request) -> Response:
        """Check a text as LanguageTool does."""
        form = await _form(request)
        code = _language(form, names)
        wish = Wish.of(form)
        level = form.get("level", "default")
        if level not in ("default", "picky"):
            raise ArgumentError(f"'{level}' is no level: use 'default' or 'picky'")
        mode = THOROUGH if level == "picky" and THOROUGH in engine.modes.modes else None
        text, document = _document(form)
        blocks: list[CheckedBlock] = []
        async with engine.admit(len(text), mode) as ticket:
            if form.get("mode") != "textLevelOnly":  # it asks for rules about several sentences alone: we have none

                async def collect() -> None:
                    async for block in engine.check(document, ticket):
                        blocks.append(block)

                await unless_gone(request, collect(), engine.metrics.gone.inc)
        answer = languagetool(blocks, code, names[code], "given" if form["language"] != "auto" else "permend")
        answer["matches"] = [match for match in answer["matches"] if wish.wants(match)]
        if form["language"] == "auto":
            answer["language"]["detectedLanguage"]["confidence"] = _confidence(blocks, engine.language)
        return JSONResponse(answer)

    fields = {name: {"type": "string", "description": text} for name, text in _FORM.items()}
    body = {
        "content": {
            "application/x-www-form-urlencoded": {
                "schema": {"type": "object", "properties": fields, "required": ["language"]}
            }
        },
        "required": True,
    }
    query = [
        {"name": name, "in": "query", "required": name == "language", "schema": {"type": "string"}, "description": text}
        for name, text in _FORM.items()
    ]
    errors: dict[int | str, dict[str, Any]] = {
        400: {"description": "The form is not as it should be: `Error: …` in plain text"},
        413: {"description": "The text is too long"},
        503: {"description": "Too busy, or the text took too long; ask again after `Retry-After` seconds"},
    }
    words: dict[int | str, dict[str, Any]] = {400: errors[400], 403: {"description": "This server keeps no words"}}
    router.add_api_route("/check", check, methods=["POST"], responses=errors, openapi_extra={"requestBody": body})
    router.add_api_route(
        "/check",
        check,
        methods=["GET"],
        responses=errors,
        openapi_extra={"parameters": query},
        operation_id="check_get",
    )

    @router.get("/languages")
    async def languages() -> list[dict[str, str]]:
        """List the languages that can be checked."""
        return [{"name": name, "code": code.partition("-")[0], "longCode": code} for code, name in names.items()]

    @router.get("/words", responses={400: errors[400]})
    async def list_words(request: Request) -> dict[str, list[str]]:
        """List the words of the user's dictionary; `offset` and `limit` choose some."""
        form = await _form(request)
        offset, limit = _number(form, "offset", 0), _number(form, "limit", 10)
        known = await engine.run(lambda: engine.words().words())
        return {"words": known[offset : offset + min(limit, _MOST_WORDS)]}

    @router.post("/words/add", responses=words, openapi_extra=_one_field("word"))
    async def add_word(request: Request) -> dict[str, bool]:
        """Add a word to the user's dictionary."""
        word = _word(await _form(request))
        return {"added": await engine.change_words(lambda kept: kept.add(word))}

    @router.post("/words/delete", responses=words, openapi_extra=_one_field("word"))
    async def delete_word(request: Request) -> dict[str, bool]:
        """Take a word out of the user's dictionary."""
        word = _word(await _form(request))
        return {"deleted": await engine.change_words(lambda kept: kept.remove(word))}

    @router.get("/healthcheck", response_class=PlainTextResponse)
    async def healthcheck() -> str:
        """Say that the server is there."""
        return "OK"

    @router.get("/info")
    async def info() -> dict[str, Any]:
        """Say who answers."""
        return {"software": {**software(), "version": __version__}}

    @router.get("/maxtextlength", response_class=PlainTextResponse)
    async def max_text_length() -> str:
        """Say how many characters a text may have."""
        return str(engine.settings.max_characters)

    @router.get("/configinfo", responses={400: errors[400]}, openapi_extra={"parameters": query[:1]})
    async def config_info(request: Request) -> dict[str, Any]:
        """List what there is to configure, for a language."""
        _language(await _form(request), names)
        return {
            "software": software(),
            "parameter": {"maxTextLength": engine.settings.max_characters},
            "rules": [],
        }

    return router


def _one_field(name: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}
    return {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": schema}}, "required": True}}


async def _form(request: Request) -> dict[str, str]:
    """Read the query and the body as a form, whatever the body says it is."""
    return read_form(request.url.query, await request.body())


def _language(form: dict[str, str], names: dict[str, str]) -> str:
    """Return the code of the language that a text is to be checked in."""
    if "language" not in form:
        raise ArgumentError(
            "Missing 'language' parameter, e.g. 'language=en-US' for American English or 'language=auto'"
        )
    wanted, preferred = form["language"], _listed(form, "preferredVariants")
    if preferred and wanted != "auto":
        raise ArgumentError("You specified 'preferredVariants' but you didn't specify 'language=auto'")
    by_lower = {code.lower(): code for code in names}
    if wanted == "auto":
        fitting = [by_lower[code.lower()] for code in preferred if code.lower() in by_lower]
        return (fitting or [_PLAIN_VARIANT if _PLAIN_VARIANT in names else next(iter(names))])[0]
    if wanted.lower().replace("_", "-") not in by_lower:
        listed = ", ".join([*names, "auto"])
        raise ArgumentError(
            f"'{wanted}' is not a language code known to permend. Supported language codes are: {listed}"
        )
    return by_lower[wanted.lower().replace("_", "-")]


def _document(form: dict[str, str]) -> tuple[str, Document]:
    """Return the text of a form, and as a document."""
    if "text" in form and "data" in form:
        raise ArgumentError("Set only 'text' or 'data' parameter, not both")
    if "text" in form:
        return form["text"], Document.from_text(form["text"])
    if "data" not in form:
        raise ArgumentError("Missing 'text' or 'data' parameter")
    pieces = list(_pieces(form["data"]))
    return "".join(piece.text for piece in pieces), AnnotatedDocument.of(pieces)


def _pieces(data: str) -> Iterable[Piece]:
    try:
        values = json.loads(data)
    except (ValueError, RecursionError):
        raise ArgumentError("Could not parse 'data': it is no JSON") from None
    match values:
        case {"text": _, "annotation": _}:
            raise ArgumentError("'data' key in JSON requires either 'text' or 'annotation' key, not both")
        case {"text": str(text)}:  # so do browsers
            yield Piece(check_characters("data", text))
            return
        case {"annotation": list(annotation)}:
            pass
        case _:
            raise ArgumentError("'data' key in JSON requires 'text' or 'annotation' key")
    for value in annotation:
        match value:
            case {"text": str(text), "markup": _}:
                raise ArgumentError("Only one of 'text' and 'markup' can be in an annotation")
            case {"text": str(text)}:
                yield Piece(check_characters("data", text))
            case {"markup": str(markup)} if isinstance(value.get("interpretAs", ""), str):
                yield Piece(
                    check_characters("data", markup), True, check_characters("data", value.get("interpretAs", ""))
                )
            case _:
                raise ArgumentError("Every annotation needs 'text' or 'markup', and perhaps 'interpretAs': strings")


def _confidence(blocks: Iterable[CheckedBlock], language: str) -> float:
    """Return how much of a text is in our language, as far as one can tell."""
    lengths = [(units(each.prose), is_foreign(each.prose, language)) for b in blocks for each in b.block.sentences]
    total = sum(length for length, _ in lengths)
    return round(1 - sum(length for length, foreign in lengths if foreign) / total, 2) if total else 1.0


def _word(form: dict[str, str]) -> str:
    if not form.get("word", "").strip():
        raise ArgumentError("Missing 'word' parameter")
    return form["word"]


def _number(form: dict[str, str], name: str, default: int) -> int:
    value = form.get(name, str(default))
    if not (value.isascii() and value.isdecimal() and len(value) < 10):
        raise ArgumentError(f"'{name}' must be a whole number")
    return int(value)
