"""Staying: when the thing that shows whose turn it is lay where, and so when each turn of a story was over."""

from collections.abc import Sequence
from itertools import groupby
from typing import TypeVar

from citytable.table.layout import Region
from citytable.table.spot import Spot
from citytable.umpire.node import Node, turn_ends
from citytable.umpire.observed import Observed
from citytable.umpire.whole_game import WholeGame

A = TypeVar("A")
P = TypeVar("P")


def brought(before: Node[A, P], node: Node[A, P]) -> tuple[Region, ...]:
    """Return the regions into which the action of a node brought something."""
    was = before.layout.by_spots
    return tuple(
        one for one in node.layout.unlike(before.layout) if set(one.things) - set(was.get(one.spots, one).things)
    )


def brought_to(path: Sequence[Node[A, P]], k: int) -> set[Spot]:
    """Return the spots to which node `k` brought something."""
    return {spot for region in brought(path[k - 1], path[k]) for spot in region.spots}


def unread(node: Node[A, P], observed: Observed) -> dict[Spot, frozenset[str]]:
    """Return the things after a node at places without a reader, where only one thing can be at one of them."""
    alone = (region for region in node.layout.regions if len(region.spots) == 1)
    return {one.spots[0]: frozenset(one.things) for one in alone if observed.unread(one.spots[0])}


def stay(game: WholeGame[A, P], path: Sequence[Node[A, P]], first: int, spot: Spot, observed: Observed) -> int | None:
    """Return which stay of a thing at a spot is the turn after node `first`; None if nobody knows.

    The last turn of that player in the path is the last stay there, unless a stay is no turn of theirs, as on a wrong
    cradle: a turn begins before the next one does. If nothing has come to the spot since, no reader saw where the turn
    passed to.
    """
    stays = observed.stays.get(spot, ())
    if not stays or (first and stays[-1] <= observed.turn_us):
        return None
    seats = [seat for seat, _ in groupby(game.seat(node.position) for node in path)]
    turn = len([*groupby(game.seat(node.position) for node in path[: first + 1])]) - 1
    since = sum(us > observed.turn_us for us in stays)
    if since > seats[1:].count(seats[turn]):
        stays = _before_the_next(game, path, first, stays, observed)
        return stays[-1] if stays and (not first or stays[-1] > observed.turn_us) else None
    back = seats[turn:].count(seats[turn])
    return stays[-back] if len(stays) >= back else None


def _before_the_next(
    game: WholeGame[A, P], path: Sequence[Node[A, P]], first: int, stays: tuple[int, ...], observed: Observed
) -> tuple[int, ...]:
    """Return the stays that began before the turn after the one that node `first` begins, as far as readers saw."""
    for end in turn_ends(game, path):
        if end > first and (came_us := passed_us(game, path, end, observed)):
            return tuple(us for us in stays if us < came_us)
    return stays


def sent_us(game: WholeGame[A, P], path: Sequence[Node[A, P]], end: int, observed: Observed) -> int:
    """Return when the thing that node `end` passed on left its place; 0 if no reader saw that."""
    for region in brought(path[end - 1], path[end]):
        for spot in region.spots:
            came_us = stay(game, path, end, spot, observed)
            if came_us:
                return observed.sent_us[spot][observed.stays[spot].index(came_us)]
    return 0


def passed_us(game: WholeGame[A, P], path: Sequence[Node[A, P]], last: int, observed: Observed) -> int:
    """Return when node `last` was over, that is, when the thing that it passed on arrived; 0 if no reader saw that."""
    spots = brought_to(path, last)
    return min((came_us for spot in spots if (came_us := stay(game, path, last, spot, observed))), default=0)


def rested_since(game: WholeGame[A, P], path: Sequence[Node[A, P]], last: int, observed: Observed) -> bool:
    """Return whether a scale weighed the thing that node `last` passed on at its new place."""
    spots = brought_to(path, last)
    came_us = {spot: stay(game, path, last, spot, observed) for spot in spots}
    return any(at_us and observed.rested_us.get(spot, 0) >= at_us for spot, at_us in came_us.items())
