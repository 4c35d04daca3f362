"""Acts against a rule that hands have begun: a tile laid at a seat that may not be there."""

from collections.abc import Iterator

from citytable.games.dilluvia.actions import Acquire, Action, Buy
from citytable.games.dilluvia.layout import tile_of
from citytable.games.dilluvia.position import Position
from citytable.table.spot import Spot, seat_of


class Attempts:
    """Dilluvia Project brings `Refuses`."""

    def attempts(self, position: Position, thing: str, spot: Spot) -> Iterator[Action]:
        """Yield the purchase of a tile that was laid at a seat: in the line of the zeppelin, or by a worker."""
        seat, tile = seat_of(spot), tile_of(thing)
        if seat is None or tile not in position.market:
            return
        space = position.market.index(tile) + 1
        yield Buy(seat, space) if position.phase == "shopping" else Acquire(seat, space)
