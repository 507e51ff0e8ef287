"""The page at ``/`` and the description at ``/docs``: files of this package, and nothing from any other host.

The page's own files lie in ``page/``; only those that are there when the server starts can be asked for, by name.
``/docs`` is written from the OpenAPI description, as plain HTML without a script.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from typing import Any

from fastapi import APIRouter, FastAPI
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'none'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
_NO_CACHE = {"cache-control": "no-cache"}


def make_router(app: FastAPI) -> APIRouter:
    """Return the routes of the page and of the description."""
    router = APIRouter(include_in_schema=False)
    folder = files("permend") / "serving" / "page"
    found = {each.name: each.read_bytes() for each in folder.iterdir() if _kind(each.name) and each.is_file()}

    @router.get("/")
    async def page() -> Response:
        nonce = secrets.token_urlsafe(16)
        html = found["index.html"].decode().replace("NONCE", nonce)
        return HTMLResponse(html, headers={**_NO_CACHE, "content-security-policy": _POLICY.format(nonce=nonce)})

    @router.get("/page/{name}")
    async def file(name: str) -> Response:
        if name not in found or name == "index.html":
            raise HTTPException(404)
        return Response(found[name], headers=_NO_CACHE, media_type=_kind(name))

    @router.get("/favicon.ico")
    async def icon() -> Response:
        return Response(found["icon.svg"], headers=_NO_CACHE, media_type=KINDS[".svg"])

    @router.get("/docs")
    async def description() -> Response:
        policy = "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'"
        return HTMLResponse("".join(_describe(app.openapi())), headers={"content-security-policy": policy})

    return router


def _kind(name: str) -> str | None:
    return next((kind for ending, kind in KINDS.items() if name.endswith(ending)), None)


def _describe(description: dict[str, Any]) -> Iterator[str]:
    """Write an OpenAPI description as a page."""
    info = description["info"]
    yield "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
    yield f"<title>{escape(info['title'])}: its HTTP API</title><link rel=stylesheet href=/page/docs.css><main>"
    yield f"<h1>{escape(info['title'])} {escape(info['version'])}</h1><p>{escape(info['description'])}</p>"
    yield "<p>The same for programs: <a href=/openapi.json>/openapi.json</a>. <a href=/>The page</a>.</p>"
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            yield f"<section><h2><b>{method.upper()}</b> <code>{escape(path)}</code></h2>"
            yield f"<p>{escape(operation.get('description') or operation['summary'])}</p>"
            yield from _inputs(operation, description)
            yield from _answers(operation, description)
            yield "</section>"
    yield "</main></html>"


def _inputs(operation: dict[str, Any], description: dict[str, Any]) -> Iterator[str]:
    for each in operation.get("parameters", ()):
        wanted = " (needed)" if each.get("required") else ""
        yield f"<p><code>{escape(each['name'])}</code>{wanted} {escape(each.get('description', ''))}</p>"
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        yield f"<p>Body: {escape(kind)}</p>{_schema(content['schema'], description)}"


def _answers(operation: dict[str, Any], description: dict[str, Any]) -> Iterator[str]:
    for status, answer in operation["responses"].items():
        yield f"<details><summary>{escape(status)}: {escape(answer['description'])}</summary>"
        for kind, content in answer.get("content", {}).items():
            yield f"<p>{escape(kind)}</p>{_schema(content.get('schema', {}), description)}"
        yield "</details>"


def _schema(schema: dict[str, Any], description: dict[str, Any]) -> str:
    name = schema.get("$ref", "").rpartition("/")[2]
    shown = description["components"]["schemas"][name] if name else schema
    return f"<pre>{escape(json.dumps(shown, indent=2))}</pre>" if shown else ""
