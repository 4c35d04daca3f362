"""What the table should look like in a position: cards on spots, and lights.

    seat/1/card/0      the card flipped last
    seat/1/card/1, 2   the two cards of the set-up that still go on columns
    grid/<c>/<r>       column and row of the city
    aside/1            cards discarded for this building, the last on top
    bonus/1, bonus/2   the zoning bonuses
    disaster/1         the disaster

Cards passed lie on a pile of their own, and the deck and what left the game lie where no reader is. A building that was
built over lies with the rubble, beside the table.
"""

from functools import lru_cache

from citytable.games.comeback.city import open_places
from citytable.games.comeback.deck import DISASTERS, Deck
from citytable.games.comeback.disasters import targets, unoccupied
from citytable.games.comeback.moves import tallest
from citytable.games.comeback.places import COLUMNS, FIRST_ROW, Place
from citytable.games.comeback.pool import within_reach
from citytable.games.comeback.position import Building, Position
from citytable.table.layout import Hidden, Layout, Light, Region, Unknown
from citytable.table.plan import SharedSpots
from citytable.table.spot import Spot

SLOT, *HAND = (f"seat/1/card/{k}" for k in range(3))
ASIDE = "aside/1"
BONUSES = ("bonus/1", "bonus/2")
DISASTER = "disaster/1"
READ_ROWS = range(FIRST_ROW, 10)
"""The rows that a virtual table has readers for; a city seldom grows higher."""
LAID_ROWS = range(FIRST_ROW, 14)


def grid(place: Place) -> Spot:
    """Return the spot of a place of the city."""
    return f"grid/{place}"


def building_thing(card: str) -> str:
    """Return the tag of a building card."""
    return f"building/{card}"


def things(deck: Deck) -> tuple[str, ...]:
    """Return everything that carries a tag: buildings, zoning bonuses, disasters."""
    bonuses = (f"bonus/{bonus}" for bonus in deck.bonuses)
    return (*map(building_thing, deck.cards), *bonuses, *(f"disaster/{kind}" for kind in DISASTERS))


def shared_spots() -> SharedSpots:
    """Return the spots between the players: the city, the cards set aside, the bonuses, the disaster."""
    city = (grid(Place(column, row)) for column in COLUMNS for row in READ_ROWS)
    return SharedSpots(supply=(*city, ASIDE, *BONUSES, DISASTER))


@lru_cache(maxsize=512)
def _column(column: int, buildings: tuple[Building, ...], late: bool) -> tuple[Region, ...]:
    there = {building.at.row: building_thing(building.card) for building in buildings}
    rows = range(FIRST_ROW, max(LAID_ROWS.stop, *there, 0) + 1)
    return tuple(
        Region((grid(Place(column, row)),), (there[row],) if row in there else (), late=late and row in there)
        for row in rows
    )


@lru_cache(maxsize=4)
def _before(deck: Deck) -> tuple[Region, ...]:
    """Return the table on which people lay out cards that nobody has named yet."""
    cards = frozenset(map(building_thing, deck.cards))
    bonuses = frozenset(f"bonus/{bonus}" for bonus in deck.bonuses)
    spots = [*(grid(Place(column, FIRST_ROW)) for column in COLUMNS), *HAND]
    row = (Region((spot,), unknowns=(Unknown(spot, cards),), late=True) for spot in spots)
    bonus = (Region((spot,), unknowns=(Unknown(spot, bonuses),), late=True) for spot in BONUSES)
    higher = (Region((grid(Place(column, row)),)) for column in COLUMNS for row in LAID_ROWS if row != FIRST_ROW)
    return (*row, *bonus, *higher, Region((SLOT,)), Region((ASIDE,)), Region((DISASTER,)))


def layout(position: Position, deck: Deck) -> Layout:
    """Return the table of a position."""
    if position.phase == "setup":
        return Layout(regions=_before(deck))
    late = position.phase == "laying"
    columns = (
        _column(column, tuple(building for building in position.city if building.at.column == column), late)
        for column in COLUMNS
    )
    aside = () if position.built else tuple(map(building_thing, position.discarded))
    regions = (
        Region((SLOT,), (building_thing(position.current),) if position.current else ()),
        Region(tuple(HAND), tuple(map(building_thing, position.hand)), late=late),
        Region((ASIDE,), aside[-1:]),
        Region(BONUSES, tuple(f"bonus/{bonus.card}" for bonus in position.bonuses), late=late),
        Region((DISASTER,), (f"disaster/{position.disaster}",) if position.disaster else ()),
        *(region for column in columns for region in column),
    )
    hidden = (Hidden(ASIDE, frozenset(aside[:-1])),) if aside[:-1] else ()
    return Layout(regions, hidden, _done_with(position), lights=lights(position, deck))


def _done_with(position: Position) -> frozenset[str]:
    cards = [*position.discard_pile, *position.gone, *position.passed]
    cards += position.discarded if position.built else ()
    cards += [building.under for building in position.city if building.under]
    return frozenset(map(building_thing, cards))


def lights(position: Position, deck: Deck) -> tuple[Light, ...]:
    """Return what spots show: where the card may go, what a disaster may hit, and where it has struck."""
    if position.phase == "disaster":
        places = targets(position) if position.rolled else _threatened(position, deck)
    elif position.due:
        places = [building.at for building in tallest(position, deck)]
    elif position.phase == "laying" or (position.current and within_reach(position, deck)):
        places = open_places(position)
    else:
        places = []
    seen = [Light(grid(place), "legal", 1) for place in places if place.row >= FIRST_ROW]
    seen += [Light(grid(place), "struck") for place in _struck(position) if place.row >= FIRST_ROW]
    return (*seen, Light(SLOT, "turn", 1)) if position.phase in {"build", "rebuild"} else tuple(seen)


def _struck(position: Position) -> list[Place]:
    """Return where the disaster is: rubble, occupied buildings, meteors and the target, the giant bird."""
    where = [building.at for building in position.city if building.rubble or building.occupied]
    where += [*position.meteors, *(place for place in (position.centre, position.bird) if place is not None)]
    return sorted(set(where))


def _threatened(position: Position, deck: Deck) -> list[Place]:
    if position.disaster == "aliens":
        return [building.at for building in unoccupied(position, deck)]
    if position.disaster == "giant_bird" and position.bird is None:
        return [building.at for building in tallest(position, deck)]
    return []
