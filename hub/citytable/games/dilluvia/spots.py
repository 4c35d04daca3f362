"""The spots of Dilluvia Project between the players: the sixteen of the market, `market/1` to `market/16`.

The city, the action spaces and the zeppelins have no sensors: people say what is done there.
"""

from citytable.games.dilluvia.values import SPACES
from citytable.table.plan import SharedSpots
from citytable.table.spot import Spot


def market_spot(space: int) -> Spot:
    """Return the spot of a space of the market, counted from 1 row by row."""
    return f"market/{space}"


def shared_spots() -> SharedSpots:
    """Return the market."""
    return SharedSpots(supply=tuple(map(market_spot, range(1, SPACES + 1))))
