"""The model that is installed with permend: what it must correct, and what it must leave alone."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner

from permend import Corrector
from permend.cli.main import main
from permend.documents.checker import Checker
from permend.text.edits import apply
from permend.training.correction.recipe import make_recipe
from permend.training.correction.start import make_network, tokenizer_of

MODEL = Path(str(files("permend"))) / "data" / "model"
MODES = ("thorough", "balanced", "precise")

WRONG = {
    "He go to school yesterday.": {"He went to school yesterday."},
    "I has been waiting for two hours.": {"I have been waiting for two hours.", "I had been waiting for two hours."},
    "Anna and Mike is going skiing.": {"Anna and Mike are going skiing."},
    "She have many informations about it.": {
        "She has much information about it.",
        "She has a lot of information about it.",
        "She has lots of information about it.",
        "She has information about it.",
    },
    "I am agree with you.": {"I agree with you."},
    "He is more taller than me.": {"He is taller than me."},
    "I look forward to meet you.": {"I look forward to meeting you."},
    "Their are three book on the table.": {"There are three books on the table."},
}
RIGHT = (
    "On 3 May 2019, Dr Amara Okafor moved from Lagos to Zürich with her two sons.",
    '"I never said that," she replied, "and you know it."',
    "The train – the last one that night – left at 23:47 from platform 9.",
    "Mr. O'Connor paid $1,250.75 for the painting, not €900.",
    "Between 1990 and 2005, the population grew by 12.5% a year.",
    "'Thank you,' said Mrs. Bell, 'for everything that you have done for us.'",
    "My brother-in-law, who lives in New York, is a well-known architect.",
    "Read chapters 3–5 before Tuesday's class; the others can wait.",
    "If it rains tomorrow, we will stay at home and play chess.",
    "Neither of the two answers was right, so nobody won the prize.",
)


@cache
def corrector(mode: str | None = None) -> Corrector:
    return Corrector(mode=mode)


@pytest.mark.parametrize("sentence", WRONG)
def test_everyday_errors_are_corrected_by_default(sentence: str) -> None:
    assert corrector().correct(sentence).text in WRONG[sentence]


@pytest.mark.parametrize(
    ("sentence", "right"),
    [
        ("Their going two the store accept for John.", "They're going to the store except for John."),
        ("Its to late too change you're mind.", "It's too late to change your mind."),
        ("The informations are useful.", "The information is useful."),
    ],
)
def test_what_users_miss_in_other_tools_is_corrected_by_default(sentence: str, right: str) -> None:
    assert corrector().correct(sentence).text == right


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("sentence", RIGHT)
def test_well_formed_sentences_stay_as_they_are(sentence: str, mode: str) -> None:
    assert corrector(mode).correct(sentence).text == sentence


PAGE = """# permend

permend corrects English on your own machine: run `permend correct`. Nothing leaves it, and permend keeps nothing.

- findings while you type
- pointing at a finding tells why

| setting | |
|---|---|
| `mode` | leave out what is less probable than this |
| `fix` | correct everything when a document is saved |
"""


@pytest.mark.parametrize("mode", MODES)
def test_cells_items_and_names_of_a_page_keep_their_small_letters(mode: str) -> None:
    assert Checker(corrector(mode)).check_text(PAGE, "markdown") == []


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("she dont like coffee but she like tea", "She doesn't like coffee but she likes tea."),
        ("i think its fine", "I think it's fine."),
        ("my brother go to school every day", "My brother goes to school every day."),
        ("small, fast, no network", "small, fast, no network"),
    ],
)
def test_lines_that_are_sentences_get_capitals_without_a_full_stop(line: str, right: str) -> None:
    assert apply(line, Checker(corrector()).check_text(line)) == right


def test_a_second_reading_can_be_had_in_any_mode_and_done_without_in_thorough() -> None:
    sentence = "Last week I have bought a new car who is very more faster than the old."
    for arguments, wanted in (
        (["--readings", "2"], "Last week I bought a new car which is very faster than the old."),
        (
            ["--mode", "thorough", "--readings", "1"],
            "Last week I bought a new car which is very more faster than the old.",
        ),
    ):
        assert CliRunner().invoke(main, ["correct", *arguments, sentence]).output.strip() == wanted


def test_explaining_a_mode_that_reads_twice_says_so() -> None:
    for mode, said in (("thorough", True), ("balanced", False)):
        shown = CliRunner().invoke(main, ["explain", "--mode", mode, "He go to school yesterday."])
        assert shown.exit_code == 0, shown.output
        assert ("this was the first reading" in " ".join(shown.output.split())) == said


def test_it_can_be_trained_on() -> None:
    """Users have pairs of their own, and nothing but this folder."""
    network = make_network(make_recipe({}, ["model.start=installed"]).model, 1)
    assert network.training
    assert (network.config.d, network.config.slots) == (512, 8)
    assert tokenizer_of(network).size == network.config.tokenizer_size


def test_the_model_fits_into_the_package() -> None:
    assert sum(path.stat().st_size for path in MODEL.rglob("*") if path.is_file()) <= 72_000_000


def test_info_shows_what_it_is_and_under_which_terms() -> None:
    shown = CliRunner().invoke(main, ["info"]).output
    for fact in ("permend-en", "non-commercial", "Write & Improve", *MODES):
        assert fact in shown


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "Он пошёл в школу вчера.",
        "彼は昨日学校に行きました。",
        "a\x00b\x07c",
        "🙂🙂🙂",
        "x" * 5000,
    ],
)
def test_what_is_no_english_sentence_comes_back_unharmed(text: str) -> None:
    assert corrector().correct(text).text == text


def test_a_line_of_a_hundred_thousand_characters_is_corrected_to_its_end() -> None:
    sentence = "I like the small house on the hill near the old church. "
    line = sentence * 1785 + "He go to school yesterday."
    assert len(line) > 99_000
    assert corrector().correct(line).text == sentence * 1785 + "He went to school yesterday."
