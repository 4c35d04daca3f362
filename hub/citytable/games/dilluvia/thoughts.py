"""The actions that a player may think of, legal or not, so that a phone can say why one is not possible now."""

from collections.abc import Iterator

from citytable.games.dilluvia.actions import (
    Acquire,
    Action,
    Build,
    Buy,
    BuyPropeller,
    Done,
    Garden,
    Place,
    Switch,
    Terrain,
    UseTile,
    Zeppelin,
)
from citytable.games.dilluvia.building import left, spares
from citytable.games.dilluvia.cells import shapes_of
from citytable.games.dilluvia.ground import fits
from citytable.games.dilluvia.market import LINES, is_empty
from citytable.games.dilluvia.position import ACTION_SPACES, BERTHS, Cubes, Due, Position
from citytable.games.dilluvia.using import is_used
from citytable.games.dilluvia.values import SPACES, Values


class Thoughts:
    """Dilluvia Project brings `Ponders`."""

    def __init__(self, values: Values) -> None:
        self._values = values

    def thoughts(self, position: Position) -> Iterator[Action]:
        """Yield what a turn is made of, in the order of its phases."""
        seat = position.player
        if not seat:
            return
        yield from (Zeppelin(player=seat, at=berth) for berth in BERTHS)
        yield from self._purchases(position, seat)
        yield from (Place(player=seat, space=space) for space in ACTION_SPACES)
        yield from self._work(position, seat)
        mine = (one.tile for one in position.of(seat).tiles)
        yield from (
            UseTile(player=seat, tile=tile) for tile in mine if is_used(self._values.tile(tile).kind, self._values)
        )
        yield Done(player=seat)

    def _purchases(self, position: Position, seat: int) -> Iterator[Action]:
        """Yield the purchase of what lies in the line of the zeppelin, the nearest first."""
        berth = position.of(seat).zeppelin
        there = [space for space in (LINES[berth] if berth else ()) if not is_empty(position, space)]
        yield from (Buy(player=seat, space=space) for space in there or range(1, SPACES + 1))

    def _work(self, position: Position, seat: int) -> Iterator[Action]:
        """Yield what workers may bring."""
        cell = min(self._values.playable[position.options.players])
        due = position.due or Due("territory")
        yield from (Terrain(player=seat, at=at) for at, _ in fits(position, seat, due, self._values, shapes_of(1)))
        owned = {propeller.at for propeller in position.city.propellers}
        free = sorted(self._values.propeller.items(), key=lambda one: (one[0] in owned, one[1].price))
        yield from (BuyPropeller(player=seat, at=at) for at, _ in free[:1])
        yield from self._buildings(position, seat)
        there = [space for space in range(1, SPACES + 1) if not is_empty(position, space)]
        yield from (Acquire(player=seat, space=space) for space in there[:1])
        ground = sorted(position.city.terrain[seat - 1]) or [cell]
        yield Garden(player=seat, at=ground[0])
        mine = [building.at for building in position.city.buildings if building.owner == seat]
        yield Switch(player=seat, at=(mine or [cell])[0])

    def _buildings(self, position: Position, seat: int) -> Iterator[Build]:
        """Yield a building of this turn or before on the player's ground, the largest first."""
        ground = sorted(position.city.terrain[seat - 1]) or [min(self._values.playable[position.options.players])]
        now = [building for building in self._values.buildings if building.number <= position.turn]
        for building in sorted(now, key=lambda building: -building.number):
            if left(position, building.number, building.version, self._values):
                for spare in (*spares(position.of(seat), building, self._values), Cubes()):
                    yield Build(
                        player=seat,
                        number=building.number,
                        version=building.version,
                        at=ground[0],
                        shape=shapes_of(building.size)[0],
                        spare=spare,
                    )
