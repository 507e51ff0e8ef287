"""Whole or not at all: what is finished stays, a restart ends with the very same bytes, settings are never mixed."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from permend.batch.ledger import Ledger
from permend.batch.places import Place
from permend.batch.rows import Columns
from permend.errors import PermendError
from tests.batch.corpora import contents, correct, jsonl, needs, table
from tests.model.tiny import exported

ROOT = Path(__file__).parents[2]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Return a folder with shards of several kinds, and one in a folder of its own."""
    folder = tmp_path / "in"
    (folder / "deep").mkdir(parents=True)
    for number in range(4):
        (folder / f"{number}.jsonl").write_bytes(jsonl(300 + number) + b"no row\n")
    (folder / "deep" / "a.csv").write_bytes(table(200))
    (folder / "notes.md").write_text("no table")
    return folder


def test_shards_keep_their_names_and_finished_ones_are_passed_by(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first, _ = correct([corpus], out)
    made = contents(out)
    assert {name for name in made if name[0] != "_"} == {"0.jsonl", "1.jsonl", "2.jsonl", "3.jsonl", "deep/a.csv"}
    (out / "1.jsonl").unlink()
    (out / ".2.jsonl.0123456789ab.permend").write_text("what a killed program has left")
    before = (out / "0.jsonl").stat().st_mtime_ns
    again, _ = correct([corpus], out, workers=2)
    assert (first.done, again.done, again.before) == (5, 1, 4)
    assert (first.rows, first.rejected) == (again.rows, again.rejected) == (1406, 4)
    assert contents(out) == made
    assert (out / "0.jsonl").stat().st_mtime_ns == before


def test_settings_that_have_made_nothing_are_replaced(corpus: Path, tmp_path: Path) -> None:
    for column in ("body", "nothing"):
        totals, told = correct([corpus / "0.jsonl"], tmp_path / "out", Columns(column), column=column)
        assert (totals.done, len(told)) == (0, 1)
    correct([corpus / "0.jsonl"], tmp_path / "out", column="text")
    correct([corpus / "0.jsonl"], tmp_path / "other", column="text")
    assert contents(tmp_path / "out") == contents(tmp_path / "other")


def test_settings_are_not_replaced_while_another_process_works_with_them(corpus: Path, tmp_path: Path) -> None:
    place = Place.of(str(tmp_path / "out"))
    with Ledger(place, {"a": 1}).alone():
        other = Ledger(place, {"a": 2})
        with pytest.raises(PermendError, match="another process writes"), other.alone():
            pass
    assert json.loads((tmp_path / "out" / "_permend" / "settings.json").read_text()) == {"a": 1}
    late = Ledger(place, {"a": 2})
    correct([corpus / "0.jsonl"], tmp_path / "out")
    with pytest.raises(PermendError, match=r"was begun with other settings \(a\)"), late.alone():
        pass


def test_other_settings_other_files_and_changed_inputs_are_refused(corpus: Path, tmp_path: Path) -> None:
    correct([corpus / "0.jsonl"], tmp_path / "out")
    with pytest.raises(PermendError, match=r"was begun with other settings \(model\)"):
        correct([corpus / "0.jsonl"], tmp_path / "out", model="another")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    with pytest.raises(PermendError, match="is not empty"):
        correct([corpus / "0.jsonl"], tmp_path / "full")
    (corpus / "0.jsonl").write_bytes(jsonl(5))
    _, [told] = correct([corpus / "0.jsonl"], tmp_path / "out")
    assert "has changed since" in told


@pytest.mark.parametrize("inside", ["", "deep/out"])
def test_an_output_inside_of_the_input_is_refused(corpus: Path, inside: str) -> None:
    with pytest.raises(PermendError, match="lies inside of the input"):
        correct([corpus], corpus / inside)
    assert not (corpus / "_permend").exists()


def test_two_shards_of_one_name_and_an_input_as_output_are_refused(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "0.jsonl").write_bytes(jsonl(3))
    with pytest.raises(PermendError, match="would both become"):
        correct([corpus / "0.jsonl", tmp_path / "0.jsonl"], tmp_path / "out")
    with pytest.raises(PermendError, match="take the place of the input"):
        correct([corpus / "0.jsonl"], corpus)
    with pytest.raises(PermendError, match="no such file"):
        correct([corpus / "9.jsonl"], tmp_path / "out")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes as POSIX has them")
def test_what_cannot_be_read_again_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.jsonl")
    with pytest.raises(PermendError, match="this is a pipe or a device"):
        correct([tmp_path / "a.jsonl"], tmp_path / "out")


def test_addresses_of_fsspec_hold_the_same(corpus: Path, tmp_path: Path) -> None:
    needs("fsspec")
    import fsspec

    memory = fsspec.filesystem("memory")
    memory.put(str(corpus), "/corpus", recursive=True)
    correct(["memory://corpus"], "memory://out")
    again, _ = correct(["memory://corpus/*.jsonl", f"file://{corpus}/deep"], "memory://out")
    assert (again.done, again.before) == (1, 4)  # a.csv of a folder that is given is called a.csv
    correct([corpus], tmp_path / "out")
    for name in ("0.jsonl", "deep/a.csv", "_rejected/0.jsonl.jsonl", "_permend/settings.json"):
        assert memory.cat(f"/out/{name}") == (tmp_path / "out" / name).read_bytes()
    with pytest.raises(PermendError, match=r"cannot be reached|another package"):
        Place.of("nosuch://bucket/a")
    with pytest.raises(PermendError):
        correct(["http://127.0.0.1:9/a.jsonl"], tmp_path / "other")


def test_what_an_earlier_try_put_aside_is_not_said_of_a_later_one(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(jsonl(3) + b"no row\n")
    correct([tmp_path / "a.jsonl"], tmp_path / "out")
    assert (tmp_path / "out" / "_rejected" / "a.jsonl.jsonl").exists()
    (tmp_path / "a.jsonl").write_bytes(jsonl(3))
    (tmp_path / "out" / "a.jsonl").unlink()
    correct([tmp_path / "a.jsonl"], tmp_path / "out")
    correct([tmp_path / "a.jsonl"], tmp_path / "fresh")
    assert contents(tmp_path / "out") == contents(tmp_path / "fresh")


def test_a_damaged_record_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(jsonl(3))
    correct([tmp_path / "a.jsonl"], tmp_path / "out")
    record = tmp_path / "out" / "_permend" / "shards" / "a.jsonl.json"
    for content in ("{}", '{"bytes": 3, "other": 4}', "[]", "", "{"):
        record.write_text(content)
        _, told = correct([tmp_path / "a.jsonl"], tmp_path / "out")
        assert told == [f"{record}: is damaged: delete it"]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.parquet"])
def test_an_address_that_is_lost_while_it_is_read_is_told(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs("fsspec", "pyarrow")
    import fsspec
    import pyarrow as pa
    import pyarrow.parquet as pq

    lines = jsonl(30_000)
    pq.write_table(pa.table({"text": [f"w{number}" for number in range(30_000)]}), tmp_path / "a.parquet")
    packed = {"a.jsonl": lines, "a.jsonl.gz": gzip.compress(lines), "a.parquet": (tmp_path / "a.parquet").read_bytes()}
    memory = fsspec.filesystem("memory")
    memory.pipe({f"/far/{name}": packed[name], "/far/b.jsonl": jsonl(3)})

    class Lost(io.BytesIO):
        """A file whose store raises an error of its own behind its first bytes."""

        def read(self, size: int | None = -1) -> bytes:
            return self._found(super().read(size))

        def readline(self, size: int | None = -1) -> bytes:
            return self._found(super().readline(size))

        def _found(self, data: bytes) -> bytes:
            if self.tell() > 10_000:
                raise RuntimeError("the connection was reset\nby peer")
            return data

    def open_there(path: str, mode: str) -> io.BytesIO:
        return Lost(packed[name]) if path == f"/far/{name}" else io.BytesIO(memory.cat(path))

    monkeypatch.setattr(memory, "open", open_there)
    totals, told = correct([f"memory://far/{name}", "memory://far/b.jsonl"], tmp_path / "out")
    assert told == [f"memory://far/{name}: cannot be reached: the connection was reset"]
    assert (totals.done, totals.troubles) == (1, 1)


def permend(*arguments: str | Path) -> subprocess.Popen[bytes]:
    """Start the command."""
    command = [sys.executable, "-m", "permend", "batch", "--model", str(exported()[1]), *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finish(process: subprocess.Popen[bytes]) -> str:
    """Wait for its end, and return what it said."""
    return process.communicate(timeout=120)[1].decode()


@pytest.fixture
def sentences(tmp_path: Path) -> Path:
    """Return a folder that takes about a second."""
    folder = tmp_path / "in"
    folder.mkdir()
    for shard in range(6):
        lines = [json.dumps({"text": f"w{5 + n % 30} w{5 + n % 7} w{5 + shard} w{5 + n % 19}"}) for n in range(800)]
        (folder / f"{shard}.jsonl").write_text("\n".join([*lines, "no row"]) + "\n")
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
def test_killed_anywhere_and_run_again_it_ends_with_the_same_bytes(sentences: Path, tmp_path: Path) -> None:
    process = permend(sentences, "-o", tmp_path / "whole")
    began = time.monotonic()
    assert "6 shards" in finish(process)
    seconds = time.monotonic() - began
    whole = contents(tmp_path / "whole")
    draw = random.Random(time.time_ns())
    delays = sorted(draw.uniform(0.3, 1.0) * seconds for _ in range(4))
    for delay in delays:
        process = permend(sentences, "-o", tmp_path / "out", "--workers", draw.choice("12"))
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        finish(process)  # which also waits for the workers: they have its standard error
        finished = {name: data for name, data in contents(tmp_path / "out").items() if name[0] not in "._"}
        assert finished == {name: whole[name] for name in finished}, delays
    process = permend(sentences, "-o", tmp_path / "out")
    said = finish(process)
    assert (process.returncode, "6 shards" in said) == (0, True), said
    assert contents(tmp_path / "out") == whole, delays


@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_end_it_and_leave_no_half_of_a_shard(
    sentences: Path, tmp_path: Path, number: signal.Signals, code: int
) -> None:
    out = tmp_path / "out"
    process = permend(sentences, "-o", out, "--workers", "2")
    deadline = time.monotonic() + 60
    while not list(out.glob(".*.permend")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(number)
    assert finish(process).strip() in ("Aborted!", "")
    assert process.returncode == code
    assert list(out.glob(".*.permend")) == []


def test_the_command_says_what_is_wrong_in_a_sentence(sentences: Path, tmp_path: Path) -> None:
    good = permend(sentences / "0.jsonl", "-o", tmp_path / "out", "--findings")
    assert "800 rows" in finish(good)
    row = json.loads((tmp_path / "out" / "0.jsonl").read_text().splitlines()[0])
    assert {"text", "corrected", "findings"} == set(row)
    assert "1 of them was finished before" in finish(
        permend(sentences / "0.jsonl", "-o", tmp_path / "out", "--findings")
    )
    for arguments, said in (
        (["-o", tmp_path / "out", "--mode", "precise"], "this model has no mode"),
        (["-o", tmp_path / "out", "--min-confidence", "0.9", "--findings"], "begun with other settings (options)"),
        (["-o", tmp_path / "new", "--column", "body"], "there is no column 'body'; there are 'text'"),
        (["-o", tmp_path / "new", "--into", "text"], "not the same one twice"),
        (["-o", sentences, "--findings"], "take the place of the input"),
        (["-o", "nosuch://x/y"], "nosuch://x/y"),
        (["-o", tmp_path / "new", "--ray", "in.jsonl"], "is no address of Ray"),
    ):
        process = permend(sentences / "0.jsonl", *arguments)
        told = finish(process)
        assert (process.returncode, said in told) == (2, True), told


def test_a_temporary_folder_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("fsspec")
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "gone"))
    with pytest.raises(PermendError, match=r"^memory://far/a: cannot be written into .*gone, from which"):
        Place.of("memory://far/a").write(b"a")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root to mount a small disk")
def test_a_full_disk_keeps_what_is_finished(sentences: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160k", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("cannot mount here")
    try:
        process = permend(sentences, "-o", disk / "out")
        told = finish(process)
        assert process.returncode == 2
        assert re.search(r"/disk/out/\d\.jsonl: cannot be written: No space left on device\n", told), told
        assert len(told.strip().splitlines()) == 1
        finished = list((disk / "out").glob("*.jsonl"))
        assert finished
        assert all(len(path.read_bytes().splitlines()) == 800 for path in finished)
        assert list((disk / "out").glob(".*")) == []
    finally:
        subprocess.run(["umount", str(disk)], check=True)
