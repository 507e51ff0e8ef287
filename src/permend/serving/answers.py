"""What goes wrong with a request, as an answer: a status and one sentence, in the form that its client reads.

In: the path of a request and an error. Out: LanguageTool's plain ``Error: …`` below ``/v2``, JSON elsewhere.

>>> answer = refuse("/api/check", 413, "too long")
>>> answer.status_code, answer.body
(413, b'{"error":"too long"}')
>>> refuse("/v2/check", 400, "Missing 'text' or 'data' parameter").body
b"Error: Missing 'text' or 'data' parameter"
"""

from __future__ import annotations

from collections.abc import Mapping

from fastapi.exceptions import RequestValidationError
from starlette.responses import JSONResponse, Response

from permend.errors import PermendError
from permend.serving.batching import OutOfTimeError
from permend.serving.engine import BusyError, ReadOnlyError, TooLongError

_STATUS: dict[type[PermendError], int] = {
    BusyError: 503,
    OutOfTimeError: 503,
    TooLongError: 413,
    ReadOnlyError: 403,
}


def refuse(path: str, status: int, sentence: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return an answer that says what is wrong."""
    if path.startswith("/v2"):
        return Response(f"Error: {sentence}", status, headers)
    return JSONResponse({"error": sentence}, status, headers)


def refuse_for(path: str, error: PermendError) -> Response:
    """Return the answer for an error of ours."""
    status = next((status for kind, status in _STATUS.items() if isinstance(error, kind)), 400)
    headers = {"Retry-After": str(BusyError.seconds)} if status == 503 else None
    return refuse(path, status, str(error), headers)


def refuse_invalid(path: str, error: RequestValidationError) -> Response:
    """Return the answer for a body or a parameter that is not as described; what was sent is not repeated."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part not in ("body", "query")) or "the request"
    why = first["msg"].removeprefix("Value error, ").encode("ascii", "backslashreplace").decode()
    return refuse(path, 422, f"{where}: {why}")
