r"""Code inside a comment: names, calls and expressions in a sentence, and lines that are nothing but code.

In: a line. Out: where code stands in it, or whether all of it is code that somebody has commented out.

>>> line = "Calls fooBar(a, b) if x == 3 for each item(s) in std::vec, e.g. with --all or $HOME, i.e. not a u32."
>>> [line[start:end] for start, end in find_code(line, 0, len(line))]
['fooBar(a, b)', 'x == 3', 'std::vec', '--all', '$HOME', 'u32']
>>> [judge_line(line) for line in ("x = foo(3);", "return early if it is empty", "if (a) {", "}", "`x`.")]
['code', 'prose', 'code', 'code', '']

Every repetition is bounded, so that a long line takes no longer than its length asks for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from permend.corrector.explaining.language import load_language
from permend.documents.paragraphs import Span, find_names, unite

_NAME = r"[A-Za-z_$]\w{0,60}"
_VALUE = r"[\w.\[\]()'\"*&!$+-]{1,60}"
_OPERATOR = r"(?:[=!<>]==?|<=>|&&|\|\||[-+*/%|&^]=|[-=]>|:=|<<|>>|[=<>+*%^])"
_APART = r"(?<![\w`])"  # not inside a word, nor at the beginning of a code span

_ELEMENTS = "a|b|blockquote|br|code|d[dlt]|div|em|h[1-6r]|i|img|kbd|li|ol|p|pre|span|strong|su[bp]|t[dhrt]|table|ul|var"

_JARGON = "|".join(
    """
    arg args argc argv async bool bools boolean booleans buf callback callbacks char chars cmd const cwd dict
    dicts dir dirs dst enum enums env eval falsey falsy fn func impl init int ints kwargs len malloc memcpy
    metadata mutex namespace nullptr nul nil num param params ptr regex regexes regexp regexps repo repos src
    stderr stdin stdlib stdout str struct structs sudo symlink symlinks syscall syscalls tmp truthy tuple tuples
    uint url urls utf var vars vec
    """.split()
)
"""Words that no list of English words has, shown as nouns."""

_IN_SENTENCES = (
    r"\{@\w{1,30}[^{}]{0,500}\}",  # {@code x}
    r"(?<![\w.,;])[@\\](?:[acpeb]|ref|link|copydoc|anchor|cite)\s[^\s,;]{1,200}(?<=\w)",  # @p name
    r"(?<![^\s`])[^\s`\\]{0,100}\\[^\s`]{0,200}(?<![.,;:])",  # \n
    r"\\[^\s`]{0,200}(?<![.,;:])",
    r"(?<![\w.:>-])[\w.:>-]{1,100}(?<=[A-Za-z_])\((?!s\)|es\)|ies\))[^()`\n]{0,100}\)",  # f(x)
    rf"{_APART}{_VALUE}(?:\s{_OPERATOR}\s{_VALUE}(?<![.,;:])){{1,4}}",  # x == 3
    rf"{_APART}{_NAME}(?:(?:::|->|=>|\#)~?{_NAME}){{1,9}}(?:<[\w&,\s]{{1,40}}>)?",  # std::vec
    rf"{_APART}[\w)\]]{{1,60}}(?:[=!<>]=|&&|\|\||=)[\w(\[\"']{{1,60}}",  # a==b
    rf"{_APART}{_NAME}(?:<[\w&',:\s\[\]]{{1,60}}>){{1,3}}(?!\w)",  # Vec<u8>
    rf"(?<![\w`.&\])*])(?:\[\d{{0,9}}\]|\*|&(?:mut\s)?){{1,3}}{_NAME}(?![\w*])",  # []byte, *args
    rf"{_APART}{_NAME}(?:\[[\w:.+-]{{0,40}}\]){{1,4}}(?!\()",  # a[i]
    r"(?<![\w`-])--?[A-Za-z][\w-]{0,60}(?:=[^\s`,;]{1,80})?(?<!-)",  # --all
    r"\$\{[^{}\n]{1,100}\}|\$[A-Za-z_]\w{0,60}|\$[0-9@*?#!](?!\w)",  # $HOME
    r"(?<![\w%])%[-+0-9.]{0,6}(?:l{0,2}[diufeExXgcsp]|[vTqr])(?!\w)",  # %s
    r"(?<![\w`'’])'[^\s'`]'(?!\w)",  # 'x'
    rf"</?(?!(?:{_ELEMENTS})\b)[A-Za-z][\w:.-]{{0,60}}[^<>\n]{{0,80}}>",  # <name>
    r"(?<![\w.])(?:[A-Za-z_]\w{1,60}|[A-Z])(?:\.[A-Za-z_]\w{1,60}){1,8}(?!\w)",  # a.b
    r"(?<!\w)(?:[A-Za-z0-9]{0,60}_)[A-Za-z0-9_]{0,100}(?!\w)",  # a_b
    r"(?<![\w'’.])[a-z]{1,60}[A-Z]\w{0,60}|(?<![\w.])[A-Z][a-z0-9]{1,60}[A-Z]\w{0,60}",  # aB, AbC
    r"(?<![\w.,-])(?!\d{1,9}(?:st|nd|rd|th|s|D|x)\b)(?:\d[\d.]{0,20}[A-Za-z]|[A-Za-z]{1,60}\d)\w{0,60}",  # u32
    r"(?<=[a-z,;:] )(?:None|True|False)\b",
    rf"(?<![\w'’.-])(?:{_JARGON})(?![\w'’-])",
    r"(?<![\w'’.])(?<!\w\()[b-zB-HJ-Z](?![\w.'’-])",  # x
    rf"(?<=\s){_OPERATOR}(?=\s)",
)
_CODE = re.compile("|".join(_IN_SENTENCES))

_STATEMENTS = (
    r"[\s\])};,]*$",
    r".*(?:[)\]\"'\s]|[{}])[;{]\s*$|.*\)\s*;\s*$",  # …); …{
    r"[\w.\[\]\"'*&<>:\s]{1,60}[-+*/|&^%:]?=(?!=)\s*\S.*;\s*$",  # int x = 3;
    r"(?:[\w.\[\]\"'*&]{1,60}|(?:let|var|const|auto|local|export)\s.{1,60}?)\s?[-+*/|&^%:]?=(?![=>])\s?\S+(?:[(,\[].*)?$",
    r"[@\w.:$]{1,60}(?:->|::|\.)?\w*\(.*\)\s*(?:[;:,{]|->.*|=>.*)?\s*$",  # f(x)
    r"#\s*(?:include|define|ifn?def|endif|pragma|undef|if\s|el(?:se|if)\b)|#!?\[",
    r"(?:import|from|use|using|package|require|export)\s+[\"'{*(]|(?:import|use|using|package)\s+[\w.:]+;\s*$",
    r"from\s+[\w.]+\s+import\b|import\s+[\w.]+\s+as\b",
    r"(?:if|while|for|switch|catch|elif|else\s+if|return|assert)\s*\(.*\)\s*.{0,3}$",
    r"(?:[}\s]*else|try|do|finally|begin|end|fi|done|esac|pass|break|continue|return|default)\s*[:;{]?\s*$",
    r"(?:(?:async|export|public|private|protected|static|pub|final|inline|virtual)\s+){0,4}"
    r"(?:def|class|fn|func|function|struct|enum|impl|interface|trait|mod|type)\s+\w+\s*[({<:=]",
    r"(?:return|throw|raise|yield|await|del|assert|print|echo|new|goto|case)\b[^.]*[;()\[\]=:]\s*$",
    r"[$%>]\s+\S|>>>|\.\.\.\s|</?\w[^<>]*>\s*$|@\w+(?:\(.*\))?\s*$",
    r"[\"'\w.-]+\s*:\s*(?:[\"'\[{\d].*|\S+),\s*$",  # "a": 1,
    r".*\S {3,}\S",  # columns
    r"(?:if|elif|while|for|with|except|until)\s(?:\S+\s){0,4}\S*:\s*$|(?:for|while|until|if)\s.*;\s?(?:do|then)\s*$",
    r"(?:echo|printf|cd|export|source|sudo)\s+[\"'$.~/-]",
)
_STATEMENT = re.compile("|".join(_STATEMENTS))
_PLAIN = re.compile(r"(?<![\w'’])(?:[A-Za-z][a-z]+(?:['’][a-z]+)?|[aAI])(?![\w'’])")
_SIGN = re.compile(r"[^\w\s.,;:!?()'’\"“”`–—-]")
_LONGEST = 2_000  # characters of a line of code
_IDENTIFIER = re.compile(r"[A-Za-z_]\w{1,60}")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LETTERS = re.compile(r"(?<![\w'’.])[A-Za-z]{2,60}(?!\w)")
_BEGIN = " \t.!?:*([{\"'`-–—"
"""Signs behind which a sentence may begin."""


@dataclass(frozen=True)
class Names:
    """Words of a program outside of its comments."""

    whole: frozenset[str] = frozenset()
    """Identifiers."""
    parts: frozenset[str] = frozenset()
    """The words that they are made of, in small letters."""

    @classmethod
    def of(cls, text: str, comments: Iterable[Span]) -> Names:
        """Gather the names of a program, given where its comments stand."""
        whole: set[str] = set()
        at = 0
        for start, end in (*comments, (len(text), len(text))):
            whole.update(_IDENTIFIER.findall(text, at, start))
            at = end
        return cls(frozenset(whole), frozenset(part.lower() for each in whole for part in _PART.findall(each)))

    def find(self, text: str, start: int, end: int) -> Iterator[Span]:
        """Yield words that are no English ones, or have a capital letter inside a sentence."""
        for word in _LETTERS.finditer(text, start, end):
            inside = text[max(start, word.start() - 2) : word.start()].strip(_BEGIN)
            if self._is_type(word.group()) if inside and word.group()[0].isupper() else self._is_name(word.group()):
                yield word.span()

    def _is_type(self, word: str) -> bool:
        return word in self.whole or word.removesuffix("s") in self.whole

    def _is_name(self, word: str) -> bool:
        return word.lower() in self.parts and not _is_word()(word.lower())


def find_code(text: str, start: int, end: int, names: Names = Names()) -> Iterator[Span]:  # noqa: B008  # it is frozen
    """Yield where code and names stand in a line, from left to right."""
    code = ((found.start(), _word_end(text, found.end(), end)) for found in _CODE.finditer(text, start, end))
    return unite(code, find_names(text, start, end), names.find(text, start, end))


@cache
def _is_word() -> Callable[[str], bool]:
    vocabulary = load_language("en").vocabulary
    assert vocabulary is not None
    return vocabulary.is_word


def _word_end(text: str, at: int, end: int) -> int:
    while at < end and (text[at].isalnum() or text[at] == "_"):
        at += 1
    return at


def judge_line(line: str) -> str:
    """Tell ``code``, a statement or more signs than words, from ``prose``; empty where it may be either."""
    if len(line) > _LONGEST:
        return "prose"
    if _STATEMENT.match(line):
        return "code"
    rest, at = "", 0
    for first, last in find_code(line, 0, len(line)):
        rest, at = rest + line[at:first] + " ", last
    rest += line[at:]
    words = len(_PLAIN.findall(rest))
    return "code" if len(_SIGN.findall(rest)) > words else "prose" if words else ""
