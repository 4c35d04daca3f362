"""Looks: the sights of the table, in order, while a story went on. Another story must have led to the same sights."""

from collections.abc import Sequence
from itertools import compress
from typing import TypeAlias, TypeVar

from citytable.table.layout import Region
from citytable.table.spot import Spot
from citytable.umpire.node import Node
from citytable.umpire.observed import Observed

A = TypeVar("A")
P = TypeVar("P")

Look: TypeAlias = tuple[Region, ...]


def leads_over(
    rival: Sequence[Node[A, P]], chosen: Sequence[Node[A, P]], ends: Sequence[int], observed: Observed
) -> bool:
    """Return whether the rival story leads through the same sights of the table as the chosen path.

    If something was put back between two equal sights, it proves nothing. `ends`: the nodes of the chosen path that end
    a turn.
    """
    looks, k = [_read(node, observed) for node in rival], 0
    for look in _looked(chosen, ends, observed):
        if look not in looks[k:]:
            return False
        k = looks.index(look, k)
    return True


def _looked(path: Sequence[Node[A, P]], ends: Sequence[int], observed: Observed) -> list[Look]:
    """Return the sights of the table in order, without those from which it came back."""
    looks: list[Look] = []
    seen: list[bool] = []
    reads = _put_back(path, [_read(node, observed) for node in path], ends)
    for k, (node, look) in enumerate(zip(path, reads, strict=True), start=1):
        if look in looks and (node.shown or k == len(path)):
            back = looks.index(look) + 1
            del looks[back:], seen[back:]
            seen[-1] |= node.shown
        else:
            looks.append(look)
            seen.append(node.shown)
    return list(compress(looks, seen))


def _put_back(path: Sequence[Node[A, P]], looks: Sequence[Look], ends: Sequence[int]) -> list[Look]:
    """Return the sights without those from which a region came back, except regions that change with the turn."""
    handed = {region.spots for k in ends for region in set(looks[k]) - set(looks[k - 1])}
    regions = {spots: [_region(look, spots) for look in looks] for spots in {one.spots for one in looks[0]} - handed}
    for values in regions.values():
        for k, value in enumerate(values):
            if path[k].shown or k == len(path) - 1:
                first = values.index(value)
                values[first:k] = [value] * (k - first)
    return [
        tuple(regions[one.spots][k] or one if one.spots in regions else one for one in look)
        for k, look in enumerate(looks)
    ]


def _region(look: Look, spots: tuple[Spot, ...]) -> Region | None:
    return next((one for one in look if one.spots == spots), None)


def _read(node: Node[A, P], observed: Observed) -> Look:
    """Return the part of a node's layout that readers show."""
    return tuple(one for one in node.layout.regions if not any(map(observed.unread, one.spots)))
