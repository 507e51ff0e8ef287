"""Pairs drawn by their weights."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from experiments.draw_pairs import main


def test_what_weighs_more_is_drawn_more_often(tmp_path: Path) -> None:
    """A seed gives the same pairs again, another seed others."""
    pairs = tmp_path / "pairs.jsonl"
    rows = [{"source": f"{n} a", "target": f"{n} b", "weight": 3.0 if n % 2 else 1.0} for n in range(2000)]
    pairs.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    drawn = []
    for seed, name in ((1, "a"), (1, "b"), (2, "c")):
        output = tmp_path / f"{name}.jsonl"
        ran = CliRunner().invoke(main, [str(pairs), "--most", "200", "--seed", str(seed), "-o", str(output)])
        assert ran.exit_code == 0, ran.output
        drawn.append(output.read_text(encoding="utf-8").splitlines())
    assert drawn[0] == drawn[1] != drawn[2]
    heavy = sum(int(json.loads(line)["source"].split()[0]) % 2 for line in drawn[0])
    assert 130 < heavy < 170
    assert all(json.loads(line).keys() == {"source", "target"} for line in drawn[0])
