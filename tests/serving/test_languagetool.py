"""LanguageTool's API as its clients use it: matches, wishes, annotated text, words, errors in its own form."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from permend.serving.languagetool import Wish
from tests.serving.conftest import Server

TEXT = "I was busy today. 😀 Then I was late."
FIELDS = {
    "message": str,
    "shortMessage": str,
    "replacements": list,
    "offset": int,
    "length": int,
    "context": dict,
    "sentence": str,
    "type": dict,
    "rule": dict,
    "ignoreForIncompleteSentence": bool,
    "contextForSureMatch": int,
}


def check(client: TestClient, **form: str) -> Any:
    return client.post("/v2/check", data={"language": "en-US", **form})


def matches(client: TestClient, **form: str) -> list[dict[str, Any]]:
    answer = check(client, **form)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["matches"]
    return found


def utf16(text: str, offset: int, length: int) -> str:
    units = text.encode("utf-16-le")
    return units[2 * offset : 2 * (offset + length)].decode("utf-16-le")


def test_matches_have_every_field_that_clients_look_at_and_count_as_javascript_does(client: TestClient) -> None:
    found = matches(client, text=TEXT)
    assert [utf16(TEXT, each["offset"], each["length"]) for each in found] == ["was", "was"]
    for each in found:
        assert {name: type(each[name]) for name in FIELDS} == FIELDS
        assert each["replacements"][0]["value"] == "am"
        assert 0 <= each["replacements"][0]["confidence"] <= 1
        assert set(each["rule"]) >= {"id", "description", "issueType", "category"}
        context = each["context"]
        assert utf16(context["text"], context["offset"], context["length"]) == "was"


def test_the_answer_says_who_answers_in_which_language_and_where_sentences_are(client: TestClient) -> None:
    answer = check(client, text=TEXT, language="en-GB").json()
    assert answer["software"]["apiVersion"] == 1
    assert answer["language"]["code"] == "en-GB"
    assert [utf16(TEXT, start, end - start) for start, end in answer["sentenceRanges"]] == [
        "I was busy today.",
        "😀 Then I was late.",
    ]


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain", "application/json", ""])
def test_a_form_is_read_whatever_its_content_type_says(client: TestClient, kind: str) -> None:
    answer = client.post("/v2/check", content=b"language=en-US&text=I+was+busy.", headers={"content-type": kind})
    assert len(answer.json()["matches"]) == 1


def test_a_question_may_stand_in_the_address(client: TestClient) -> None:
    answer = client.get("/v2/check", params={"language": "en-US", "text": "I was busy."})
    assert len(answer.json()["matches"]) == 1


def test_a_form_without_end_is_refused(client: TestClient) -> None:
    answer = client.post("/v2/check", content=b"a=1&" * 100_000)
    assert (answer.status_code, answer.text) == (400, "Error: a form has 1000 fields at most")


def test_an_empty_text_is_all_right(client: TestClient) -> None:
    assert matches(client, text="") == []


def test_annotated_text_keeps_markup_and_counts_it(client: TestClient) -> None:
    pieces = [{"text": "I "}, {"markup": "<b>"}, {"text": "was"}, {"markup": "</b>"}, {"text": " busy."}]
    [match] = matches(client, data=json.dumps({"annotation": pieces}))
    assert (match["offset"], match["length"]) == (5, 3)


def test_markup_that_is_read_as_a_break_ends_a_sentence(client: TestClient) -> None:
    pieces = [{"text": "A title"}, {"markup": "</h1>", "interpretAs": "\n\n"}, {"text": "I was busy."}]
    [match] = matches(client, data=json.dumps({"annotation": pieces}))
    assert match["sentence"] == "I was busy."
    assert match["offset"] == len("A title</h1>I ")


RULE, CATEGORY = "PERMEND_VERB_TENSE", "GRAMMAR"


@pytest.mark.parametrize(
    ("wish", "count"),
    [
        ({"disabledRules": f"SOMETHING,{RULE}"}, 0),
        ({"disabledRules": "SOMETHING"}, 2),
        ({"disabledCategories": CATEGORY}, 0),
        ({"disabledCategories": CATEGORY, "enabledRules": RULE}, 2),
        ({"enabledRules": RULE, "enabledOnly": "true"}, 2),
        ({"enabledRules": "SOMETHING", "enabledOnly": "true"}, 0),
        ({"enabledCategories": CATEGORY, "enabledOnly": "true"}, 2),
        ({"enabledCategories": "TYPOS", "enabledOnly": "true"}, 0),
        ({"disabledRules": "MORFOLOGIK_RULE_EN_US"}, 2),
        ({"mode": "textLevelOnly"}, 0),
        ({"mode": "allButTextLevelOnly"}, 2),
        ({"username": "ann", "apiKey": "", "motherTongue": "de-DE", "toneTags": "x", "unknown": "y"}, 2),
    ],
)
def test_rules_and_categories_are_honoured_and_the_unknown_is_passed_over(
    client: TestClient, wish: dict[str, str], count: int
) -> None:
    assert len(matches(client, text=TEXT, **wish)) == count


def test_who_has_a_speller_of_their_own_can_switch_ours_off() -> None:
    spelling = {"rule": {"id": "PERMEND_SPELL", "category": {"id": "TYPOS"}}}
    assert not Wish.of({"disabledRules": "MORFOLOGIK_RULE_EN_GB"}).wants(spelling)
    assert Wish.of({"disabledRules": "UPPERCASE_SENTENCE_START"}).wants(spelling)


def test_picky_finds_more(start: Callable[..., Server]) -> None:
    client = start(mode="precise").client()
    assert matches(client, text=TEXT) == []
    assert len(matches(client, text=TEXT, level="picky")) == 2


def test_a_language_is_found_out_and_the_wanted_variant_named(client: TestClient) -> None:
    answer = check(client, text=TEXT, language="auto").json()
    assert answer["language"]["detectedLanguage"] == {
        "name": "English (US)",
        "code": "en-US",
        "confidence": 1.0,
        "source": "permend",
    }
    answer = check(client, text=TEXT, language="auto", preferredVariants="de-DE,en-GB").json()
    assert answer["language"]["code"] == "en-GB"
    german = "Ich habe das Buch gestern in der Schule gelesen."
    answer = check(client, text=german, language="auto").json()
    assert answer["language"]["detectedLanguage"]["confidence"] == 0
    assert answer["matches"] == []


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        ({"language": "en-US"}, "Missing 'text' or 'data' parameter"),
        ({"language": "en-US", "text": "a", "data": "{}"}, "Set only 'text' or 'data' parameter, not both"),
        ({"text": "a"}, "Missing 'language' parameter"),
        ({"text": "a", "language": "xx"}, "'xx' is not a language code known"),
        ({"text": "a", "language": "de-DE"}, "Supported language codes are: en, en-US"),
        ({"text": "a", "language": "en", "preferredVariants": "en-GB"}, "you didn't specify 'language=auto'"),
        ({"text": "a", "language": "en", "level": "fussy"}, "'fussy' is no level"),
        ({"text": "a", "language": "en", "enabledOnly": "true"}, "You must specify enabled rules"),
        (
            {"text": "a", "language": "en", "enabledOnly": "true", "enabledRules": "A", "disabledRules": "B"},
            "You cannot specify disabled rules",
        ),
        ({"data": "no json", "language": "en"}, "Could not parse 'data'"),
        ({"data": "[" * 100_000, "language": "en"}, "Could not parse 'data'"),
        ({"data": "[]", "language": "en"}, "requires 'text' or 'annotation' key"),
        ({"data": '{"annotation": [{}]}', "language": "en"}, "Every annotation needs"),
        ({"data": '{"annotation": [{"text": "a", "markup": "b"}]}', "language": "en"}, "Only one of"),
        ({"data": '{"annotation": [{"text": "\\ud800"}]}', "language": "en"}, "half a character"),
    ],
)
def test_what_is_wrong_is_said_as_languagetool_says_it(client: TestClient, form: dict[str, str], reason: str) -> None:
    answer = client.post("/v2/check", data=form)
    assert answer.status_code == 400
    assert answer.text.startswith("Error: ")
    assert reason in answer.text
    assert "content-type" not in answer.headers


def test_a_json_body_is_not_read(client: TestClient) -> None:
    assert client.post("/v2/check", json={"language": "en", "text": "a"}).status_code == 400


def test_a_long_text_is_refused_in_the_words_that_clients_look_for(start: Callable[..., Server]) -> None:
    answer = check(start(max_characters=10).client(), text="I was busy today.")
    assert answer.status_code == 413
    assert answer.text == "Error: Your text exceeds the limit of 10 characters (it's 17 characters)."


def test_words_are_added_listed_used_and_taken_out(client: TestClient) -> None:
    assert len(matches(client, text=TEXT)) == 2
    assert client.post("/v2/words/add", data={"word": "was"}).json() == {"added": True}
    assert client.post("/v2/words/add", data={"word": "was"}).json() == {"added": False}
    assert client.post("/v2/words/add", data={"word": "de facto"}).json() == {"added": True}
    assert client.get("/v2/words").json() == {"words": ["was", "de facto"]}
    assert client.get("/v2/words", params={"offset": 1, "limit": 5}).json() == {"words": ["de facto"]}
    assert matches(client, text=TEXT) == []
    assert client.post("/v2/words/delete", data={"word": "was"}).json() == {"deleted": True}
    assert client.post("/v2/words/delete", data={"word": "was"}).json() == {"deleted": False}
    assert len(matches(client, text=TEXT)) == 2


@pytest.mark.parametrize("word", ["", "  ", "a\x1b[31mb"])
def test_what_is_no_word_is_not_added(client: TestClient, word: str) -> None:
    answer = client.post("/v2/words/add", data={"word": word})
    assert (answer.status_code, answer.text[:7]) == (400, "Error: ")


def test_a_server_that_keeps_nothing_says_so(start: Callable[..., Server]) -> None:
    answer = start(read_only=True).client().post("/v2/words/add", data={"word": "Ann"})
    assert (answer.status_code, answer.text[:6]) == (403, "Error:")


def test_what_clients_ask_besides(client: TestClient) -> None:
    languages = client.get("/v2/languages").json()
    assert {"name": "English (US)", "code": "en", "longCode": "en-US"} in languages
    assert client.get("/v2/healthcheck").text == "OK"
    assert client.get("/v2/maxtextlength").text == "200000"
    assert client.get("/v2/info").json()["software"]["name"] == "permend"
    assert client.get("/v2/configinfo", params={"language": "en-US"}).json()["parameter"] == {"maxTextLength": 200_000}
    assert client.get("/v2/configinfo").status_code == 400
    assert client.get("/v2/nothing").text == "Error: there is nothing at this path"
    assert client.get("/v2/words", params={"limit": "-1"}).status_code == 400
