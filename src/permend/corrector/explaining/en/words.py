"""English words: how they are found in a text, which word a form belongs to, and which words there are.

In: a text, a word and its part of speech, or a word as it stands in a text. Out: words and signs, contractions apart as
annotated corpora split them; all base forms that a word can have by spelling, where wrong forms are understood too;
whether a reader would know it.

>>> WORD.findall("I don't know John's well-known song.")
['I', 'do', "n't", 'know', 'John', "'s", 'well', '-', 'known', 'song', '.']
>>> sorted(bases("went", "VERB") & bases("goes", "VERB")), sorted(bases("cities", "NOUN"))
(['go'], ['citi', 'citie', 'cities', 'city'])
>>> same_base("getted", "get", "VERB"), same_base("bigger", "big", "ADJ"), same_stem("decide", "decision")
(True, True, True)
>>> [word for word in ("Who's", "Wh", "receiving", "receving", "don't", "dont", "1990s", "iPhone") if not is_word(word)]
['Wh', 'receving', 'dont']

There are the words of the lexicon, those of a longer list of rarer ones, and what can be made of them. The longer list
(``words.txt.gz``, made by ``experiments.word_list``) has no tags; it is read only where the lexicon does not know a
word.
"""

from __future__ import annotations

import gzip
import re
from functools import cache
from pathlib import Path

from permend.corrector.explaining.lexicon import load_lexicon

WORD = re.compile(
    r"""
    [^\W\d_]+ (?![\w'’.])                          # most words
  | [^\W\d_]+ (?= n['’]t\b) | n['’]t\b             # do n't
  | ['’] (?: [smd] | re | ve | ll ) \b             # it 's
  | (?: [^\W\d_] \. ){2,}                          # e.g., U.S.
  | (?: mrs? | ms | dr | prof ) \.
  | \d+ (?: [.,:] \d+ )*
  | [\w\u0300-\u036f]+
  | \.{2,} | --+ | \S
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""Finds words and signs."""
REPEATABLE = frozenset({"had", "that"})
"""Words that are right beside themselves, too."""
CAPITALS = frozenset(
    """i i'm i've i'd i'll monday tuesday wednesday thursday friday saturday sunday january february april june july
    september october november december christmas easter english french german spanish italian portuguese dutch greek
    russian chinese japanese korean arabic indian american british european africa america asia europe""".split()
)
"""Words that have a capital letter wherever they stand; *may* and *march* are other words, too."""
_PERFECT = frozenset({"hasn't", "haven't", "hadn't"})
_HELPING = _PERFECT | frozenset(
    "don't doesn't didn't won't wouldn't can't couldn't shouldn't mustn't isn't aren't wasn't weren't".split()
)
_FINITE = frozenset({"am", "are", "has", "is", "was", "were"})

_KINDS = {"verb": "VERB", "noun": "NOUN", "adjective": "ADJ", "adverb": "ADV"}
_VOWELS = frozenset("aeiou")
_ENDING = re.compile(r"(?<=\w{3})(?:e?s|e?d|ing|ly|e)\Z")
_ENDINGS = {
    "VERB": ("s", "es", "ed", "d", "ing"),
    "NOUN": ("s", "es"),
    "ADJ": ("er", "r", "est", "st"),
    "ADV": ("er", "r", "est", "st"),
}

_DERIVED = frozenset(
    """able ably age al ally ance ances ancy ant ary ate ated ates atic ating ation ations ative atory ce de dom e
    ed eful ely ement ements en ence ences ency ened ener ening ens ent ently er ers ery es est ful fully
    fulness hood ial ially ian ians ible ibly ic ical ically ication ications ics ied ier ies iest ification
    ified ifies iful ify il ily iness ing ingly ings ion ional ions ious iously is isation ise ised iser ises
    ish ising ism isms ist istic ists ities ity ive ively ivity ization ize ized izer izes izing less lessly ly
    ment mental ments ness nesses or ors ory ous ously ption s se ses ship ships sing sion sional sions sive
    some ssion ssions ssive st tial tic ties ting tion tional tions tive tor tors ture tures ty ual ually ure
    ured ures uring ward wards wise y yer ying""".split()
)


def clash(first: str, second: str) -> bool:
    """Whether no sentence has two words next to each other, as *don't has* or *hasn't have*."""
    return first in _HELPING and (second in _FINITE or (second == "have" and first in _PERFECT))


@cache
def _irregular() -> dict[str, dict[str, frozenset[str]]]:
    """Read the table of irregular forms: by part of speech, the base forms of each form."""
    found: dict[str, dict[str, frozenset[str]]] = {kind: {} for kind in _KINDS.values()}
    for line in (Path(__file__).parent / "irregular.txt").read_text(encoding="utf-8").splitlines():
        if line and line[0] != "#":
            kind, base, *forms = line.split()
            table = found[_KINDS[kind]]
            for form in forms:
                table[form] = table.get(form, frozenset()) | {base}
    return found


def bases(word: str, kind: str) -> frozenset[str]:
    """Return the base forms that a lower-case word can have as VERB, NOUN, ADJ or ADV; itself among them."""
    found = {word}
    for ending in _ENDINGS.get(kind, ()):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            rest = word[: -len(ending)]
            found |= {rest} if ending == "s" else _stems(rest)
    return _irregular().get(kind, {}).get(word, frozenset()) | found


def _stems(rest: str) -> set[str]:
    """Undo what an ending does to the spelling of a word: hop(p)ing, hop(e)ing, tr(i)ed."""
    found = {rest}
    if rest[-1] == "i" and len(rest) > 1:
        found.add(rest[:-1] + "y")
    if rest[-1] not in _VOWELS or rest[-1] == "u":
        found.add(rest + "e")
    if len(rest) > 2 and rest[-1] == rest[-2] and rest[-1] not in _VOWELS:
        found.add(rest[:-1])
    return found


def shared_bases(word: str, other: str, kind: str, other_kind: str | None = None) -> frozenset[str]:
    """Return the words that both can be forms of."""
    return bases(word, kind) & bases(other, other_kind or kind)


def same_base(word: str, other: str, kind: str, other_kind: str | None = None) -> bool:
    """Whether two words can be forms of one."""
    return bool(shared_bases(word, other, kind, other_kind))


def stem(word: str) -> str:
    """Return a lower-case word without the ending of a verb, noun or adverb."""
    return _ENDING.sub("", word)


def same_stem(word: str, other: str) -> bool:
    """Whether two words are derived from one another, or from a third: *decide, decision*."""
    shorter = min(len(word), len(other))
    common = next((place for place in range(shorter) if word[place] != other[place]), shorter)
    least = 3 if shorter < 6 else 4
    return any(
        _is_derived(word[size:]) and _is_derived(other[size:]) for size in range(common, max(common - 3, least - 1), -1)
    )


def _is_derived(ending: str) -> bool:
    return not ending or ending in _DERIVED


_NUMBER = re.compile(r"\d+(?:st|nd|rd|th|s|am|pm|k|m|d)?")
_CLITIC = re.compile(r"(?:n't|'(?:s|m|re|ve|ll|d))?\Z")
_CLIPPED = frozenset({"ca", "wo", "sha", "ai"})  # can't, won't, shan't, ain't
_OTHERS = frozenset({"o'clock", "ma'am", "y'all", "'em", "ok", "okay"})
_CONTRACTED = frozenset(
    "arent cant couldnt didnt doesnt dont hadnt hasnt havent hes heres im isnt itll ive lets mustnt neednt shes"
    " shouldnt thats theres theyd theyll theyre theyve wasnt werent weve whats whos wont wouldnt youd youll youre youve"
    "".split()
)
_EMPTY = frozenset("am are be been being is was were more most such".split())
_CONTENT = frozenset({"NN", "NNS", "VB", "VBD", "VBG", "VBN", "VBZ", "JJ", "RB"})


def is_word(word: str) -> bool:
    """Whether this is a word, a number or a contraction, spelt right; each part of one with hyphens."""
    return all(map(_is_known, word.lower().replace("’", "'").split("-")))


def _is_known(lower: str) -> bool:
    if not lower or lower in _OTHERS or _NUMBER.fullmatch(lower):
        return True
    clitic = _CLITIC.search(lower)
    base = lower[: clitic.start()] if clitic else lower
    if clitic and clitic.group() == "n't" and base in _CLIPPED:
        return True
    return base in load_lexicon("en") or base in _longer_list()


def is_common(word: str) -> bool:
    """Whether a word is one that most readers use: any of its parts may be changed into any other word."""
    lower = word.lower().replace("’", "'")
    return lower in _CONTRACTED or (is_word(word) and all(_in_lexicon(part) for part in lower.split("-")))


def _in_lexicon(lower: str) -> bool:
    base = _CLITIC.sub("", lower)
    return (
        not base or base in _OTHERS or base in _CLIPPED or bool(_NUMBER.fullmatch(base)) or base in load_lexicon("en")
    )


@cache
def _longer_list() -> frozenset[str]:
    packed = (Path(__file__).parent / "words.txt.gz").read_bytes()
    return frozenset(gzip.decompress(packed).decode().split())


def carries_meaning(word: str) -> bool:
    """Whether a word says something by itself, as nouns, verbs, adjectives and most adverbs do.

    >>> [word for word in "it's ok to be at home with Ann's dog".split() if carries_meaning(word)]
    ['ok', 'home', "Ann's", 'dog']
    """
    lexicon = load_lexicon("en")
    base = _CLITIC.sub("", word.lower().replace("’", "'"))
    known = lexicon.classes.get(base)
    if known is None:
        return bool(re.search(r"[^\W\d_]", base)) and base not in _CLIPPED
    tag = lexicon.defaults.get(known, "NN")  # auxiliaries have tags of their own
    return tag in _CONTENT and base not in _EMPTY and not (known == base and tag == "RB")
