"""Text never leaves the machine, and nothing about its use does: correcting opens no connection and leaves no trace."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.model.tiny import exported

ROOT = Path(__file__).parents[1]
CORRECT = """
import sys

def refuse(event, arguments):
    if event.startswith("socket."):
        raise SystemExit(f"a socket was touched: {event} {arguments}")

sys.addaudithook(refuse)
from permend import Corrector
print(Corrector.from_pretrained(sys.argv[1]).correct("w5 w6 w7").source)
"""


def test_correcting_touches_no_socket() -> None:
    _, folder = exported()
    result = subprocess.run([sys.executable, "-c", CORRECT, str(folder)], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "w5 w6 w7\n"), result.stderr


def test_the_check_can_fail() -> None:
    code = CORRECT.partition("from permend")[0] + "import socket; socket.socket().connect(('127.0.0.1', 9))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "a socket was touched" in result.stderr


EVERY_WAY_IN = """
import subprocess, sys, time
from multiprocessing import get_context

from permend import Checker, Corrector

def correct(folder):
    return Corrector.from_pretrained(folder).correct("w5 w6 w7").source

if __name__ == "__main__":
    folder, seconds = sys.argv[1], float(sys.argv[2])
    correct(folder)
    Checker(Corrector.from_pretrained(folder, threads=1), workers=2).check_text("w5 w6 w7\\n\\nw6 w7")
    with get_context("spawn").Pool(1) as pool:
        pool.map(correct, [folder])
    subprocess.run([sys.executable, "-m", "permend", "correct", "--model", folder, "w5 w6"], check=True)
    time.sleep(seconds)
"""
UPLOAD_INTERVAL = 45
"""Seconds after which onnxruntime 1.31 has sent what it has gathered, where it may."""


def traced(script: str, *arguments: str, home: Path) -> list[str]:
    """Run a script with an empty home, and return the system calls that name an internet address."""
    if not shutil.which("strace"):
        assert not os.environ.get("CI"), "scripts/test installs strace where it may"
        pytest.skip("needs strace")
    home.mkdir()
    file, trace = home.parent / "script.py", home.parent / "trace"
    file.write_text(script, encoding="utf-8")
    unset = ("ORT_DISABLE_TELEMETRY", "HF_HUB_DISABLE_TELEMETRY", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
    environment = {name: value for name, value in os.environ.items() if name not in unset} | {"HOME": str(home)}
    command = ["strace", "-f", "-e", "trace=network", "-o", str(trace), sys.executable, str(file), *arguments]
    subprocess.run(command, check=True, env=environment, cwd=home.parent, stdout=subprocess.DEVNULL)
    return [line for line in trace.read_text(encoding="utf-8", errors="replace").splitlines() if "AF_INET" in line]


def test_no_way_into_the_library_reports_usage_or_leaves_a_file(tmp_path: Path) -> None:
    _, folder = exported()
    assert traced(EVERY_WAY_IN, str(folder), str(UPLOAD_INTERVAL), home=tmp_path / "home") == []
    assert list((tmp_path / "home").rglob("*")) == []


def test_a_pipeline_connects_to_nothing(tmp_path: Path) -> None:
    script = "import spacy\nnlp = spacy.blank('en')\nnlp.add_pipe('permend')\nnlp('He go home.')"
    calls = traced(script, home=tmp_path / "home")  # spaCy asks the system whether it knows IPv6, and no more
    assert [call for call in calls if not re.search(r"\bsocket\(|\bbind\(", call)] == []
    assert list((tmp_path / "home").rglob("*")) == []


def test_the_trace_sees_a_connection(tmp_path: Path) -> None:
    script = "import socket\nwith socket.socket() as one: one.connect_ex(('127.0.0.1', 9))"
    assert any("connect" in call for call in traced(script, home=tmp_path / "home"))


LIBRARIES = ["ORT_DISABLE_TELEMETRY", "HF_HUB_DISABLE_TELEMETRY"]


LOADS = re.compile(r"^\s*(?:import|from) (?:onnxruntime|transformers|huggingface_hub)\b", re.MULTILINE)
LOADING = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for folder in ("benchmarks", "experiments")
    for path in (ROOT / folder).rglob("*.py")
    if LOADS.search(path.read_text(encoding="utf-8"))
]
"""Programs of ours that load such a library themselves."""


@pytest.mark.parametrize(
    "module", ["permend", "permend.spacy_component", "benchmarks.speed", "experiments.average", *LOADING]
)
def test_usage_reports_are_off_before_the_libraries_are_loaded(module: str) -> None:
    first = "import sys\nclass Finder:\n    def find_spec(self, name, *_):\n        import os\n        if name in "
    first += "('onnxruntime', 'transformers', 'huggingface_hub'):\n"
    first += f"            assert all(os.environ.get(each) == '1' for each in {LIBRARIES}), name\n"
    first += "sys.meta_path.insert(0, Finder())\n"
    code = f"{first}import os, {module}; print(*(os.environ[name] for name in {LIBRARIES}))"
    environment = {name: value for name, value in os.environ.items() if name not in LIBRARIES}
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert result.stdout == "1 1\n"


@pytest.mark.parametrize("folder", ["benchmarks", "experiments"])
def test_no_program_of_ours_loads_such_a_library_without_permend(folder: str) -> None:
    package = (ROOT / folder / "__init__.py").read_text(encoding="utf-8")
    assert re.search(r"^import permend\b", package, re.MULTILINE), "which is loaded before any of its modules"


def test_no_script_of_ours_loads_such_a_library() -> None:
    files = [path for path in (ROOT / "scripts").rglob("*") if path.suffix in ("", ".py") and path.is_file()]
    assert files
    assert [path.name for path in files if LOADS.search(path.read_text(encoding="utf-8"))] == []


def test_the_user_decides_all_the_same() -> None:
    code = "import os, permend; print(os.environ['ORT_DISABLE_TELEMETRY'])"
    environment = os.environ | {"ORT_DISABLE_TELEMETRY": "0"}
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert result.stdout == "0\n"
