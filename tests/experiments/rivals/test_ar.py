"""The autoregressive rival: aggressive decoding writes what greedy decoding writes, in fewer runs."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from experiments.rivals.ar import Autoregressive, Greedily, NextTokens, most_tokens
from experiments.rivals.ar_decoder import cut, length_of
from experiments.rivals.corrector import RivalCorrector
from experiments.rivals.run import make_system, train_rival
from permend.text.tokens import SubwordTokenizer
from permend.training.correction.data import make_source
from tests.experiments.rivals.toys import PAIRS, TOY, recipe
from tests.model.tiny import tokenizer_json

WORDS = sorted({word for pair in PAIRS for text in (pair.source, pair.target) for word in text.rstrip(".").split()})


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> RivalCorrector:
    """Return a rival that has learned little: it copies much, and errs often."""
    folder = tmp_path_factory.mktemp("ar")
    train_rival(recipe("ar", folder, "optimisation.steps=60"))
    return RivalCorrector.load(folder / "run" / "last")


def _sentences(count: int) -> list[str]:
    draw = random.Random(7)
    known = [pair.source for pair in PAIRS]
    made = [" ".join(draw.choices(WORDS, k=draw.randrange(1, 9))) + draw.choice([".", "", "!"]) for _ in range(count)]
    return [*known, *made][:count]


def test_aggressive_decoding_writes_what_greedy_decoding_writes(trained: RivalCorrector) -> None:
    tokens = trained.tokenizer.encode_batch(_sentences(1000))
    system = trained.system
    with torch.inference_mode():
        greedy = [system.guess([each], trained.tokenizer, Greedily())[0] for each in tokens]
        eager = [system.guess([each], trained.tokenizer, Greedily("aggressive"))[0] for each in tokens]
    assert [guess.text for guess in eager] == [guess.text for guess in greedy]
    changed = sum(guess.text != each.text for guess, each in zip(greedy, tokens, strict=True))
    assert changed > 200, "else there was nothing to decide"
    assert sum(guess.passes for guess in eager) < sum(guess.passes for guess in greedy)


@pytest.mark.parametrize("seed", range(3))
def test_it_does_so_too_when_nothing_was_learned(seed: int, tmp_path: Path) -> None:
    made = recipe("ar", tmp_path, f"optimisation.seed={seed}")
    system = make_system(made, make_source(made.data)).eval()
    with torch.no_grad():
        for parameter in system.parameters():
            if parameter.dim() == 2:
                parameter.normal_(std=0.3)
    tokenizer = SubwordTokenizer.from_path(TOY / "tokenizer.json")
    assert isinstance(system, Autoregressive)
    with torch.inference_mode():
        for each in tokenizer.encode_batch(_sentences(30)):
            looked_at = system.decoder.look(*system.memory(system.batch_of([each.ids])))
            (greedy, _), *_ = system.greedy(looked_at, [most_tokens(each.ids)])
            eager, _ = system.aggressive(looked_at, each.ids)
            assert eager == greedy


def test_a_sentence_that_stays_takes_one_run_of_the_decoder(tmp_path: Path) -> None:
    train_rival(recipe("ar", tmp_path))
    corrector = RivalCorrector.load(tmp_path / "run" / "last", decoding="aggressive")
    fixed, wrong = corrector.tokenizer.encode_batch(["They are here.", "He go to school every day."])
    (same,), (mended,) = corrector.guess([fixed]), corrector.guess([wrong])
    assert (same.text, same.passes) == ("They are here.", 2), "the encoder once, the decoder once"
    assert mended.text == "He goes to school every day."
    assert 2 < mended.passes < len(wrong.ids)


def test_the_cache_changes_nothing(trained: RivalCorrector) -> None:
    system = trained.system
    assert isinstance(system, Autoregressive)
    ids = torch.tensor([trained.tokenizer.encode("She have two brother.").ids])
    looked_at = system.decoder.look(*system.memory(ids))
    read: Callable[..., tuple[Tensor, object]] = system.decoder.read
    whole, _ = read(ids, system.backbone.embeddings, looked_at, None)
    parts, cache = [], None
    for start, end in _cuts(ids.shape[1]):
        logits, cache = system.decoder.read(ids[:, start:end], system.backbone.embeddings, looked_at, cache)
        parts.append(logits)
        _, longer = system.decoder.read(ids[:, :2], system.backbone.embeddings, looked_at, cache)  # a refused draft
        assert length_of(longer) == end + 2
        cache = cut(longer, end)
    torch.testing.assert_close(torch.cat(parts, dim=1), whole, rtol=1e-4, atol=1e-4)


def _cuts(length: int) -> Sequence[tuple[int, int]]:
    return [(0, 1), (1, 4), (4, length)]


def test_no_token_sees_what_comes_after_it(trained: RivalCorrector) -> None:
    system = trained.system
    assert isinstance(system, Autoregressive)
    ids = torch.tensor([trained.tokenizer.encode("She have two brother.").ids])
    looked_at = system.decoder.look(*system.memory(ids))
    other = ids.clone()
    other[0, 4:] = 7
    one, two = (system.decoder.read(row, system.backbone.embeddings, looked_at, None)[0] for row in (ids, other))
    torch.testing.assert_close(one[:, :4], two[:, :4])
    assert not torch.equal(one[:, 4:], two[:, 4:])


def test_nothing_is_asked_that_cannot_be_written() -> None:
    tokenizer = SubwordTokenizer(tokenizer_json())
    source, target = tokenizer.encode("w5 w6"), tokenizer.encode("w5 somewhere w6")
    row = NextTokens(tokenizer.unknown).row(source, target)
    assert list(row["next"]) == [target.ids[1], -1, *target.ids[3:]]
    assert tokenizer.unknown in row["target"], "it may be read"


def test_new_layers_start_as_the_encoders(tmp_path: Path) -> None:
    made = recipe("ar", tmp_path)
    system = make_system(made, make_source(made.data))
    assert isinstance(system, Autoregressive)
    system.start_from_encoder()
    encoder: nn.Module = system.backbone.encoder
    last = dict(encoder.named_parameters())["layers.1.mlp.Wi.weight"]
    torch.testing.assert_close(system.decoder.stack[-1].block.mlp.up.weight, last)
