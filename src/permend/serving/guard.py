"""Who may ask, and how much: every request passes here before anything else, and every answer on its way out.

In: an ASGI application. Out: one that refuses, in this order, requests that mean another server (``Host``), web pages
of other servers (``Origin``), whoever does not know the token, and bodies that are too long or too slow. It puts the
headers on answers that keep browsers from doing more than they should, counts, and writes a line for the log, in which
no word of a text can stand: method, path, status, time.

A page on the web can send requests to this machine from a reader's browser, and though it cannot read the answers it
could fill a dictionary or keep a processor busy; therefore its origin is refused, not only its reading. Extensions of
browsers and desktop programs have origins of their own kind, which no web page can claim, and are let in.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hmac
import logging
import time
from collections.abc import Iterable
from contextlib import suppress
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from permend.errors import ArgumentError
from permend.serving.answers import refuse
from permend.serving.connections import CROWDED
from permend.serving.engine import BusyError
from permend.serving.messages import read_form
from permend.serving.metrics import Metrics
from permend.serving.settings import Settings

logger = logging.getLogger("permend.serving")

OPEN = ("/", "/api/health", "/api/ready", "/v2/healthcheck", "/v2/languages", "/v2/maxtextlength")
"""What anybody may see, with or without the token; so is the page's own code.

LanguageTool's clients ask for its languages before all else, and send no key with that (LibreOffice, for one).
"""
_WEB = ("http", "https", "")  # origins of pages; "null" has no scheme
_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
"""On every answer that does not say otherwise."""


class TooSlowError(Exception):
    """A body did not arrive in time."""


class Guard:
    """Lets requests through to an application, or refuses them."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics, paths: Iterable[str]) -> None:
        """Take an application and its paths, which are counted by name."""
        self._app, self._settings, self._metrics = app, settings, metrics
        self._paths = frozenset(paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        began, status = time.perf_counter(), 499
        headers = Headers(scope=scope)
        shared = self._cors(headers)

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                found = MutableHeaders(scope=message)
                for name, value in {**_HEADERS, **shared}.items():
                    found.setdefault(name, value)
            await send(message)

        try:
            answer = await self._refusal(scope, headers, receive)
            if isinstance(answer, bytes):
                await self._app(scope, _replay(answer, receive), sending)
            else:
                await answer(scope, receive, sending)
        finally:
            self._note(scope, status, time.perf_counter() - began)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        path = scope["path"]
        path = path if path in self._paths else "/page" if path.startswith("/page/") else "other"
        self._metrics.request(path, status, seconds)
        logger.info(
            "request",
            extra={
                "facts": {"method": scope["method"][:8], "path": path, "status": status, "ms": round(1000 * seconds, 1)}
            },
        )

    async def _refusal(self, scope: Scope, headers: Headers, receive: Receive) -> Response | bytes:
        """Return why a request is refused, or its body where it is not."""
        path, settings = scope["path"], self._settings
        if scope.get("state", {}).get(CROWDED):
            again = {"Retry-After": str(BusyError.seconds), "Connection": "close"}
            return refuse(path, 503, "there are too many connections at the moment: ask again in a second", again)
        if not settings.is_called(headers.get("host", "")):
            return refuse(path, 421, "this server does not have the name that the request has: see --allow-host")
        if not self._may_ask(headers):
            return refuse(path, 403, "web pages of other servers may not ask this one: see --allow-origin")
        if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            return Response(status_code=204)
        try:
            body = await asyncio.wait_for(self._read(headers, receive), settings.timeout)
        except TimeoutError:
            return refuse(path, 408, "the request took too long to arrive")
        if body is None:
            return refuse(path, 413, f"a request may have {settings.max_bytes} bytes at most")
        if settings.token and not self._is_open(path) and not self._knows_token(scope, headers, body):
            return refuse(path, 401, "this server wants its token", {"WWW-Authenticate": "Bearer"})
        return body

    async def _read(self, headers: Headers, receive: Receive) -> bytes | None:
        """Return the body; None where it is too long."""
        most = self._settings.max_bytes
        stated = headers.get("content-length", "0")
        if stated.isdecimal() and int(stated) > most:
            return None
        pieces: list[bytes] = []
        length = 0
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return b""  # nobody is there any more
            pieces.append(message.get("body", b""))
            length += len(pieces[-1])
            if length > most:
                return None
            if not message.get("more_body"):
                return b"".join(pieces)

    def _may_ask(self, headers: Headers) -> bool:
        """Whether a browser's page may ask; programs that are no browsers have no origin."""
        origin = headers.get("origin")
        if origin is None:
            return headers.get("sec-fetch-site") not in ("cross-site", "same-site") or (
                headers.get("sec-fetch-mode") == "navigate"
            )
        if self._is_allowed(origin):
            return True
        try:
            place = urlsplit(origin)
        except ValueError:
            return False
        return place.scheme not in _WEB or (bool(origin) and place.netloc == headers.get("host"))

    def _is_allowed(self, origin: str) -> bool:
        return "*" in self._settings.origins or origin in self._settings.origins

    def _cors(self, headers: Headers) -> dict[str, str]:
        """Return the headers with which a browser lets an allowed page read answers."""
        origin = headers.get("origin")
        if origin is None or not self._is_allowed(origin):
            return {}
        found = {
            "access-control-allow-origin": origin,
            "access-control-allow-methods": "GET, POST, DELETE",
            "access-control-allow-headers": "authorization, content-type",
            "access-control-expose-headers": "retry-after",
            "cross-origin-resource-policy": "cross-origin",
            "vary": "origin",
        }
        if "access-control-request-private-network" in headers:
            found["access-control-allow-private-network"] = "true"
        return found

    def _is_open(self, path: str) -> bool:
        return path in OPEN or path.startswith("/page/")

    def _knows_token(self, scope: Scope, headers: Headers, body: bytes) -> bool:
        """Whether the token is in the header, as a bearer or as a password; clients of LanguageTool send a key."""
        kind, _, value = headers.get("authorization", "").partition(" ")
        offered = [_password(value)] if kind.lower() == "basic" else []
        if kind.lower() == "bearer":  # programs send letters as UTF-8 or as Latin-1
            offered += [value.strip(), value.strip().encode("latin-1").decode("utf-8", "replace")]
        if scope["path"].startswith("/v2/"):
            with suppress(ArgumentError):
                offered.append(read_form(scope["query_string"].decode("latin-1"), body).get("apiKey", ""))
        wanted = self._settings.token.encode()
        return any(hmac.compare_digest(each.encode("utf-8", "replace"), wanted) for each in offered)


def _password(value: str) -> str:
    try:
        return base64.b64decode(value, validate=True).decode("utf-8", "replace").partition(":")[2]
    except (binascii.Error, ValueError):
        return ""


def _replay(body: bytes, receive: Receive) -> Receive:
    """Give a body that was read to an application, and then what the client does."""
    waiting = [body]

    async def receiving() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return receiving
