"""Requests as editors, browsers and office programs send them.

LibreOffice 7.4.7 was listened to. Obsidian's plugins, the two of Emacs and later versions of LibreOffice are as their
sources put requests together; LTeX+ as its forerunner, ltex-ls, does. The source of the browsers' add-on is not public:
its fields are those of programs that imitate it, and may not be all that it sends.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlencode

import httpx
import pytest

from tests.serving.conftest import Server
from tests.serving.running import Running

WRONG = ["definately", "go"]
TEXT = "😀 I definately agree with R&D. He go to school yesterday."
FORM = "application/x-www-form-urlencoded"


def words(body: dict[str, Any], text: str = TEXT) -> list[str]:
    """Return the stretches of a text that an answer is about, as a client with UTF-16 sees them."""
    units = text.encode("utf-16-le")
    places = [(match["offset"], match["offset"] + match["length"]) for match in body["matches"]]
    return [units[2 * start : 2 * end].decode("utf-16-le") for start, end in places]


def send(served: Running, body: bytes, query: str = "", **headers: str) -> dict[str, Any]:
    """Post a body and return the answer."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = httpx.post(f"{served.url}/v2/check{query}", content=body, headers=names, timeout=60)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert isinstance(found, dict)
    return found


def test_libreoffice_7_4_encodes_nothing(served: Running) -> None:
    languages = served.get("/v2/languages", headers={"Accept": "*/*"}).json()
    assert {"name": "English (US)", "code": "en", "longCode": "en-US"} in languages
    body = f"text={TEXT}&language=en-US".encode()
    assert words(send(served, body, Accept="*/*", Content_Type=FORM)) == WRONG
    premium = body + b"&username=me@example.org&apiKey=secret"
    assert words(send(served, premium, Accept="*/*", Content_Type=FORM)) == WRONG
    text = "A rise of 5%20 or 2 + 2.\nHe go to school yesterday."
    assert words(send(served, f"text={text}&language=en-GB".encode(), Content_Type=FORM), text) == ["go"]


def test_later_versions_of_libreoffice_encode_all_but_letters_and_digits(served: Running) -> None:
    body = f"text={quote(TEXT, safe='-._~')}&language=en-US"
    assert words(send(served, body.encode(), Accept="*/*", Content_Type=FORM)) == WRONG


def test_ltex_sends_annotations_and_calls_its_form_json(served: Running) -> None:
    pieces = [
        {"markup": "\\section{"},
        {"text": "A definately good day"},
        {"markup": "}\n", "interpretAs": "\n\n"},
        {"text": "He "},
        {"markup": "\\emph{"},
        {"text": "go"},
        {"markup": "}"},
        {"text": " to school with "},
        {"markup": "$x$", "interpretAs": "Dummy0"},
        {"text": " yesterday."},
    ]
    text = "".join(piece.get("text", piece.get("markup", "")) for piece in pieces)
    form = {"language": "en-US", "data": json.dumps({"annotation": pieces}), "disabledRules": "WORD_REPEAT_RULE"}
    form |= {"motherTongue": "de-DE", "enabledRules": "PASSIVE_VOICE"}
    answer = send(served, urlencode(form).encode(), Content_Type="application/json; charset=UTF-8")
    assert "definately" in words(answer, text)
    assert all({"sentence", "message", "replacements"} <= set(match) for match in answer["matches"])


@pytest.mark.parametrize("origin", ["chrome-extension://oldceeleldhonbafppcapldpdifcinji", "moz-extension://0b1c-22"])
def test_the_browser_add_on_asks_twice(served: Running, origin: str) -> None:
    form = {
        "data": json.dumps({"text": TEXT, "metaData": {"EmailToAddress": "somebody@example.org"}}),
        "textSessionId": "59511:1605862567503",
        "enableHiddenRules": "true",
        "level": "picky",
        "language": "auto",
        "noopLanguages": "en,de",
        "preferredVariants": "en-GB,de-DE,pt-PT,ca-ES",
        "preferredLanguages": "en,de",
        "disabledRules": "WHITESPACE_RULE,CONSECUTIVE_SPACES",
        "useragent": "chrome-extension-ng",
        "allowIncompleteResults": "true",
    }
    query = "?c=1&instanceId=59511%3A1605862567503&v=8.11.2"
    headers = {"Content_Type": f"{FORM};charset=UTF-8", "Origin": origin, "Sec_Fetch_Site": "none"}
    first = send(served, urlencode({**form, "mode": "allButTextLevelOnly"}).encode(), query, **headers)
    assert words(first) == WRONG
    assert first["language"]["code"] == "en-GB"
    second = send(served, urlencode({**form, "mode": "textLevelOnly"}).encode(), query, **headers)
    assert second["matches"] == [], "or everything would be underlined twice"


def test_obsidian_sends_annotations_with_places_and_keeps_words(served: Running) -> None:
    text = "- He **go** to school yesterday, definately.\n"
    pieces = [
        {"interpretAs": "• ", "markup": "- ", "offset": {"start": 0, "end": 2}},
        {"text": "He ", "offset": {"start": 2, "end": 5}},
        {"interpretAs": "", "markup": "**", "offset": {"start": 5, "end": 7}},
        {"text": "go", "offset": {"start": 7, "end": 9}},
        {"interpretAs": "", "markup": "**", "offset": {"start": 9, "end": 11}},
        {"text": text[11:-1], "offset": {"start": 11, "end": len(text) - 1}},
        {"interpretAs": "\n", "markup": "\n", "offset": {"start": len(text) - 1, "end": len(text)}},
    ]
    form = {"data": json.dumps({"annotation": pieces}), "language": "auto", "enabledOnly": "false"}
    form |= {"level": "default", "preferredVariants": "en-US,de-DE", "enabledCategories": "STYLE"}
    headers = {"Content_Type": FORM, "Accept": "application/json", "Origin": "app://obsidian.md"}
    assert words(send(served, urlencode(form).encode(), **headers), text) == ["go", "definately"]
    off = urlencode({**form, "disabledCategories": "TYPOS,STYLE"}).encode()
    assert words(send(served, off, **headers), text) == ["go"]

    key = {"username": "me@example.org", "apiKey": "secret"}
    for _ in range(2):
        answer = httpx.post(f"{served.url}/v2/words/add", params={**key, "word": "definately"})
        assert answer.status_code == 200
    assert answer.json() == {"added": False}, "the second time"
    try:
        listed = served.get("/v2/words", params={**key, "limit": "1000"}).json()
        assert listed == {"words": ["definately"]}
        assert words(send(served, urlencode(form).encode(), **headers), text) == ["go"]
    finally:
        gone = httpx.post(f"{served.url}/v2/words/delete", params={**key, "word": "definately"})
    assert gone.json() == {"deleted": True}
    assert words(send(served, urlencode(form).encode(), **headers), text) == ["go", "definately"]


def test_obsidian_may_read_answers_where_its_origin_is_allowed(start: Callable[..., Server]) -> None:
    form = {"language": "auto", "data": '{"annotation": [{"text": "I was busy."}]}'}
    for origins, wanted in (((), None), (("app://obsidian.md",), "app://obsidian.md")):
        answer = start(origins=origins).client().post("/v2/check", data=form, headers={"Origin": "app://obsidian.md"})
        assert answer.status_code == 200
        assert answer.headers.get("access-control-allow-origin") == wanted


def test_flycheck_leaves_spelling_to_flyspell(served: Running) -> None:
    rules = "HUNSPELL_RULE,HUNSPELL_RULE_AR,MORFOLOGIK_RULE_EN,MORFOLOGIK_RULE_EN_US,SYMSPELL_RULE"
    start = f"language=en-US&text={quote(TEXT, safe='')}"
    headers = {"Content_Type": FORM, "MIME_Version": "1.0", "Extension": "Security/Digest Security/SSL"}
    assert words(send(served, start.encode(), **headers)) == WRONG
    assert words(send(served, f"{start}&disabledRules={quote(rules)}".encode(), **headers)) == ["go"]


def test_languagetool_el_names_no_type_of_its_body(served: Running) -> None:
    assert served.get("/v2/languages").status_code == 200, "it asks before it begins"
    form = f"text={quote(TEXT)}&disabledRules=PERMEND_SPELL&motherTongue=es&language=auto"
    assert words(send(served, form.encode())) == ["go"]


def test_a_form_is_read_though_it_is_said_to_be_in_parts(served: Running) -> None:
    body = urlencode({"text": TEXT, "language": "en-US", "allowIncompleteResults": "false"}).encode()
    assert words(send(served, body, Content_Type="multipart/form-data")) == WRONG


def test_clients_of_the_web_may_ask_by_get(served: Running) -> None:
    assert words(served.get("/v2/check", params={"text": TEXT, "language": "en-US"}).json()) == WRONG
