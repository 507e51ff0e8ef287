"""Commands with networks made by hand, and without the words of whoever runs the tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from permend.corrector.corrector import Corrector
from tests.corrector.test_corrector import TOKENIZER, HandMade, replace_was


@pytest.fixture(autouse=True)
def nobodys_words(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder for the user's settings, empty at first."""
    folder = tmp_path_factory.mktemp("settings")
    for name in ("XDG_CONFIG_HOME", "APPDATA", "HOME"):
        monkeypatch.setenv(name, str(folder))
    return folder


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Have the command load networks made by hand, *was* → *am* unless another rule is given."""

    def use(rule: Any = replace_was) -> None:
        def load(*arguments: Any, **options: Any) -> Corrector:
            return Corrector.of(HandMade(rule), TOKENIZER)

        monkeypatch.setattr(Corrector, "from_pretrained", load)

    use()
    return use


@pytest.fixture
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Start where the toy recipes' paths lead from, with one thread: tiny products are slower with several."""
    import torch

    monkeypatch.chdir(Path(__file__).parents[2])
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
