"""What the text itself shows to be wrong is mended with a smaller margin, and nothing else is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from permend import Corrector, Options
from permend.cli.loading import with_given
from permend.corrector.explaining.language import load_language
from permend.corrector.slips import mend_slips
from permend.text.edits import apply, diff


def mended(source: str, target: str, language: str = "en") -> str:
    return apply(source, mend_slips(source, diff(source, target), load_language(language)))


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("We recieved it on time.", "We received it on time."),
        ("Recieving mail is nice.", "Receiving mail is nice."),
        ("I like it alot.", "I like it a lot."),
        ("You can stay as longas you like.", "You can stay as long as you like."),
        ("Put it to gether now.", "Put it together now."),
        ("They dont know, Im late.", "They don't know, I'm late."),
        ("A well-knwon man.", "A well-known man."),
        ("We met at at noon.", "We met at noon."),
        ("Thanks for your for your help.", "Thanks for your help."),
        ("The the cat sat.", "The cat sat."),
        ("Buy milk,eggs and ham.", "Buy milk, eggs and ham."),
        ("It ended.The rest is known.", "It ended. The rest is known."),
        ("Is this taken ?", "Is this taken?"),
        ("The shop ( near here) is shut.", "The shop (near here) is shut."),
    ],
)
def test_slips_are_known(source: str, target: str) -> None:
    assert mended(source, target) == target


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("He go home.", "He goes home."),
        ("When it rains we stay.", "When it rains, we stay."),
        ("Its late.", "It's late."),
        ("We met Krzysztof there.", "We met Christopher there."),
        ("Open theh house.", "Open the home."),
        ("It occured to me.", "It occurred, to me."),
        ("Some one left.", "Someone left."),
        ("It was all right.", "It was alright."),
        ("I know that that is so.", "I know that is so."),
        ("Use node.js for it.", "Use node. js for it."),
        ("A very very long day.", "A very long, very hot day."),
    ],
)
def test_what_may_be_meant_so_is_no_slip(source: str, target: str) -> None:
    assert mended(source, target) == source


def test_a_language_without_a_word_list_has_none() -> None:
    assert mended("We recieved it.", "We received it.", "xx") == "We recieved it."


def test_below_the_margin_slips_alone_are_mended() -> None:
    source = "She go to school, and we recieved alot of mail."
    corrector = Corrector()
    free = replace(corrector.options, min_margin=0.0, slip_margin=None)
    whole = Corrector(options=free).correct(source)
    assert "goes" in whole.text or "went" in whole.text
    high = replace(free, min_margin=whole.margin + 1)
    assert Corrector(options=high).correct(source).text == source
    some = Corrector(options=replace(high, slip_margin=whole.margin - 1)).correct(source)
    assert some.text == "She go to school, and we received a lot of mail."
    assert set(some.edits) < set(whole.edits), "as sure, typed and explained as ever"
    assert Corrector(options=replace(high, slip_margin=whole.margin + 1)).correct(source).text == source


def test_the_least_margin_is_the_smaller_one() -> None:
    assert Options(min_margin=2.0).least_margin == 2.0
    assert Options(min_margin=2.0, slip_margin=0.5).least_margin == 0.5
    assert Options(min_margin=0.0, slip_margin=0.5).least_margin == 0.0
    with pytest.raises(ValueError, match="slip_margin must be a number"):
        Options(slip_margin=float("nan"))


def test_a_margin_on_the_command_line_holds_for_slips_too() -> None:
    options = Options(min_margin=2.0, slip_margin=0.5)
    assert with_given(options, {"min_margin": 9.0}).least_margin == 9.0
    assert with_given(options, {"min_confidence": 0.5}).least_margin == 0.5
