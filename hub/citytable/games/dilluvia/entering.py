"""The owner's copy of Dilluvia Project: tiles and buildings that come up, and the board, spots and propellers.

A thing that nobody has entered has the house's values until then, and its name in the house deck.
"""

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from msgspec.structs import replace

from citytable.games.dilluvia.holding import held
from citytable.games.dilluvia.position import TURNS, Position
from citytable.games.dilluvia.printed import PRINTED
from citytable.games.dilluvia.values import (
    COLOURS,
    KINDS,
    OTHER,
    Building,
    OwnSpots,
    Printed,
    Spot,
    Square,
    Tile,
    Values,
)
from citytable.languages.sentences import Sentences
from citytable.rules.errors import Unfitting
from citytable.table.entering import Enterable
from citytable.table.question import Field, FieldValue
from citytable.table.values_form import ComingUp, Told, ValuesForm, values_form

_WORDS = Sentences(__package__, "entering.json")
_INCOMES = ("money", "resources", "prestige", "worker")
_SPOTS_MAX, _NUMBER_MAX = 6, 40
_NO_SPOT = "no_spot"
_GROUPS = (2, 3, 4)
_Values = Mapping[str, FieldValue]


def enterable(values: Values) -> tuple[str, ...]:
    """Return everything that has values of its own in a copy."""
    return (
        *(f"tile/{number}" for number in range(1, len(values.tiles) + 1)),
        *(f"building/{one.number}{one.version}" for one in values.buildings),
        *(f"spots/{space}" for space in (*values.spots, *values.own_spots)),
        *("board/propellers", "board/track", "board/last_turn"),
    )


def unread_copy(values: Values, name: str) -> Values:
    """Return a copy of this name, without any values."""
    return replace(values, name=name, origin="owner", unread=enterable(values))


def coming_up(position: Position, values: Values) -> tuple[ComingUp, ...]:
    """Return the things without values that are on the table, or about to be used."""
    unread = frozenset(values.unread)
    return tuple(one for one in _lying(position, values) if one.thing in unread)


def _lying(position: Position, values: Values) -> Iterator[ComingUp]:
    for seat, player in enumerate(position.players, start=1):
        yield from (ComingUp(f"tile/{one.tile}", seat) for one in player.tiles)
    market = (tile for tile in position.market if tile > 0)
    yield from (ComingUp(f"tile/{tile}", None) for tile in (*market, *position.aside, *position.discarded))
    if position.phase == "workers":
        yield from (ComingUp(f"spots/{space}", None) for space in (*values.spots, *values.own_spots))
        yield ComingUp("board/track", None)
    if position.due is not None and position.due.kind == "construction":
        yield ComingUp("board/propellers", position.player)
        early = held(position.of(position.player), "future_building", values) > 0
        now = (one for one in values.buildings if early or one.number <= position.turn)
        yield from (ComingUp(f"building/{one.number}{one.version}", position.player) for one in now)
    yield from (ComingUp(f"building/{one.number}{one.version}", one.owner) for one in position.city.buildings)
    if position.turn == TURNS:
        yield ComingUp("board/last_turn", None)


def form(values: Values, thing: str) -> ValuesForm:
    """Return the form of a thing, filled in with its values; raises `ValueError` for an unknown thing."""
    kind, name = _found(values, thing)
    fields = tuple(_FIELDS[thing if kind == "board" else kind](values, name))
    if thing in values.unread:
        fields = tuple(replace(one, proposed=_proposed(kind, one)) for one in fields)
    key = f"thing.{thing}" if kind == "board" else f"thing.{kind}"
    title = _said(f"space.{name}") if kind == "spots" else name.upper()
    return values_form(_said(key, name=title), fields, _Words(values))


def _proposed(kind: str, field: Field) -> FieldValue | None:
    """Return the proposals of a form for a thing without values: one spot exists, others need not be named."""
    if field.kind == "yesno":
        return False
    if field.name == "population" and kind == "tile":
        return 0
    return _NO_SPOT if kind == "spots" and field.name != "spot_1" else None


class _Words:
    """The sentences of forms; a number stands for a colour of cubes, a space of the city, or itself."""

    def __init__(self, values: Values) -> None:
        self._values = values

    def __call__(self, key: str, n: str = "") -> Told:
        if key.startswith("choice.spot_"):
            _, sort, players = key.rsplit("_", 2)
            return _said(f"spot.{sort}", n=players)
        if key == "field.cost":
            return _said(key, n=_said(f"colour.{COLOURS[int(n) - 1]}"))
        if key in {"field.price", "field.gift"}:
            return _said(key, n=str(self._values.propellers[int(n) - 1].cell))
        return _said(key, n=n)


def _said(key: str, **words: object) -> Told:
    """Return a sentence: of this form, or as it stands on our own tiles."""
    if key in _WORDS:
        return _WORDS.text(key, **words)
    kind = key.removeprefix("choice.")
    return PRINTED.texts[f"kind.{kind}"]


def _tile_fields(values: Values, name: str) -> Iterator[Field]:
    tile = values.tile(int(name))
    yield Field("kind", "choice", proposed=tile.kind, choices=(*KINDS, OTHER))
    yield Field("is_five", "yesno", proposed=tile.five)
    yield Field("has_symbol", "yesno", proposed=tile.prestige)
    population = tile.population
    yield Field("population", "count", population, low=-_NUMBER_MAX, high=_NUMBER_MAX, only_if=("kind", OTHER))


def _building_fields(values: Values, name: str) -> Iterator[Field]:
    building = values.building[int(name[:-1]), name[-1]]
    for k, cost in enumerate(building.cost, start=1):
        yield Field(f"cost_{k}", "count", proposed=cost, high=_NUMBER_MAX)
    for k, square in enumerate(building.squares, start=1):
        for income in _INCOMES:
            yield Field(f"{income}_{k}", "count", proposed=getattr(square, income), high=_NUMBER_MAX)


def _spots_fields(values: Values, name: str) -> Iterator[Field]:
    if name in values.own_spots:
        yield Field("has_white", "yesno", proposed=values.own_spots[name].white)
        return
    there = values.spots[name]
    sorts = tuple(f"spot_{sort}_{players}" for sort in ("one", "any", "aero") for players in _GROUPS)
    for k in range(_SPOTS_MAX):
        said = _sort_of(there[k]) if k < len(there) else _NO_SPOT
        yield Field(f"spot_{k + 1}", "choice", proposed=said, choices=(_NO_SPOT, *sorts))


def _sort_of(spot: Spot) -> str:
    sort = "aero" if spot.aero else "one" if spot.workers else "any"
    return f"spot_{sort}_{spot.players}"


def _propeller_fields(values: Values, _name: str) -> Iterator[Field]:
    for k, one in enumerate(values.propellers, start=1):
        yield Field(f"price_{k}", "count", proposed=one.price, high=_NUMBER_MAX)
        yield Field(f"gift_{k}", "count", proposed=one.prestige, high=_NUMBER_MAX)


def _track_fields(values: Values, _name: str) -> Iterator[Field]:
    for k, population in enumerate(values.track, start=1):
        yield Field(f"track_{k}", "count", proposed=population, high=_NUMBER_MAX)


def _last_turn_fields(values: Values, _name: str) -> Iterator[Field]:
    for k, printed in enumerate(values.last_turn, start=1):
        yield Field(f"last_{k}", "choice", proposed=printed, choices=get_args(Printed))


_FIELDS = {
    "tile": _tile_fields,
    "building": _building_fields,
    "spots": _spots_fields,
    "board/propellers": _propeller_fields,
    "board/track": _track_fields,
    "board/last_turn": _last_turn_fields,
}


def with_values(values: Values, thing: str, said: _Values) -> Values:
    """Return the values with the printed ones of a thing; raises `ValueError` for impossible values."""
    kind, name = _found(values, thing)
    changed = _READ[thing if kind == "board" else kind](values, name, said)
    return replace(values, **changed, unread=tuple(one for one in values.unread if one != thing))


def _tile(values: Values, name: str, said: _Values) -> dict[str, Any]:
    number, kind = int(name), str(said["kind"])
    population = int(said["population"]) if kind == OTHER else 0
    old = values.tile(number)
    read = Tile(kind, old.back, old.players, bool(said["is_five"]), bool(said["has_symbol"]), population)
    return {"tiles": (*values.tiles[: number - 1], read, *values.tiles[number:])}


def _building(values: Values, name: str, said: _Values) -> dict[str, Any]:
    one, two = (Square(**{income: int(said[f"{income}_{k}"]) for income in _INCOMES}) for k in (1, 2))
    white, black, brown, purple = (int(said[f"cost_{k}"]) for k in range(1, len(COLOURS) + 1))

    def read(old: Building) -> Building:
        return replace(old, cost=(white, black, brown, purple), squares=(one, two))

    buildings = (read(old) if f"{old.number}{old.version}" == name else old for old in values.buildings)
    return {"buildings": tuple(buildings)}


def _spots(values: Values, name: str, said: _Values) -> dict[str, Any]:
    if name in values.own_spots:
        return {"own_spots": {**values.own_spots, name: OwnSpots(white=bool(said["has_white"]))}}
    sorts = [str(said[f"spot_{k}"]) for k in range(1, _SPOTS_MAX + 1)]
    there = [_spot(sort) for sort in sorts if sort != _NO_SPOT]
    if not there:
        raise Unfitting(_WORDS.text("no_spots"))
    return {"spots": {**values.spots, name: tuple(there)}}


def _spot(text: str) -> Spot:
    _, sort, players = text.split("_")
    return Spot(workers=int(sort == "one"), aero=sort == "aero", players=int(players))


def _propellers(values: Values, _name: str, said: _Values) -> dict[str, Any]:
    numbered = enumerate(values.propellers, start=1)
    read = (replace(one, price=int(said[f"price_{k}"]), prestige=int(said[f"gift_{k}"])) for k, one in numbered)
    return {"propellers": tuple(read)}


def _track(values: Values, _name: str, said: _Values) -> dict[str, Any]:
    return {"track": tuple(int(said[f"track_{k}"]) for k in range(1, len(values.track) + 1))}


def _last_turn(values: Values, _name: str, said: _Values) -> dict[str, Any]:
    return {"last_turn": tuple(str(said[f"last_{k}"]) for k in range(1, len(values.last_turn) + 1))}


_READ = {
    "tile": _tile,
    "building": _building,
    "spots": _spots,
    "board/propellers": _propellers,
    "board/track": _track,
    "board/last_turn": _last_turn,
}


def label(values: Values, thing: str) -> Told | None:
    """Return a label that distinguishes this thing from others of its kind; None if it has no values of its own."""
    if thing not in enterable(values):
        return None
    kind, _, name = thing.partition("/")
    words: dict[str, object] = {"name": name.upper()}
    match kind:
        case "tile":
            words["kind"] = _said(f"choice.{values.tile(int(name)).kind}")
        case "building":
            words["cost"] = "/".join(map(str, values.building[int(name[:-1]), name[-1]].cost))
        case "spots":
            words["name"] = _said(f"space.{name}")
    key = f"label.{thing if kind == 'board' else kind}"
    return _WORDS.text(f"{key}.unread" if thing in values.unread else key, **words)


def _found(values: Values, thing: str) -> tuple[str, str]:
    """Return the kind and the name of a thing; raises `ValueError`."""
    if thing not in enterable(values):
        raise ValueError(f"Dilluvia Project has no {thing!r} with values of its own")
    kind, _, name = thing.partition("/")
    return kind, name


ENTERABLE = Enterable(enterable, unread_copy, coming_up, form, with_values, label)
