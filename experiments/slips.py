"""Slips of writers who know better, made in clean sentences one at a time: what error models show too seldom.

Run: python -m experiments.slips SENTENCES --misspellings LIST... --each 3000 -o data/slips.tsv

In: clean sentences, one a line, and lists of misspellings (`permend.synthesis.spelling` says in which forms).
Out: pairs (TSV), at most `--each` of every kind:

    apostrophe   don't → dont, I'm → Im          doubled     the → the the, for your → for your for your
    joined       at least → atleast              split       someone → some one, together → to gether
    spaces       milk, eggs → milk,eggs; ready? → ready ?
    first        a misspelling in the first word misspelt    one in any other
    article      an hour → a hour                agreement   the list of names is → the list of names are
    participle   has gone → has went             base        did you go → did you went, can speak → can speaks
    opening      When it rains, we → When it rains we
    confused     their → there, your → you're, than → then

A sentence serves once, and the same files give the same pairs. Verb forms want the `synth` extra.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import click

from experiments.everyday import confuse
from permend.corpora.lines import read_lines
from permend.corpora.pairs import Pair
from permend.synthesis.error_model import ErrorModel
from permend.synthesis.spelling import LetterNoise, read_misspellings

Change = Callable[[str, random.Random], str | None]
"""A sentence in, the sentence with a slip out; None where that slip cannot be made."""

_WORDS = range(3, 31)
_CONTRACTED = re.compile(
    r"\b[A-Za-z]+(?:n't|'(?:m|re|ve|ll|d)|(?<=[Ii]t)'s|(?<=hat)'s|(?<=ere)'s|(?<=[Hh]e)'s|(?<=et)'s)\b"
)
_POSSESSIVE = re.compile(r"\b[a-z]{3,}'s(?= [a-z])")
_LITTLE = frozenset(
    "a an and are as at be been but by can could do for from had has have he her him his i if in is it its me my not "
    "of on or our she so some that the their them there these they this to up was we were what when which who will "
    "with would you your".split()
)
_FAST = frozenset(
    "a all an and any as at be by each even every for in is it may my no of on or other so some thank the to up "
    "with".split()
)
"""Words that fingers run together with their neighbours."""
_LETTERS = re.compile(r"[A-Za-z]+")
_TWO = re.compile(r"(?<![\w'-])(?=([A-Za-z][a-z]* [a-z]+)\b(?!'))")
"""Two words, also where the second is the first of other two."""
_MARK = re.compile(r"(?<=[a-z])([,;:]) (?=[a-z])|(?<=[a-z]{2})([.!?]) (?=[A-Z][a-z])")
_LAST_MARK = re.compile(r"(?<=[a-z])(?=[.!?]$|[,;:] [a-z])")
_INSIDE = re.compile(r"(?<= [(\"])(?=[A-Za-z])|(?<=[a-z])(?=\))")
_ARTICLE = re.compile(r"\b(?:[Aa]|[Aa]n)(?= [A-Za-z])")
_NOUN_THEN_VERB = re.compile(
    r"\b(?:of|in|with|to|from|at|on|for|behind|near|like|about|between|who|that|which)\b(?: [\w'-]+){1,5} "
    r"(?P<verb>is|are|was|were|has|have|does|do|isn't|aren't|wasn't|weren't|hasn't|haven't|doesn't|don't)\b"
)
_THERE = re.compile(r"\b(?:[Tt]here|[Hh]ere) (?P<verb>is|are|was|were|has|have)\b(?! been)")
_EACH = re.compile(
    r"\b(?:[Ee]ach|[Ee]very one|[Oo]ne|[Nn]either|[Ee]ither|[Nn]one) of (?:[\w'-]+ ){1,4}(?P<verb>is|was|has|[a-z]+s)\b"
    r"|\b(?:[Ee]veryone|[Ee]verybody|[Nn]obody|[Ss]omeone|[Nn]o one) (?P<verb2>is|was|has|[a-z]+s)\b"
    r"|\b(?:[Ss]he|[Hh]e|[Ii]t|who|which|that) (?P<verb3>[a-z]+s|doesn't)\b"
    r"|\b(?:[Tt]hey|[Ww]e|[Yy]ou|people|children) (?P<verb4>are|were|have|[a-z]{3,}|don't)\b"
)
_OTHER_NUMBER = {
    verb: other
    for each in "is are|was were|has have|does do|isn't aren't|wasn't weren't|hasn't haven't|doesn't don't".split("|")
    for verb, other in (each.split(), each.split()[::-1])
}
_PERFECT = re.compile(
    r"\b(?:has|have|had|having|been|was|were|is|are|be|'ve|hasn't|haven't|hadn't)"
    r"(?: (?:not|never|already|just|ever|always|also|been))? (?P<verb>[a-z]{3,})\b"
)
_PAST = re.compile(r"\b(?:I|[Ww]e|[Tt]hey|[Hh]e|[Ss]he|[Yy]ou) (?P<verb>[a-z]{3,})\b")
_BASE = re.compile(
    r"\b(?:[Dd]id|[Dd]idn't|[Dd]oes|[Dd]oesn't|[Dd]o|[Dd]on't|[Cc]an|can't|[Cc]ould|[Ww]ill|[Ww]ould|won't|should|must|might|may|let's|to)"
    r"(?: (?:not|you|he|she|they|we|I|it))? (?P<verb>[a-z]{2,})\b"
)
_OPENING = re.compile(
    r"^(?:If|When|Whenever|Although|Though|Even though|Because|Since|After|Before|Once|Until|Unless|While|As|As soon as"
    r"|However|Therefore|Unfortunately|Fortunately|Finally|For example|For instance|In fact|In addition|Of course"
    r"|Meanwhile|Moreover|Furthermore|Luckily|Recently|Usually|To \w+)"
    r"\b[^,;:.?!\"()]*?(?P<comma>,) (?!and\b|or\b|but\b)"
)


def drop_apostrophe(text: str, random_: random.Random) -> str | None:
    """Write a contraction, seldom a possessive, without its apostrophe; often all of a sentence."""
    places = list(_CONTRACTED.finditer(text))
    if not places or random_.random() < 0.1:
        places = list(_POSSESSIVE.finditer(text))[:1] or places
    if random_.random() < 0.5:
        places = places[:1] if random_.random() < 0.5 else places[-1:]
    for found in reversed(places):
        plain = found.group().replace("'", "")
        if found.group() == "I'm" and random_.random() < 0.3:
            plain = "im"
        text = text[: found.start()] + plain + text[found.end() :]
    return text if places else None


def double(text: str, random_: random.Random) -> str | None:
    """Write a word twice, now and then two."""
    words = [found for found in _LETTERS.finditer(text) if text[found.end() : found.end() + 1] in (" ", ".")]
    words = [each for each in words if "'" not in text[max(0, each.start() - 1) : each.start()]]
    little = [each for each in words if each.group().lower() in _LITTLE]
    if random_.random() < 0.12:
        twos = [each for each in _TWO.finditer(text) if each[1].islower()]
        return (
            text[: (found := random_.choice(twos)).start()] + f"{found[1]} " + text[found.start() :] if twos else None
        )
    chosen = little if little and random_.random() < 0.75 else words
    if not chosen:
        return None
    found = chosen[0] if random_.random() < 0.15 else random_.choice(chosen)
    word = found.group()
    again = word if word == "I" or random_.random() < 0.5 else word.lower()
    return _put(text, found, f"{word} {again}") if word.lower() not in ("that", "had") else None


def join(text: str, random_: random.Random) -> str | None:
    """Run two words together, or let a letter slip over the space between them."""
    places = [each for each in _TWO.finditer(text) if each.start() == 0 or each[1][0].islower()]
    fast = [each for each in places if _FAST & set(each[1].lower().split())]
    if not places:
        return None
    found = random_.choice(fast if fast and random_.random() < 0.75 else places)
    left, right = found[1].split(" ")
    before, after = text[: found.start()], text[found.end(1) :]
    if len(left) > 3 and len(right) > 3 and random_.random() < 0.3:
        moved = f"{left[:-1]} {left[-1]}{right}" if random_.random() < 0.5 else f"{left}{right[0]} {right[1:]}"
        return before + moved + after
    return before + left + right + after if len(left + right) > 2 else None


def split(text: str, random_: random.Random, words: Mapping[str, float]) -> str | None:
    """Put a space into a word: between two words that it is made of, else anywhere."""
    places = []
    for found in _LETTERS.finditer(text):
        word = found.group()
        cuts = [at for at in range(1, len(word)) if _is_word(word[:at], words) and _is_word(word[at:], words)]
        if len(word) > 3 and word.islower() | word.istitle() and (cuts or len(word) > 6):
            places.append((found, cuts))
    made = [each for each in places if each[1]]
    if not places:
        return None
    found, cuts = random_.choice(made if made and random_.random() < 0.8 else places)
    word = found.group()
    at = random_.choice(cuts or range(2, len(word) - 1))
    return _put(text, found, f"{word[:at]} {word[at:]}")


def _is_word(part: str, words: Mapping[str, float]) -> bool:
    return part.lower() == "a" or (len(part) > 1 and words.get(part.lower(), 0) > 150)


def space(text: str, random_: random.Random) -> str | None:
    """Lose the space behind a mark, or put one where none belongs."""
    lost, before = list(_MARK.finditer(text)), [*_LAST_MARK.finditer(text), *_INSIDE.finditer(text)]
    if lost and (not before or random_.random() < 0.65):
        found = random_.choice(lost)
        return _put(text, found, found.group().rstrip())
    if not before:
        return None
    found = before[-1] if random_.random() < 0.3 else random_.choice(before)
    return _put(text, found, " ")


def misspell(
    text: str, random_: random.Random, first: bool, lists: Mapping[str, Any], noise: LetterNoise
) -> str | None:
    """Misspell the first word, or any other."""
    words = [found for found in _LETTERS.finditer(text) if len(found.group()) > 2 and not found.group().isupper()]
    words = [each for each in words if (each.start() == 0) == first and (first or each.group().islower())]
    words = [each for each in words if text[each.end() : each.end() + 1] != "'"]
    if not words:
        return None
    known = [each for each in words if each.group().lower() in lists]
    found = random_.choice(known if known and random_.random() < 0.6 else words)
    word = found.group().lower()
    listed = list(lists.get(word, {}).items())
    if listed and random_.random() < 0.6:
        wrong = random_.choices([each for each, _ in listed], [weight for _, weight in listed])[0]
    else:
        wrong = noise.misspell(word, random_)
    if wrong == word or not wrong.isalpha():
        return None
    return _put(text, found, wrong.capitalize() if found.group()[0].isupper() else wrong)


def mistake_article(text: str, random_: random.Random) -> str | None:
    """Write a for an, or an for a."""
    places = list(_ARTICLE.finditer(text))
    if not places:
        return None
    long = [each for each in places if len(each.group()) > 1]
    found = random_.choice(long if long and random_.random() < 0.8 else places)
    return _put(text, found, f"{found.group()}n" if len(found.group()) == 1 else found.group()[0])


def disagree(text: str, random_: random.Random) -> str | None:
    """Let a verb follow the nearer noun, or none."""
    places = [_span(found, "verb") for found in (*_NOUN_THEN_VERB.finditer(text), *_THERE.finditer(text))]
    for found in _EACH.finditer(text):
        places += [_span(found, name) for name in ("verb", "verb2", "verb3", "verb4") if found[name]]
    random_.shuffle(places)
    for start, end in places:
        other = other_number(text[start:end])
        if other is not None:
            return text[:start] + other + text[end:]
    return None


def other_number(verb: str) -> str | None:
    """Return the verb in the other number."""
    if verb in _OTHER_NUMBER:
        return _OTHER_NUMBER[verb]
    base = _inflect(verb, "VBZ", "VB")
    if base is not None and verb.endswith("s"):
        return base
    return _inflect(verb, "VBP", "VBZ") if _is_verb(verb) else None


def mistake_participle(text: str, random_: random.Random) -> str | None:
    """Write the past for the participle, or the other way round."""
    places = [(_span(found, "verb"), "VBN", "VBD") for found in _PERFECT.finditer(text)]
    places += [(_span(found, "verb"), "VBD", "VBN") for found in _PAST.finditer(text) if random_.random() < 0.2]
    random_.shuffle(places)
    for (start, end), old, new in places:
        verb = text[start:end]
        other = _inflect(verb, old, new if random_.random() < 0.85 else "VB")
        if other is not None and verb not in ("been", "was", "were") and _is_irregular(verb):
            return text[:start] + other + text[end:]
    return None


def inflect_base(text: str, random_: random.Random) -> str | None:
    """Inflect a verb that another one, or *to*, governs; or put *to* before it."""
    places = [found for found in _BASE.finditer(text) if _inflect(found["verb"], "VB", "VBZ")]
    if not places:
        return None
    found = random_.choice(places)
    governs, verb = found.group()[: -len(found["verb"]) - 1], found["verb"]
    if governs in ("can", "must", "should", "could", "might") and random_.random() < 0.15:
        return _put(text, found, f"{governs} to {verb}")
    other = _inflect(verb, "VB", random_.choice(("VBD", "VBD", "VBZ", "VBG", "VBN")))
    return _put(text, found, f"{governs} {other}") if other and other != verb else None


def open_without_comma(text: str, random_: random.Random) -> str | None:
    """Leave out the comma behind what opens a sentence."""
    found = _OPENING.match(text)
    return text[: found.start("comma")] + text[found.end("comma") :] if found else None


def _confuse(text: str, random_: random.Random) -> str | None:
    pair = confuse(text, random_)
    return pair.source if pair else None


@lru_cache(50_000)
def _forms(verb: str) -> tuple[Mapping[str, frozenset[str]], bool]:
    """Return a verb's other forms by tag, with those tags that the word itself may have under its own form."""
    import lemminflect

    lemmas = lemminflect.getLemma(verb, "VERB", lemmatize_oov=False) if verb.isalpha() else ()
    if not lemmas:
        return {}, False
    forms = {tag: frozenset(found) for tag, found in lemminflect.getAllInflections(lemmas[0], "VERB").items()}
    past, done = forms.get("VBD", frozenset()), forms.get("VBN", frozenset())
    return forms, bool(past and done and not past & done)


def _inflect(verb: str, old: str, new: str) -> str | None:
    """Return another form of a verb that is in the old one."""
    forms, _ = _forms(verb)
    known = forms.get("VB" if old == "VBP" else old, frozenset())
    wanted = sorted(forms.get("VB" if new == "VBP" else new, frozenset()))
    return wanted[0] if verb in known and wanted and wanted[0] != verb else None


def _is_verb(word: str) -> bool:
    """Whether a word is hardly anything but a verb."""
    import lemminflect

    return bool(_forms(word)[0]) and "NOUN" not in lemminflect.getAllLemmas(word)


def _is_irregular(verb: str) -> bool:
    return _forms(verb)[1]


def _span(found: re.Match[str], group: str) -> tuple[int, int]:
    return found.span(group)


def _put(text: str, found: re.Match[str], new: str) -> str:
    return text[: found.start()] + new + text[found.end() :]


def kinds(model: ErrorModel, lists: Mapping[str, Mapping[str, float]], noise: LetterNoise) -> dict[str, Change]:
    """Return all kinds of slips."""
    return {
        "apostrophe": drop_apostrophe,
        "split": partial(split, words=model.words),
        "article": mistake_article,
        "participle": mistake_participle,
        "opening": open_without_comma,
        "agreement": disagree,
        "base": inflect_base,
        "spaces": space,
        "confused": _confuse,
        "first": partial(misspell, first=True, lists=lists, noise=noise),
        "joined": join,
        "doubled": double,
        "misspelt": partial(misspell, first=False, lists=lists, noise=noise),
    }


def make(
    sentences: Iterable[str], changes: Mapping[str, Change], each: int, random_: random.Random
) -> Iterator[tuple[str, Pair]]:
    """Yield at most so many pairs of each kind; a sentence serves once, for the kind that is shortest of pairs."""
    left = dict.fromkeys(changes, each)
    for text in sentences:
        if len(text.split()) not in _WORDS:
            continue
        for kind in sorted(changes, key=lambda kind: -left[kind]):
            if left[kind] and (wrong := changes[kind](text, random_)) is not None and wrong != text:
                left[kind] -= 1
                yield kind, Pair(wrong, text)
                break
        if not any(left.values()):
            return


@click.command(help=__doc__)
@click.argument("sentences", metavar="SENTENCES")
@click.option(
    "--errors", default="experiments/errors/everyone.json", show_default=True, help="Knows words and letters."
)
@click.option(
    "--misspellings", multiple=True, metavar="LIST", help="Real misspellings; several times for several lists."
)
@click.option("--each", type=click.IntRange(1), default=3000, show_default=True, help="Pairs of a kind, at most.")
@click.option("--clean", type=click.IntRange(0), default=3000, show_default=True, help="Sentences that are right.")
@click.option("--seed", default=1, show_default=True, help="Other seeds take other sentences.")
@click.option("-o", "--output", required=True, metavar="FILE")
def main(
    sentences: str, errors: str, misspellings: tuple[str, ...], each: int, clean: int, seed: int, output: str
) -> None:
    """Write the pairs."""
    model = ErrorModel.load(errors)
    lists = read_misspellings(misspellings, model.words) if misspellings else {}
    changes = kinds(model, lists, LetterNoise(model.letters))
    lines = list(read_lines(sentences))
    random_ = random.Random(seed)
    random_.shuffle(lines)
    counts = dict.fromkeys(changes, 0)
    rows = [f"{text}\t{text}\n" for text in lines[:clean]]
    for kind, pair in make(lines[clean:], changes, each, random_):
        counts[kind] += 1
        rows.append(f"{pair.source}\t{pair.target}\n")
    Path(output).write_text("".join(rows), encoding="utf-8")
    click.echo(f"{output}: {clean:,} clean, " + ", ".join(f"{kind} {count:,}" for kind, count in counts.items()))


if __name__ == "__main__":
    main()
