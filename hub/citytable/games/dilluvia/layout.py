"""What the table should look like: the tiles of the market, and at each seat the one that came last.

Everything else has no sensors, or none that people have to keep things on: older tiles lie where their owner likes.
"""

from functools import lru_cache

from citytable.games.dilluvia.decisions import purchases
from citytable.games.dilluvia.position import Position
from citytable.games.dilluvia.spots import market_spot
from citytable.games.dilluvia.values import SPACES, Values
from citytable.table import spot as spots
from citytable.table.layout import Layout, Light, Region, Unknown


def tile_thing(tile: int) -> str:
    """Return the tag on a market tile."""
    return f"tile/{tile}"


def tile_of(thing: str) -> int | None:
    """Return the tile that a thing is; None if it is none."""
    word, _, number = thing.partition("/")
    return int(number) if word == "tile" and number.isdigit() else None


def unknown_name(space: int) -> str:
    """Return what a tile is called that nobody has seen yet: the name of a field, too."""
    return f"space_{space}"


def space_of(name: str) -> int:
    """Return the space of such a name."""
    return int(name.removeprefix("space_"))


@lru_cache(maxsize=1024)
def _space(space: int, tile: int) -> Region:
    return Region((market_spot(space),), (tile_thing(tile),) if tile else ())


@lru_cache(maxsize=1024)
def _seat(seat: int, shown: int) -> Region:
    """Return a seat's slots: a tile that comes is laid there, and may be taken up after the next act."""
    slots = tuple(spots.card(seat, k) for k in range(spots.CARD_SLOTS_PER_SEAT))
    return Region(slots, (tile_thing(shown),) if shown else ())


@lru_cache(maxsize=64)
def _open(space: int, among: tuple[int, ...]) -> Region:
    """Return a space on which a tile comes up: people are laying it out."""
    unknown = Unknown(unknown_name(space), frozenset(map(tile_thing, among)))
    return Region((market_spot(space),), unknowns=(unknown,), late=True)


def layout(position: Position, values: Values) -> Layout:
    """Return what the table should look like."""
    seats = [_seat(seat, player.shown) for seat, player in enumerate(position.players, start=1)]
    held = (one.tile for player in position.players for one in player.tiles)
    loose = frozenset(map(tile_thing, (*held, *position.discarded, *position.aside)))
    return Layout((*_market(position), *seats), loose=loose, lights=_lights(position, values))


def _market(position: Position) -> list[Region]:
    lying = enumerate(position.market, start=1)
    return [_space(space, tile) if tile >= 0 else _open(space, _coming(position, space)) for space, tile in lying]


def _coming(position: Position, space: int) -> tuple[int, ...]:
    """Return the tiles that may come up on a space: white ones as long as there are some (DR3)."""
    unseen = [one for one in range(1, SPACES + 1) if position.market[one - 1] < 0]
    return position.white if unseen.index(space) < len(position.white) else position.grey


def _lights(position: Position, values: Values) -> tuple[Light, ...]:
    """Return the lights of the spaces that the shopper can buy."""
    if position.phase != "shopping" or position.dues:
        return ()
    spaces = (getattr(action, "space", 0) for action in purchases(position, values))
    return tuple(Light(market_spot(space), "turn", position.player) for space in spaces)
