"""Pairs from every kind of file: the same `Pair`, and errors that name the place."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from permend.corpora.lines import open_for_writing, read_lines, read_names, read_paragraphs
from permend.corpora.pairs import Pair, holds_pairs, read_pairs
from permend.errors import InputError

PAIRS = [Pair("He go home .", "He goes home ."), Pair('She say "hi" .', 'She says "hi" .')]
M2 = """S He go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||1

S She say "hi" .
A 1 2|||R:VERB:SVA|||says|||REQUIRED|||-NONE-|||0
"""


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


TABLES: dict[str, Callable[[], str]] = {
    "pairs.tsv": lambda: "".join(f"{pair.source}\t{pair.target}\n\n" for pair in PAIRS),
    "header.tsv": lambda: "id\tinput\ttarget\n" + "".join(f"1\t{pair.source}\t{pair.target}\n" for pair in PAIRS),
    "pairs.csv": lambda: (
        "input,target\n" + "".join(f"{quoted('grammar: ' + pair.source)},{quoted(pair.target)}\n" for pair in PAIRS)
    ),
    "pairs.jsonl": lambda: "".join(json.dumps({"source": p.source, "target": p.target, "n": 1}) + "\n" for p in PAIRS),
    "other.jsonl": lambda: "".join(json.dumps({"src": pair.source, "tgt": pair.target}) + "\n" for pair in PAIRS),
    "pairs.m2": lambda: M2,
}


@pytest.mark.parametrize("name", TABLES)
def test_every_kind_of_file_gives_the_same_pairs(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(TABLES[name](), encoding="utf-8")
    assert list(read_pairs(path)) == PAIRS


@pytest.mark.parametrize(("ending", "pack"), [("gz", gzip.compress), ("xz", lzma.compress)])
def test_packed_files_are_unpacked(tmp_path: Path, ending: str, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / f"pairs.tsv.{ending}"
    path.write_bytes(pack(TABLES["pairs.tsv"]().encode()))
    assert list(read_pairs(path)) == PAIRS
    path.write_bytes(pack(TABLES["pairs.tsv"]().encode() * 200)[:-20])
    with pytest.raises(InputError, match="cannot be unpacked"):
        list(read_pairs(path))


@pytest.mark.parametrize("ending", ["", ".gz", ".xz"])
def test_what_is_written_can_be_read(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"text.txt{ending}"
    with open_for_writing(path) as file:
        file.write("Élan vital\nsecond line\n")
    assert list(read_lines(path)) == ["Élan vital", "second line"]
    with pytest.raises(InputError, match="cannot be written"):
        open_for_writing(tmp_path / "missing" / f"text.txt{ending}")


def test_raw_text_is_spaced_as_a_writer_spaces_it(tmp_path: Path) -> None:
    path = tmp_path / "pairs.m2"
    path.write_text(M2, encoding="utf-8")
    assert next(iter(read_pairs(path, raw=True))) == Pair("He go home.", "He goes home.")


def test_an_annotator_can_be_chosen(tmp_path: Path) -> None:
    path = tmp_path / "pairs.m2"
    path.write_text(M2.split("\n\n")[0] + "\n", encoding="utf-8")
    assert list(read_pairs(path, annotator=1)) == [Pair("He go home .", "He went home .")]
    with pytest.raises(InputError, match="annotator 2"):
        list(read_pairs(path, annotator=2))


def test_a_jfleg_folder_gives_a_pair_for_each_reference(tmp_path: Path) -> None:
    for name, text in {"dev.src": "a b\nc d", "dev.ref0": "A b\nC d", "dev.ref1": "a B\nc D"}.items():
        (tmp_path / name).write_text(text + "\n", encoding="utf-8")
    assert [pair.target for pair in read_pairs(tmp_path)] == ["A b", "C d", "a B", "c D"]
    assert [pair.target for pair in read_pairs(tmp_path, annotator=1)] == ["a B", "c D"]
    with pytest.raises(InputError, match=r"NAME\.ref7"):
        list(read_pairs(tmp_path, annotator=7))


def test_sources_and_references_must_have_the_same_length(tmp_path: Path) -> None:
    source, target = tmp_path / "dev.src", tmp_path / "dev.ref0"
    source.write_text("a b .\n\nc\n", encoding="utf-8")
    target.write_text("A b .\n\nC\n", encoding="utf-8")
    assert list(read_pairs(tmp_path, raw=True)) == [Pair("a b.", "A b."), Pair("c", "C")]
    target.write_text("A b\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"dev\.ref0: ends after 1 lines"):
        list(read_pairs(tmp_path))


def test_files_of_pairs_are_known_by_their_ending(tmp_path: Path) -> None:
    assert [holds_pairs(name) for name in ("a.m2", "a.tsv.gz", "a.txt", tmp_path)] == [True, True, False, True]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("pairs.tsv", b"a\tb\nno tab\n", r"pairs\.tsv:2: a pair has two columns with a tab between them, not 1"),
        ("pairs.tsv", b"1\t2\t0\t1\tTarget alone.\n", r"pairs\.tsv:1: this is cLang-8's file of targets"),
        ("pairs.tsv", b"a\tb\nc\0\td\n", r"pairs\.tsv:2: this is a binary file"),
        ("pairs.tsv", b"", "holds no pairs"),
        ("pairs.csv", b'a,b\n"c,d\n', r"pairs\.csv:2: this is not a CSV row"),
        ("pairs.jsonl", b'{"source": "a"\n', r"pairs\.jsonl:1: this is not JSON"),
        ("pairs.jsonl", b'{"source": "a"}\n', r'pairs\.jsonl:1: an object has the keys "source" and "target"'),
        ("pairs.jsonl", b'{"source": "a", "target": 3}\n', r"pairs\.jsonl:1: .* must be strings"),
        ("pairs.doc", b"a\tb\n", "pairs are read from"),
        ("pairs.tsv.gz", b"not packed at all", "cannot be unpacked"),
    ],
)
def test_bad_files_are_refused_with_their_line(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message):
        list(read_pairs(tmp_path / name))


def test_missing_files_are_named(tmp_path: Path) -> None:
    for name in ("missing.tsv", "missing.m2", "missing.csv.gz"):
        with pytest.raises(InputError, match=f"{name}: cannot be read"):
            list(read_pairs(tmp_path / name))


def test_paragraphs_are_lines_with_single_spaces(tmp_path: Path) -> None:
    path = tmp_path / "text.txt.xz"
    path.write_bytes(lzma.compress(b"One  two.\tThree.\n\n Four. \n"))
    assert list(read_paragraphs(path)) == ["One two. Three.", "Four."]
    path.write_bytes(lzma.compress(b" \n\n"))
    with pytest.raises(InputError, match="holds no text"):
        list(read_paragraphs(path))


def test_pairs_of_some_repositories_can_be_left_out(tmp_path: Path) -> None:
    lines = [{"source": f"{n} a", "target": f"{n} b", "repository": n} for n in ("mine", "yours")]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    (tmp_path / "names.txt").write_text("# set aside\nyours\n\n", encoding="utf-8")
    names = read_names(tmp_path / "names.txt")
    assert names == {"yours"}
    assert read_names(None) == frozenset()
    assert list(read_pairs(tmp_path / "pairs.jsonl", without=names)) == [Pair("mine a", "mine b")]
    with pytest.raises(InputError, match="this file holds no pairs"):
        list(read_pairs(tmp_path / "pairs.jsonl", without={"mine", "yours"}))
