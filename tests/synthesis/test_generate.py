"""From text files to pairs: the same whatever the number of processes, and fit for training."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from permend.corpora.lines import is_set_aside
from permend.corpora.pairs import Pair
from permend.errors import InputError, PermendError
from permend.synthesis.corrupt import Corruptor
from permend.synthesis.drawing import BoundedCache
from permend.synthesis.error_model import ErrorModel
from permend.synthesis.generate import Job, Sentences, SyntheticPairs, make_corruptions, read_chunks
from permend.synthesis.rates import check_language
from permend.synthesis.targets import Tally
from permend.training.correction.data import PairSource
from tests.synthesis.annotated import OTHER_LANGUAGE, TEXT, write_text


def make(paths: Sequence[Path], job: Job, workers: int = 1, ray: str | None = None) -> list[Pair]:
    return [made.pair for made in make_corruptions(read_chunks(paths), job, workers=workers, ray=ray)]


def varied(count: int) -> str:
    return "".join(f"{line} It was number {n}.\n" for n in range(count) for line in [TEXT.splitlines()[n % 6]])


def test_the_number_of_processes_changes_nothing(model: ErrorModel, tmp_path: Path) -> None:
    paths = [write_text(tmp_path, name, varied(150)) for name in ("a.txt", "b.txt")]
    job = Job(Corruptor(model), seed=7, joined=0.2)
    alone = make(paths, job)
    assert make(paths, job, workers=2) == alone
    assert make(paths, job, workers=2, ray="local") == alone
    assert make(paths, Job(Corruptor(model), seed=8, joined=0.2)) != alone


def test_repetitions_and_bad_sentences_are_counted(model: ErrorModel, tmp_path: Path) -> None:
    path = write_text(tmp_path, text=TEXT + TEXT + "page 3 of all the many pages\n")
    tally = Tally.empty()
    made = list(make_corruptions(read_chunks([path]), Job(Corruptor(model)), tally=tally))
    assert len(made) == tally.kept == len({each.pair.target for each in made})
    assert tally.dropped["duplicate"] == tally.kept
    assert tally.dropped["no capital"] == 1


def test_files_take_turns_and_can_be_thinned(tmp_path: Path) -> None:
    paths = [write_text(tmp_path, name, "A line of text.\n" * 200) for name in ("a.txt", "b.txt")]
    files = [paragraph.file for chunk in read_chunks(paths) for paragraph in chunk]
    assert set(files[:100]) == {0, 1}
    kept = [paragraph.file for chunk in read_chunks(paths, {str(paths[0]): 0.25}) for paragraph in chunk]
    assert 25 < kept.count(0) < 80
    assert kept.count(1) == 200


def test_a_paragraph_set_aside_is_so_in_every_file(tmp_path: Path) -> None:
    paths = [write_text(tmp_path, "a.txt", varied(300)), write_text(tmp_path, "b.txt", "A line.\n" + varied(300))]
    chunks = read_chunks(paths, wanted=partial(is_set_aside, share=0.1))
    found = [(paragraph.file, paragraph.text) for chunk in chunks for paragraph in chunk]
    assert {text for file, text in found if file == 0} == {text for file, text in found if file == 1}
    assert 30 < len(found) < 100


def test_training_reads_pairs_by_place(model: ErrorModel, tmp_path: Path) -> None:
    corruptor = Corruptor(model)
    sentences = Sentences.read([write_text(tmp_path, text=varied(30))], Job(corruptor))
    source: PairSource = SyntheticPairs(sentences, corruptor)
    epoch = list(source.read(0, 5, 0, len(source)))
    assert sorted(pair.target for pair in epoch) == sorted(sentences)
    assert list(source.read(0, 5, 10, 20)) == epoch[10:20]
    assert list(SyntheticPairs(sentences, corruptor).read(0, 5, 10, 20)) == epoch[10:20]
    assert [pair.target for pair in source.read(1, 5, 0, len(source))] != [pair.target for pair in epoch]
    assert sentences[-1] == list(sentences)[-1]
    assert sentences[1:3] == list(sentences)[1:3]


def test_bad_texts(model: ErrorModel, tmp_path: Path) -> None:
    job = Job(Corruptor(model))
    with pytest.raises(InputError, match="holds no text"):
        make([write_text(tmp_path, text="\n\n")], job)
    (tmp_path / "image.txt").write_bytes(b"\x00\x01\x02 text\n")
    with pytest.raises(InputError, match=r"image\.txt:1: this is a binary file"):
        make([tmp_path / "image.txt"], job)
    with pytest.raises(PermendError, match="no sentences"):
        Sentences.read([write_text(tmp_path, text="nothing good here\n")], job)
    with pytest.raises(PermendError, match="another language"):
        check_language(model, [OTHER_LANGUAGE])
    check_language(model, TEXT.splitlines())


def test_what_is_remembered_is_bounded() -> None:
    asked: list[int] = []

    def square(number: int) -> int:
        asked.append(number)
        return number * number

    cache = BoundedCache(square, size=10)
    for number in range(1000):
        assert cache[number] == number * number
        assert cache[-1] == 1  # asked for all the time, so never forgotten
    assert len(cache) <= 20
    assert asked.count(-1) == 1
