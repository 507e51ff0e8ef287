"""Average the weights of several models that were trained from the same start.

Run: python -m experiments.average MODEL... -o OUT [--weight 1 --weight 2 …]

Runs that differ in seed or data end in different corners of one basin; their mean is often better than each of them. A
folder may also be an export, whose weights are read back as training reads them: what a run went on from.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
import torch

from permend.errors import PermendError
from permend.model.torch.folder import is_exported
from permend.model.torch.network import PointerInfiller


def average(networks: Sequence[PointerInfiller], weights: Sequence[float]) -> PointerInfiller:
    """Put the weighted mean of all weights into the first network."""
    shares = [weight / sum(weights) for weight in weights]
    states = [network.state_dict() for network in networks]
    shapes = [{name: value.shape for name, value in state.items()} for state in states]
    if any(each != shapes[0] for each in shapes):
        raise PermendError("only models of one and the same config can be averaged")
    with torch.no_grad():
        for name, value in states[0].items():
            if value.is_floating_point():
                value.copy_(sum(share * state[name] for share, state in zip(shares, states, strict=True)))
    return networks[0]


def _load(folder: Path) -> PointerInfiller:
    return PointerInfiller.from_exported(folder) if is_exported(folder) else PointerInfiller.from_pretrained(folder)


@click.command()
@click.argument("models", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False))
@click.option("-o", "--output", required=True, help="Folder of the new model.")
@click.option("--weight", "weights", type=float, multiple=True, help="One for each model; by default all equal.")
def main(models: tuple[str, ...], output: str, weights: tuple[float, ...]) -> None:
    """Write the mean."""
    if weights and len(weights) != len(models):
        raise click.UsageError(f"{len(weights)} weights for {len(models)} models.")
    networks = [_load(Path(model)) for model in models]
    mean = average(networks, weights or [1.0] * len(models))
    mean.save_pretrained(output, f"The mean of {', '.join(Path(model).as_posix() for model in models)}.")


if __name__ == "__main__":
    main()
