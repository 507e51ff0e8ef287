"""An error model that was damaged, or crafted to do harm: it works, or one sentence says why not."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from permend.errors import InputError, PermendError
from permend.synthesis import error_model as module
from permend.synthesis.corrupt import Corruptor
from permend.synthesis.error_model import ErrorModel
from tests.synthesis.annotated import TEXT
from tests.test_damaged_folders import WRONG, changed, places


def test_any_value_of_an_error_model_may_be_anything(model: ErrorModel, tmp_path: Path) -> None:
    file = tmp_path / "errors.json"
    model.save(file)
    document = json.loads(file.read_text(encoding="utf-8"))
    top = [(path, value) for path in places(document) for value in WRONG if len(path) < 2]
    deep = [(path, value) for path in places(document) for value in WRONG if len(path) > 1]
    refused = 0
    for path, value in [*top, *random.Random(0).sample(deep, 300)]:
        file.write_text(json.dumps(changed(document, path, value)), encoding="utf-8")
        try:
            corruptor = Corruptor(ErrorModel.load(file))
        except PermendError as error:
            refused += "\n" not in str(error)
        else:
            corruptor.corrupt(TEXT.partition(".")[0] + ".", random.Random(1))
    assert refused > 200


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 50_000, "this is no error model: it is not JSON"),
        ('{"format": NaN}', "it is not JSON"),
        ("{}", "permend synth fit makes one"),
        (" " * 2000, "larger than 0.001 MB"),
    ],
)
def test_what_is_no_error_model_is_told_in_a_sentence(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LARGEST", 1000 if text.isspace() else module.LARGEST)
    (tmp_path / "errors.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        ErrorModel.load(tmp_path / "errors.json")
    with pytest.raises(InputError, match="there is no such file"):
        ErrorModel.load(tmp_path / "gone.json")
