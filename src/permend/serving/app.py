"""The server as an ASGI application: all routes, behind the guard.

app = make_app(Engine.load(Settings()))     # for uvicorn, or for any other server that speaks ASGI
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp

from permend import __version__
from permend.errors import PermendError
from permend.serving import languagetool, native, pages
from permend.serving.answers import refuse, refuse_for, refuse_invalid
from permend.serving.batching import Withdrawn
from permend.serving.engine import Engine
from permend.serving.guard import Guard
from permend.serving.leaving import ClientGone
from permend.serving.metrics import CONTENT_TYPE

_ABOUT = (
    "Grammar correction on your own machine. Below /v2 it speaks LanguageTool's API, below /api its own. Offsets count "
    "UTF-16 units. No text is kept, logged or sent anywhere."
)


def make_app(engine: Engine) -> ASGIApp:
    """Put the routes together."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        engine.close()

    app = FastAPI(
        title="permend", version=__version__, description=_ABOUT, lifespan=lifespan, docs_url=None, redoc_url=None
    )
    app.include_router(native.make_router(engine))
    app.include_router(languagetool.make_router(engine))
    app.include_router(pages.make_router(app))

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        return Response(engine.metrics.write(), headers={"content-type": CONTENT_TYPE})

    @app.exception_handler(PermendError)
    async def tell(request: Request, error: PermendError) -> Response:
        return refuse_for(request.url.path, error)

    @app.exception_handler(RequestValidationError)
    async def tell_invalid(request: Request, error: RequestValidationError) -> Response:
        return refuse_invalid(request.url.path, error)

    @app.exception_handler(HTTPException)
    async def tell_http(request: Request, error: HTTPException) -> Response:
        sentence = {404: "there is nothing at this path", 405: "this path takes another method"}
        headers = dict(error.headers or {})
        if methods := app.openapi()["paths"].get(request.url.path):  # a route knows its own method alone
            headers |= {"Allow": ", ".join(method.upper() for method in methods)} if error.status_code == 405 else {}
        return refuse(request.url.path, error.status_code, sentence.get(error.status_code, error.detail), headers)

    @app.exception_handler(Withdrawn)
    async def tell_ending(request: Request, error: Withdrawn) -> Response:
        return refuse(request.url.path, 503, "the server is ending", {"Retry-After": "1"})

    @app.exception_handler(ClientGone)
    async def nobody_reads(request: Request, error: ClientGone) -> Response:
        return Response(status_code=499)

    paths = [*app.openapi()["paths"], "/", "/docs", "/metrics", "/openapi.json"]
    return Guard(app, engine.settings, engine.metrics, paths)
