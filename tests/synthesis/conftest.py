"""A model learned from our own annotated text."""

from __future__ import annotations

import pytest

from permend.synthesis.error_model import ErrorModel
from tests.synthesis.annotated import small_model


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> ErrorModel:
    """The small model."""
    return small_model(tmp_path_factory.mktemp("model"))
