"""The actions as forms, for people who correct the record."""

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from citytable.games.comeback.actions import Action, SetUp
from citytable.games.comeback.deck import Deck
from citytable.games.comeback.places import COLUMNS, FIRST_ROW, Place
from citytable.rules.notation import without_none
from citytable.table.blank import Blank, BlankField

_ROWS = range(1, FIRST_ROW + 9)


class Forms:
    """Comeback City's `InForms`. The set-up has a separate form, that of its question."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    def blanks(self) -> tuple[Blank, ...]:
        """Return a form for every action except the set-up."""
        kinds = (kind for kind in get_args(Action) if kind is not SetUp)
        return tuple(Blank(str(kind.__struct_config__.tag), True, tuple(self._fields(kind))) for kind in kinds)

    def _fields(self, kind: type[msgspec.Struct]) -> Iterator[BlankField]:
        hints = get_type_hints(kind)
        for field in msgspec.structs.fields(kind):
            if field.name != "player":
                hint, optional = without_none(hints[field.name])
                needed = field.required or (optional and field.name in getattr(kind, "OUTCOME", ()))
                yield self._field(field.name, hint, needed=needed)

    def _field(self, name: str, hint: Any, *, needed: bool) -> BlankField:
        if hint is Place:
            places = tuple(str(Place(column, row)) for column in COLUMNS for row in _ROWS)
            return BlankField(name, "choice", needed, places)
        if get_origin(hint) is Literal:
            return BlankField(name, "choice", needed, get_args(hint))
        if hint is int:
            return BlankField(name, "count", needed)
        if get_origin(hint) is tuple:
            return BlankField(name, "list", needed, tuple(self._deck.meteors), most=6)
        cards = self._deck.bonuses if name == "bonus" else self._deck.cards
        return BlankField(name, "choice", needed, tuple(cards))
