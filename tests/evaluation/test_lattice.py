"""The lattice against its definition: arcs on a cheapest path, for both costs of a replacement."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permend.evaluation import lattice as lattices
from permend.evaluation.lattice import LatticeTooLargeError, find_lattice

WORDS = st.lists(st.sampled_from("abcd"), max_size=7)
Place = tuple[int, int]


def arcs_by_definition(source: list[str], target: list[str], replacement: int) -> set[tuple[Place, Place]]:
    """Find all arcs with cheapest way there + cost + cheapest way on = cheapest way from start to end."""

    def steps(place: Place) -> list[tuple[Place, int]]:
        i, j = place
        found = []
        if i < len(source) and j < len(target):
            found.append(((i + 1, j + 1), 0 if source[i] == target[j] else replacement))
        if i < len(source):
            found.append(((i + 1, j), 1))
        if j < len(target):
            found.append(((i, j + 1), 1))
        return found

    @cache
    def onwards(place: Place) -> int:
        return min((cost + onwards(after) for after, cost in steps(place)), default=0)

    arcs: set[tuple[Place, Place]] = set()
    places = [(0, 0)]
    for place in places:
        for after, cost in steps(place):
            if cost + onwards(after) == onwards(place):
                if after not in places:
                    places.append(after)
                arcs.add((place, after))
    return arcs


@given(WORDS, WORDS)
def test_lattice_holds_the_arcs_of_both_costs(source: list[str], target: list[str]) -> None:
    lattice = find_lattice(source, target)
    cheap, dear = (arcs_by_definition(source, target, replacement) for replacement in (1, 2))
    found = {}
    for vertex, arcs in enumerate(lattice.arcs):
        for before, count, same in arcs:
            start, end = lattice.place(before), lattice.place(vertex)
            found[start, end] = count
            assert before < vertex
            copied = end == (start[0] + 1, start[1] + 1) and source[start[0]] == target[start[1]]
            assert same == copied
    assert found == {arc: (arc in cheap) + (arc in dear) for arc in cheap | dear}


@given(WORDS, WORDS)
def test_vertices_are_in_order(source: list[str], target: list[str]) -> None:
    lattice = find_lattice(source, target)
    places = [lattice.place(vertex) for vertex in range(len(lattice))]
    assert places == sorted(places)
    assert (places[0], places[-1]) == ((0, 0), (len(source), len(target)))
    assert lattice.index == {place: vertex for vertex, place in enumerate(places)}


def test_too_large_a_lattice_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lattices, "VERTEX_LIMIT", 8)
    with pytest.raises(LatticeTooLargeError):
        find_lattice(["a", "b"], ["x", "y"])  # 9 vertices: no arc is wrong
