"""Documents through networks made by hand: what a checker promises whatever the weights are."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from permend.corrector.corrector import Correction, Corrector, Options
from permend.documents import Document
from permend.documents.checker import Checker, EditCache, Finding
from permend.documents.dictionary import PersonalDictionary
from permend.errors import PermendError
from permend.model.networks import Bools, Floats, Ints
from permend.text.edits import apply
from tests.corrector.test_corrector import TOKENIZER, HandMade, next_token, replace_was, wild
from tests.model.tiny import exported, texts

Rule: TypeAlias = Callable[[Ints, Floats], None]


class Counting(HandMade):
    """Networks that count the sentences they read."""

    read = 0
    widest = 0

    def encode(self, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        self.read += len(ids)
        self.widest = max(self.widest, len(ids))
        return super().encode(ids, mask)


def make(rule: Rule = replace_was, **options: Any) -> tuple[Checker, Counting]:
    networks = Counting(rule, max_length=512)
    return Checker(Corrector.of(networks, TOKENIZER), **options), networks


def corrected(checker: Checker, text: str, form: str = "plain", words: PersonalDictionary | None = None) -> str:
    return "".join(each.text for each in checker.check(Document.from_text(text, form), words))


def test_findings_stand_where_the_document_has_them() -> None:
    text = "# I was\n\nAll *is* well, and `I was`. He **was** here,\nI was there.\n"
    checker, _ = make()
    findings = checker.check_text(text, "markdown")
    assert [text[each.start : each.end] for each in findings] == [each.before for each in findings] == ["was"] * 3
    assert findings[1].sentence == "He was here, I was there."
    assert findings[0].type
    assert findings[0].explanation
    assert (
        corrected(checker, text, "markdown")
        == apply(text, findings)
        == text.replace("**was**", "**am**").replace("I was\n", "I am\n").replace("I was there", "I am there")
    )


@given(
    st.lists(st.sampled_from(["I was busy.", " ", "\n", "\n\n", "- ", "**", "`x`", "It was I", "é😀\r\n"]), max_size=12)
)
@settings(max_examples=40)
def test_all_blocks_together_are_the_document_with_its_findings(pieces: list[str]) -> None:
    text = "".join(pieces)
    checker, _ = make(wild)
    for form in ("plain", "markdown"):
        assert corrected(checker, text, form) == apply(text, checker.check_text(text, form))
    still, _ = make(next_token)
    assert corrected(still, text) == text


def test_other_languages_are_left_alone() -> None:
    checker, networks = make()
    assert checker.check_text("Ich habe das Buch gestern in der Schule was gelesen.") == []
    assert networks.read == 0


def test_personal_words_and_dismissed_findings_are_left_alone() -> None:
    text = "I was busy. He was late. Was it was?"
    checker, networks = make()
    first = checker.check_text(text)
    assert len(first) == 3
    assert checker.check_text(text, words=PersonalDictionary(ignored=["I [was → am] busy"])) == first[1:]
    assert checker.check_text(text, words=PersonalDictionary(["was"])) == []
    assert checker.check_text(text) == first, "words are those of a check, not of the checker"
    assert networks.read == 3, "new words need no new correction"


def move(ids: Ints, scores: Floats) -> None:
    """Move the first word behind the second."""
    next_token(ids, scores)
    for here, there in ((0, 2), (2, 1), (1, 3)):
        scores[here] = -9
        scores[here, there] = 9


def move_far(ids: Ints, scores: Floats) -> None:
    """Move the first word behind the third, which is two edits: it goes here and comes there."""
    next_token(ids, scores)
    for here, there in ((0, 2), (3, 1), (1, 4)):
        scores[here] = -9
        scores[here, there] = 9


def test_of_a_moved_word_nothing_is_kept_where_one_half_is_refused() -> None:
    text = "was I am here"
    checker, _ = make(move)
    assert corrected(checker, text) == "I was am here"
    assert corrected(checker, text, words=PersonalDictionary(["was"])) == text
    assert corrected(checker, text, words=PersonalDictionary(["I"])) == text
    checker, _ = make(move_far)
    assert corrected(checker, text) == "I am was here"
    assert len(checker.check_text(text)) == 2
    assert corrected(checker, text, words=PersonalDictionary(["was"])) == text


def test_what_was_checked_is_not_corrected_again() -> None:
    sentences = [f"I was busy on day {number}." for number in range(50)]
    checker, networks = make()
    first = checker.check_text(" ".join(sentences))
    assert networks.read == 50
    assert checker.check_text(" ".join(sentences)) == first
    assert networks.read == 50
    sentences[20] = "All was well, and I was glad."
    assert len(checker.check_text(" ".join(sentences))) == 51
    assert networks.read == 51
    assert isinstance(checker.corrector, Corrector)
    checker.corrector.options = Options(min_margin=99)
    assert checker.check_text(" ".join(sentences)) == []
    assert networks.read == 101


def test_a_check_that_is_broken_off_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n\n".join(f"I was busy on day {number}." for number in range(40))
    checker, networks = make()
    whole = Corrector.correct_batch

    def broken(self: Corrector, texts: list[str], size: int) -> list[Correction]:
        if networks.read >= 16:
            raise KeyboardInterrupt
        return whole(self, texts, size)

    with monkeypatch.context() as patch:
        patch.setattr(Corrector, "correct_batch", broken)
        with pytest.raises(KeyboardInterrupt):
            checker.check_text(text)
    assert networks.read == 16
    assert len(checker.check_text(text)) == 40
    assert networks.read == 40


def test_memory_is_bounded_and_the_latest_stays() -> None:
    checker, networks = make(memory=10_000)
    checker.check_text("I was busy.")
    for number in range(100):
        checker.check_text(f"I was number {number}. I was busy.")
    assert networks.read == 101, "what is used again and again stays"
    checker.check_text("I was number 99.")
    assert networks.read == 101
    checker.check_text("I was number 0.")
    assert networks.read == 102
    assert len(checker._cache._edits) < 20


def test_blocks_are_corrected_together_but_never_many() -> None:
    chunks = [f"I was busy {number}.\n\n```\n{'code ' * 7000}\n```\n\n" for number in range(9)]
    read = 0

    def reading() -> Iterator[str]:
        nonlocal read
        for chunk in chunks:
            read += 1
            yield chunk

    checker, networks = make()
    blocks = checker.check(Document(reading(), "markdown"))
    assert next(blocks).findings
    assert 2 <= networks.widest <= 4
    assert read < 7
    assert sum(len(each.findings) for each in blocks) == 8


def test_long_sentences_go_in_small_batches() -> None:
    checker, networks = make()
    checker.check_text("\n\n".join(f"I was {'very ' * 40}busy on day {number}." for number in range(30)))
    assert networks.read >= 30
    assert networks.widest < 8
    checker.check_text("\n\n".join(f"I was busy on day {number}." for number in range(30)))
    assert networks.widest == 8


@pytest.mark.parametrize("rule", [replace_was, wild])
def test_findings_do_not_depend_on_the_workers(rule: Rule) -> None:
    text = " ".join(f"I was busy on day {number}, and {'so ' * (number % 7)}was I." for number in range(60))
    one, two = (make(rule, workers=workers)[0].check_text(text) for workers in (1, 3))
    assert one
    assert one == two


def test_threads_may_share_a_checker() -> None:
    pages = [" ".join(f"I was busy on day {(number + shift) % 40}." for number in range(30)) for shift in range(12)]
    expected = [make()[0].check_text(page) for page in pages]
    shared, _ = make(memory=12_000, workers=2)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(shared.check_text, pages)) == expected


def test_threads_may_share_exported_networks() -> None:
    shared = Corrector.from_pretrained(exported()[1], threads=1)
    text = "\n\n".join(texts(40))
    one, several = (Checker(shared, workers=workers).check_text(text) for workers in (1, 3))
    assert one
    assert one == several


def test_alternatives_fit_the_document() -> None:
    checker, _ = make(wild)
    found: list[Finding] = []
    for number in range(60):
        text = f"I *was* busy on\nday {number} , so `I` was late\nand *glad* ."
        for finding in checker.check_text(text, "markdown"):
            found.append(finding)
            assert text[finding.start : finding.end] == finding.before
            assert not any(set("*`\n") & set(each.after) - set(finding.before) for each in finding.alternatives)
    assert any(finding.alternatives for finding in found)


def test_a_checker_without_workers_is_refused() -> None:
    with pytest.raises(PermendError, match="workers must be at least 1, not 0"):
        make(workers=0)
    with pytest.raises(PermendError, match="batch must be at least 1, not 0"):
        make(batch=0)


def test_words_of_a_project_hold(tmp_path: Path) -> None:
    PersonalDictionary.load(tmp_path).add("was", project=True)
    checker, _ = make()
    assert checker.check_text("I was busy.", words=PersonalDictionary.load(tmp_path)) == []


def test_what_a_comment_dismisses_is_neither_read_nor_changed() -> None:
    checker, networks = make()
    text = "<!-- permend-ignore -->\nI was.\n\nI was. <!-- permend-ignore: so it is -->\n\n"
    assert checker.check_text(text, "markdown") == []
    assert corrected(checker, text, "markdown") == text
    assert networks.read == 0
    assert corrected(checker, f"{text}I was.\n", "markdown") == f"{text}I am.\n"


def test_the_first_findings_of_a_long_document_wait_for_few_sentences() -> None:
    checker, networks = make()
    text = "".join(f"I was busy on day {number}, and all was well with the rest of us.\n\n" for number in range(1_000))
    assert len(text) > 60_000
    blocks = checker.check(Document.from_text(text))
    assert next(blocks).findings
    assert networks.read < 100


def test_a_checker_travels_to_another_process_as_its_arguments() -> None:
    checker = Checker(Corrector(exported()[1], Options(beam=2), threads=1), workers=2, batch=3, memory=1000)
    text = " ".join(texts(5))
    before = checker.check_text(text)
    sent = pickle.dumps(checker)
    assert len(sent) < 2000, "neither weights nor sentences travel"
    there = pickle.loads(sent)
    assert there.check_text(text) == before
    assert pickle.dumps(there) == sent
    shared = Checker(checker.corrector, cache=EditCache(500))
    assert pickle.loads(pickle.dumps(shared)).check_text(text) == before
