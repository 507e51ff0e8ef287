"""What permend promises: its public names, and how little importing it or a command loads."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

import permend
from permend.cli.main import COMMANDS, main

HEAVY = ("torch", "transformers", "spacy", "errant", "matplotlib", "onnxruntime", "fastapi", "pygls")


def test_the_public_names() -> None:
    assert sorted(permend.__all__) == [
        "Checker",
        "Correction",
        "Corrector",
        "Edit",
        "Finding",
        "Hypothesis",
        "InputError",
        "Labeler",
        "Options",
        "PermendError",
        "PersonalDictionary",
        "Plan",
        "SubwordTokenizer",
        "WordTokenizer",
        "Words",
        "apply",
        "diff",
        "search",
    ]
    assert all(hasattr(permend, name) for name in permend.__all__)
    assert set(permend.__all__) <= set(dir(permend))
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        permend.Nothing  # noqa: B018


def test_importing_the_package_and_its_command_line_loads_nothing_heavy() -> None:
    code = "import sys, permend, permend.cli; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {name.partition(".")[0] for name in loaded} & set(HEAVY)


def test_importing_the_package_alone_loads_next_to_nothing() -> None:
    code = "import sys; before = set(sys.modules); import permend; print(*sorted(set(sys.modules) - before))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert [name for name in loaded if name.startswith("permend")] == ["permend"]
    assert not {"numpy", "tokenizers", "click", "rapidfuzz"} & set(loaded)


def test_importing_the_package_takes_no_time_in_which_ctrl_c_would_show_a_traceback() -> None:
    source = str(Path(permend.__file__).parents[1])
    code = f"import sys; sys.path.append({source!r}); import permend; print(*sys.modules)"
    bare = [sys.executable, "-I", "-S", "-c", code]  # nothing that this machine adds
    loaded = subprocess.run(bare, capture_output=True, text=True, check=True).stdout.split()
    assert "permend" in loaded
    assert not {"typing", "re", "enum", "collections"} & set(loaded)


def modules_of(*arguments: str) -> set[str]:
    """Run a command in a process of its own, and return all modules that it has loaded when it ends."""
    code = (
        "import atexit, sys\n"
        "from permend.__main__ import main\n"
        "atexit.register(lambda: print('LOADED', *sys.modules))\n"
        "main()\n"
    )
    run = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, encoding="utf-8")
    assert run.returncode in (0, 1), run.stderr
    return set(run.stdout.rpartition("LOADED")[2].split())


def inside(loaded: set[str], *packages: str) -> list[str]:
    return sorted(name for name in loaded if any(f"{name}.".startswith(f"{package}.") for package in packages))


def test_help_loads_no_command() -> None:
    loaded = modules_of("--help")
    assert inside(loaded, "permend.cli") == [
        "permend.cli",
        *(f"permend.cli.{name}" for name in ("ending", "main", "process")),
    ]
    assert not inside(loaded, "numpy", "rich", "permend.model", "permend.corrector", "permend.documents")


def test_correcting_a_sentence_loads_only_what_corrects_sentences() -> None:
    loaded = modules_of("correct", "He go.")
    heavy = {*HEAVY} - {"onnxruntime"}
    rooms = ("synthesis", "training", "evaluation", "corpora", "documents.reports", "documents.checker")
    assert "permend.corrector.corrector" in loaded
    assert not inside(loaded, *(f"permend.{room}" for room in rooms), "rich.progress", *heavy)
    assert len(inside(loaded, "permend")) <= 52, "the one that starts it included"


def test_checking_a_document_loads_the_reader_of_its_format_alone(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("He go.\n", encoding="utf-8")
    loaded = modules_of("check", str(tmp_path / "page.md"))
    assert "permend.documents.markdown" in loaded
    assert not inside(loaded, *(f"permend.documents.{name}" for name in ("latex", "rst", "asciidoc", "plain")))
    assert inside(loaded, "permend.documents.reports") == [
        f"permend.documents.reports{name}" for name in ("", ".compiler", ".places")
    ]
    assert not inside(loaded, "permend.synthesis", "permend.training", "permend.evaluation", "permend.corpora")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_has_their_own_first_sentences(name: str) -> None:
    file, sentence = COMMANDS[name]
    command = main.get_command(click.Context(main), name)
    assert command is getattr(import_module(f"permend.cli.{file}"), file)
    assert command.name == name
    first = (command.help or "").partition("\n\n")[0]
    assert " ".join(first.split()) == sentence
