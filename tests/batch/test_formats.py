"""Every format: order and all other columns stay byte for byte, and no row is lost without a word."""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permend.batch.packing import unpacked
from permend.batch.places import Place
from permend.batch.rows import CHARACTERS, LAST, LEAST, LONGEST, ROWS, Aside, Columns, Piece, tapered
from permend.batch.shards import find_shards, open_table
from permend.errors import PermendError
from tests.batch.corpora import SENTENCES, correct, jsonl, needs, rows, table

FINDINGS = Columns(findings="findings")


def rejected(out: Path, name: str) -> list[tuple[int, str]]:
    """Return where rows were put aside, and why."""
    lines = (out / "_rejected" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [(each["row"], each["reason"]) for each in map(json.loads, lines)]


@pytest.mark.parametrize("workers", [1, 3])
def test_json_lines_get_a_column_and_keep_the_rest(tmp_path: Path, workers: int) -> None:
    (tmp_path / "a.jsonl").write_bytes(jsonl(2000))
    totals, told = correct([tmp_path / "a.jsonl"], tmp_path / "out", FINDINGS, workers)
    assert (totals.rows, totals.rejected, told) == (2000, 0, [])
    for before, line in zip(rows(2000), (tmp_path / "out" / "a.jsonl").read_bytes().splitlines(), strict=True):
        after = json.loads(line)
        assert line.startswith(json.dumps(before, ensure_ascii=False).encode()[:-1])
        assert after["corrected"] == before["text"].upper()
        assert after["findings"][0]["before"] == before["text"][:1]


def test_numbers_spaces_and_line_ends_of_json_stay_as_they_are(tmp_path: Path) -> None:
    line = b'\xef\xbb\xbf { "n":1.50e3 ,"big":12345678901234567890123, "text":"a"  }  \r\n{"text":"b"}'
    (tmp_path / "a.jsonl").write_bytes(line)
    correct([tmp_path / "a.jsonl"], tmp_path / "out")
    expected = line.replace(b'"a"  }', b'"a", "corrected": "A"}').replace(b'"b"}', b'"b", "corrected": "B"}')
    assert (tmp_path / "out" / "a.jsonl").read_bytes() == expected


def test_rows_that_cannot_be_read_are_put_aside_with_the_reason(tmp_path: Path) -> None:
    lines = [
        b'{"text": "a"}', b'{"text": ', b"", b"[1]", b'{"text": "\xe9"}', b'{"text": null}', b'{"text": 3}',
        b'{"t": 1}', b'{"text": "\\ud800"}', b"[" * 100_000, b'{"text": "z"}',
    ]  # fmt: skip
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    totals, _ = correct([tmp_path / "a.jsonl"], tmp_path / "out")
    written = [json.loads(line) for line in (tmp_path / "out" / "a.jsonl").read_bytes().splitlines()]
    assert [row["corrected"] for row in written] == ["A", None, None, None, None, "Z"]
    found = rejected(tmp_path / "out", "a.jsonl")
    assert (totals.rejected, [row for row, _ in found]) == (9, [2, 3, 4, 5, 6, 7, 8, 9, 10])
    reasons = ["valid JSON", "empty line", "no JSON object", "UTF-8", "text is null", "text is a number, not text"]
    reasons += ["text is missing", "half a character", "JSON|deep"]
    assert all(
        any(part in reason for part in wanted.split("|")) for wanted, (_, reason) in zip(reasons, found, strict=True)
    )


def test_the_first_objects_of_a_shard_may_lack_the_column(tmp_path: Path) -> None:
    lines = [b'{"id": 1}', b'{"id": 2, "text": "b"}', b'{"id": 3}']
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(lines))
    totals, told = correct([tmp_path / "a.jsonl"], tmp_path / "out")
    made = [json.loads(line) for line in (tmp_path / "out" / "a.jsonl").read_bytes().splitlines()]
    assert [row["corrected"] for row in made] == [None, "B", None]
    assert (totals.rejected, told) == (2, [])
    assert rejected(tmp_path / "out", "a.jsonl") == [(1, "text is missing"), (3, "text is missing")]


@pytest.mark.parametrize(
    "dialect", [{}, {"delimiter": ";"}, {"lineterminator": "\n"}, {"quoting": csv.QUOTE_ALL, "delimiter": "|"}]
)
def test_csv_keeps_its_dialect(tmp_path: Path, dialect: dict[str, str]) -> None:
    (tmp_path / "a.csv").write_bytes(table(300, **dialect))
    correct([tmp_path / "a.csv"], tmp_path / "out", FINDINGS)
    before = table(300, **dialect).decode().splitlines(keepends=True)
    after = (tmp_path / "out" / "a.csv").read_bytes().decode().splitlines(keepends=True)
    assert all(
        b.startswith(a.rstrip("\r\n")) and b.endswith(a[len(a.rstrip("\r\n")) :])
        for a, b in zip(before, after, strict=True)
    )
    read = list(csv.DictReader(io.StringIO("".join(after), newline=""), delimiter=dialect.get("delimiter", ",")))
    assert [row["corrected"] for row in read] == [row["text"].upper() for row in rows(300)]
    assert json.loads(read[0]["findings"])[0]["after"] == "W"


def test_csv_rows_that_do_not_fit_are_put_aside(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b'id,text\n1,a\n2\n3,"b\nb"\n4,c,d\n5,\xff\n6,"",\n7,e')
    correct([tmp_path / "a.csv"], tmp_path / "out")
    assert (tmp_path / "out" / "a.csv").read_bytes() == b'id,text,corrected\n1,a,A\n3,"b\nb","B\nB"\n7,e,E'
    assert [row for row, _ in rejected(tmp_path / "out", "a.csv")] == [3, 6, 7, 8]


def test_what_an_encoding_lacks_is_never_written_as_something_else(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(
        "id,text\n1,\xe9\n2,\xff\n".encode("latin-1")
    )  # the capital of \xff is not in Latin-1
    correct([tmp_path / "a.csv"], tmp_path / "out", Columns(findings="findings", encoding="latin-1"))
    read = list(csv.DictReader(io.StringIO((tmp_path / "out" / "a.csv").read_bytes().decode("latin-1"), newline="")))
    assert [row["corrected"] for row in read] == ["\xc9", "\xff"]
    assert [json.loads(row["findings"])[0]["after"] for row in read] == ["\xc9", "\u0178"]


def test_tsv_has_no_quotation_marks_unless_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_bytes(b'text\tn\n"a\t1\nb"\t2\n')
    correct([tmp_path / "a.tsv"], tmp_path / "out")
    assert (tmp_path / "out" / "a.tsv").read_bytes() == b'text\tn\tcorrected\n"a\t1\t"A\nb"\t2\tB"\n'


@given(st.lists(st.tuples(st.text(), st.text()), max_size=20))
def test_any_csv_comes_back(texts: list[tuple[str, str]]) -> None:
    from permend.batch.delimited import Delimited

    texts = [pair for pair in texts if not any("\ud800" <= sign <= "\udfff" for sign in "".join(pair))]
    file = io.StringIO(newline="")
    csv.writer(file, quoting=csv.QUOTE_ALL).writerows([("text", "x"), *texts])
    shard = Delimited(io.BytesIO(file.getvalue().encode()), Columns(), "a.csv", iter(lambda: 0, 1), tabs=False)
    out = io.BytesIO()
    from tests.batch.corpora import shout

    for piece in shard.pieces():
        shard.write(out, piece, piece.answered(shout(piece.wanted)))
    shard.finish(out)
    read = list(csv.reader(io.StringIO(out.getvalue().decode(), newline="")))
    assert read == [["text", "x", "corrected"], *([text, other, text.upper()] for text, other in texts)]


def test_lines_keep_their_numbers_and_ends(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfa b\r\n\n\xff c\nd\x0ce")
    correct([tmp_path / "a.txt"], tmp_path / "out")
    assert (tmp_path / "out" / "a.txt").read_bytes() == b"\xef\xbb\xbfA B\r\n\n\xff c\nD\x0cE"
    assert rejected(tmp_path / "out", "a.txt") == [(3, "is not valid utf-8")]


@pytest.mark.parametrize("ending", ["gz", "xz", "zst"])
def test_packed_files_are_packed_again(tmp_path: Path, ending: str) -> None:
    needs("zstandard")
    import zstandard

    packs: dict[str, Callable[[bytes], bytes]] = {
        "gz": gzip.compress,
        "xz": lzma.compress,
        "zst": zstandard.ZstdCompressor().compress,
    }
    pack = packs[ending]
    unpack: dict[str, Callable[[bytes], bytes]] = {
        "gz": gzip.decompress,
        "xz": lzma.decompress,
        "zst": lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data),
    }
    name = f"a.jsonl.{ending}"
    (tmp_path / name).write_bytes(pack(jsonl(300)))
    correct([tmp_path / name], tmp_path / "out")
    correct([tmp_path / name], tmp_path / "again")
    packed = (tmp_path / "out" / name).read_bytes()
    assert len(unpack[ending](packed).splitlines()) == 300
    assert packed == (tmp_path / "again" / name).read_bytes()
    (tmp_path / name).write_bytes(pack(jsonl(30_000))[:-40])
    _, told = correct([tmp_path / name], tmp_path / "cut")
    assert told == [f"{tmp_path / name}: cannot be unpacked: it is damaged, or cut off"]


def test_a_packed_file_is_unpacked_a_little_at_a_time() -> None:
    needs("zstandard")
    import zstandard

    frame = zstandard.ZstdCompressor().compress(b"x" * 60_000_000)
    content, size = frame * 3 + zstandard.ZstdCompressor().compress(b"end"), 180_000_003
    assert len(content) < 30_000
    tracemalloc.start()
    with unpacked(io.BytesIO(content), ".zst") as stream:
        while part := stream.read(1_000_000):
            size -= len(part)
            last = part
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (size, last[-3:]) == (0, b"end")
    assert most < 60_000_000


def test_parquet_keeps_types_metadata_and_row_groups(tmp_path: Path) -> None:
    needs("pyarrow")
    import pyarrow as pa
    import pyarrow.parquet as pq

    fields = [
        pa.field("text", pa.large_string(), metadata={"m": "1"}), pa.field("day", pa.date32()),
        pa.field("list", pa.list_(pa.int8())), pa.field("kind", pa.dictionary(pa.int32(), pa.string())),
    ]  # fmt: skip
    schema = pa.schema(fields, metadata={"of": "ours"})
    texts = [*SENTENCES * 200, None]
    values = [texts, [3] * 1001, [[1, 2]] * 1001, ["x"] * 1001]
    given_table = pa.table([pa.array(v, f.type) for v, f in zip(values, fields, strict=True)], schema=schema)
    pq.write_table(given_table, tmp_path / "a.parquet", row_group_size=400, compression="gzip")
    totals, _ = correct([tmp_path / "a.parquet"], tmp_path / "out", FINDINGS)
    file = pq.ParquetFile(tmp_path / "out" / "a.parquet")
    made = file.read()
    assert made.select(range(4)).equals(pq.read_table(tmp_path / "a.parquet"), check_metadata=True)
    assert made["corrected"].to_pylist() == [text and text.upper() if text is not None else None for text in texts]
    assert made["findings"][0].as_py()[0]["after"] == "W"
    assert [file.metadata.row_group(each).num_rows for each in range(3)] == [400, 400, 201]
    assert file.metadata.row_group(0).column(0).compression == "GZIP"
    assert (totals.rejected, rejected(tmp_path / "out", "a.parquet")) == (1, [(1001, "text is null")])


@pytest.mark.parametrize(
    ("name", "content", "columns", "said"),
    [
        ("a.jsonl", jsonl(3), Columns("body"), "there is no column 'body'; there are 'id', 'text', 'rest'"),
        ("a.csv", table(3), Columns("body"), "there is no column 'body'; there are 'id', 'text', 'rest'"),
        ("a.csv", b"", Columns(), "this file is empty: the first row names the columns"),
        ("a.csv", b"id,text\r1,a\r2,b\r", Columns(), "the first row has a carriage return outside of quotation marks"),
        ("a.csv", b'id,text\n1,a\n2,"b\n3,c\n', Columns(), "a.csv:3: a field never ends: is a quotation mark missing?"),
        ("a.csv", b'id,"text\n1,a\n', Columns(), "a.csv:1: a field never ends: is a quotation mark missing?"),
        ("a.jsonl", jsonl(700), Columns("body"), "there is no column 'body'; there are 'id', 'text', 'rest'"),
        ("a.jsonl", jsonl(3), Columns(into="rest"), "there is a column 'rest' already"),
        ("a.csv", table(3), Columns(into="rest"), "there is a column 'rest' already"),
        ("a.txt", b"a\0b", Columns(), "this is a binary file, not text"),
        ("a.parquet", b"PAR1" + bytes(100), Columns(), "is no whole Parquet file"),
    ],
)
def test_shards_that_cannot_be_used_are_named(
    tmp_path: Path, name: str, content: bytes, columns: Columns, said: str
) -> None:
    needs("pyarrow")
    (tmp_path / name).write_bytes(content)
    (tmp_path / "good.jsonl").write_bytes(b'{"id": 1, "text": "a", "body": "b"}\n')
    totals, [told] = correct([tmp_path / name, tmp_path / "good.jsonl"], tmp_path / "out", columns)
    assert told.startswith(str(tmp_path / name))
    assert said in told
    assert (totals.done, totals.troubles) == (1, 1)
    assert not (tmp_path / "out" / name).exists()


def test_texts_of_every_kind_that_parquet_has_are_corrected(tmp_path: Path) -> None:
    needs("pyarrow")
    import pyarrow as pa
    import pyarrow.parquet as pq

    for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())):
        pq.write_table(pa.table({"text": pa.array(["a", "b"], pa.string()).cast(kind)}), tmp_path / "a.parquet")
        correct([tmp_path / "a.parquet"], tmp_path / str(kind))
        assert pq.read_table(tmp_path / str(kind) / "a.parquet")["corrected"].to_pylist() == ["A", "B"], kind


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_a_column_that_is_there_twice_is_refused(tmp_path: Path, name: str) -> None:
    needs("pyarrow")
    import pyarrow as pa
    import pyarrow.parquet as pq

    (tmp_path / "a.csv").write_text("text,text\na,b\n")
    pq.write_table(pa.table([pa.array(["a"]), pa.array(["b"])], names=["text", "text"]), tmp_path / "a.parquet")
    _, [told] = correct([tmp_path / name], tmp_path / "out")
    assert told.endswith("there are several columns 'text'")


@pytest.mark.parametrize("kind", ["jsonl", "csv", "tsv", "txt", "parquet"])
def test_larger_pieces_change_nothing_but_their_number(tmp_path: Path, kind: str) -> None:
    needs("pyarrow")
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / f"a.{kind}"
    if kind == "parquet":
        pq.write_table(pa.Table.from_pylist(rows(2000)), path)
    else:
        path.write_bytes(jsonl(2000) if kind == "jsonl" else table(2000, delimiter="\t" if kind == "tsv" else ","))
    pieces = []
    for larger in (1, 16):
        [shard] = find_shards([str(path)], Place.of("nowhere"))
        with open_table(shard, Columns(larger=larger)) as opened:
            pieces.append([piece.wanted for piece in opened.pieces()])
        correct([path], tmp_path / str(larger), Columns(larger=larger))
    assert len(pieces[0]) > len(pieces[1])
    assert len(set(map(len, pieces[1]))) > 1, "the end is cut smaller and smaller"
    assert [text for piece in pieces[0] for text in piece] == [text for piece in pieces[1] for text in piece]
    assert (tmp_path / "1" / path.name).read_bytes() == (tmp_path / "16" / path.name).read_bytes()


@given(st.lists(st.lists(st.integers(0, 3 * CHARACTERS), max_size=40), max_size=5))
def test_the_end_of_a_shard_is_cut_smaller_and_smaller(sizes: list[list[int]]) -> None:
    texts = [["x" * size for size in each] for each in sizes]
    whole = [Piece(list(each), list(each), [Aside(n, "")], 7) for n, each in enumerate(texts)]
    parts = list(tapered(whole, lambda rows, start, end: rows[start:end]))
    assert [text for part in parts for text in part.rows] == [text for each in texts for text in each]
    assert all(part.rows == part.texts for part in parts)
    assert [aside.row for part in parts for aside in part.aside] == list(range(len(whole)))
    assert sum(part.size for part in parts) == 7 * len(whole)
    first = max(0, len(whole) - LAST)
    assert parts[:first] == whole[:first]
    shares = [[max(1 / ROWS, len(row) / CHARACTERS) for row in part.rows] for part in parts[first:]]
    for place, each in enumerate(shares):
        left = sum(sum(other) for other in shares[place:])
        assert sum(each[:-1]) <= max(left / 2, LEAST) + 1e-9, "all but the row with which a piece ends"


def test_a_column_of_numbers_and_half_a_parquet_file_are_refused(tmp_path: Path) -> None:
    needs("pyarrow")
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"text": [1, 2]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"text": ["a"] * 1000}), tmp_path / "b.parquet")
    whole = (tmp_path / "b.parquet").read_bytes()
    (tmp_path / "b.parquet").write_bytes(whole[: len(whole) // 2])
    _, told = correct([tmp_path / "a.parquet", tmp_path / "b.parquet"], tmp_path / "out")
    assert told[0].endswith("the column 'text' holds int64, not text")
    assert "is no whole Parquet file" in told[1]


def test_a_parquet_file_that_is_damaged_inside_leaves_nothing(tmp_path: Path) -> None:
    needs("pyarrow")
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts = [f"w{number * 7919 % 1009} w{number}" for number in range(4000)]
    pq.write_table(pa.table({"text": texts}), tmp_path / "a.parquet", row_group_size=2000, compression="zstd")
    content = bytearray((tmp_path / "a.parquet").read_bytes())
    place = pq.ParquetFile(tmp_path / "a.parquet").metadata.row_group(1).column(0).file_offset or len(content) // 2
    content[place + 200 : place + 400] = b"U" * 200
    (tmp_path / "a.parquet").write_bytes(content)
    _, told = correct([tmp_path / "a.parquet"], tmp_path / "out")  # where the writer of row group 1 is forgotten
    assert len(told) == 1
    assert told[0].startswith(f"{tmp_path}/a.parquet: row group 2 cannot be read")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["_permend"]


def test_a_quotation_mark_that_never_ends_does_not_fill_memory(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b'id,text\n1,a\n2,"b\n' + (b"x" * 1_000_000 + b"\n") * (LONGEST // 1_000_000 + 1))
    _, [told] = correct([tmp_path / "a.csv"], tmp_path / "out")
    assert told.endswith("a.csv:3: a field never ends: is a quotation mark missing?")


def test_nothing_to_do_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    with pytest.raises(PermendError, match="there is nothing to correct"):
        correct([tmp_path / "in"], tmp_path / "out")
