"""What a hypothesis is filled with does not depend on what is filled beside it."""

from __future__ import annotations

import pytest

from permend.corrector import corrector
from permend.corrector.corrector import Corrector
from permend.model.networks import Bools, Floats, Ints, TemplateArrays
from permend.model.onnx import OnnxNetworks
from permend.model.options import Options
from permend.text.tokens import SubwordTokenizer
from tests.model.tiny import exported, texts, tokenizer_json


class Counting(OnnxNetworks):
    """Notes how many templates and memories are read together."""

    def fill(self, memory: Floats, mask: Bools, template: TemplateArrays) -> tuple[Ints, Floats]:
        self.seen = [*getattr(self, "seen", []), (len(template.row), len(memory))]
        return super().fill(memory, mask, template)


@pytest.mark.parametrize("steps", [1, 2])
def test_templates_are_filled_the_same_whichever_share_a_call(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    networks = Counting(exported()[1], threads=1)
    permend = Corrector.of(
        networks, SubwordTokenizer(tokenizer_json()), Options(steps=steps, prune=False, vetted=False)
    )
    found = []
    for masks in (1, 20, 10_000):
        networks.seen = []
        monkeypatch.setattr(corrector, "AT_A_TIME", masks)
        corrections = permend.correct_batch(texts(6), batch_size=6)
        found.append(
            [[(a.text, pytest.approx(a.fill_log_prob, abs=1e-4)) for a in c.alternatives] for c in corrections]
        )
        templates, memories = map(max, zip(*networks.seen, strict=True))
        assert (templates == 1) == (masks == 1)
        assert memories <= min(templates, 6)
    assert found[0] == found[1] == found[2]
    assert templates > memories > 1, "those of a sentence share its memory"
