r"""What a document shows to be intended: pieces that are no sentences, and names.

In: the edits of a sentence, and the block of a document that it stands in. Out: the same edits, of which some write a
small letter now, or are left out.

>>> from permend.corrector.explaining.language import load_language
>>> from permend.documents.document import Document
>>> text = "| name | what |\n|---|---|\n| size | number of byte |\n\nshe like tea\n"
>>> [block] = Document.from_text(text, "markdown")
>>> vocabulary = load_language("en").vocabulary
>>> [(each.prose, keeps_small(each, block, vocabulary, is_clause=True)) for each in block.sentences[-2:]]
[('number of byte', True), ('she like tea', False)]

No capital letter, nor a word before the first one, is asked for

- in headings, cells, list items and the like, unless the piece ends as sentences do and the ones around it begin with
  capitals: where the items of a list begin small, that is its writer's style;
- in other pieces that neither end as sentences do nor have a verb (*small and fast*), and in those that go on with what
  was begun before code or maths (*where x is …*);
- of names: words with a capital inside (*iPhone*), words that nobody knows and the text has small elsewhere, too, and
  words that stand as code elsewhere;
- in notes in programs.

No full stop is put behind a piece without a verb; no word that nobody knows is respelt where the text has it as code.
It is the result that is looked at, whatever a network thinks of it; where nothing is changed, nothing is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from permend.corrector.correction import ScoredEdit
from permend.corrector.explaining.language import Language, Vocabulary, explain_edits
from permend.documents.document import Block
from permend.documents.paragraphs import Paragraph
from permend.documents.sentence import Sentence
from permend.text.edits import Edit, apply, move_together

_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ENDS = re.compile(r"[.!?…][\s\"'”’»)\]]*\Z")
_TAG = re.compile(r"<[^<>]*>")
_CODE_BEFORE = r"(?:`(?:``\w*\s)?|\$ |<code>|<kbd>|\\texttt\{|\\verb.)"
"""What stands before code in some formats."""


def as_intended(
    edits: Sequence[ScoredEdit], sentence: Sentence, block: Block, language: Language
) -> Sequence[ScoredEdit]:
    """Return edits that leave names, and how a piece that is no sentence begins and ends, as they were meant."""
    prose, vocabulary = sentence.prose, language.vocabulary
    if vocabulary is None:
        return edits
    edits = _without_names(edits, block.text, vocabulary)
    opening, stop = _opening(edits, prose), next((edit for edit in edits if _ends(edit, prose)), None)
    if not opening and not stop:
        return edits
    is_clause = vocabulary.is_clause(apply(prose, edits))  # its verb may have been misspelt, or missing
    if stop and not is_clause and _begins_paragraph(sentence, block):
        edits = [edit for edit in edits if edit is not stop]
    if opening and keeps_small(sentence, block, vocabulary, is_clause):
        edits = _with_small(edits, opening, prose, language)
    return edits


def _without_names(edits: Sequence[ScoredEdit], text: str, vocabulary: Vocabulary) -> Sequence[ScoredEdit]:
    """Leave out edits that respell what the text has as code."""
    written = {word for edit in edits for word in _WORD.findall(edit.after)}
    wrong = [
        edit
        for edit in edits
        if any(
            word not in written and not vocabulary.is_word(word) and _is_code(word, text)
            for word in _WORD.findall(edit.before)
        )
    ]
    if not wrong:
        return edits
    return [edit for edit in edits if edit not in wrong and not any(move_together(edit, other) for other in wrong)]


def _is_code(word: str, text: str) -> bool:
    return bool(re.search(rf"{_CODE_BEFORE}{re.escape(word)}(?!\w)", text))


def _opening(edits: Sequence[ScoredEdit], prose: str) -> ScoredEdit | None:
    """Return the edit that writes a capital where a sentence begins with a small letter."""
    at = 0
    for edit in edits:
        if any(map(str.isalpha, prose[at : edit.start])):
            return None
        if first := _LETTER.search(edit.after):
            begins = _LETTER.search(prose)
            return edit if first.group().isupper() and begins and begins.group().islower() else None
        at = edit.end
    return None


def _ends(edit: Edit, prose: str) -> bool:
    """Whether an edit puts a full stop, or the like, at the end of a sentence."""
    return edit.start == len(prose) and bool(_ENDS.search(edit.after)) and not _WORD.search(edit.after)


def _with_small(
    edits: Sequence[ScoredEdit], opening: ScoredEdit, prose: str, language: Language
) -> Sequence[ScoredEdit]:
    """Return edits of which the first writes a small letter, and is explained by what it then does.

    One that puts a word before the first falls: *number of bytes* wants no article.
    """
    capitals = language.vocabulary.capitals if language.vocabulary else frozenset()
    if _first_word(opening.after) in capitals:
        return edits
    others = (replace(each, after=_lowered(each.after)) for each in opening.alternatives)
    fitting = tuple(each for each in others if each.after != opening.before)
    small = replace(opening, after=_lowered(opening.after), alternatives=fitting)
    if small.before in ("", small.after):
        return [edit for edit in edits if edit is not opening]
    begun = [small if edit is opening else edit for edit in edits]
    why = explain_edits(prose, apply(prose, begun), begun, language)[begun.index(small)]
    return [replace(edit, type=why.type, explanation=why.sentence) if edit is small else edit for edit in begun]


def _first_word(text: str) -> str:
    word = _WORD.search(text)
    return word.group().lower().replace("’", "'").removesuffix("'s") if word else ""


def _lowered(text: str) -> str:
    """Return a text whose first letter is small."""
    return _LETTER.sub(lambda letter: letter.group().lower(), text, count=1)


def keeps_small(sentence: Sentence, block: Block, vocabulary: Vocabulary, is_clause: bool) -> bool:
    """Whether the small letter that a sentence begins with is meant, given whether it says something."""
    word = _WORD.search(sentence.prose)
    if sentence.note or (word and _is_name(word.group(), block.text, vocabulary)):
        return True
    if not _begins_paragraph(sentence, block):
        return False
    place = _paragraph(sentence, block)
    ends = bool(_ENDS.search(sentence.prose))
    if block.paragraphs[place].fragment:
        return not ends or any(_begins_small(each) for each in _fragments_around(place, block))
    return _goes_on(place, block) or not (ends or is_clause)


def _is_name(word: str, text: str, vocabulary: Vocabulary) -> bool:
    """Whether a word with a small letter is a name or code, as it looks or as the text around has it."""
    if not word.islower():
        return True
    if word in vocabulary.capitals:
        return False
    if not vocabulary.is_word(word):
        return len(re.findall(rf"(?<!\w){re.escape(word)}(?!\w)", text)) > 1
    return vocabulary.carries_meaning(word) and _is_code(word, text)


def _begins_paragraph(sentence: Sentence, block: Block) -> bool:
    return block.paragraphs[_paragraph(sentence, block)].text.lstrip().startswith(sentence.prose)


def _paragraph(sentence: Sentence, block: Block) -> int:
    """Return which paragraph of a block a sentence stands in."""
    at = next(run.start for run in sentence.runs if run.editable) - block.start
    inside = (any(run.editable and run.start <= at < run.end for run in each.runs) for each in block.paragraphs)
    return next(place for place, holds in enumerate(inside) if holds)


def _fragments_around(place: int, block: Block) -> Iterator[Paragraph]:
    """Yield the nearest headings, cells or list items before and behind a paragraph."""
    for others in (block.paragraphs[place - 1 :: -1] if place else [], block.paragraphs[place + 1 :]):
        yield from [each for each in others if each.fragment][:1]


def _begins_small(paragraph: Paragraph) -> bool:
    word = _WORD.search(paragraph.text)
    return word is not None and word.group()[0].islower()


def _goes_on(place: int, block: Block) -> bool:
    """Whether a paragraph goes on with what the one before it has begun: code or maths stands between them."""
    if not place or block.paragraphs[place - 1].fragment:
        return False
    before, this = block.paragraphs[place - 1], block.paragraphs[place]
    between = _TAG.sub("", block.text[before.runs[-1].end : this.runs[0].start])
    return not _ENDS.search(before.text) and bool(_WORD.search(between))
