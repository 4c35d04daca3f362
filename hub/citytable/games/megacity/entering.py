"""The owner's copy of MegaCity: contracts and platforms that come up and are entered one by one.

A thing that nobody has entered has the house's values until then, and its name in the house deck.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from citytable.games.megacity.pieces import REQUIREMENTS, Contract, Deck
from citytable.games.megacity.position import TYPES, BuildingType, Face, Position
from citytable.languages.sentences import Sentences
from citytable.rules.errors import Unfitting
from citytable.table.entering import Enterable
from citytable.table.question import Field, FieldValue
from citytable.table.values_form import ComingUp, Told, ValuesForm, values_form

_WORDS = Sentences(__package__, "entering.json")
_NONE = "none"
_PIECES_MAX, _PRESTIGE_MAX = 40, 30


def enterable(deck: Deck) -> tuple[str, ...]:
    """Return everything that has values of its own in a copy."""
    return (*(f"contract/{name}" for name in deck.contracts), *(f"platform/{number}" for number in deck.platforms))


def unread_copy(deck: Deck, name: str) -> Deck:
    """Return a copy of this name, without any values."""
    contracts = tuple(replace(one, origin="owner") for one in deck.contracts.values())
    return Deck(name, "owner", contracts, deck.platforms, deck.pieces, enterable(deck))


def coming_up(position: Position, deck: Deck) -> tuple[ComingUp, ...]:
    """Return the things on the table without values: a contract as soon as somebody has it, and platforms."""
    return tuple(one for one in _lying(position) if one.thing in deck.unread)


def _lying(position: Position) -> Iterator[ComingUp]:
    for seat, player in enumerate(position.players, start=1):
        yield from (ComingUp(f"contract/{one}", seat) for one in (*player.contracts, *player.completed))
        yield from (ComingUp(_thing(face), seat) for face in player.platforms)
    yield from (ComingUp(_thing(face), None) for face in position.supply if face is not None)
    yield from (ComingUp(_thing(one.face), one.owner) for one in position.buildings)


def _thing(face: Face) -> str:
    return f"platform/{face.platform}"


def form(deck: Deck, thing: str) -> ValuesForm:
    """Return the form of a thing, filled in with its values; raises `ValueError` for an unknown thing."""
    kind, name = _found(deck, thing)
    known = thing not in deck.unread
    if kind == "platform":
        sides = deck.platforms[int(name)]
        proposed = sides if known else (None, None)
        fields = tuple(
            Field(f"side_{k}", "choice", proposed=side, choices=TYPES) for k, side in enumerate(proposed, start=1)
        )
    else:
        fields = tuple(_contract_fields(deck.contracts[name], known=known))
    return values_form(_WORDS.text(kind, name=name), fields, _WORDS.text)


def _contract_fields(card: Contract, *, known: bool) -> Iterator[Field]:
    yield Field("pieces", "count", proposed=card.pieces if known else None, low=1, high=_PIECES_MAX)
    yield Field("plus", "yesno", proposed=card.plus and known)
    yield Field("height_mm", "mm", proposed=card.height_mm if known else None, low=1)
    for k in range(2 if card.landmark else 1):
        said = (card.requirements[k] if k < len(card.requirements) else _NONE) if known else None
        choices = REQUIREMENTS if card.landmark else (_NONE, *REQUIREMENTS)
        yield Field(f"requirement_{k + 1}", "choice", proposed=said, choices=choices)
    yield Field("prestige", "count", proposed=card.prestige if known else None, high=_PRESTIGE_MAX)


def with_values(deck: Deck, thing: str, values: Mapping[str, FieldValue]) -> Deck:
    """Return the deck with the printed values of a thing; raises `ValueError` for impossible values."""
    kind, name = _found(deck, thing)
    contracts, platforms = dict(deck.contracts), dict(deck.platforms)
    if kind == "platform":
        platforms[int(name)] = _sides(str(values["side_1"]), str(values["side_2"]))
    else:
        contracts[name] = _read(contracts[name], values)
    rest = deck.unread - {thing}
    return Deck(deck.name, deck.origin, tuple(contracts.values()), platforms, deck.pieces, rest)


def _read(card: Contract, values: Mapping[str, Any]) -> Contract:
    named = [str(values[f"requirement_{k + 1}"]) for k in range(2 if card.landmark else 1)]
    requirements = tuple(one for one in REQUIREMENTS if one in named)
    if len(requirements) < len([one for one in named if one != _NONE]):
        raise Unfitting(_WORDS.text("same_twice"))
    return replace(
        card,
        pieces=int(values["pieces"]),
        plus=bool(values["plus"]),
        height_mm=int(values["height_mm"]),
        requirements=requirements,
        prestige=int(values["prestige"]),
    )


def _sides(*named: str) -> tuple[BuildingType, BuildingType]:
    first, second = (next(kind for kind in TYPES if kind == one) for one in named)
    if first == second:
        raise Unfitting(_WORDS.text("same_sides"))
    return first, second


def label(deck: Deck, thing: str) -> Told | None:
    """Return a label that distinguishes this thing from others of its kind; None if its name is enough."""
    kind, _, name = thing.partition("/")
    if kind == "platform":
        number, _, up = name.partition("/")
        if f"platform/{number}" in deck.unread or not up:
            return None
        other = deck.other_side(int(number), next(one for one in TYPES if one == up))
        return _WORDS.text(
            "platform_label", n=number, up=_WORDS.text(f"choice.{up}"), other=_WORDS.text(f"choice.{other}")
        )
    card = deck.contracts.get(name if kind == "contract" else thing)
    if card is None:
        return None
    if f"contract/{card.id}" in deck.unread:
        return _WORDS.text("unread", name=card.id)
    plus = "+" if card.plus else ""
    return _WORDS.text(
        "contract_label", name=card.id, pieces=f"{card.pieces}{plus}", mm=card.height_mm, points=card.prestige
    )


def _found(deck: Deck, thing: str) -> tuple[str, str]:
    """Return the kind and the name of a thing; raises `ValueError`."""
    if thing not in enterable(deck):
        raise ValueError(f"MegaCity has no {thing!r} with values of its own")
    kind, _, name = thing.partition("/")
    return kind, name


ENTERABLE = Enterable(enterable, unread_copy, coming_up, form, with_values, label)
