"""Dilluvia Project's lessons: the best-rated decision, in words."""

import re
from collections.abc import Mapping

from citytable.games.dilluvia.actions import (
    Acquire,
    Action,
    Build,
    Buy,
    Convert,
    DrawOrder,
    Pick,
    Place,
    SetUp,
    Take,
    Terrain,
    UseTile,
    Zeppelin,
)
from citytable.games.dilluvia.advice import rating
from citytable.games.dilluvia.cells import Cell
from citytable.games.dilluvia.decisions import decisions
from citytable.games.dilluvia.layout import tile_thing
from citytable.games.dilluvia.market import price
from citytable.games.dilluvia.position import Berth, Cubes, Position
from citytable.games.dilluvia.printed import PRINTED
from citytable.games.dilluvia.reveals import with_unknowns
from citytable.games.dilluvia.spots import market_spot
from citytable.games.dilluvia.values import COLOURS, OTHER, Values
from citytable.rules.textbook import Textbook, Word
from citytable.table.lesson import Step
from citytable.table.spot import Spot

_BOOK = Textbook(__package__)


class Teaching:
    """Dilluvia Project brings `Teaches`."""

    def __init__(self, values: Values) -> None:
        self._values = values

    def step(self, position: Position, *, sensed: bool) -> Step | None:
        """Return what looks best; None when the game is over."""
        found = list(decisions(position, self._values))
        if not found:
            return None
        advised = max(found, key=lambda decision: rating(position, decision, self._values))
        return self.step_of(position, advised, sensed=sensed)

    def step_of(self, position: Position, advised: Action, *, sensed: bool) -> Step:
        """Return a legal decision in words."""
        topic = self.topic(advised)
        way = "free" if isinstance(advised, Terrain) and advised.free else ""
        page = _BOOK.page(topic, self._words(position, advised), way=way, sensed=sensed)
        return Step(
            topic=topic,
            rule=page.rule,
            do=page.do,
            action="" if isinstance(advised, DrawOrder) else str(with_unknowns(position, advised)),
            spots=_spots(advised),
        )

    def topic(self, action: Action) -> str:
        """Return the tag of the action, and of workers the kind of the space."""
        if not isinstance(action, Place):
            return str(action.__struct_config__.tag)
        return "place_cubes" if action.space in COLOURS else f"place_{action.space}"

    # one piece: a line for each kind of decision
    def _words(self, position: Position, advised: Action) -> Mapping[str, Word]:
        match advised:
            case Zeppelin(at=berth):
                return {"berth": _berth(berth)}
            case Buy(player=seat, space=space):
                line = position.of(seat).zeppelin
                cost = 0 if line is None else price(position, line, space, self._values)
                return {"space": space, "price": cost}
            case Acquire(space=space):
                return {"space": space}
            case Place(space=space, workers=n, special=special):
                how = ("alone" if n == 1 else "special") if special else "many"
                workers = _BOOK.text(f"place.{how}", n=n)
                colour = {"colour": _BOOK.text(f"colour.{space}")} if space in COLOURS else {}
                return {"workers": workers, **colour}
            case Terrain(at=at, shape=shape):
                return {**_where(at), "shape": _BOOK.text(f"shape.{shape}")}
            case Build(at=at, cube=cube, spare=spare):
                square, saved = _BOOK.text(f"square.{cube}"), _saved(spare)
                return {**_where(at), "number": self._building(advised), "square": square, "saved": saved}
            case Take(colour=colour, count=count):
                return {"count": count, "colour": _BOOK.text(f"colour.{colour}")}
            case Convert(give=give, get=get):
                return {"give": _BOOK.text(f"colour.{give}"), "get": _BOOK.text(f"colour.{get}")}
            case Pick(tile=tile) | UseTile(tile=tile):
                return {"tile": self._tile(tile)}
        cell: Cell | None = getattr(advised, "at", None)
        return {} if cell is None else _where(cell)

    def _tile(self, number: int) -> dict[str, str]:
        """Return what a market tile is, and its number where no word says that."""
        kind = self._values.tile(number).kind
        if kind == OTHER or tile_thing(number) in self._values.unread:
            return _BOOK.text("tile.other", number=number)
        return _BOOK.text("tile", kind=PRINTED.text(f"kind.{kind}"))

    def _building(self, action: Build) -> str:
        """Return a building's number, and its version where there are two."""
        versions = {one.version for one in self._values.buildings if one.number == action.number}
        return f"{action.number}{action.version.upper() if len(versions) > 1 else ''}"


def _where(at: Cell) -> dict[str, Word]:
    return {"x": at.x, "y": at.y}


def _saved(spare: Cubes) -> dict[str, str]:
    """Return which cubes the player's tiles save of a price."""
    each = [_BOOK.text(f"cube.{colour}", n=spare.of(colour)) for colour in COLOURS if spare.of(colour)]
    if not each:
        return _BOOK.text("saved.none")
    cubes = {language: ", ".join(one[language] for one in each) for language in each[0]}
    return _BOOK.text("saved.some", cubes=cubes)


def _berth(berth: Berth) -> dict[str, str]:
    side, number = re.match(r"([a-z]+)(\d)", berth).groups()  # type: ignore[union-attr]  # every berth is like that
    return _BOOK.text(f"berth.{side}", n=number)


def _spots(advised: Action) -> tuple[Spot, ...]:
    match advised:
        case Buy(space=space) | Acquire(space=space):
            return (market_spot(space),)
        case SetUp():
            return tuple(map(market_spot, range(1, 17)))
    return ()
