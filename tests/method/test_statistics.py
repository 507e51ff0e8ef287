"""Counting labels over a corpus."""

from __future__ import annotations

from permend.method.label import Labeler, Statistics
from permend.text.tokens import WordTokenizer

PAIRS = [
    ("all is well", "all is well"),  # unchanged
    ("I be busy", "I am busy"),  # one insertion of one token
    ("b a c", "a b c"),  # one step back
    ("x home", "we would like to go home"),  # an insertion of five tokens, cut to three
]


def test_counts_and_histograms() -> None:
    labeler, statistics = Labeler(WordTokenizer()), Statistics()
    for source, target in PAIRS:
        statistics.add(labeler.label(source, target))
    assert statistics.as_dict() == {
        "pairs": 4,
        "unchanged": 0.25,
        "exact": 0.75,
        "losses": {"insertions_cut": 0.25, "slots_exceeded": 0.0, "spans_dropped": 0.0},
        "histograms": {
            "insertions": {"0": 2, "1": 2},
            "insertion_lengths": {"1": 1, "3": 1},
            "edits": {"0": 1, "1": 2, "3": 1},
            "reorderings": {"0": 3, "1": 1},
        },
    }
