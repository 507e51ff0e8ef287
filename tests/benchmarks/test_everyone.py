"""Measuring for everybody: the list says what it means, the choice is always the same, the counts are right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import revisions
from benchmarks.everyday import TEST, Slip, read_everyday, read_slip
from benchmarks.everyone import Measured, Share, main, measure_everyday, measure_revisions
from benchmarks.revisions import NAMES, Revision, choose, select
from permend.corpora.lines import read_names
from permend.corrector.corrector import Corrector
from permend.text.edits import diff
from tests.corrector.test_corrector import TOKENIZER, HandMade, replace_was


def test_every_slip_is_one_place_and_every_sentence_stands_once() -> None:
    both = [read_everyday(), read_everyday(TEST)]
    slips = [slip for found, _ in both for slip in found]
    sentences = [slip.wrong for slip in slips] + [text for _, correct in both for text in correct]
    assert len(set(sentences)) == len(sentences)
    for slip in slips:
        for right in slip.rights:
            assert len(diff(slip.wrong, right)) == 1, slip
            assert "  " not in slip.wrong + right
            assert not set("{}|") & set(slip.wrong + right)


def test_several_answers_may_be_right() -> None:
    slip = read_slip("contraction", "I {dont|don't|do not} know.")
    assert slip == Slip("contraction", "I dont know.", ("I don't know.", "I do not know."))
    measured = Measured()
    for text in ("I don't know.", "I do not know.", "I dont know."):
        measure_everyday([slip], [text], measured)
    assert str(measured.mended) == "2 of 3 (66.7%)"


def test_misspellings_count_by_themselves() -> None:
    pair = Revision("He recieve it and go.", "He receives it and goes.", "a/b", ("R:SPELL", "R:VERB:SVA"))
    measured = Measured()
    measure_revisions([pair, pair], ["He receives it and go.", pair.target], measured)
    assert (measured.exact, measured.misspellings) == (Share(1, 2), Share(2, 2))


def test_repositories_of_all_sizes_are_chosen_and_no_owner_twice() -> None:
    sizes = {f"owner{n % 30}/docs{n}": 25 + n for n in range(100)} | {"microsoft/a": 500, "MicrosoftDocs/b": 490}
    chosen = choose(sizes)
    assert len(chosen) == 20
    owners = [name.partition("/")[0] for name in chosen]
    assert len(set(owners)) == 20
    assert sum(owner.lower().startswith("microsoft") for owner in owners) <= 1
    assert min(sizes[name] for name in chosen) < 30 < 115 < max(sizes[name] for name in chosen)


def test_pairs_are_selected_by_themselves_whatever_their_order() -> None:
    pairs = [Revision(f"He go {n}.", f"He goes {n}.", f"a/{n % 50 == 0}", ()) for n in range(1600)]
    selected = select(pairs)
    assert selected == select(reversed([*pairs, *pairs]))
    assert len(selected) == 1000
    assert sum(pair.repository == "a/True" for pair in selected) == 32, "the small one is there whole"


def test_twenty_repositories_are_set_aside() -> None:
    assert len(read_names(NAMES)) == 20


def line(source: str, target: str, **others: object) -> str:
    return json.dumps({"source": source, "target": target, "types": ["R:SPELL"], "mending": True, **others}) + "\n"


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = min(read_names(NAMES))
    mined, output = tmp_path / "mined.jsonl", tmp_path / "pairs.jsonl"
    mined.write_text(
        line("We recieve it today.", "We receive it today.", repository=name)
        + line("We recieve it then.", "We receive it then.", repository="some/other")
        + line("We recieve it here.", "We receive it here.", repository=name, mending=False)
        + line("We pick a colour.", "We pick a color.", repository=name)
    )
    result = CliRunner().invoke(revisions.main, [str(mined), "-o", str(output)])
    assert result.output == "1 pairs of 1 repositories\n"
    monkeypatch.setattr(Corrector, "from_pretrained", lambda *_, **__: Corrector.of(HandMade(replace_was), TOKENIZER))
    (tmp_path / "clean.txt").write_text("I was here.\nAll is well.\n")
    (tmp_path / "model").mkdir()
    files = ["--revisions", output, "--clean", tmp_path / "clean.txt", "--json", tmp_path / "report.json", "--show"]
    result = CliRunner().invoke(main, [str(each) for each in (tmp_path / "model", *files)])
    assert result.exit_code == 0, result.output
    for words in ("doubled word", "correct ones changed", "0 of 1 (0.0%)", "1 of 2 (50.0%)", "→ We met at at the"):
        assert words in result.output
    assert json.loads((tmp_path / "report.json").read_text())["default options"]["clean"] == {"part": 1, "whole": 2}
    mined.write_text("{}\n")
    result = CliRunner().invoke(revisions.main, [str(mined)])
    assert "mined.jsonl:1: this is no pair of permend synth mine" in result.output
