"""Looks: how the table was seen in turn while a story went on. Another story must have led there as well."""

from collections.abc import Sequence
from itertools import compress
from typing import TypeAlias, TypeVar

from citytable.table.layout import Region
from citytable.umpire.node import Node
from citytable.umpire.observed import Observed

A = TypeVar("A")
P = TypeVar("P")

Look: TypeAlias = tuple[Region, ...]


def leads_over(rival: Sequence[Node[A, P]], chosen: Sequence[Node[A, P]], observed: Observed) -> bool:
    """Return whether the table would have looked in turn, by the rival, as it did by the chosen path.

    Between two looks that are the same something was put back: that tells nothing.
    """
    looks, k = [_read(node, observed) for node in rival], 0
    for look in _looked(chosen, observed):
        if look not in looks[k:]:
            return False
        k = looks.index(look, k)
    return True


def _looked(path: Sequence[Node[A, P]], observed: Observed) -> list[Look]:
    """Return how the table was seen in turn, without what it came back from."""
    looks: list[Look] = []
    seen: list[bool] = []
    for k, node in enumerate(path, start=1):
        look = _read(node, observed)
        if look in looks and (node.shown or k == len(path)):
            back = looks.index(look) + 1
            del looks[back:], seen[back:]
            seen[-1] |= node.shown
        else:
            looks.append(look)
            seen.append(node.shown)
    return list(compress(looks, seen))


def _read(node: Node[A, P], observed: Observed) -> Look:
    """Return the part of a node's layout that readers tell."""
    return tuple(one for one in node.layout.regions if not any(map(observed.unread, one.spots)))
