"""Recipes for rivals that learn a few sentences by heart, in seconds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from experiments.rivals.recipe import RivalRecipe, make_recipe
from permend.corpora.pairs import Pair

TOY = Path("experiments/recipes/toy")
ENCODER = {
    "model_type": "modernbert",
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 64,
    "max_position_embeddings": 64,
}
PAIRS = (
    Pair("He go to school every day.", "He goes to school every day."),
    Pair("I am agree with you.", "I agree with you."),
    Pair("She have two brother.", "She has two brothers."),
    Pair("We was very tired.", "We were very tired."),
    Pair("It is interesting book.", "It is an interesting book."),
    Pair("They are here.", "They are here."),
)
"""Replaced, deleted and inserted words, and a sentence without an error."""


def write_pairs(folder: Path) -> Path:
    """Write the pairs as a file."""
    path = folder / "pairs.tsv"
    path.write_text("".join(f"{pair.source}\t{pair.target}\n" for pair in PAIRS), encoding="utf-8")
    return path


def recipe(system: str, folder: Path, *changes: str, **options: Any) -> RivalRecipe:
    """Return a recipe that learns them by heart."""
    values: dict[str, Any] = {
        "system": {"name": system, "options": options},
        "data": {"train": [str(write_pairs(folder))], "max_length": 30, "workers": 0, "leak_tokens": 0},
        "model": {"tokenizer": str(TOY / "tokenizer.json"), "encoder_config": ENCODER, "dropout": 0.0},
        "optimisation": {
            "learning_rate": 5e-3,
            "betas": [0.9, 0.98],
            "schedule": "linear",
            "warmup_steps": 10,
            "tokens_per_batch": 512,
            "steps": 150,
            "clip_norm": 1.0,
        },
        "output": {"folder": str(folder / "run"), "log_steps": 50},
    }
    return make_recipe(values, list(changes))
