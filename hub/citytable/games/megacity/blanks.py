"""The actions as forms to fill in: every field with its possible values in this deck. There is none for the deal."""

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from citytable.games.megacity.actions import Action, SetUp
from citytable.games.megacity.city import BIT
from citytable.games.megacity.deal import DEALT
from citytable.games.megacity.leaves import face_to_text
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Face, Pieces
from citytable.games.megacity.stack import SUPPLY
from citytable.rules.notation import UNKNOWN, without_none
from citytable.table.blank import Blank, BlankField
from citytable.table.hexes import Hex

_REVEALED = {"take_platform": 1, "refresh": SUPPLY, "turn_up": 1}


def blanks(deck: Deck) -> tuple[Blank, ...]:
    """Return a blank for every action except the deal."""
    kinds = (kind for kind in get_args(Action) if kind is not SetUp)
    return tuple(
        Blank(
            do=str(kind.__struct_config__.tag),
            player="player" in kind.__struct_fields__,
            fields=tuple(_fields(kind, deck)),
        )
        for kind in kinds
    )


def _fields(kind: type[msgspec.Struct], deck: Deck) -> Iterator[BlankField]:
    hints = get_type_hints(kind)
    for field in msgspec.structs.fields(kind):
        if field.name == "revealed":
            faces = (face_to_text(Face(number, up)) for number, sides in deck.platforms.items() for up in sides)
            most = _REVEALED[str(kind.__struct_config__.tag)]
            yield BlankField(field.name, "list", needed=False, choices=(*dict.fromkeys(faces), UNKNOWN), most=most)
        elif field.name != "player":
            yield _field(field.name, without_none(hints[field.name])[0], deck, needed=field.required)


def _field(name: str, hint: Any, deck: Deck, *, needed: bool) -> BlankField:
    if name == "seat":
        return BlankField(name, "choice", needed, tuple(map(str, range(1, max(DEALT) + 1))))
    if name == "contract":
        return BlankField(name, "choice", needed, tuple(deck.contracts))
    if name == "platform":
        return BlankField(name, "choice", needed, tuple(map(str, deck.platforms)))
    if name.endswith("_mm"):
        return BlankField(name.removesuffix("_mm"), "mm", needed)
    if hint is Hex:
        return BlankField(name, "choice", needed, tuple(map(str, BIT)))
    if get_origin(hint) is Literal:
        return BlankField(name, "choice", needed, get_args(hint))
    if hint is Pieces:
        return BlankField(name, "pieces", needed, (*deck.pieces, "unknown"))
    if hint is bool:
        return BlankField(name, "yesno", needed)
    return BlankField(name, "count" if hint is int else "text", needed)
