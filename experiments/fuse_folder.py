"""Graphs of an exported int8 folder, fused in place.  Run: python -m experiments.fuse_folder FOLDER

For folders from before `permend.model.torch.fuse`: weights.bin stays as it is, byte by byte, and the hashes are brought
up to date. Fusing a fused folder changes nothing.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click
import onnx

from permend.model.folder import write_hashes
from permend.model.onnx import DECODER, ENCODER
from permend.model.torch.fuse import fuse_graph


def fuse_folder(folder: Path) -> dict[str, tuple[int, int]]:
    """Fuse both graphs; return how many nodes each had and has."""
    counts = {}
    for name in (ENCODER, DECODER):
        model = onnx.load(folder / name, load_external_data=False)
        fused = fuse_graph(model)
        onnx.save(fused, folder / name)
        counts[name] = (len(model.graph.node), len(fused.graph.node))
    write_hashes(folder)
    return counts


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for name, (before, after) in fuse_folder(Path(sys.argv[1])).items():
        click.echo(f"{name}: {before} nodes, now {after}")
