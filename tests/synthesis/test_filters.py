"""What is no good target is dropped, with the reason; good sentences stay, and each comes once."""

from __future__ import annotations

import random

import pytest

from permend.synthesis.targets import REASONS, Judge, Seen, join_some, split_sentences

KNOWN = frozenset("we was it the a late home went so that had been very and they said he then again not come".split())


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("It was late, so we went home.", None),
        ('"It was late," he said, "and we went home."', None),
        ("He said that it had had an effect (on us).", None),
        ("In 1999 the U.S. team paid $3.5 million.", None),
        ("Not again!", "too short"),
        ("It was late and " * 20 + "we went home.", "too long"),
        ("and then we went home.", "no capital"),
        ("The late home of the king", "no end"),
        ("He went to the U.S.", "cut"),
        ("See https://example.org for the details.", "markup"),
        ("It was <b>late</b> and we went.", "markup"),
        ("It was late , so we went home.", "spaces"),
        ("It was late,so we went home.", "spaces"),
        ('He said that " it was late.', "spaces"),
        ("He said (again that it was late.", "unbalanced"),
        ("It was the the last home.", "twice"),
        ("It was 1999 and 2000 and 2001 and 2002.", "digits"),
        ("Well: yes; no; or -- not: so; it...", "punctuation"),
        ("THE LATE HOME was so NICE AND WARM.", "capitals"),
        ("The Late Home of the Very Old Man Again.", "capitals"),
        ("Der alte mann ging langsam durch den wald.", "foreign"),
    ],
)
def test_reasons(sentence: str, reason: str | None) -> None:
    known = KNOWN | {"of", "team", "paid", "million", "on", "us", "effect", "an", "details", "for"}
    assert Judge(known=known)(sentence) == reason
    assert reason is None or reason in REASONS


def test_paragraphs_are_split_and_some_sentences_stay_together() -> None:
    sentences = split_sentences("Mr. Hill came at 5 p.m. yesterday. It was late! We went home.")
    assert sentences == ["Mr. Hill came at 5 p.m. yesterday.", "It was late!", "We went home."]
    assert list(join_some(sentences, 0.0, random.Random(0))) == sentences
    assert list(join_some(sentences, 1.0, random.Random(0))) == [" ".join(sentences[:2]), sentences[2]]


def test_repetitions_are_found_in_memory_that_does_not_grow() -> None:
    seen = Seen(capacity=5000)
    size = len(seen._bits)
    new = [seen.add(f"Sentence number {i}.") for i in range(5000)]
    assert sum(new) < 50
    assert all(seen.add(f"sentence NUMBER {i}") for i in range(5000))
    assert len(seen._bits) == size
