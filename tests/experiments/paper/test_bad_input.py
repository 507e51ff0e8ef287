"""What cannot be done is said in one sentence, with exit code 2."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from experiments.__main__ import main
from experiments.paper.settings import make_settings, read_settings
from experiments.paper.trainings import carry_out, choose, families
from permend.errors import PermendError


def _refused(*arguments: object) -> str:
    done = CliRunner().invoke(main, [str(each) for each in arguments])
    assert done.exit_code == 2, done.output
    assert not done.exception or isinstance(done.exception, SystemExit)
    assert "Traceback" not in done.output
    return done.output.strip()


def test_an_unknown_table() -> None:
    assert "No such command 'table9'" in _refused("table9")


def test_settings_that_are_not_there(tmp_path: Path) -> None:
    said = _refused("table1", "--settings", tmp_path / "none.toml")
    assert said.startswith("Error: ")
    assert "none.toml" in said
    assert "\n" not in said


def test_a_data_file_that_is_not_there(tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text('[test]\ndev = "gone.m2"\n', encoding="utf-8")
    said = _refused("all", "--settings", settings, "--work", tmp_path)
    assert "gone.m2" in said
    assert "\n" not in said


def test_a_test_set_that_is_not_there(tmp_path: Path) -> None:
    assert "none.m2" in _refused("table2", "--tiny", "--work", tmp_path, "--test", tmp_path / "none.m2")


def test_a_system_that_is_not_there(tmp_path: Path) -> None:
    said = _refused("train", "bert", "--tiny", "--work", tmp_path)
    assert "no training 'bert'" in said
    assert "permend" in said


def test_a_tokenizer_that_does_not_fit(tmp_path: Path) -> None:
    encoder = 'encoder_config = { model_type = "modernbert", hidden_size = 32, num_hidden_layers = 1, vocab_size = 50 }'
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("He go.\tHe goes.\n", encoding="utf-8")
    settings = tmp_path / "settings.toml"
    settings.write_text(
        f"""[common]
data = {{ train = ["{pairs}"], workers = 0 }}
model = {{ tokenizer = "experiments/recipes/toy/tokenizer.json", {encoder} }}
optimisation = {{ steps = 1 }}
[test]
dev = "{pairs}"
""",
        encoding="utf-8",
    )
    for system in ("ar", "permend"):
        said = _refused("train", system, "--settings", settings, "--work", tmp_path / "work")
        assert "512" in said
        assert "\n" not in said


def test_a_stage_without_the_one_before_it(tmp_path: Path) -> None:
    from experiments.paper.tiny import tiny_settings

    settings = tiny_settings(tmp_path / "data")
    with pytest.raises(PermendError, match="starts from ar-I, which is not trained yet"):
        carry_out(tmp_path, settings, families()["ar"][1])


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({}, "test.dev is missing"),
        ({"tests": {}}, "unknown section 'tests'"),
        ({"test": {"dev": "a"}, "stage": {"IV": {}}}, "unknown stage 'IV'"),
        ({"test": {"dev": "a"}, "timing": {"speed": 1}}, "unknown key timing.speed"),
        ({"test": 3}, "test must be a table"),
    ],
)
def test_settings_that_say_nothing(values: dict[str, object], said: str) -> None:
    with pytest.raises(PermendError, match=said):
        make_settings(values)


def test_settings_that_are_no_toml(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("[test", encoding="utf-8")
    with pytest.raises(PermendError, match="cannot be read"):
        read_settings(file)


def test_names_choose_trainings_in_order() -> None:
    assert [each.name for each in choose(["ar", "ablation-vanilla"])] == [
        *("ar-I", "ar-II", "ar-III"),
        *("ablation-vanilla-II", "ablation-vanilla-III"),
    ]
