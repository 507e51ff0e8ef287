"""Many clients' sentences: everybody gets their own answers, takes turns, and can leave."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import pytest

from permend.corrector.correction import Correction
from permend.corrector.corrector import Corrector
from permend.documents.checker import BATCH, Checker
from permend.serving.batching import Batcher, OutOfTimeError, Ticket, Withdrawn
from tests.corrector.test_corrector import TOKENIZER, HandMade, replace_was


class Recorder:
    """A corrector that waits for a gate, and remembers its batches."""

    options = "as it is"

    def __init__(self) -> None:
        self.gate, self.reached = threading.Event(), threading.Event()
        self.batches: list[list[str]] = []

    def correct_batch(self, texts: Sequence[str], batch_size: int, known: Any = None) -> list[Correction]:
        self.reached.set()
        assert self.gate.wait(60)
        self.batches.append(list(texts))
        if "fail" in texts:
            raise ValueError("this one fails")
        return [Correction.blank(text) for text in texts]


@pytest.fixture
def batcher() -> Iterator[Batcher]:
    """Return a batcher with one thread."""
    found = Batcher()
    yield found
    found.close()


def ticket(batcher: Batcher, corrector: Recorder | Corrector, seconds: float = 60) -> Ticket:
    return Ticket(batcher, cast(Corrector, corrector), time.monotonic() + seconds)


def until(condition: Any) -> None:
    """Wait for something that is sure to happen."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)


@pytest.mark.parametrize("threads", [1, 3])
def test_everybody_gets_the_answers_that_they_would_get_alone(threads: int) -> None:
    corrector = Corrector.of(HandMade(replace_was), TOKENIZER)
    texts = [[f"I was {'busy ' * number}today .", "She went home ."][: 1 + number % 2] for number in range(24)]
    batcher = Batcher(threads)
    try:
        with ThreadPoolExecutor(24) as pool:
            answers = list(pool.map(lambda some: ticket(batcher, corrector).correct_batch(some), texts))
    finally:
        batcher.close()
    alone = [[corrector.correct(text) for text in some] for some in texts]
    assert [[(each.source, each.text) for each in some] for some in answers] == [
        [(each.source, each.text) for each in some] for some in alone
    ]


def test_a_ticket_is_all_that_a_checker_needs(batcher: Batcher) -> None:
    corrector = Corrector.of(HandMade(replace_was), TOKENIZER)
    text = "I was busy today. They went home. I was late."
    assert Checker(ticket(batcher, corrector)).check_text(text) == Checker(corrector).check_text(text) != []


def test_sentences_of_several_clients_go_together_and_a_short_text_does_not_wait_for_a_long_one(
    batcher: Batcher,
) -> None:
    recorder = Recorder()
    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(ticket(batcher, recorder).correct_batch, ["first"])
        assert recorder.reached.wait(60)
        novel = pool.submit(ticket(batcher, recorder).correct_batch, [f"novel {place}" for place in range(40)])
        until(lambda: batcher.waiting == 40)
        short = pool.submit(ticket(batcher, recorder).correct_batch, ["short"])
        until(lambda: batcher.waiting == 41)
        recorder.gate.set()
        assert [len(each.result(60)) for each in (first, novel, short)] == [1, 40, 1]
    assert "short" in recorder.batches[1]
    assert len(recorder.batches[1]) == BATCH


def test_personal_words_of_one_do_not_decide_for_another(batcher: Batcher) -> None:
    recorder = Recorder()
    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(ticket(batcher, recorder).correct_batch, ["first"])
        assert recorder.reached.wait(60)
        mine = pool.submit(ticket(batcher, recorder).correct_batch, ["mine", "mine too"], BATCH, str.isupper)
        until(lambda: batcher.waiting == 2)
        other = pool.submit(ticket(batcher, recorder).correct_batch, ["other"])
        until(lambda: batcher.waiting == 3)
        recorder.gate.set()
        for each in (first, mine, other):
            each.result(60)
    assert sorted(map(sorted, recorder.batches)) == [["first"], ["mine", "mine too"], ["other"]]


def test_who_leaves_frees_what_was_still_to_be_done(batcher: Batcher) -> None:
    recorder = Recorder()
    with ThreadPoolExecutor(2) as pool:
        leaving = ticket(batcher, recorder)
        waiting = pool.submit(leaving.correct_batch, [f"sentence {place}" for place in range(100)])
        assert recorder.reached.wait(60)
        leaving.cancel()
        with pytest.raises(Withdrawn):
            waiting.result(60)
        assert batcher.waiting == 0
        recorder.gate.set()
        assert len(ticket(batcher, recorder).correct_batch(["another"])) == 1
    assert sum(map(len, recorder.batches)) <= BATCH + 1
    with pytest.raises(Withdrawn):
        leaving.correct_batch(["again"])


def test_an_answer_that_takes_too_long_is_given_up(batcher: Batcher) -> None:
    recorder = Recorder()
    with pytest.raises(OutOfTimeError, match="asking again goes faster"):
        ticket(batcher, recorder, 0.01).correct_batch(["a", "b", "c"])
    assert batcher.waiting == 0
    recorder.gate.set()


def test_an_error_reaches_whom_it_concerns_and_the_others_go_on(batcher: Batcher) -> None:
    recorder = Recorder()
    recorder.gate.set()
    with pytest.raises(ValueError, match="this one fails"):
        ticket(batcher, recorder).correct_batch(["fail"])
    assert len(ticket(batcher, recorder).correct_batch(["another"])) == 1


def test_while_cores_are_idle_one_clients_sentences_use_all_of_them() -> None:
    recorder, batcher = Recorder(), Batcher(2)
    try:
        until(lambda: batcher._idle == 2)
        with ThreadPoolExecutor(1) as pool:
            work = pool.submit(ticket(batcher, recorder).correct_batch, [f"sentence {place}" for place in range(8)])
            until(lambda: batcher.waiting == 0)
            recorder.gate.set()
            work.result(60)
        assert sorted(map(len, recorder.batches)) == [4, 4]
    finally:
        batcher.close()


def test_when_it_is_closed_nobody_waits_for_ever() -> None:
    recorder, batcher = Recorder(), Batcher()
    with ThreadPoolExecutor(2) as pool:
        working = pool.submit(ticket(batcher, recorder).correct_batch, ["under way"])
        assert recorder.reached.wait(60)
        waiting = pool.submit(ticket(batcher, recorder).correct_batch, ["in the queue"])
        until(lambda: batcher.waiting == 1)
        closing = threading.Thread(target=batcher.close)
        closing.start()
        with pytest.raises(Withdrawn):
            waiting.result(60)
        recorder.gate.set()
        assert len(working.result(60)) == 1
        closing.join(60)
    with pytest.raises(Withdrawn):
        ticket(batcher, recorder).correct_batch(["too late"])
