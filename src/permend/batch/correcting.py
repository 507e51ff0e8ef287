"""Texts in, answers out: what is done with the rows of `permend batch`.

    work = Correcting(options=Options(), findings=True)      # travels to workers as these values
    correct = work()                                         # loads the model, where the work is done
    correct(["He go to school yesterday."])                  # [Answer('He went to school yesterday.', [{…}])]

Each text is a document, in plain text or another format, or one sentence. All sentences of a chunk go through the
networks together. Nothing is remembered between chunks: a sentence's answer may depend a little on those beside it
(int8), and so must not depend on which chunks a worker happened to see before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any

from permend.batch.rows import Answer
from permend.corrector.correction import ScoredEdit
from permend.corrector.corrector import Corrector
from permend.documents.checker import CheckedBlock, Checker, Finding
from permend.documents.dictionary import PersonalDictionary, finding_id
from permend.documents.document import BLOCK, Block, Document
from permend.documents.reports.json_report import finding_object
from permend.documents.reports.places import Located, Place, locate
from permend.errors import PermendError
from permend.model.folder import HASHED
from permend.model.options import Options
from permend.model.pretrained import model_folder


@dataclass(frozen=True)
class Correcting:
    """How texts are corrected."""

    model: str | None = None
    options: Options = field(default_factory=Options)
    words: PersonalDictionary = field(default_factory=PersonalDictionary)
    format: str = "plain"
    sentences: bool = False
    """Whether each text is one sentence, which is not split."""
    findings: bool = False
    digest: str = ""
    """That of the model, which another machine must have, too; nothing is compared where it is empty."""
    device: str | None = None
    """Where torch computes; None is onnxruntime on a processor."""

    def __call__(self) -> Callable[[list[str]], list[Answer]]:
        """Load the model, and return what corrects with it."""
        if self.digest and model_digest(self.model) != self.digest:
            raise PermendError("a worker has another model in the same folder: install the same one everywhere")
        corrector = Corrector(self.model, self.options, threads=1, device=self.device)
        corrector.reasons = self.findings
        work = _Sentences(corrector, self) if self.sentences else _Documents(corrector, self)
        corrector.correct("He go to school yesterday .")  # which loads all that there is to load
        return work


class _Documents:
    """Corrects documents."""

    def __init__(self, corrector: Corrector, how: Correcting) -> None:
        self._checker = Checker(corrector, memory=0)
        self._language = corrector.language.code
        self._how = how

    def __call__(self, texts: list[str]) -> list[Answer]:
        checked: dict[int, list[CheckedBlock]] = {place: [] for place in range(len(texts))}
        short: list[tuple[int, Block]] = []
        for place, text in enumerate(texts):
            document = Document.from_text(text, self._how.format, self._language)
            if len(text) > BLOCK:
                checked[place] = list(self._checker.check(document, self._how.words))
            else:
                short += [(place, block) for block in document]
        together = self._checker.check_together([block for _, block in short], self._how.words, self._language)
        done = zip((place for place, _ in short), together, strict=True)
        for place, blocks in groupby(done, key=lambda each: each[0]):
            checked[place] = [block for _, block in blocks]
        return [self._answer(blocks) for blocks in checked.values()]

    def _answer(self, blocks: list[CheckedBlock]) -> Answer:
        findings = [finding_object(found) for found in locate(blocks)] if self._how.findings else []
        return Answer("".join(block.text for block in blocks), findings)


class _Sentences:
    """Corrects sentences, each as it is."""

    def __init__(self, corrector: Corrector, how: Correcting) -> None:
        self._corrector, self._how = corrector, how

    def __call__(self, texts: list[str]) -> list[Answer]:
        words = self._how.words
        answers = []
        for each in self._corrector.correct_batch(texts, known=words.knows if words.known else None):
            source = each.source
            kept = each.without(lambda edit, source=source: not words.allows(source, edit))  # type: ignore[misc]
            found = [_object(source, edit) for edit in kept.edits] if self._how.findings else []
            answers.append(Answer(kept.text, found))
        return answers


def _object(sentence: str, edit: ScoredEdit) -> dict[str, Any]:
    finding = Finding(**vars(edit), sentence=sentence, id=finding_id(sentence, edit))
    start, end = (Place(1, at + 1, at) for at in (edit.start, edit.end))
    return finding_object(Located(finding, start, end, "", ""))


def model_digest(model: str | Path | None) -> str:
    """Return what tells a model from others: a hash of all files that decide a correction."""
    folder = model_folder(model)
    total = sha256()
    for name in sorted({*HASHED, "model.safetensors"}):
        if (folder / name).is_file():
            with (folder / name).open("rb") as file:
                total.update(name.encode())
                while part := file.read(1 << 20):
                    total.update(part)
    return total.hexdigest()
