"""Every rival: it learns by the common loop, corrects by the common protocol, and is what it was after loading."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from experiments.rivals import SYSTEMS, find_system
from experiments.rivals.corrector import RivalCorrector, make_decoding
from experiments.rivals.labels import RowMaker, RowPacker
from experiments.rivals.run import make_system, train_rival
from experiments.rivals.system import load_system, tokenizer_of
from permend.documents.checker import Checker
from permend.errors import PermendError
from permend.text.edits import apply
from permend.training.correction.data import make_source
from tests.experiments.rivals.toys import PAIRS, recipe
from tests.training.listening import Memory

SOURCES = [pair.source for pair in PAIRS]


@pytest.fixture(scope="module", params=sorted(SYSTEMS))
def trained(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> RivalCorrector:
    """Return a rival that has learned the pairs, loaded from its folder."""
    folder = tmp_path_factory.mktemp(request.param)
    train_rival(recipe(request.param, folder))
    return RivalCorrector.load(folder / "run" / "last")


def test_a_rival_learns_pairs_by_heart(trained: RivalCorrector) -> None:
    corrections = trained.correct_batch(SOURCES)
    assert [correction.text for correction in corrections] == [pair.target for pair in PAIRS]
    for correction in corrections:
        assert apply(correction.source, correction.edits) == correction.text


def test_company_changes_no_answer(trained: RivalCorrector) -> None:
    texts = [*SOURCES, "Here they are, every day.", "I"]
    alone = [trained.correct_batch([text])[0].text for text in texts]
    assert [correction.text for correction in trained.correct_batch(texts, batch_size=3)] == alone


def test_spaces_quotes_and_nothing_stay_as_they_are(trained: RivalCorrector) -> None:
    texts = ["  He go to school every day.\n", "", " \t", "They are here.  "]
    fixed = [correction.text for correction in trained.correct_batch(texts)]
    assert fixed == ["  He goes to school every day.\n", "", " \t", "They are here.  "]
    assert "“" in trained.correct_batch(["They are “here”."])[0].source


def test_a_checker_takes_a_rival(trained: RivalCorrector) -> None:
    findings = Checker(trained).check_text("# A title\n\nHe go to school every day.\n", "markdown")
    assert ("go", "goes") in [(finding.before, finding.after) for finding in findings]


def test_a_sentence_longer_than_the_encoder_stays(trained: RivalCorrector) -> None:
    text = "very " * 80 + "tired"
    assert trained.correct_batch([text])[0].text == text


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_rows_without_examples_cost_nothing(name: str, tmp_path: Path) -> None:
    made = recipe(name, tmp_path)
    system = make_system(made, make_source(made.data)).eval()
    tokenizer = tokenizer_of(system)
    labels = system.labels(tokenizer)
    maker = RowMaker(labels, tokenizer, 30, 64)
    ((width, rows),) = maker.make(PAIRS[:1]).examples.items()
    sums = []
    for tokens in (width, 7 * width):
        packer = RowPacker(labels, maker.blank(), tokens)
        batch = packer.collate(rows, width)
        assert len(batch.counts) == len(system.terms)
        torch.manual_seed(0)
        sums.append(torch.stack([part.float() for part in system(batch.columns)]))
        assert packer.empty(width).counts == (0.0,) * len(system.terms)
    torch.testing.assert_close(sums[0], sums[1])


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(name: str, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    short = ("optimisation.steps=6", "optimisation.schedule=constant")
    train_rival(recipe(name, tmp_path / "a", *short))
    train_rival(recipe(name, tmp_path / "b", "optimisation.steps=3", "optimisation.schedule=constant"))
    train_rival(recipe(name, tmp_path / "b", *short), resume=True)
    whole, resumed = (load_system(tmp_path / each / "run" / "last").state_dict() for each in "ab")
    assert whole.keys() == resumed.keys()
    for key in whole:
        torch.testing.assert_close(whole[key], resumed[key], rtol=0, atol=0)


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_a_rival_validates_and_logs_its_terms(name: str, tmp_path: Path) -> None:
    told = Memory()
    pairs = tmp_path / "held-out.tsv"
    pairs.write_text("He go to my school.\tHe goes to my school.\n", encoding="utf-8")
    made = recipe(name, tmp_path, "optimisation.steps=4", "output.log_steps=2", f"data.validation={pairs}")
    train_rival(made, [told])
    header = (Path(made.output.folder) / "log.csv").read_text(encoding="utf-8").splitlines()[0].split(",")
    assert {term.column for term in find_system(name).terms} <= set(header)
    assert {"score", "precision", "recall"} <= set(header)
    assert told.scores


def test_an_unknown_system_is_named(tmp_path: Path) -> None:
    with pytest.raises(PermendError, match="no system 'bert'"):
        train_rival(recipe("bert", tmp_path))


def test_an_unknown_way_to_decode_is_named(trained: RivalCorrector) -> None:
    with pytest.raises(PermendError, match="no option 'speed'"):
        make_decoding(trained.system, {"speed": 3})
