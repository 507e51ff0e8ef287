"""Any Hugging Face sequence-to-sequence folder (T5, BART) as a corrector: not trained here, asked like the others.

In: a folder with a model and its tokenizer.json, the number of beams, and the words that the model wants before a
sentence. Out: `Correction`s. Nothing is ever downloaded.

    corrector = Seq2SeqCorrector("models/gec-t5", beams=4, prefix="gec: ")
    corrector.correct_batch(["He go to school  yesterday."])[0].text

Texts are found by transformers' own `generate`; what a folder says of lengths and repetitions, which is meant for
summaries, does not hold. What stays of a sentence keeps its exact characters, though the model's vocabulary may have
neither double spaces nor every sign. A network run is counted for the encoder and for each written token.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import torch
from torch import Tensor
from transformers import AutoModelForSeq2SeqLM

from experiments.rivals.ar import most_tokens
from experiments.rivals.sentences import SentenceCorrector
from experiments.rivals.system import Guess
from experiments.rivals.texts import write
from permend.errors import InputError, check_count, first_line
from permend.model.torch.backbone import quiet
from permend.text.tokens import SubwordTokenizer, Tokens

if TYPE_CHECKING:
    from permend.corrector.explaining.language import Language

_UNBOUNDED = 512
"""Longest input of a model with relative positions."""


class Prompt(NamedTuple):
    """A sentence as the model reads it."""

    tokens: Tokens
    ids: Sequence[int]
    """With the prefix, and without an opening token where the model has none."""


class Seq2SeqCorrector(SentenceCorrector[Prompt]):
    """Corrects sentences with a model that writes them anew."""

    def __init__(
        self,
        folder: str | Path,
        beams: int = 1,
        device: str | torch.device = "cpu",
        prefix: str = "",
        language: str = "en",
    ) -> None:
        """Load a folder; one beam is greedy decoding."""
        check_count("beams", beams)
        self.beams, self.prefix, self.code = beams, prefix, language
        self.tokenizer = SubwordTokenizer.from_path(folder)
        self.model = _load_model(Path(folder)).to(device).eval()
        config = self.model.config
        if self.tokenizer.size > config.vocab_size or self.tokenizer.end != config.eos_token_id:
            raise InputError("the tokenizer does not fit the model: it has other ids", folder)
        self.limit = int(getattr(config, "max_position_embeddings", None) or _UNBOUNDED)
        self._origin = str(folder)

    @property
    def options(self) -> Hashable:
        """What its answers depend on."""
        return self._origin, self.beams, self.prefix

    @property
    def language(self) -> Language:
        """What types and explains its edits."""
        from permend.corrector.explaining.language import load_language

        return load_language(self.code)

    def read(self, texts: Sequence[str]) -> list[Prompt]:
        """Return the tokens of texts, alone and behind the prefix."""
        tokens = self.tokenizer.encode_batch(texts)
        asked = self.tokenizer.encode_batch([self.prefix + text for text in texts]) if self.prefix else tokens
        opening = int(self.tokenizer.start == self.tokenizer.pad)  # T5 has no opening token
        return [Prompt(each, whole.ids[opening:]) for each, whole in zip(tokens, asked, strict=True)]

    def length(self, sentence: Prompt) -> int:
        """Return the number of tokens; 0 where there is none, or more than the model takes."""
        return len(sentence.ids) if len(sentence.tokens.ids) > 2 and len(sentence.ids) <= self.limit else 0

    def guess(self, sentences: Sequence[Prompt]) -> list[Guess]:
        """Return what the model writes for sentences."""
        limits = [min(most_tokens(each.tokens.ids), self.limit - 1) for each in sentences]
        rows = self._generate([each.ids for each in sentences], max(limits))
        guesses = []
        for each, row, limit in zip(sentences, rows, limits, strict=True):
            written = _ended(row[1:], self.tokenizer.end)[:limit]  # behind what opens every text
            guesses.append(Guess(self._text(each.tokens, written), passes=1 + len(written)))
        return guesses

    def _generate(self, prompts: Sequence[Sequence[int]], most: int) -> list[list[int]]:
        width, pad = max(map(len, prompts)), self.tokenizer.pad
        ids = torch.tensor([[*each, *[pad] * (width - len(each))] for each in prompts])
        mask = torch.arange(width) < torch.tensor([len(each) for each in prompts])[:, None]  # (B, L)
        with torch.inference_mode():
            written: Tensor = self.model.generate(
                input_ids=ids.to(self.model.device),
                attention_mask=mask.long().to(self.model.device),
                num_beams=self.beams,
                do_sample=False,
                max_new_tokens=most,
                min_length=0,
                no_repeat_ngram_size=0,
            )
        return cast("list[list[int]]", written.tolist())

    def _text(self, source: Tokens, written: Sequence[int]) -> str:
        own = self.tokenizer
        nothing = {own.start, own.end, own.pad, own.mask}
        inner = [token for token in written if token not in nothing and token < own.size]
        return write(source, [own.start, *inner, own.end], own)


def _ended(ids: Sequence[int], end: int) -> Sequence[int]:
    """Return ids up to and with the one that ends a text."""
    return ids[: ids.index(end) + 1] if end in ids else ids


def _load_model(folder: Path) -> Any:
    with quiet():
        try:
            model, info = cast(Any, AutoModelForSeq2SeqLM).from_pretrained(
                folder, local_files_only=True, dtype=torch.float32, output_loading_info=True
            )
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise InputError(f"no sequence-to-sequence model there ({first_line(error)})", folder) from None
    if info["missing_keys"]:
        absent = min(info["missing_keys"])
        raise InputError(f"no sequence-to-sequence model there: it lacks weights, e.g. {absent}", folder)
    return model
