"""Neighbours: whether a load on a hex beside a hex moves, from the facts of all of them.

A platform that is pushed against another lies on it with a gram or two from then on, and takes as much over when it
goes: that looks like a piece that fell. But what pushes stands on a scale of its own, which moves, too.
"""

from collections.abc import Iterable, Iterator

from citytable.table.fact import Fact, MassMoving, MassSettled, SensorFault, StationWent
from citytable.table.hexes import distance
from citytable.table.spot import Spot, hex_of


class Neighbours:
    """Watches the hexes among `spots`, all those of the plan; one without a scale never tells whether it moves."""

    def __init__(self, spots: Iterable[Spot]) -> None:
        hexes = {spot: found for spot in spots if (found := hex_of(spot)) is not None}
        self._around = {
            spot: tuple(other for other, there in hexes.items() if distance(here, there) == 1)
            for spot, here in hexes.items()
        }
        self._moves: dict[Spot, bool | None] = dict.fromkeys(hexes)

    def mind(self, fact: Fact) -> Iterator[tuple[Spot, bool | None]]:
        """Take a fact; yield each hex with a change beside it, and whether a load beside it moves now.

        None means that nobody can know, because one of the hexes there is silent or faulty.
        """
        for spot, moves in _told(fact):
            if spot in self._moves and moves is not self._moves[spot]:
                self._moves[spot] = moves
                for other in self._around[spot]:
                    yield other, self._moves_beside(other)

    def _moves_beside(self, spot: Spot) -> bool | None:
        states = {self._moves[other] for other in self._around[spot]}
        return True if True in states else None if None in states else False


def _told(fact: Fact) -> Iterator[tuple[Spot, bool | None]]:
    """Yield the spots whose motion a fact reports, and whether they move."""
    match fact:
        case MassMoving(spot=spot):
            yield spot, True
        case MassSettled(spot=spot):
            yield spot, False
        case SensorFault(spot=spot, sensor="cell", on=True):
            yield spot, None
        case StationWent(spots=spots):
            yield from ((spot, None) for spot in spots)
        case _:
            return
