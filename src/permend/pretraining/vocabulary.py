"""A tokenizer learned from text: byte-level BPE whose pieces suit moving, inserting and deleting single tokens.

In: paragraphs. Out: the text of a ``tokenizer.json``. It is cased and can spell every text. Every word carries its
leading space, the first one too, so that a word keeps its id wherever it moves; punctuation marks stand alone, so that
one can be deleted without its neighbour; digits go at most three together.

    "Well (2024)..."  →  ĠWell Ġ( 202 4 ) . . .

What a piece may span is decided before pieces are learned: GPT-2's pattern parts words, numbers and marks; runs of
marks are then cut behind each mark, runs of digits behind every third. The cuts see the bytes of UTF-8 as byte-level
BPE writes them, where the lead byte tells ¿ « (Â), – “ … (âĢ), 。 「 (ãĢ) and ， ？ (ï¼) from letters.
"""

from __future__ import annotations

from collections.abc import Iterable

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, processors, trainers

from permend.errors import PermendError

SPECIAL = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
"""Special tokens; their ids are their places here."""
_ASCII_MARK = r"[!-&(-/:-@\[-`{-~]|'(?![a-z])"  # the apostrophe of 's and 't stays with its letters
_MARK = _ASCII_MARK + r"|Â.|â[Ģģ].|ãĢ.|ï¼[ģ-ıļ-ł]"
_DIGITS = r"Ġ?[0-9]{1,3}"


def train_tokenizer(paragraphs: Iterable[str], vocabulary: int) -> str:
    """Learn at most `vocabulary` pieces; fewer where the text does not have so many."""
    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.ByteLevel(add_prefix_space=True, use_regex=True),
            pre_tokenizers.Split(Regex(_MARK), behavior="merged_with_previous"),
            pre_tokenizers.Split(Regex(_DIGITS), behavior="isolated"),
        ]
    )
    raw.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    if vocabulary < len(SPECIAL) + len(alphabet):
        raise PermendError(f"a vocabulary of {vocabulary} has no room for 256 bytes and {len(SPECIAL)} special tokens")
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary, special_tokens=list(SPECIAL), initial_alphabet=alphabet, show_progress=False
    )
    raw.train_from_iterator(paragraphs, trainer)
    start, end = SPECIAL.index("<s>"), SPECIAL.index("</s>")
    frame = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", start), ("</s>", end)])
    raw.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=True), frame])
    definition: str = raw.to_str()
    return definition
