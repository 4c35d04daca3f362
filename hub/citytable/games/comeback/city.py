"""The city: what stands where, which places are open, what is adjacent, connected and powered."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from citytable.games.comeback.deck import Deck, Zone
from citytable.games.comeback.places import COLUMNS, FIRST_ROW, Place, around, between
from citytable.games.comeback.position import Building, Position

LIMIT = 3
"""How many more cards than the shortest a column may have (CR6)."""


def building_at(position: Position, place: Place) -> Building | None:
    """Return what stands at a place; rubble counts."""
    return next((building for building in position.city if building.at == place), None)


def standing(position: Position) -> Iterator[Building]:
    """Yield the buildings that are not rubble."""
    return (building for building in position.city if not building.rubble)


def of_zone(position: Position, deck: Deck, zone: Zone) -> list[Building]:
    """Return the buildings of a zone that are not rubble."""
    return [building for building in standing(position) if deck.cards[building.card].zone == zone]


def heights(position: Position) -> dict[int, int]:
    """Return the number of cards in each column; gaps and the giant bird are no cards (CA13)."""
    found = dict.fromkeys(COLUMNS, 0)
    for building in position.city:
        found[building.at.column] += 1
    return found


def top_row(position: Position, column: int) -> int:
    """Return the row of a column's highest card, the giant bird among them; 3 for an empty column."""
    rows = [building.at.row for building in position.city if building.at.column == column]
    if position.bird is not None and position.bird.column == column:
        rows.append(position.bird.row)
    return max(rows, default=FIRST_ROW - 1)


def columns_with_room(position: Position) -> frozenset[int]:
    """Return the columns that one more card keeps within 3 of the shortest (CR6)."""
    if position.phase == "rebuild" and not position.options.rulings.limit_holds_in_rebuild:
        return frozenset(COLUMNS)
    counts = heights(position)
    one, other = sorted(counts.values())[:2]
    least = {column: min(count + 1, other) if count == one else one for column, count in counts.items()}
    return frozenset(column for column, count in counts.items() if count + 1 - least[column] <= LIMIT)


def on_bird(position: Position, place: Place) -> bool:
    """Return whether a place is the giant bird's or on top of it (CR17)."""
    bird = position.bird
    return bird is not None and place.column == bird.column and place.row in {bird.row, bird.row + 1}


def open_places(position: Position) -> list[Place]:
    """Return where the flipped card may be built: on top, and in the rebuild in gaps and over rubble (CR6, CR24)."""
    found = []
    cells = {building.at: building for building in position.city}
    with_room = columns_with_room(position)
    for column in COLUMNS:
        top = top_row(position, column)
        rows = range(FIRST_ROW, top + 2) if position.phase == "rebuild" else range(top + 1, top + 2)
        room = column in with_room
        for row in rows:
            place = Place(column, row)
            there = cells.get(place)
            may = room and not on_bird(position, place) if there is None else there.rubble
            if may:
                found.append(place)
    return found


def linked(position: Position, one: Place, other: Place) -> bool:
    """Return whether two places are adjacent (CR27): across columns only with a working road between."""
    if one == other or abs(one.column - other.column) > 1 or abs(one.row - other.row) > 1:
        return False
    return one.column == other.column or min(one.column, other.column) not in position.broken_roads


def neighbours(position: Position, place: Place) -> list[Building]:
    """Return the buildings adjacent to a place; rubble is none."""
    cells = {building.at: building for building in standing(position)}
    return [cells[there] for there in around(place) if there in cells and linked(position, place, there)]


def powered(position: Position, place: Place) -> bool:
    """Return whether a card at a place has power (CR23): plant, all lines at its foot, no gap below."""
    if not position.plant_works or any(line in position.broken_lines for line in between(place.column)):
        return False
    cells = {building.at for building in position.city}
    return all(Place(place.column, row) in cells for row in range(FIRST_ROW, place.row))


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
