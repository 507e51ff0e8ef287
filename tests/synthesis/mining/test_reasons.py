"""Reasons: what changes content or style is left out, what mends an error is not."""

from __future__ import annotations

import pytest

from permend.synthesis.mining.gain import least_gain
from permend.synthesis.mining.reasons import REASONS, Look

MENDED = [
    ("The servers is down every monday.", "The servers are down every Monday."),
    ("Their going to the store accept for John.", "They're going to the store except for John."),
    ("You dont need to restart the server.", "You don't need to restart the server."),
    ("It's colour is a shade of red.", "Its colour is a shade of red."),
    ("This allows to read the whole file.", "This allows you to read the whole file."),
    ("Kuberntes starts the new container then.", "Kubernetes starts the new container then."),
    ("We ship it to to every customer.", "We ship it to every customer."),
    ("It works every where in the house.", "It works everywhere in the house."),
    ("Click on it , and the window closes.", "Click on it, and the window closes."),
    ("the window closes when you click.", "The window closes when you click."),
]


@pytest.mark.parametrize(("source", "target"), MENDED)
def test_corrections_stay(source: str, target: str) -> None:
    reason, types = Look()(source, target)
    assert reason is None
    assert types


@pytest.mark.parametrize(
    ("reason", "source", "target"),
    [
        ("length", "Old headings here", "Old heading here"),
        ("signs", "a = b; c = d; e => f; (g)", "a = b; c = d; e => f; (h)"),
        (
            "foreign",
            "Der Hund geht in den Wald und er ist nicht froh.",
            "Der Hund ging in den Wald und er ist nicht froh.",
        ),
        ("foreign", "Mradi wako uko hapa kwa ajili ya watu.", "Mradi wako uko hapa kwa ajili ya mtu."),
        ("foreign", "一些 專案 來說 README Python 很好", "一些 專案 來說 READMES Python 很好"),
        ("rewritten", "The old shop opens at noon on most days.", "A new store closes at midnight in some weeks."),
        ("numbers", "It takes about 20 minutes to build.", "It takes about 25 minutes to build."),
        ("code", "Write the key/value into the file.", "Write the key and value into the file."),
        ("names", "Ask Martin before you restart the server.", "Ask Susan before you restart the server."),
        ("names", "Ask us on the list before that.", "Ask us on the Discord list before that."),
        ("stop", "Restart the server in the cellar", "Restart the server in the cellar."),
        ("variant", "Choose the colour of the new window.", "Choose the color of the new window."),
        ("variant", "Whilst it runs, you can have tea.", "While it runs, you can have tea."),
        ("contraction", "You do not need to restart the server.", "You don't need to restart the server."),
        ("contraction", "It's not there on the next day.", "It is not there on the next day."),
        ("person", "We can now restart the server safely.", "You can now restart the server safely."),
    ],
)
def test_what_is_no_correction_has_a_reason_and_may_be_kept(reason: str, source: str, target: str) -> None:
    assert Look()(source, target)[0] == reason
    assert Look()(target, source)[0] == reason
    assert Look(kept=tuple(REASONS))(source, target)[0] is None


def test_typographic_apostrophes_are_seen_as_straight_ones() -> None:
    assert Look()("You do not need to restart it.", "You don’t need to restart it.")[0] == "contraction"


def test_the_limits_of_a_correction_can_be_set() -> None:
    pair = "He go to school and he like it.", "He goes to school and he likes it."
    assert Look()(*pair)[0] is None
    assert Look(most_edits=1)(*pair)[0] == "rewritten"


def test_matters_of_taste_must_gain_more_and_mending_commits_less() -> None:
    kinds = (["R:SPELL"], ["M:PUNCT"], ["R:OTHER"])
    assert sorted(least_gain(kind, mending=False) for kind in kinds) == [least_gain(k, mending=False) for k in kinds]
    assert all(least_gain(kind, mending=True) <= least_gain(kind, mending=False) for kind in kinds)
    assert least_gain(["R:SPELL", "R:NOUN"], mending=True) == least_gain(["R:NOUN"], mending=True)
