"""permend in a spaCy pipeline: corrections count the doc's characters and travel with it."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

spacy = pytest.importorskip("spacy")

from permend import spacy_component  # noqa: E402
from permend.corrector.corrector import Corrector  # noqa: E402
from permend.errors import InputError  # noqa: E402
from permend.text.edits import apply  # noqa: E402
from tests.corrector.test_corrector import TOKENIZER, HandMade, replace_was  # noqa: E402

TEXT = "All is well.  I was busy. 😀 He was  here, too.\n"
CORRECT = "All is well.  I am busy. 😀 He am  here, too.\n"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[Any, Any]]:
    """Have networks made by hand loaded, *was* → *am*, and tell for which models and modes."""
    models: list[tuple[Any, Any]] = []

    def load(path: Any = None, mode: Any = None) -> Corrector:
        models.append((path, mode))
        return Corrector.of(HandMade(replace_was), TOKENIZER)

    monkeypatch.setattr(Corrector, "from_pretrained", load)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return models


def pipeline(sentences: bool = True, **config: Any) -> Any:
    nlp = spacy.blank("en")
    if sentences:
        nlp.add_pipe("sentencizer")
    nlp.add_pipe("permend", config=config)
    return nlp


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize("sentences", [True, False])
def test_corrections_count_the_characters_of_the_doc(sentences: bool) -> None:
    doc = pipeline(sentences)(TEXT)
    assert apply(doc.text, doc._.corrections) == CORRECT
    assert [(each.before, each.after) for each in doc._.corrections] == [("was", "am")] * 2
    assert all(0 < each.probability <= 1 and each.type and each.explanation for each in doc._.corrections)


@pytest.mark.usefixtures("asked")
def test_a_span_has_what_lies_in_it() -> None:
    doc = pipeline()(TEXT)
    assert [len(sentence._.corrections) for sentence in doc.sents][:3] == [0, 1, 1]
    word = next(token for token in doc if token.text == "was")
    assert doc[word.i : word.i + 1]._.corrections == doc._.corrections[:1]
    assert doc[word.i + 1 : word.i + 2]._.corrections == ()


@pytest.mark.usefixtures("asked")
def test_docs_of_a_stream_are_those_of_single_calls_and_survive_bytes() -> None:
    nlp = pipeline()
    texts = [TEXT, "", " ", "All is well."]
    for doc, text in zip(nlp.pipe(texts, batch_size=2), texts, strict=True):
        assert doc._.corrections == nlp(text)._.corrections
        assert spacy.tokens.Doc(nlp.vocab).from_bytes(doc.to_bytes())._.corrections == doc._.corrections


@pytest.mark.usefixtures("asked")
def test_an_unseen_doc_has_no_corrections() -> None:
    assert spacy.blank("en")(TEXT)._.corrections == ()


def test_a_saved_pipeline_keeps_its_model_and_mode(tmp_path: Path, asked: list[tuple[Any, Any]]) -> None:
    pipeline(model="my-model", mode="precise").to_disk(tmp_path / "nlp")
    loaded = spacy.load(tmp_path / "nlp")
    assert asked == [("my-model", "precise")] * 2
    assert apply(TEXT, loaded(TEXT)._.corrections) == CORRECT


def test_a_component_that_is_sent_to_another_process_loads_its_model_there(asked: list[tuple[Any, Any]]) -> None:
    component = spacy_component.Component("my-model", "thorough")
    sent = pickle.loads(pickle.dumps(component))
    assert asked == [("my-model", "thorough")] * 2
    assert len(sent(spacy.blank("en")(TEXT))._.corrections) == 2


@pytest.mark.usefixtures("asked")
def test_personal_words_are_left_alone_unless_unwanted(tmp_path: Path) -> None:
    (tmp_path / ".permend").mkdir()
    (tmp_path / ".permend" / "words.txt").write_text("was\n", encoding="utf-8")
    assert pipeline()(TEXT)._.corrections == ()
    assert len(pipeline(words=False)(TEXT)._.corrections) == 2


def test_a_model_that_is_not_there_is_refused_when_the_pipeline_is_made(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such model folder"):
        pipeline(model=str(tmp_path / "nowhere"))
