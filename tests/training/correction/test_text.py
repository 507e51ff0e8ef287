"""Training on clean text: errors are made on the way, new ones every epoch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from experiments.clean_sample import main as clean_sample
from permend.corpora.pairs import Pair
from permend.errors import PermendError
from permend.synthesis.error_model import ErrorModel
from permend.training.correction.data import make_source
from permend.training.correction.recipe import Recipe
from permend.training.correction.run import train
from tests.synthesis.annotated import small_model

Tiny = Callable[..., Recipe]


@pytest.fixture
def text(tmp_path: Path) -> tuple[str, str]:
    """A text and an error model, as changes of a recipe."""
    small_model(tmp_path).save(tmp_path / "errors.json")
    lines = [f"She goes to the school every day with {count} dogs and likes it." for count in range(2, 60)]
    (tmp_path / "clean.txt").write_text("\n".join(lines), encoding="utf-8")
    return f"data.text={tmp_path / 'clean.txt'}", f"data.errors={tmp_path / 'errors.json'}"


def test_a_recipe_can_learn_from_text(tiny: Tiny, text: tuple[str, str]) -> None:
    recipe = tiny(*text, "data.train=", "optimisation.steps=3")
    assert train(recipe).step == 3


def test_every_epoch_has_new_errors_in_the_same_sentences(tiny: Tiny, text: tuple[str, str]) -> None:
    source = make_source(tiny(*text, "data.train=").data)
    epochs = [sorted(source.read(epoch, 1, 0, len(source)), key=lambda pair: pair.target) for epoch in (0, 1)]
    assert [pair.target for pair in epochs[0]] == [pair.target for pair in epochs[1]]
    assert epochs[0] != epochs[1]
    assert any(pair.source != pair.target for pair in epochs[0])


def test_paragraphs_set_aside_are_measured_on_and_never_learned_from(
    tiny: Tiny, text: tuple[str, str], tmp_path: Path
) -> None:
    def learned(*changes: str) -> set[str]:
        source = make_source(tiny(*text, "data.train=", *changes).data)
        return {pair.target for pair in source.read(0, 1, 0, len(source))}

    options = ["--errors", str(tmp_path / "errors.json"), "--set-aside", "0.3", "-o", str(tmp_path / "sample.txt")]
    assert CliRunner().invoke(clean_sample, [str(tmp_path / "clean.txt"), *options]).exit_code == 0
    measured = (tmp_path / "sample.txt").read_text(encoding="utf-8").splitlines()
    assert learned("data.set_aside=0.3").isdisjoint(measured)
    assert learned("data.set_aside=0.3").union(measured) == learned()
    assert learned("data.set_aside=0.2") > learned("data.set_aside=0.3")
    with pytest.raises(PermendError, match=r"data\.set_aside must lie in \[0, 1\)"):
        tiny("data.set_aside=1")


def test_what_stands_in_another_text_too_is_not_measured_on(text: tuple[str, str], tmp_path: Path) -> None:
    def sample(*options: str) -> list[str]:
        files = ["--errors", str(tmp_path / "errors.json"), "--set-aside", "0.3", "-o", str(tmp_path / "sample.txt")]
        assert CliRunner().invoke(clean_sample, [str(tmp_path / "clean.txt"), *files, *options]).exit_code == 0
        return (tmp_path / "sample.txt").read_text(encoding="utf-8").splitlines()

    first, *others = sample()
    (tmp_path / "other.txt").write_text(f"It is true. {first.upper()} And so on.\n", encoding="utf-8")
    assert sample("--also", str(tmp_path / "other.txt")) == others


def test_text_without_an_error_model_is_refused(tiny: Tiny, text: tuple[str, str]) -> None:
    with pytest.raises(PermendError, match=r"data\.text needs data\.errors"):
        tiny(text[0], "data.train=", "optimisation.steps=1").check()


def test_an_epoch_of_text_and_pairs_holds_all_of_both_in_a_new_order(tiny: Tiny, text: tuple[str, str]) -> None:
    alone = [make_source(tiny().data), make_source(tiny(*text, "data.train=").data)]
    mixed = make_source(tiny(*text).data)
    for epoch in (0, 1):
        everything = [pair for source in alone for pair in source.read(epoch, 1, 0, len(source))]
        found = list(mixed.read(epoch, 1, 0, len(mixed)))
        assert Counter(found) == Counter(everything)
        assert found != everything
        assert list(mixed.read(epoch, 1, 5, 9)) == found[5:9]


def test_a_corrupter_learns_from_right_to_wrong(tiny: Tiny, text: tuple[str, str]) -> None:
    forwards, backwards = (make_source(tiny(*text, *more).data) for more in ((), ("data.reverse=true",)))
    exchanged = [Pair(pair.target, pair.source) for pair in forwards.read(0, 1, 0, len(forwards))]
    assert list(backwards.read(0, 1, 0, len(backwards))) == exchanged


def test_lines_that_are_sentences_already_are_taken_as_they_are(
    tiny: Tiny, text: tuple[str, str], tmp_path: Path
) -> None:
    (tmp_path / "clean.txt").write_text("no sentence\nA B. C D.\n", encoding="utf-8")
    source = make_source(tiny(*text, "data.train=", "data.lines=true").data)
    assert sorted(pair.target for pair in source.read(0, 1, 0, len(source))) == ["A B. C D.", "no sentence"]
    with pytest.raises(PermendError, match=r"data\.lines has none"):
        make_source(tiny(*text, "data.train=", "data.lines=true", "data.set_aside=0.1").data)


def test_rates_make_an_error_more_frequent_or_name_the_types_there_are(
    tiny: Tiny, text: tuple[str, str], tmp_path: Path
) -> None:
    types = ErrorModel.load(tmp_path / "errors.json").types
    chosen = "M:DET"

    def untouched(*changes: str) -> int:
        source = make_source(tiny(*text, "data.train=", *changes).data)
        return sum(pair.source == pair.target for pair in source.read(0, 1, 0, len(source)))

    off = [f"data.rates.{name}=0" for name in types]
    assert untouched(*off) > untouched(*(change for change in off if f".{chosen}=" not in change)) >= untouched()
    with pytest.raises(PermendError, match=r"data\.rates: .*errors\.json has no type R:NONSENSE; it has "):
        untouched("data.rates.R:NONSENSE=2")
