"""Mining: corrections with their origin, each once; renames and what was taken back are none."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from permend.corrector.corrector import Corrector
from permend.model.networks import Floats, Ints
from permend.synthesis.mining.gain import Judgement
from permend.synthesis.mining.history import History
from permend.synthesis.mining.mine import MOST_ALIKE, Mined, Miner
from permend.synthesis.mining.reasons import Look
from tests.corrector.test_corrector import TOKENIZER, HandMade, replace_was
from tests.synthesis.mining.committed import commit, make_repository


def mine(folder: Path, miner: Miner | None = None) -> list[Mined]:
    with History(folder) as history:
        return list((miner or Miner(Look())).mine(history))


def test_a_correction_says_where_it_comes_from_but_not_who_made_it(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "handbook")
    commit(folder, {"a.md": "# Help\n\nThe *server* are down.\nAsk us then.\n"})
    last = commit(folder, {"a.md": "# Help\n\nThe *server* is down. Ask us then.\n"}, "Fix grammar")
    [found] = mine(folder)
    assert found == Mined("The server are down.", "The server is down.", "handbook", last, ["R:VERB:SVA"], True)
    assert "Ada" not in found.as_json()
    assert set(json.loads(found.as_json())) == {"source", "target", "repository", "commit", "types", "mending"}


def test_renames_are_found_in_the_whole_history_and_repeated_misspellings_stay(tmp_path: Path) -> None:
    folder = make_repository(tmp_path)
    rooms = ["hall", "cellar", "kitchen", "garden", "attic", "study", "bedroom"]
    assert len(rooms) > MOST_ALIKE
    text = "\n\n".join(f"The folder in the {room} is locked. You recieve a key for the {room}." for room in rooms)
    commit(folder, {"a.md": text})
    for number, room in enumerate(rooms):
        text = text.replace(f"folder in the {room}", f"drawer in the {room}")
        text = text.replace(f"recieve a key for the {room}", f"receive a key for the {room}")
        commit(folder, {"a.md": text}, f"Step {number}")
    miner = Miner(Look())
    assert {each.types[0] for each in mine(folder, miner)} == {"R:SPELL"}
    assert (miner.tally.kept, miner.tally.dropped) == (7, {"rename": 7})


def test_what_is_taken_back_or_changed_again_is_left_out(tmp_path: Path) -> None:
    folder = make_repository(tmp_path)
    for text in ("The dogs barks at a postman.", "The dogs bark at a postman.", "The dogs bark at the postman."):
        commit(folder, {"a.md": text})
    for text in ("It rain all day long.", "It rained all day long.", "It rain all day long."):
        commit(folder, {"b.md": text})
    miner = Miner(Look())
    assert [each.target for each in mine(folder, miner)] == ["The dogs bark at the postman."]
    assert miner.tally.dropped == {"again": 3}


def test_pairs_come_once_over_all_repositories(tmp_path: Path) -> None:
    miner, left_out = Miner(Look()), list[Mined]()
    miner.leave_out = left_out.append
    for name in ("one", "two"):
        folder = make_repository(tmp_path / name)
        commit(folder, {"a.md": "The dogs barks at night."})
        commit(folder, {"a.md": "The dogs bark at night."})
        mine(folder, miner)
    assert (miner.tally.kept, [each.reason for each in left_out]) == (1, ["duplicate"])


def certain(ids: Ints, scores: Floats) -> None:
    """Follow the order of the sentence, but think of *was* that something is wrong there."""
    replace_was(ids, scores)
    np.clip(scores, -3, 3, out=scores)


def test_the_model_has_the_last_word(tmp_path: Path) -> None:
    folder = make_repository(tmp_path)
    commit(folder, {"a.md": "I was busy in there.\n\nI am busy with it.\n"})
    commit(folder, {"a.md": "I am busy in there.\n\nI was busy with it.\n"})
    judgement = Judgement(Corrector.of(HandMade(certain), TOKENIZER))
    miner = Miner(Look(), judgement)
    [found] = mine(folder, miner)
    assert found.target == "I am busy in there."
    assert found.gain is not None
    assert found.gain > 0
    assert miner.tally.dropped.total() == 1
    assert miner.tally.dropped.keys() <= {"gain", "target"}


def test_what_labels_cannot_express_is_left_out(tmp_path: Path) -> None:
    judgement = Judgement(Corrector.of(HandMade(certain), TOKENIZER))
    assert judgement.can_express("I was here.", "I am here.")
    assert not judgement.can_express("I here.", "I, who am not at all sure of myself, am here.")
    assert not judgement.can_express("I was here. " * 20, "I am here. " * 20)
