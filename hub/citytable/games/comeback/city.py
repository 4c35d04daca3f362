"""The city: its buildings, open places, adjacency, connections and power."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from citytable.games.comeback.deck import Deck, Zone
from citytable.games.comeback.places import COLUMNS, FIRST_ROW, Place, around, between
from citytable.games.comeback.position import Building, Position

LIMIT = 3
"""How many more cards than the shortest a column may have (CR6)."""


def building_at(position: Position, place: Place) -> Building | None:
    """Return the building at a place; rubble counts."""
    return position.cells.get(place)


def standing(position: Position) -> Iterator[Building]:
    """Yield the buildings that are not rubble."""
    return (building for building in position.city if not building.rubble)


def of_zone(position: Position, deck: Deck, zone: Zone) -> list[Building]:
    """Return the buildings of a zone that are not rubble."""
    return [one for one in position.city if not one.rubble and deck.cards[one.card].zone == zone]


def heights(position: Position) -> dict[int, int]:
    """Return the number of cards in each column; gaps and the giant bird are no cards (CA13)."""
    found = dict.fromkeys(COLUMNS, 0)
    for building in position.city:
        found[building.at.column] += 1
    return found


def top_row(position: Position, column: int) -> int:
    """Return the row of a column's highest card, the giant bird among them; 3 for an empty column."""
    return top_rows(position).get(column, FIRST_ROW - 1)


def top_rows(position: Position) -> dict[int, int]:
    """Return the row of each column's highest card; the city is sorted, so the last one of a column is the highest."""
    found = dict.fromkeys(COLUMNS, FIRST_ROW - 1)
    for building in position.city:
        found[building.at.column] = building.at.row
    if (bird := position.bird) is not None:
        found[bird.column] = max(found[bird.column], bird.row)
    return found


def columns_with_room(position: Position) -> frozenset[int]:
    """Return the columns that one more card keeps within 3 of the shortest (CR6)."""
    if position.phase == "rebuild" and not position.options.rulings.limit_holds_in_rebuild:
        return frozenset(COLUMNS)
    counts = heights(position)
    one, other = sorted(counts.values())[:2]
    grown = min(one + 1, other)  # the shortest, if it is the one that grows
    return frozenset([k for k, count in counts.items() if count + 1 - (grown if count == one else one) <= LIMIT])


def on_bird(position: Position, place: Place) -> bool:
    """Return whether a place is the giant bird's or on top of it (CR17)."""
    bird = position.bird
    return bird is not None and place.column == bird.column and place.row in {bird.row, bird.row + 1}


def open_places(position: Position) -> list[Place]:
    """Return where the flipped card may be built: on top, and in the rebuild in gaps and over rubble (CR6, CR24)."""
    with_room, tops = columns_with_room(position), top_rows(position)
    if position.phase != "rebuild":
        tops_with_room = [Place(column, top + 1) for column, top in tops.items() if column in with_room]
        return [place for place in tops_with_room if not on_bird(position, place)]
    places = (Place(column, row) for column, top in tops.items() for row in range(FIRST_ROW, top + 2))
    return [place for place in places if _may_be_covered(position, place, with_room)]


def is_open(position: Position, place: Place) -> bool:
    """Return whether the flipped card may be built at this place of the grid."""
    top = top_row(position, place.column) + 1
    lowest = FIRST_ROW if position.phase == "rebuild" else top
    return lowest <= place.row <= top and _may_be_covered(position, place, columns_with_room(position))


def _may_be_covered(position: Position, place: Place, with_room: frozenset[int]) -> bool:
    there = position.cells.get(place)
    if there is not None:
        return there.rubble
    return place.column in with_room and not on_bird(position, place)


def linked(position: Position, one: Place, other: Place) -> bool:
    """Return whether two places are adjacent (CR27): across columns only with a working road between."""
    if one == other or abs(one.column - other.column) > 1 or abs(one.row - other.row) > 1:
        return False
    return one.column == other.column or min(one.column, other.column) not in position.broken_roads


def neighbours(position: Position, place: Place) -> list[Building]:
    """Return the buildings adjacent to a place, without rubble."""
    near = (position.cells.get(there) for there in around(place))
    return [one for one in near if one is not None and not one.rubble and linked(position, place, one.at)]


def powered(position: Position, place: Place) -> bool:
    """Return whether a card at a place has power (CR23): plant, all lines at its foot, no gap below."""
    if not position.plant_works or not set(between(place.column)).isdisjoint(position.broken_lines):
        return False
    below = [Place(place.column, row) for row in range(FIRST_ROW, place.row)]
    return all(map(position.cells.__contains__, below))


def connected_group(position: Position, buildings: Iterable[Building]) -> int:
    """Return the size of the largest group of these buildings that hangs together by adjacency (CR17)."""
    left = {building.at for building in buildings}
    largest = 0
    while left:
        group, edge = 0, [left.pop()]
        while edge:
            place = edge.pop()
            group += 1
            near = {there for there in around(place) if there in left and linked(position, place, there)}
            left -= near
            edge += near
        largest = max(largest, group)
    return largest


def roads_connect_all(position: Position) -> bool:
    """Return whether every road works from the leftmost to the rightmost column with a building (CR16, CA19)."""
    columns = [building.at.column for building in standing(position)]
    if not columns:
        return False
    return not any(road in position.broken_roads for road in range(min(columns), max(columns)))


def with_buildings(position: Position, *buildings: Building) -> Position:
    """Return the position with these buildings in place of those at their places."""
    cells = {building.at: building for building in position.city} | {one.at: one for one in buildings}
    return replace(position, city=tuple(cells[place] for place in sorted(cells)))


def without_buildings(position: Position, places: Iterable[Place]) -> Position:
    """Return the position without the buildings at these places; their cards leave the game (CR19).

    A card that lies under one of them leaves with it.
    """
    gone = set(places)
    cards = [building for building in position.city if building.at in gone]
    names = [card for building in cards for card in (building.card, building.under) if card]
    city = tuple(building for building in position.city if building.at not in gone)
    return replace(position, city=city, gone=tuple(sorted((*position.gone, *names))))
