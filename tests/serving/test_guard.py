"""Who may ask and how much: names, origins, tokens, sizes; headers on every answer; no word of a text in a log."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.types import Message

from permend.serving.run import JsonLines
from tests.serving.conftest import Server

BODY = {"text": "I was busy."}


@pytest.mark.parametrize("host", ["127.0.0.1:8081", "localhost", "LOCALHOST:8081", "[::1]:8081", "192.168.1.7"])
def test_a_name_or_address_of_this_machine_is_answered(client: TestClient, host: str) -> None:
    assert client.post("/api/check", json=BODY, headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:8081", ""])
def test_a_name_that_leads_here_from_elsewhere_is_not(client: TestClient, host: str) -> None:
    assert client.post("/api/check", json=BODY, headers={"host": host}).status_code == 421
    assert client.get("/", headers={"host": host}).status_code == 421


def test_names_can_be_allowed(start: Callable[..., Server]) -> None:
    client = start(hosts=("writing.example.org",)).client()
    assert client.get("/api/health", headers={"host": "writing.example.org:443"}).status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "http://localhost:3000", "http://[evil", "null", ""])
@pytest.mark.parametrize("path", ["/v2/check", "/v2/words/add", "/api/check", "/api/words"])
def test_pages_of_other_servers_can_do_nothing_here(client: TestClient, origin: str, path: str) -> None:
    form = {"language": "en", "text": "I was busy.", "word": "evil"}
    answer = client.post(path, data=form, headers={"origin": origin})
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers
    assert client.get("/api/words").json() == {"words": []}


def test_pictures_and_scripts_of_other_pages_cannot_ask_either_but_a_link_leads_to_the_page(client: TestClient) -> None:
    picture = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    assert client.get("/v2/check?language=en&text=a", headers=picture).status_code == 403
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client.get("/", headers=link).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://127.0.0.1:8081", "moz-extension://6c0f", "chrome-extension://oldce", "app://obsidian.md"]
)
def test_the_page_itself_extensions_and_desktop_programs_are_answered(client: TestClient, origin: str) -> None:
    assert client.post("/api/check", json=BODY, headers={"origin": origin}).status_code == 200


def test_a_page_that_is_allowed_may_ask_and_read(start: Callable[..., Server]) -> None:
    client = start(origins=("https://wiki.example.org",)).client()
    asked = {"origin": "https://wiki.example.org", "access-control-request-method": "POST"}
    answer = client.options("/api/check", headers=asked)
    assert answer.status_code == 204
    assert "content-type" in answer.headers["access-control-allow-headers"]
    answer = client.post("/api/check", json=BODY, headers={"origin": "https://wiki.example.org"})
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "https://wiki.example.org"
    assert client.post("/api/check", json=BODY, headers={"origin": "https://evil.example"}).status_code == 403


def test_without_the_token_nobody_is_answered(start: Callable[..., Server]) -> None:
    client = start(token="geheim ü").client()
    basic = base64.b64encode("ann:geheim ü".encode()).decode()
    assert client.post("/api/check", json=BODY, headers={"authorization": f"Basic {basic}"}).status_code == 200
    form = {"language": "en", "text": "I was busy."}
    assert client.post("/v2/check", data={**form, "apiKey": "geheim ü"}).status_code == 200
    for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": "Basic !"}, {"authorization": "x"}):
        assert client.post("/api/check", json=BODY, headers=headers).status_code == 401
        assert client.post("/v2/check", data={**form, "apiKey": "wrong"}, headers=headers).status_code == 401
    assert client.get("/metrics").status_code == 401
    for path in ("/", "/api/health", "/api/ready", "/v2/healthcheck", "/page/icon.svg"):
        assert client.get(path).status_code == 200
    for path in ("/v2/words", "/v2/info", "/api/words", "/api/info", "/openapi.json", "/docs"):
        assert client.get(path).status_code == 401


def test_a_client_that_sends_its_key_with_texts_alone_learns_the_languages(start: Callable[..., Server]) -> None:
    client = start(token="secret").client()
    assert {"en-US", "en-GB"} < {each["longCode"] for each in client.get("/v2/languages").json()}
    assert client.get("/v2/maxtextlength").status_code == 200


@pytest.mark.parametrize(
    ("token", "sent"),
    [
        ("secret", b"secret"),
        ("geheim \xfc", "geheim \xfc".encode()),
        ("geheim \xfc", b"geheim \xfc"),
        ("тайна", "тайна".encode()),
    ],
)
def test_a_token_is_a_bearers_however_letters_are_sent(start: Callable[..., Server], token: str, sent: bytes) -> None:
    client = start(token=token).client()
    assert client.post("/api/check", json=BODY, headers={b"authorization": b"Bearer " + sent}).status_code == 200
    assert client.post("/api/check", json=BODY, headers={b"authorization": b"Bearer \xff" + sent}).status_code == 401


def test_a_body_that_is_too_long_is_refused_whether_it_says_so_or_not(start: Callable[..., Server]) -> None:
    client = start(max_characters=100).client()
    assert client.post("/api/check", content=b"x" * 70_000).status_code == 413
    assert client.post("/v2/check", content=iter([b"x" * 40_000] * 3)).status_code == 413


def test_every_answer_has_the_headers_that_tie_a_browsers_hands(client: TestClient) -> None:
    for answer in (
        client.get("/"),
        client.get("/docs"),
        client.get("/nothing"),
        client.post("/api/check", json=BODY),
        client.post("/v2/check", data={}),
        client.get("/", headers={"host": "evil.example"}),
    ):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert "server" not in answer.headers


@pytest.mark.parametrize(
    "name", ["../pages.py", "..%2fpages.py", "%2e%2e/pages.py", "/etc/passwd", "index.html", "x.js"]
)
def test_only_the_files_of_the_page_can_be_asked_for(client: TestClient, name: str) -> None:
    assert client.get(f"/page/{name}").status_code == 404


def test_no_word_of_a_text_is_in_the_log(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        client.get("/v2/check", params={"language": "en", "text": "secret was"})
        client.post("/api/check", json={"text": "secret was"})
        client.post("/api/check", json={"text": ["secret"]})
        client.get("/secret")
        client.post("/v2/check", data={"data": "secret"})
    lines = [JsonLines().format(record) for record in caplog.records if record.name == "permend.serving"]
    assert len(lines) == 5
    assert "secret" not in "".join(lines)
    assert [json.loads(line)["status"] for line in lines] == [200, 200, 422, 404, 400]


def test_an_error_in_the_log_is_its_kind_alone() -> None:
    try:
        raise ValueError("the text was: secret")
    except ValueError as error:
        record = logging.LogRecord("permend", 40, "x", 1, "failed", (), (type(error), error, None))
    assert "secret" not in JsonLines().format(record)
    assert json.loads(JsonLines().format(record))["error"] == "ValueError"


def scope(path: str, body: bytes) -> dict[str, Any]:
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    return {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers, "scheme": "http"}


@pytest.mark.parametrize("path", ["/api/check", "/api/check/stream"])
def test_a_client_that_goes_away_frees_its_work(start: Callable[..., Server], path: str) -> None:
    server = start(threads=1)
    server.networks.gate.clear()
    text = " ".join(f"I was busy {place} times." for place in range(60))
    body = json.dumps({"text": text}).encode()

    async def go_away() -> None:
        messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            if messages:
                return messages.pop()
            await asyncio.to_thread(server.networks.reached.wait, 60)
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            pass

        await asyncio.wait_for(server.app(scope(path, body), receive, send), 60)

    asyncio.run(go_away())
    assert server.engine.in_hand == 0
    assert server.engine._batcher.waiting == 0
    server.networks.gate.set()
    assert server.client().post("/api/check", json=BODY).status_code == 200
    assert sum(server.networks.batches) < 60
    assert b"permend_clients_gone_total 1.0" in server.engine.metrics.write()


def test_a_body_that_does_not_come_is_not_waited_for(start: Callable[..., Server]) -> None:
    server = start(timeout=0.05)
    sent: list[Message] = []

    async def never() -> Message:
        await asyncio.sleep(60)
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(server.app(scope("/api/check", b"xx"), never, send))  # type: ignore[arg-type]
    assert sent[0]["status"] == 408


def test_a_full_queue_asks_clients_to_come_again(start: Callable[..., Server]) -> None:
    server = start(threads=1, queue=2)
    server.networks.gate.clear()

    async def crowd() -> list[int]:
        statuses: list[int] = []

        async def ask(number: int) -> None:
            body = json.dumps({"text": f"I was {'very ' * number} busy."}).encode()
            messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

            async def receive() -> Message:
                if messages:
                    return messages.pop()
                await asyncio.sleep(60)
                raise AssertionError

            async def send(message: Message) -> None:
                if message["type"] == "http.response.start":
                    statuses.append(message["status"])
                    if message["status"] == 503:
                        assert (b"retry-after", b"1") in message["headers"]

            await server.app(scope("/api/check", body), receive, send)

        asking = [asyncio.create_task(ask(number)) for number in range(5)]
        while len(statuses) < 3:
            await asyncio.sleep(0.01)
        assert not server.client().get("/api/ready").is_success
        server.networks.gate.set()
        await asyncio.gather(*asking)
        return statuses

    assert asyncio.run(crowd()) == [503, 503, 503, 200, 200]


def test_a_check_that_takes_too_long_says_so_and_goes_on_the_next_time(start: Callable[..., Server]) -> None:
    server = start(threads=1, timeout=0.3)
    server.networks.gate.clear()
    client = server.client()
    answer = client.post("/v2/check", data={"language": "en", "text": "I was busy."})
    assert answer.status_code == 503
    assert "took too long" in answer.text
    assert answer.headers["retry-after"] == "1"
    [line] = client.post("/api/check/stream", json=BODY).text.splitlines()
    assert "took too long" in json.loads(line)["error"]


def test_counts_are_there_for_prometheus_and_hold_no_text(client: TestClient) -> None:
    client.post("/api/check", json=BODY)
    client.post("/api/check", json=BODY)
    client.get("/secret")
    text = client.get("/metrics").text
    assert 'permend_requests_total{path="/api/check",status="200"} 2.0' in text
    assert 'permend_requests_total{path="other",status="404"} 1.0' in text
    assert "permend_sentences_remembered_total 1.0" in text
    assert 'permend_batch_sentences_bucket{le="1.0"} 1.0' in text
    assert 'permend_request_seconds_bucket{le="60.0",path="/api/check"} 2.0' in text
    assert "permend_requests_in_hand 0.0" in text
    assert "permend_requests_refused_total 0.0" in text
    assert "secret" not in text
