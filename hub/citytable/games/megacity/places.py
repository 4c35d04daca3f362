"""The hexes of acts: a delivery or a park goes to one, and some are likelier than others."""

from citytable.games.megacity.actions import Action, Deliver, PlacePark
from citytable.games.megacity.city import can_slide_in
from citytable.games.megacity.position import Position
from citytable.games.megacity.spots import RADIUS
from citytable.table import spot as spots
from citytable.table.hexes import CENTRE, distance
from citytable.table.spot import Spot


class CityPlaces:
    """MegaCity brings `Places`."""

    def spots_of(self, action: Action) -> frozenset[Spot]:
        """Return the hex to which a delivery or a park goes."""
        match action:
            case Deliver(stood=False):
                return frozenset()
            case Deliver() | PlacePark():
                return frozenset((spots.city(action.at),))
            case _:
                return frozenset()

    def rank(self, position: Position, action: Action) -> int:
        """Return 0 for a hex beside Central Park into which a platform slides (A12), more for the others."""
        if not isinstance(action, Deliver | PlacePark):
            return 0
        return distance(action.at, CENTRE) + (0 if can_slide_in(position, action.at) else 2 * RADIUS)
