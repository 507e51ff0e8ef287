"""Any sequence-to-sequence folder corrects by the common protocol; what it copies keeps its characters."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest
import torch
from transformers import BartConfig, BartForConditionalGeneration, T5Config, T5EncoderModel, T5ForConditionalGeneration

from experiments.rivals.ar import most_tokens
from experiments.rivals.seq2seq import Seq2SeqCorrector
from permend.documents.checker import Checker
from permend.errors import InputError
from permend.text.edits import apply
from permend.text.tokens import SubwordTokenizer
from tests.experiments.rivals.toys import PAIRS, TOY

PREFIX = "fix: "
SOURCES = [pair.source for pair in PAIRS]
UNKNOWN_TO_THE_MODELS = ["Here they are, every day.", "I", "two schools and a book"]


def tokenizer_json(family: str) -> str:
    """Return the toy tokenizer; T5's has no opening token, and sees one space where there are many."""
    values = json.loads((TOY / "tokenizer.json").read_text(encoding="utf-8"))
    if family == "t5":
        values["post_processor"]["single"] = values["post_processor"]["single"][1:]
        values["normalizer"] = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}
    return json.dumps(values)


def new_model(family: str) -> Any:
    torch.manual_seed(0)
    if family == "t5":
        sizes: dict[str, Any] = {
            "decoder_start_token_id": 1,
            "d_model": 32,
            "d_kv": 16,
            "d_ff": 64,
            "num_layers": 2,
            "num_heads": 2,
            "dropout_rate": 0.0,
        }
        config = T5Config(vocab_size=520, pad_token_id=1, eos_token_id=2, **sizes)
        return cast(Any, T5ForConditionalGeneration)(config)
    half: dict[str, Any] = {f"{side}_{name}": size for side in ("encoder", "decoder") for name, size in HALF.items()}
    ids: dict[str, Any] = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2}
    rest: dict[str, Any] = {"vocab_size": 512, "d_model": 32, "max_position_embeddings": 48, "dropout": 0.0}
    return cast(Any, BartForConditionalGeneration)(BartConfig(**half, **ids, **rest, forced_eos_token_id=None))


HALF = {"layers": 1, "attention_heads": 2, "ffn_dim": 64}


def write_folder(folder: Path, family: str, model: Any) -> Path:
    model.save_pretrained(folder)
    (folder / "tokenizer.json").write_text(tokenizer_json(family), encoding="utf-8")
    return folder


@pytest.fixture(scope="module", params=["bart", "t5"])
def untrained(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a model with random weights."""
    return write_folder(tmp_path_factory.mktemp(request.param), request.param, new_model(request.param))


@pytest.fixture(scope="module", params=["bart", "t5"])
def trained(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a model that knows the pairs by heart."""
    tokenizer = SubwordTokenizer(tokenizer_json(request.param))
    opening = int(request.param == "t5")
    inputs = _padded([tokenizer.encode(PREFIX + pair.source).ids[opening:] for pair in PAIRS], 1)
    labels = _padded([tokenizer.encode(pair.target).ids[opening:] for pair in PAIRS], -100)
    model = new_model(request.param).train()
    optimiser = torch.optim.Adam(model.parameters(), 5e-3)
    for _ in range(150):
        loss = model(input_ids=inputs, attention_mask=(inputs != 1).long(), labels=labels).loss
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return write_folder(tmp_path_factory.mktemp(request.param), request.param, model)


def _padded(rows: Sequence[Sequence[int]], padding: int) -> torch.Tensor:
    width = max(map(len, rows))
    return torch.tensor([[*row, *[padding] * (width - len(row))] for row in rows])


@pytest.mark.parametrize("beams", [1, 3])
def test_a_model_corrects_what_it_has_learned(trained: Path, beams: int) -> None:
    corrector = Seq2SeqCorrector(trained, beams, prefix=PREFIX)
    corrections = corrector.correct_batch(["  He go to school every day.\n", *SOURCES, "", " \t"], batch_size=4)
    targets = [pair.target for pair in PAIRS]
    assert [each.text for each in corrections] == ["  He goes to school every day.\n", *targets, "", " \t"]
    for correction in corrections:
        assert apply(correction.source, correction.edits) == correction.text
    assert [correction.edits for correction in corrections[-3:]] == [(), (), ()]


@pytest.mark.parametrize("trained", ["t5"], indirect=True)
def test_spaces_that_the_vocabulary_does_not_have_stay(trained: Path) -> None:
    corrected = Seq2SeqCorrector(trained, prefix=PREFIX).correct_batch(["He go  to school   every day."])
    assert corrected[0].text == "He goes  to school   every day."


@pytest.mark.parametrize("untrained", ["t5"], indirect=True)
def test_what_has_no_text_is_not_written(untrained: Path) -> None:
    corrector = Seq2SeqCorrector(untrained)
    [prompt] = corrector.read(["They are here."])
    own, beyond = corrector.tokenizer, 515
    assert own.unknown is not None
    written = [own.unknown, own.mask, *prompt.tokens.ids[1:-1], own.unknown, beyond, own.end]
    assert corrector._text(prompt.tokens, written) == "They are here."


def test_a_checker_takes_it(trained: Path) -> None:
    corrector = Seq2SeqCorrector(trained, prefix=PREFIX)
    findings = Checker(corrector).check_text("He go to school every day.\n", "plain")
    assert [(finding.before, finding.after) for finding in findings] == [("go", "goes")]
    assert corrector.options != Seq2SeqCorrector(trained, prefix=PREFIX, beams=2).options


def test_greedy_takes_the_best_token_again_and_again(untrained: Path) -> None:
    corrector = Seq2SeqCorrector(untrained)
    for prompt in corrector.read(SOURCES[:3]):
        ids, limit = [corrector.model.config.decoder_start_token_id], min(most_tokens(prompt.tokens.ids), 47)
        with torch.no_grad():
            while len(ids) <= limit and (ids[-1] != corrector.tokenizer.end or len(ids) == 1):
                logits = corrector.model(
                    input_ids=torch.tensor([list(prompt.ids)]), decoder_input_ids=torch.tensor([ids])
                ).logits
                ids.append(int(logits[0, -1].argmax()))
        [guess] = corrector.guess([prompt])
        assert guess.passes == len(ids)  # the encoder, and a token less
        assert guess.text == corrector._text(prompt.tokens, ids[1:])


def test_company_and_repetition_change_nothing(untrained: Path) -> None:
    corrector = Seq2SeqCorrector(untrained)
    prompts = corrector.read([*SOURCES, *UNKNOWN_TO_THE_MODELS])
    together = corrector.guess(prompts)
    assert together == [corrector.guess([prompt])[0] for prompt in prompts]
    assert together == corrector.guess(prompts)


def test_a_sentence_longer_than_the_model_stays(untrained: Path) -> None:
    text = "very " * 600 + "tired"
    assert Seq2SeqCorrector(untrained).correct_batch([text])[0].text == text


def test_folders_that_will_not_do_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        Seq2SeqCorrector("nobody/has-this-model")
    new_model("bart").save_pretrained(tmp_path / "mute")
    with pytest.raises(InputError, match=r"tokenizer\.json: cannot be read: there is no such file"):
        Seq2SeqCorrector(tmp_path / "mute")
    half = write_folder(tmp_path / "half", "t5", cast(Any, T5EncoderModel)(new_model("t5").config))
    with pytest.raises(InputError, match="no sequence-to-sequence model there: it lacks weights"):
        Seq2SeqCorrector(half)
    with pytest.raises(InputError, match="no sequence-to-sequence model there"):
        Seq2SeqCorrector(TOY)
    write_folder(tmp_path / "bert", "bart", new_model("bart"))
    (tmp_path / "bert" / "config.json").write_text('{"model_type": "bert"}', encoding="utf-8")
    with pytest.raises(InputError, match="no sequence-to-sequence model there"):
        Seq2SeqCorrector(tmp_path / "bert")


def test_a_tokenizer_of_another_model_is_told(tmp_path: Path) -> None:
    model = new_model("bart")
    model.resize_token_embeddings(500)
    with pytest.raises(InputError, match="the tokenizer does not fit the model"):
        Seq2SeqCorrector(write_folder(tmp_path / "small", "bart", model))
