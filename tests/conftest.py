"""Tiny tokenizers of every family, trained on sentences of our own; and how property tests are run."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings
from tokenizers import Tokenizer as RawTokenizer
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

from permend.text.tokens import SubwordTokenizer, Tokenizer, WordTokenizer

# A slow machine is no failure; and what lands must not depend on luck, which is for people's own runs.
settings.register_profile("permend", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("permend")

SENTENCES = [
    "I am busy today, so I cannot come.",
    "She went to school (by bus) and came home late.",
    "They don't like the films that he watches on TV.",
    "When I was younger, we were friends with them.",
    "It is a well-known fact: dogs love long walks!",
    'He said "hello" to us, and then he left the house.',
]


def make_wordpiece() -> str:
    """Make a BERT-like tokenizer."""
    raw = RawTokenizer(models.WordPiece(unk_token="[UNK]"))
    raw.normalizer = normalizers.BertNormalizer(lowercase=False)
    raw.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    raw.decoder = decoders.WordPiece()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    raw.train_from_iterator(
        SENTENCES, trainers.WordPieceTrainer(vocab_size=160, special_tokens=special, show_progress=False)
    )
    raw.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return raw.to_str()


def make_byte_level(add_prefix_space: bool = False) -> str:
    """Make a BART-like tokenizer."""
    raw = RawTokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space)
    raw.decoder = decoders.ByteLevel()
    raw.train_from_iterator(
        SENTENCES,
        trainers.BpeTrainer(
            vocab_size=400,
            special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    raw.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=add_prefix_space)
    return raw.to_str()


def make_unigram() -> str:
    """Make a T5-like tokenizer."""
    raw = RawTokenizer(models.Unigram())
    raw.normalizer = normalizers.NFKC()
    raw.pre_tokenizer = pre_tokenizers.Metaspace()
    raw.decoder = decoders.Metaspace()
    raw.train_from_iterator(
        SENTENCES,
        trainers.UnigramTrainer(
            vocab_size=120,
            special_tokens=["<pad>", "</s>", "<unk>", "<extra_id_0>"],
            unk_token="<unk>",
            show_progress=False,
        ),
    )
    raw.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    return raw.to_str()


FAMILIES = {
    "wordpiece": make_wordpiece,
    "byte-level": make_byte_level,
    "byte-level, prefix space": lambda: make_byte_level(add_prefix_space=True),
    "unigram": make_unigram,
}


@pytest.fixture(scope="session", params=[*FAMILIES, "words"])
def tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    """Every kind of tokenizer in turn."""
    return WordTokenizer() if request.param == "words" else SubwordTokenizer(FAMILIES[request.param]())


@pytest.fixture(scope="session", params=["byte-level", "byte-level, prefix space"])
def byte_level(request: pytest.FixtureRequest) -> Tokenizer:
    """Tokenizers that can spell every text."""
    return SubwordTokenizer(FAMILIES[request.param]())


@pytest.fixture(scope="session")
def wordpiece() -> Tokenizer:
    """A tokenizer that does not say where spaces stand."""
    return SubwordTokenizer(make_wordpiece())
