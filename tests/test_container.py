"""The container's files say what permend can do, and give it no more than it needs; hadolint has nothing to add.

`scripts/try-container` does what the Dockerfile does, where there is no Docker.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from copy import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from permend.cli.serve import serve

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def instruction(name: str) -> list[str]:
    """Return the arguments of an instruction in the form of JSON; of several, the last one's."""
    found: list[str] = json.loads(re.findall(rf"^ *{name} (\[.*\])$", DOCKERFILE, re.MULTILINE)[-1])
    return found


@pytest.fixture(scope="module")
def service() -> dict[str, Any]:
    """Return the service of the compose file."""
    [found] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"].values()
    assert isinstance(found, dict)
    return found


def test_hadolint_has_nothing_to_add() -> None:
    program = shutil.which("hadolint", path=str(Path(sys.executable).parent))
    assert program, "it comes with the dev extra"
    done = subprocess.run([program, ROOT / "Dockerfile"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_commands_options_exist_and_fit(service: dict[str, Any]) -> None:
    program, command, *fixed = instruction("ENTRYPOINT")
    assert (program, command) == ("permend", serve.name)
    for options in (instruction("CMD"), service["command"]):
        given = copy(serve).make_context("permend", [*fixed, *options]).params  # a command remembers its first context
        assert (given["host"], given["port"], given["read_only"]) == ("0.0.0.0", 8081, True)
        assert given["workers"] > 1


def test_the_variable_is_the_tokens(service: dict[str, Any]) -> None:
    [token] = [option for option in serve.params if option.name == "token"]
    assert list(service["environment"]) == [token.envvar]
    assert str(service["environment"][str(token.envvar)]).startswith("${PERMEND_TOKEN:?"), "no token, no start"


def test_the_container_may_do_little(service: dict[str, Any]) -> None:
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert {"mem_limit", "pids_limit"} <= set(service)
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    [user] = re.findall(r"^USER (.*)$", DOCKERFILE, re.MULTILINE)
    assert service["user"] == user
    assert not user.startswith(("0", "root"))


def test_the_health_check_asks_the_server_and_needs_no_other_program(service: dict[str, Any]) -> None:
    asked = instruction("  CMD")
    assert asked[0] == "python"
    assert "/api/health" in asked[2]
    assert service["healthcheck"]["test"] == ["CMD", *asked]
    compile(asked[2], "health check", "exec")


def test_what_is_copied_is_let_through_and_there() -> None:
    through = re.findall(r"^!(.*)$", (ROOT / ".dockerignore").read_text(encoding="utf-8"), re.MULTILINE)
    copied = [name for line in re.findall(r"^COPY ((?!--).*) \S+$", DOCKERFILE, re.MULTILINE) for name in line.split()]
    assert sorted(copied) == sorted(through)
    assert all((ROOT / name).exists() for name in copied)
