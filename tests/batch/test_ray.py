"""On Ray the result is the same, byte for byte, and a killed worker loses nothing."""

from __future__ import annotations

import os
import re
import signal
import socket
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from subprocess import PIPE, Popen
from tempfile import TemporaryDirectory

import pytest

from permend.batch.correcting import Correcting
from permend.batch.ledger import Ledger
from permend.batch.places import Place
from permend.batch.pool import Pool
from permend.batch.rows import Columns
from permend.batch.run import run
from permend.batch.shards import find_shards
from permend.errors import PermendError
from tests.batch.corpora import contents
from tests.model.tiny import exported, texts

if find_spec("ray") is None:  # it is not imported here: that is when it looks for its password
    pytest.skip("needs ray", allow_module_level=True)


@pytest.mark.parametrize("address", ["127.0.0.1:{}", "ray://127.0.0.1:{}", "127.0.0.1:99999", "ray://nowhere.invalid"])
def test_a_cluster_that_does_not_answer_is_told_at_once(address: str, tmp_path: Path) -> None:
    from permend.batch.ray_pool import RayPool

    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and does not listen
        address = address.format(nobody.getsockname()[1])
        with pytest.raises(PermendError, match=f"Ray cannot be reached at {re.escape(address)}: "):
            RayPool(Correcting(), 2, address).__enter__()


@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
def test_a_signal_leaves_nothing_of_a_ray_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("".join(f'{{"text": "{text}."}}\n' for text in texts(200)) * 500)
    with TemporaryDirectory() as folder:  # names of Ray's sockets must be short
        command = ["batch", tmp_path / "a.jsonl", "-o", tmp_path / "out", "--model", exported()[1], "--ray"]
        environment = os.environ | {"TMPDIR": folder}
        process = Popen([sys.executable, "-m", "permend", *map(str, command)], env=environment, stderr=PIPE, text=True)
        while not list((tmp_path / "out").glob(".*.permend")) and process.poll() is None:
            time.sleep(0.05)
        assert list(Path(folder).glob("permend-ray-*"))
        process.terminate()
        told = process.communicate(timeout=120)[1]
        assert (process.returncode, told) == (143, "")
        assert list(Path(folder).glob("permend-ray-*")) == []
        assert list((tmp_path / "out").glob(".*.permend")) == []


def test_ray_gives_the_same_bytes_though_a_worker_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from permend.batch.ray_pool import RayPool

    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    handlers = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    (tmp_path / "a.txt").write_text("".join(f"{text}.\n" for text in texts(4000)))
    work = Correcting(str(exported()[1]))
    shards = find_shards([str(tmp_path / "a.txt")], Place.of(str(tmp_path / "pool")))
    run(shards, Columns(), Pool(work, 2), Ledger(Place.of(str(tmp_path / "pool")), {}))
    engine = RayPool(work, 2)
    killed: list[int] = []

    class Killing:
        """Kills a worker when the first rows are done."""

        def expect(self, size: int) -> None:
            pass

        def advance(self, size: int, rows: int) -> None:
            if not killed:
                killed.append(engine.processes[0])
                os.kill(killed[0], signal.SIGKILL)

    totals = run(shards, Columns(), engine, Ledger(Place.of(str(tmp_path / "ray")), {}), progress=Killing())
    assert (totals.rows, len(killed)) == (4000, 1)
    assert contents(tmp_path / "ray") == contents(tmp_path / "pool")
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == handlers
    assert list(home.rglob("*")) == []
    assert os.environ["RAY_USAGE_STATS_ENABLED"] == "0"
