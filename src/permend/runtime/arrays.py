"""Sentences and templates as the padded arrays that the networks read.

In: token ids, or templates, of several sentences. Out: arrays of B rows, as wide as the longest sentence.

>>> ids, mask = sentence_arrays([(0, 9, 2)], slots=2, first_slot=40, pad=1)
>>> ids.tolist(), mask.tolist()
([[0, 9, 2, 40, 41]], [[True, True, True, True, True]])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from permend.permutation.template import Template
from permend.runtime.networks import Bools, Ints, TemplateArrays


def sentence_arrays(sentences: Sequence[Sequence[int]], slots: int, first_slot: int, pad: int) -> tuple[Ints, Bools]:
    """Return ids (B, L) with each sentence's slots right behind it, and where they are valid."""
    slot_ids = range(first_slot, first_slot + slots)
    rows = [[*sentence, *slot_ids] for sentence in sentences]
    ids = _padded(rows, pad, np.int64)
    return ids, np.arange(ids.shape[1]) < np.array([[len(row)] for row in rows])


def template_arrays(templates: Sequence[Template], pad: int) -> TemplateArrays:
    """Stack templates."""
    ids = _padded([template.ids for template in templates], pad, np.int64)
    width = ids.shape[1]
    return TemplateArrays(
        ids,
        _padded([template.source for template in templates], 0, np.int64),
        _padded([template.coordinates for template in templates], 0, np.float32),
        np.arange(width) < np.array([[len(template.ids)] for template in templates]),
        np.array([row * width + place for row, template in enumerate(templates) for place in template.masks], np.int64),
    )


def _padded(rows: Sequence[Sequence[float]], padding: int, kind: type[np.generic]) -> NDArray[Any]:
    out = np.full((len(rows), max(map(len, rows))), padding, dtype=kind)
    for row, values in zip(out, rows, strict=True):
        row[: len(values)] = values
    return out
