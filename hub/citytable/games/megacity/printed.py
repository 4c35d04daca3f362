"""What is printed of MegaCity: contracts, platforms and parks, with this project's words and marks."""

import math
from collections.abc import Iterator, Mapping
from functools import partial

from citytable.games.megacity.drawn import COLOURS, MARKS
from citytable.games.megacity.pieces import Contract, Deck
from citytable.games.megacity.position import BuildingType
from citytable.languages import Language
from citytable.languages.sentences import Sentences
from citytable.table.printed import Cell, Face, Patch, Printed, Row, Seat
from citytable.table.sizes import SIZES

CARD_MM = SIZES.card_mm
FLAT_MM = SIZES.platform_flat_mm
TILE_MM = (FLAT_MM, 2 * FLAT_MM / math.sqrt(3))
SEATS = 4
_MIDDLE = (TILE_MM[0] / 2, TILE_MM[1] / 2)
_PORT_MM, _PORTS_FROM_MIDDLE, _VENT_MM = 14.0, 28.0, 30.0
_LEFT, _RIGHT = (CARD_MM[0] / 4, CARD_MM[1] / 2), (CARD_MM[0] * 3 / 4, CARD_MM[1] / 2)

_Words = Mapping[str, str]


def printed(deck: Deck, language: Language) -> tuple[Printed, ...]:
    """Return the cards and tiles of a deck, each with the name of its tag."""
    words = Sentences(__package__, "printed.json").only(language)
    return (*map(partial(_contract, words), deck.contracts.values()), *_platforms(deck, words), *_parks(words))


def _contract(words: _Words, contract: Contract) -> Printed:
    number = words["at_least" if contract.plus else "exactly"].format(n=contract.pieces)
    size = (
        Row((Cell((MARKS["pieces"],), number),), 0.8, words["pieces"]),
        Row((Cell((MARKS["height"],), words["mm"].format(n=contract.height_mm)),), 0.8, words["height"]),
    )
    needs = contract.requirements or ("none",)
    asked = Row(tuple(Cell((MARKS[need],), words[need]) for need in needs), 1.5, shaded=True, stacked=True)
    thing = f"contract/{contract.id}"
    colour, mark = COLOURS[contract.type], MARKS[contract.type]
    kind = words[contract.type]
    front = Face(
        title=words["landmark_title"].format(type=kind) if contract.landmark else kind,
        colour=colour,
        mark=mark,
        value=Cell((MARKS["prestige"],), str(contract.prestige)),
        rows=(*size, asked),
        foot=thing,
    )
    seats = (Seat(_LEFT, words["tag_turned"]), Seat(_RIGHT, words["tag_front"]))  # from behind, left is right (0053)
    back = Face(words["landmark" if contract.landmark else "contract"], colour, mark, foot=kind, seats=seats)
    return Printed(thing, CARD_MM, front, back)


def _platforms(deck: Deck, words: _Words) -> Iterator[Printed]:
    for number, (one, other) in deck.platforms.items():
        sides = _platform(number, one, other, words), _platform(number, other, one, words)
        yield Printed(f"platform/{number}", TILE_MM, *sides, shape="hexagon")


def _platform(number: int, up: BuildingType, down: BuildingType, words: _Words) -> Face:
    """Draw a side with three utility ports (R19) and the vent in the colour of the other side (R4, R20)."""
    colour = COLOURS[up]
    angles = (math.radians(angle) for angle in (90, 210, 330))
    ports = tuple(
        Patch("circle", (_MIDDLE[0] + x, _MIDDLE[1] + y), _PORT_MM, colour)
        for x, y in ((_PORTS_FROM_MIDDLE * math.cos(a), _PORTS_FROM_MIDDLE * math.sin(a)) for a in angles)
    )
    vent = Patch("hexagon", _MIDDLE, _VENT_MM, COLOURS[down], words["vent"].format(type=words[down]))
    return Face(
        words[up], colour, MARKS[up], ground=(*ports, vent), foot=f"platform/{number}/{up}", seats=_in_the_middle()
    )


def _parks(words: _Words) -> Iterator[Printed]:
    names = {f"park/{seat}": words["park"].format(n=seat) for seat in range(1, SEATS + 1)}
    for thing, name in {**names, "central-park": words["central_park"]}.items():
        ground = (Patch("circle", _MIDDLE, _VENT_MM + 10, COLOURS["park"]),)
        face = Face(name, COLOURS["park"], MARKS["park"], ground=ground, foot=thing, seats=_in_the_middle())
        yield Printed(thing, TILE_MM, face, face, shape="hexagon")


def _in_the_middle() -> tuple[Seat, ...]:
    return (Seat(_MIDDLE),)
