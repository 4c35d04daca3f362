"""Looks: how the table was seen in turn while a story went on. Another story must have led there as well."""

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
    """Return whether the table would have looked in turn, by the rival, as it did by the chosen path.

    Between two looks that are the same something was put back: that tells nothing. `ends`: the nodes of the chosen
    path after which it is somebody else's turn.
    """
    looks, k = [_read(node, observed) for node in rival], 0
    for look in _looked(chosen, ends, observed):
        if look not in looks[k:]:
            return False
        k = looks.index(look, k)
    return True


def _looked(path: Sequence[Node[A, P]], ends: Sequence[int], observed: Observed) -> list[Look]:
    """Return how the table was seen in turn, without what it came back from."""
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
    """Return the looks without what a region came back from, but for those that change hands with the turn."""
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
    """Return the part of a node's layout that readers tell."""
    return tuple(one for one in node.layout.regions if not any(map(observed.unread, one.spots)))
