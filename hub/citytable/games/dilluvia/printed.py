"""The printed tiles, buildings and gardens of Dilluvia Project, with this project's words and marks."""

from collections.abc import Mapping

from citytable.games.dilluvia.drawn import COLOURS, MARKS
from citytable.games.dilluvia.layout import tile_thing
from citytable.games.dilluvia.values import COLOURS as CUBES
from citytable.games.dilluvia.values import OTHER, Building, Square, Tile, Values
from citytable.languages import Language
from citytable.languages.sentences import Sentences
from citytable.table.printed import Cell, Face, Mark, Printed, Row, Seat

TILE_MM = (40.0, 40.0)
SPACE_MM = 27.0
GARDENS = 16
_MIDDLE = (Seat((TILE_MM[0] / 2, TILE_MM[1] / 2)),)
_SIDES = {1: (1, 1), 2: (2, 1), 4: (2, 2)}
_SIZE = {1: "small", 2: "medium", 4: "large"}
_FOR_ALL = 2  # players

_PICTURES: Mapping[str, tuple[str, ...]] = {
    **{f"{colour}{count}": (colour,) * count for count in (2, 3) for colour in CUBES},
    "aeros5": ("coin",),
    "aeros6": ("coin",),
    "population2": ("population", "population"),
    "prestige7": ("prestige",),
    "marker": ("marker",),
    "convert": ("cube", "convert", "cube"),
    "ground_discount": ("medium", "coin"),
    "future_building": ("later", "building"),
    "two_spaces": ("small", "small"),
    "medium_terrain": ("medium",),
    "free_garden": ("garden",),
    "compensation": ("empty", "coin"),
    "toll": ("toll",),
    "discount_23": ("building", "cube"),
    "discount_45": ("building", "cube"),
    "timely": ("timely", "prestige"),
    "sets": ("coin", "cube", "prestige"),
    "small_aeros": ("small", "coin"),
    "medium_aeros": ("medium", "coin"),
    "large_aeros": ("large", "coin"),
    "most_propellers": ("propeller", "population"),
    "most_medium": ("medium", "population"),
    "most_small": ("small", "population"),
    "most_sectors": ("sectors", "population"),
    "most_large": ("large", "population"),
    "most_workers": ("worker", "population"),
    "population_tiles": ("population", "prestige"),
    OTHER: ("population",),
}

PRINTED = Sentences(__package__, "printed.json")
_Words = Mapping[str, str]


def printed(values: Values, language: Language) -> tuple[Printed, ...]:
    """Return the tiles of these values; market tiles have the names of their tags."""
    words = PRINTED.only(language)
    tiles = (_tile(number, tile, values, words) for number, tile in enumerate(values.tiles, 1))
    buildings = (_building(building, words) for building in sorted(values.buildings, key=_largest_first))
    return (*tiles, *buildings, _garden(words))


def _largest_first(building: Building) -> tuple[int, int, str]:
    return -building.size, building.number, building.version


def _tile(number: int, tile: Tile, values: Values, words: _Words) -> Printed:
    use = values.use(tile.kind)
    extras = (Cell(_marks("prestige"), "+1"),) if tile.prestige else ()  # DR29: the mat's symbol
    does = words.get(f"does.{tile.kind}", "")
    rows = (
        Row((Cell(_marks(*_PICTURES[tile.kind])),), 1.2),
        *((Row((Cell(text=does),), 1.4, prose=True),) if does else ()),
        Row((Cell(text=words[f"use.{use}"]), *extras), 0.65, shaded=True),
    )
    thing, colour = tile_thing(number), COLOURS[tile.back]
    group = "" if tile.players == _FOR_ALL else words[f"players.{tile.players}"]
    price = Cell(_marks("coin"), "5") if tile.five else Cell()  # DR5: whatever its place
    foot = f"{thing}  ·  {group}" if group else thing
    front = Face(words[f"kind.{tile.kind}"], colour, MARKS[use], price, rows, foot=foot)
    back = Face(words[f"back.{tile.back}"], colour, MARKS["tile"], foot=group, seats=_MIDDLE)
    return Printed(thing, TILE_MM, front, back)


def _marks(*names: str) -> tuple[Mark, ...]:
    return tuple(MARKS[name] for name in names)


def _building(building: Building, words: _Words) -> Printed:
    columns, rows = _SIDES[building.size]
    name = f"{building.number}{building.version.upper()}"
    cost = tuple(MARKS[colour] for colour, count in zip(CUBES, building.cost, strict=True) for _ in range(count))
    squares = tuple(Cell(parts=_income(square)) for square in building.squares)
    faces = (Row(squares, 2.2), Row((Cell(cost),), 0.8, shaded=True))
    front = Face(name, COLOURS["building"], MARKS[_SIZE[building.size]], rows=faces)
    turn = words["turn"].format(n=max(1, building.number))
    back = Face(name, COLOURS["building"], MARKS[_SIZE[building.size]], foot=turn)
    size = (columns * SPACE_MM, rows * SPACE_MM)
    return Printed(f"building/{building.number}{building.version}", size, front, back, copies=building.copies)


def _income(square: Square) -> tuple[Cell, ...]:
    """Return what a square brings (DR17)."""
    brings = {"coin": square.money, "cube": square.resources, "prestige": square.prestige, "worker": square.worker}
    return tuple(Cell(_marks(mark), str(number)) for mark, number in brings.items() if number)


def _garden(words: _Words) -> Printed:
    face = Face(words["garden"], COLOURS["garden"], MARKS["garden"])
    return Printed("garden", (SPACE_MM, SPACE_MM), face, face, copies=GARDENS)
