r"""Requests that no client sends on purpose: bytes for a server's socket, each made from its number alone.

In: a seed and a number. Out: a `Request` to ``/v2/check``, always the same one: forms with hostile texts and fields,
forms that are cut, doubled and mixed up, random bytes as a form, as a request, in the place of a length.

>>> make_request(0, 3) == make_request(0, 3), make_request(0, 3) == make_request(1, 3)
(True, False)
"""

from __future__ import annotations

import json
import re
import socket
from random import Random
from typing import NamedTuple
from urllib.parse import quote, urlencode

from benchmarks.fuzzing.inputs import make_case

_VALUES = (
    "",
    "0",
    "-1",
    "en",
    "auto",
    "en-US",
    "en_us",
    "xx",
    "true",
    "picky",
    "PERMEND_SPELL",
    ",,,",
    "\0",
    "é" * 500,
)
_NAMES = (
    "text data language level mode enabledRules disabledRules enabledCategories disabledCategories enabledOnly "
    "preferredVariants motherTongue apiKey username dicts word offset limit"
).split()
_PATHS = ("/v2/check",) * 12 + (
    "/v2/words/add",
    "/v2/words",
    "/v2//check",
    "/v2/../v2/check",
    "/v2/check?%ff=%00&text=a",
)
_LENGTHS = (b"-1", b"1e3", b"0x10", b"99999999999999999999", b"", b"1, 1", b"\xff")
_NEVER = 30.0  # seconds after which an answer is not waited for


class Request(NamedTuple):
    """What is sent."""

    data: bytes
    whole: bool = True
    """Whether an answer is due, or the server may wait for more."""


def make_request(seed: int, number: int) -> Request:
    """Return a request."""
    random = Random(f"requests {seed} {number}")
    body = _body(random, seed, number)
    path = random.choice(_PATHS).encode()
    match random.randrange(12):
        case 0:
            return Request(random.randbytes(random.randrange(1, 400)) + b"\r\n\r\n")
        case 1:
            return Request(_request(path, body, random.choice(_LENGTHS)), whole=False)
        case 2:
            return Request(_request(path, body, str(len(body) + random.randrange(1, 50)).encode()), whole=False)
        case 3:
            chunks = b"".join(b"%x\r\n%s\r\n" % (random.choice((7, 9)), body[at : at + 7]) for at in range(0, 70, 7))
            data = _request(path, chunks + b"0\r\n\r\n", None, b"Transfer-Encoding: chunked\r\n")
            return Request(data, whole=False)
        case 4:
            header = bytes(random.choice((32, 58, 255, 200, 65)) for _ in range(random.randrange(2000)))
            return Request(_request(path, body, str(len(body)).encode(), b"X-Odd: " + header + b"\r\n"))
        case 5:
            query = quote(body[: random.randrange(1, 3000)], safe="%&=").encode()
            end = b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            return Request(b"GET " + path + b"?" + query + end)
    kind = random.choice((b"application/x-www-form-urlencoded", b"application/json", b"multipart/form-data", b"\xff"))
    return Request(_request(path, body, str(len(body)).encode(), b"Content-Type: " + kind + b"\r\n"))


def _request(path: bytes, body: bytes, length: bytes | None, headers: bytes = b"") -> bytes:
    stated = b"" if length is None else b"Content-Length: " + length + b"\r\n"
    start = b"POST " + path + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    return start + stated + headers + b"\r\n" + body


def _body(random: Random, seed: int, number: int) -> bytes:
    text = make_case(seed, number).text
    match random.randrange(6):
        case 0:
            return random.randbytes(random.randrange(600))
        case 1:
            return f"text={text}&language=en-US".encode("utf-8", "surrogatepass")
    form = {random.choice(_NAMES): random.choice(_VALUES) for _ in range(random.randrange(5))}
    if random.random() < 0.8:
        form |= {"language": "en"}
    form |= {"data": _data(random, text)} if random.random() < 0.4 else {"text": text}
    body = bytearray(urlencode(form, errors="surrogatepass").encode())
    for _ in range(random.choice((0, 0, 1, 5)) if body else 0):
        at = random.randrange(len(body))
        body[at : at + random.randrange(3)] = random.choice(
            (b"%", b"&", b"=", b"+", b"\xff", b"%u", random.randbytes(3))
        )
    return bytes(body)


def _data(random: Random, text: str) -> str:
    """Return JSON that may be an annotated text."""
    cuts = sorted(random.randrange(len(text) + 1) for _ in range(random.randrange(6)))
    parts = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    pieces: list[object] = [
        random.choice(
            ({"text": part}, {"markup": part}, {"markup": part, "interpretAs": random.choice(("", "\n", "X"))})
        )
        for part in parts
    ]
    if random.random() < 0.2:
        pieces.append(random.choice((None, [], {}, 7, {"text": 7}, {"text": "a", "markup": "b"}, {"markup": None})))
    if random.random() < 0.1:
        return "[" * random.randrange(5000)
    whole = {"annotation": pieces} if random.random() < 0.9 else random.choice(({"text": text}, pieces, text, 7, None))
    return json.dumps(whole)


def send(port: int, request: Request) -> int:
    """Send a request, and return the status of the answer; 0 where none was due. If one was, silence is an error."""
    with socket.create_connection(("127.0.0.1", port), timeout=_NEVER) as connection:
        received = b""
        try:
            connection.sendall(request.data)
            if not request.whole:
                connection.shutdown(socket.SHUT_WR)
            while piece := connection.recv(65_536):
                received += piece
        except (ConnectionResetError, BrokenPipeError):
            pass
    found = re.match(rb"HTTP/1\.1 (\d{3}) ", received)
    assert found or not request.whole, request
    return int(found[1]) if found else 0
