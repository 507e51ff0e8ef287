"""Pairs out of revisions: nothing of what is set aside, only open licences where asked, slips of what was left out."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from benchmarks.revisions import NAMES
from experiments.revision_pairs import choose, is_plain, main
from permend.corpora.lines import read_names
from permend.corpora.pairs import read_pairs
from permend.synthesis.mining.reasons import Look

SET_ASIDE = min(read_names(NAMES))
SOURCES = (
    "repository\tcommit\tlicence (by its file)\na/open\t1\tMIT + CC-BY\nb/closed\t1\tCC-BY-SA\nc/none\t1\tnone found\n"
)


def row(name: str, source: str, target: str, mending: bool = True) -> str:
    return json.dumps({"source": source, "target": target, "repository": name, "mending": mending, "types": []}) + "\n"


def run(folder: Path, *options: str) -> list[tuple[str, str]]:
    kept = [
        row(name, f"We recieve {name[0]} today.", f"We receive {name[0]} today.")
        for name in ("a/open", "b/closed", SET_ASIDE)
    ]
    rest = row("a/open", "We dont need it now.", "We don't need it now.")
    rest += row("a/open", "We cant need it now.", "We can't need it now.", mending=False)
    rest += row("a/open", "We use javascript for it.", "We use JavaScript for it.")
    rest += row("a/open", "We like it today.", "We love it today.")
    for name, text in (("kept.jsonl", "".join(kept)), ("rest.jsonl", rest), ("sources.tsv", SOURCES)):
        (folder / name).write_text(text, encoding="utf-8")
    files = [folder / "kept.jsonl", "--candidates", folder / "rest.jsonl", "--sources", folder / "sources.tsv"]
    done = CliRunner().invoke(main, [*map(str, files), *options, "-o", str(folder / "pairs.jsonl")])
    assert done.exit_code == 0, done.output
    return [(pair.source, pair.target) for pair in read_pairs(folder / "pairs.jsonl")]


def test_what_is_set_aside_is_left_out_and_slips_are_taken(tmp_path: Path) -> None:
    found = run(tmp_path, "--clean", "0")
    assert [source for source, _ in found] == ["We recieve a today.", "We recieve b today.", "We dont need it now."]


def test_licences_and_clean_sentences(tmp_path: Path) -> None:
    found = run(tmp_path, "--open", "--clean", "0.5")
    assert [source for source, _ in found] == ["We recieve a today.", "We dont need it now.", "We receive a today."]


def test_a_house_style_weighs_less() -> None:
    rows = [{"source": f"He go {n}", "target": f"He goes {n}", "repository": "MicrosoftDocs/x"} for n in range(400)]
    assert 60 < len(list(choose(rows, (), None))) < 140


def test_plain_grammar_is_taken_unless_the_model_thinks_it_worse() -> None:
    row = {"source": "The tools is in the box.", "target": "The tools are in the box.", "types": ["R:VERB:SVA"]}
    assert is_plain(row | {"gain": -0.1}, Look())
    assert not is_plain(row | {"gain": -2.0}, Look())
    assert not is_plain(row | {"gain": None}, Look()), "nobody asked the model"
    assert not is_plain(row | {"gain": 5.0, "types": ["R:VERB:SVA", "R:NOUN"]}, Look()), "another word is no grammar"
    comma = {"source": "If so press the button.", "target": "If so, press the button.", "types": ["M:PUNCT"]}
    assert is_plain(comma | {"gain": 0.4}, Look())
    assert not is_plain(comma | {"gain": 0.1}, Look()), "a comma is often a matter of style"
