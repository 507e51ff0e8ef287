"""Our own API: documents with a format, findings as they come, how a sentence was decided, clear refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from permend.documents.checker import Checker
from tests.serving.conftest import Server

TEXT = "# Title 😀\n\nI *was* busy. `was` it?\n\nThen I was late.\n"


def check(client: TestClient, text: str = TEXT, **body: Any) -> dict[str, Any]:
    answer = client.post("/api/check", json={"text": text, "format": "markdown", **body})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def part(text: str, start: int, end: int) -> str:
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")


def test_a_document_is_checked_in_its_format_and_offsets_count_as_javascript_does(client: TestClient) -> None:
    answer = check(client)
    assert [part(TEXT, each["start"], each["end"]) for each in answer["findings"]] == ["was", "was"]
    assert answer["corrected"] == TEXT.replace("*was*", "*am*").replace("I was", "I am")
    assert answer["characters"] == len(TEXT) + 1
    assert answer["findings"][0]["kind"] == "grammar"
    assert answer["findings"][0]["title"] == "Tense"


PARAGRAPHS = st.lists(
    st.sampled_from(["I was busy.", "😀", "She went home.", "*was*", "so was I,", "\n\n"]), max_size=30
)


@given(PARAGRAPHS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
def test_what_is_streamed_is_what_is_answered_at_once(client: TestClient, pieces: list[str]) -> None:
    text = " ".join(pieces)
    whole = check(client, text)
    lines = client.post("/api/check/stream", json={"text": text, "format": "markdown"}).text.splitlines()
    *stretches, last = map(json.loads, lines)
    assert [finding for each in stretches for finding in each["findings"]] == whole["findings"]
    assert last == {"done": True, "characters": whole["characters"], "sentences": whole["sentences"]}
    ends = [0, *(each["end"] for each in stretches)]
    assert [each["start"] for each in stretches] == ends[:-1]
    assert ends[-1] == whole["characters"]


def test_the_findings_are_those_of_the_library(start: Callable[..., Server]) -> None:
    server = start()
    found = check(server.client())["findings"]
    wanted = Checker(server.engine.corrector(None)).check_text(TEXT, "markdown")
    assert [(each["before"], each["after"], each["id"]) for each in found] == [
        (each.before, each.after, each.id) for each in wanted
    ]


def test_modes_and_confidence_are_those_of_a_request(client: TestClient) -> None:
    assert check(client, mode="precise")["findings"] == []
    assert len(check(client, mode="thorough")["findings"]) == 2
    assert check(client, min_confidence=1.0)["findings"] == []


def test_sentences_are_corrected_one_by_one(client: TestClient) -> None:
    answer = client.post("/api/correct", json={"sentences": ["😀 I was late.", "All is well.", ""]}).json()
    assert [each["text"] for each in answer] == ["😀 I am late.", "All is well.", ""]
    [edit] = answer[0]["edits"]
    assert part(answer[0]["source"], edit["start"], edit["end"]) == "was"
    assert any(other["unchanged"] for other in answer[0]["alternatives"])


def test_how_a_sentence_was_decided(client: TestClient) -> None:
    trace = client.post("/api/trace", json={"sentence": "I was late."}).json()
    assert trace["text"] == "I am late."
    assert len(trace["chances"]) == len(trace["tokens"]) + trace["slots"]
    assert [each["chosen"] for each in trace["hypotheses"]].count(True) == 1
    assert client.post("/api/trace", json={"sentence": "  "}).status_code == 400


def test_words_and_dismissed_findings_are_kept(client: TestClient) -> None:
    first, second = check(client)["findings"]
    assert client.post("/api/dismissed", json={"id": first["id"]}).json() == {"dismissed": True}
    assert check(client)["findings"] == [second]
    assert client.delete("/api/dismissed", params={"id": first["id"]}).json() == {"restored": True}
    assert check(client)["findings"] == [first, second]
    assert client.post("/api/words", json={"word": "was"}).json() == {"added": True}
    assert client.get("/api/words").json() == {"words": ["was"]}
    assert check(client)["findings"] == []
    assert client.delete("/api/words", params={"word": "was"}).json() == {"deleted": True}
    assert client.post("/api/dismissed", json={"id": "no id"}).status_code == 400


@pytest.mark.parametrize(
    ("path", "body", "status", "reason"),
    [
        ("check", {}, 422, "text: Field required"),
        ("check", {"text": 1}, 422, "text: "),
        ("check", {"text": "a", "format": "docx"}, 422, "format: choose from plain, markdown"),
        ("check", {"text": "a", "mode": "wild"}, 422, "mode: choose from thorough"),
        ("check", {"text": "a", "min_confidence": 2}, 422, "min_confidence: "),
        ("check", {"text": "a", "colour": "red"}, 422, "colour: "),
        ("check", {"text": "a" * 201}, 413, "Your text exceeds the limit of 200 characters"),
        ("check/stream", {"text": "a" * 201}, 413, "Your text exceeds the limit of 200 characters"),
        ("correct", {"sentences": "a"}, 422, "sentences: "),
        ("correct", {"sentences": ["a"] * 257}, 422, "sentences: "),
        ("trace", {"sentence": "a." * 99}, 400, "too long to be read at once"),
        ("words", {"word": "# no word"}, 400, "is no word"),
    ],
)
def test_a_refusal_is_one_sentence(
    start: Callable[..., Server], path: str, body: dict[str, Any], status: int, reason: str
) -> None:
    answer = start(max_characters=200).client().post(f"/api/{path}", json=body)
    assert answer.status_code == status
    assert list(answer.json()) == ["error"]
    assert reason in answer.json()["error"]


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b'{"text": "\xff"}', b'{"text": "\\ud800"}', b"[" * 60_000]
)
@pytest.mark.parametrize("path", ["/api/check", "/api/check/stream", "/api/correct", "/api/words"])
def test_what_is_no_request_is_refused(client: TestClient, path: str, body: bytes) -> None:
    answer = client.post(path, content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    assert list(answer.json()) == ["error"]


def test_a_refusal_does_not_repeat_what_was_sent(client: TestClient) -> None:
    answer = client.post("/api/check", json={"text": ["my secret"]})
    assert "secret" not in answer.text


def test_what_a_server_says_of_itself(client: TestClient) -> None:
    assert client.get("/api/health").json() == {"status": "ok"}
    assert client.get("/api/ready").json() == {"status": "ready"}
    info = client.get("/api/info").json()
    assert info["model"] == "toy"
    assert set(info["modes"]) == {"thorough", "balanced", "precise"}
    assert "markdown" in info["formats"]
    described = client.get("/openapi.json").json()["paths"]
    assert {"/api/check", "/v2/check", "/api/check/stream"} <= set(described)
    page = client.get("/docs")
    assert all(path in page.text for path in described)
    assert "<script" not in page.text
    assert "//" not in page.text.replace("http://127.0.0.1:8081", "")
