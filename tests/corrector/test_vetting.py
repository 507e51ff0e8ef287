"""No correction leaves what would startle its reader: half words, unknown words, a word twice, an empty clause."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

import pytest

from permend import Corrector
from permend.corrector.correction import Correction, ScoredEdit
from permend.corrector.explaining.en.words import carries_meaning, is_word
from permend.corrector.explaining.language import load_language
from permend.corrector.vetting import instead, sound_edits
from permend.documents import Document
from permend.text.edits import Edit, apply, diff

ROOT = Path(__file__).parents[2]
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
CLAUSE_END = re.compile(r"[.,;:!?()\[\]{}\"“”«»—–]|\s-\s")


def kept(source: str, target: str, *known: str) -> str:
    """Return what becomes of a source when only sound edits of a target are made."""
    language = load_language("en").and_words(lambda word: word in known)
    return apply(source, sound_edits(source, diff(source, target), language))


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("Who's bag is it?", "Wh bag is it?"),
        ("I have alot of homework.", "I have a of homework."),
        ("I think its ok.", "I think it's."),
        ("Recieving mail is nice.", "Receving mail is nice."),
        ("The teh cat sat.", "The the cat sat."),
        ("The cmdlet runs.", "The complete runs."),
        ("The cmdlets run.", "The clets run."),
        ("We met Zyxwart there.", "We met there."),
        ("It was used by used parts.", "It was used used parts."),
        ("It is cold, but we stay.", "It is, but we stay."),
        ("My cousin (the tall one ) plays.", 'My cousin (the tall one" plays.'),
        ("She said (in a letter) no.", "She said (in a letter no."),
        ('He asked "why" again.', 'He asked why" again.'),
    ],
)
def test_what_would_startle_is_withheld(source: str, target: str) -> None:
    assert kept(source, target) == source


def _correction(source: str, edits: list[Edit], withheld: list[Edit]) -> Correction:
    scored, left_out = (
        tuple(ScoredEdit(each.start, each.end, each.before, each.after, 0.9) for each in some)
        for some in (edits, withheld)
    )
    return Correction(source, apply(source, edits), scored, (), 1.0, left_out)


def test_what_was_withheld_is_mended_in_another_way_and_the_rest_stays() -> None:
    source = "He like very much this song, and they sings."
    likes, sing = Edit(3, 7, "like", "likes"), Edit(38, 43, "sings", "sing")
    lossy = [Edit(8, 8, "", "this "), Edit(17, 27, " this song", "")]
    first = _correction(source, [likes, sing], lossy)
    other = [Edit(8, 8, "", "this song "), Edit(17, 27, " this song", ""), Edit(33, 37, "they", "we")]
    both = instead(first, _correction(source, other, []))
    assert both.text == "He likes this song very much, and they sing."
    assert not both.withheld


@pytest.mark.parametrize("mode", ["balanced", "thorough"])
def test_no_word_is_lost_in_a_move(mode: str) -> None:
    moved = {
        "I like very much this song.": "I like this song very much.",
        "She speaks very well English.": "She speaks English very well.",
        "He plays very well the guitar.": "He plays the guitar very well.",
        "I drink every day coffee.": "I drink coffee every day.",
    }
    assert [each.text for each in Corrector(mode=mode).correct_all(moved)] == list(moved.values())


@pytest.mark.parametrize("mode", ["balanced", "thorough"])
def test_where_the_best_hypothesis_would_startle_the_next_one_is_asked(mode: str) -> None:
    correction = Corrector(mode=mode).correct("He don't has no money.")
    assert correction.text == "He has no money."
    assert [edit.after for edit in correction.withheld] == ["hasn't have any"]


@pytest.mark.parametrize(
    ("source", "target", "kept"),
    [
        ("He don't has it.", "He hasn't have it.", "He don't has it."),
        ("She not have it.", "She doesn't has it.", "She not have it."),
        ("She doesn't has it.", "She doesn't have it.", "She doesn't have it."),
        ("It hasn't have legs and I hasn't have time.", "It hasn't have legs and I hasn't have times.", "…times."),
    ],
)
def test_no_two_words_come_together_that_no_sentence_has(source: str, target: str, kept: str) -> None:
    sound = sound_edits(source, diff(source, target), load_language("en"))
    assert apply(source, sound) == (target if kept.startswith("…") else kept)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("I have alot of homeworks.", "I have a lot of homework."),
        ("I think its ok.", "I think it's ok."),
        ("Recieving mail is nice.", "Receiving mail is nice."),
        ("He catched the ball and runned.", "He caught the ball and ran."),
        ("She dont know becouse of teh enviroment.", "She doesn't know because of the environment."),
        ("He had have it.", "He had had it."),
        ("They use facebook and an iphone.", "They use Facebook and an iPhone."),
        ("In the 1990 they was ten.", "In the 1990s, they were ten."),
        ("I like very much this song.", "I like this song very much."),
        ("The the cat sat sat.", "The cat sat."),
        ("She is a well known writer.", "She is a well-known writer."),
        ("the Zyxwart factory is old", "The Zyxwart factory is old."),
        ("He is realy really tall.", "He is really tall."),
        ("My cousin (the tall one ) plays.", "My cousin (the tall one) plays."),
        ("The tall one) plays.", "The tall one plays."),
        ("He said (loudly no.", "He said (loudly) no."),
        ("He said (no).", "He said no."),
        ('He said "no".', "He said (no)."),
    ],
)
def test_good_corrections_stay(source: str, target: str) -> None:
    assert kept(source, target) == target


def test_the_other_edits_of_a_sentence_stay() -> None:
    assert kept("Who's bag are it?", "Wh bag is it?") == "Who's bag is it?"


def test_words_of_the_text_and_of_the_writer_are_words() -> None:
    assert kept("Zyxwart is here. I love Zyxwert.", "Zyxwart is here. I love Zyxwart.").endswith("love Zyxwart.")
    assert kept("I love Zyxwert.", "I love Zyxwart.") == "I love Zyxwert."
    assert kept("I love Zyxwert.", "I love Zyxwart.", "Zyxwart") == "I love Zyxwart."


def test_a_language_without_a_word_list_is_not_vetted() -> None:
    source, target = "Who's bag is it?", "Wh bag is it?"
    for code in ("", "de"):
        language = load_language(code)
        assert language.vocabulary is None
        assert sound_edits(source, diff(source, target), language) == diff(source, target)


@pytest.mark.parametrize("word", "don't Who's o'clock 10th I'm well-known Ann’s async GitHub café OK".split())
def test_what_readers_know_is_a_word(word: str) -> None:
    assert is_word(word)


@pytest.mark.parametrize("word", "dont wh teh recieve alot thier definately s' qwrt".split())
def test_what_nobody_knows_is_none(word: str) -> None:
    assert not is_word(word.strip("'")) or not is_word(word)


def test_function_words_carry_no_meaning() -> None:
    assert not any(map(carries_meaning, "the a of to it it's is are been have and very who".split()))
    assert all(map(carries_meaning, "house ran green quickly Zyxwart ok".split()))


@cache
def sentences() -> list[str]:
    """Return sentences of our own pages and tests, with slips in them: as hostile a sample as we can write."""
    chance = random.Random(7)
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    prose = [each.prose for page in pages for each in Document.from_text(page.read_text(), "markdown").sentences]
    whole = [text for text in dict.fromkeys(prose) if 20 < len(text) < 200]
    return [_slip(text, chance) for text in chance.sample(whole, 250)]


def _slip(text: str, chance: random.Random) -> str:
    words = text.split(" ")
    for place in chance.sample(range(len(words)), min(2, len(words))):
        word = words[place]
        at = chance.randrange(len(word) or 1)
        words[place] = chance.choice(
            [
                word[:at] + word[at + 1 :],
                word[:at] + word[at : at + 1] * 2 + word[at + 1 :],
                word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :],
                word.replace("'", ""),
                f"{word} {word}",
                f"{word}s",
                word + (words[place + 1] if place + 1 < len(words) else ""),
            ]
        )
    return " ".join(words)


@pytest.mark.parametrize("mode", ["balanced", "thorough"])
def test_over_a_large_sample_nothing_startling_is_ever_offered(mode: str) -> None:
    changed = 0
    for correction in Corrector(mode=mode).correct_batch(sentences()):
        written = {word.lower() for word in WORD.findall(correction.source)}
        changed += bool(correction.edits)
        strange = [word for word in WORD.findall(correction.text) if word.lower() not in written and not is_word(word)]
        assert not strange, (correction.source, correction.text)
        assert _doubled(correction.text) <= _doubled(correction.source), (correction.source, correction.text)
        for edit in correction.edits:
            for other in edit.alternatives:
                left, right = correction.source[: edit.start], correction.source[edit.end :]
                new = [word for word in WORD.findall(left + other.after + right) if word.lower() not in written]
                assert all(map(is_word, new)), (edit, other)
    assert changed > 30, "the sample shows something"


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_proposed_nothing_startling_is_offered(seed: int) -> None:
    chance, language, offered = random.Random(seed), load_language("en"), 0
    for text in sentences() * 5:
        sound = sound_edits(text, _proposals(text, chance), language)
        offered += len(sound)
        result, written = apply(text, sound), {word.lower() for word in WORD.findall(text)}
        assert all(word.lower() in written or is_word(word) for word in WORD.findall(result)), (text, result)
        assert _doubled(result) <= _doubled(text), (text, result)
        clauses = [[WORD.findall(clause) for clause in CLAUSE_END.split(each)] for each in (text, result)]
        for before, after in zip(*clauses, strict=True):
            shorter_by_meaning = any(map(carries_meaning, before)) and len(after) < len(before)
            assert not shorter_by_meaning or any(map(carries_meaning, after)), (text, result)
    assert offered > 500, "not everything falls"


def _proposals(text: str, chance: random.Random) -> list[Edit]:
    """Return edits of words as no network should propose them: halves, other words, nothing at all."""
    words = list(WORD.finditer(text))
    edits = []
    for word in sorted(chance.sample(words, min(len(words), chance.randint(1, 4))), key=lambda each: each.start()):
        before, other = word.group(), chance.choice(words).group()
        at = chance.randrange(len(before) + 1)
        halves = before[:at], before[at:], f"{before[:at]} {before[at:]}".strip(), before + before[-1]
        after = chance.choice([*halves, "", "", other, "the", "house", "is", before.lower()])
        end = word.end() + (not after and text.startswith(" ", word.end()))
        edits.append(Edit(word.start(), end, text[word.start() : end], after))
    return [edit for edit in edits if edit.before != edit.after]


def test_one_word_that_stood_twice_allows_no_other() -> None:
    assert kept("In a box's box's lid.", "In a a box's lid.") == "In a box's box's lid."
    assert kept("The the cat saw a dog.", "The the cat saw a a dog.") == "The the cat saw a dog."


def test_edits_that_empty_a_clause_together_fall() -> None:
    assert kept("The answers stay; there are fewer alternatives.", "The answers stay; there are the.").endswith(
        "there are fewer alternatives."
    )
    source = "Known gaps: word choice."
    edits = [Edit(0, 6, "Known ", ""), Edit(6, 10, "gaps", "the")]
    assert sound_edits(source, edits, load_language("en")) == []


def _doubled(text: str) -> int:
    return len(re.findall(r"(?<!['’])\b((?!had\b|that\b)[^\W_]+)\s+\1\b", text.lower()))


def test_edits_of_contractions_are_whole_words() -> None:
    for source, target in (("I don't know.", "I didn't know."), ("Its mine, isnt it?", "It's mine, isn't it?")):
        for edit in diff(source, target):
            assert WORD.fullmatch(edit.before), edit
            assert WORD.fullmatch(edit.after), edit


def test_vetting_can_be_switched_off() -> None:
    import dataclasses

    corrector = Corrector()
    assert corrector.correct("The teh cat sat.").withheld
    corrector.options = dataclasses.replace(corrector.options, vetted=False)
    assert corrector.correct("The teh cat sat.").text != "The teh cat sat."
