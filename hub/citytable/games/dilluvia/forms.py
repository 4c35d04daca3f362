"""The actions as forms, for people who correct the record."""

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from citytable.games.dilluvia.actions import ACTIONS
from citytable.games.dilluvia.cells import Cell
from citytable.games.dilluvia.position import Cubes
from citytable.games.dilluvia.values import COLOURS, GRIDS, SPACES, TILES, Values
from citytable.rules.notation import without_none
from citytable.table.blank import Blank, BlankField


class Forms:
    """Dilluvia Project brings `InForms`."""

    def __init__(self, values: Values) -> None:
        self._values = values

    def blanks(self) -> tuple[Blank, ...]:
        """Return a form for every action."""
        return tuple(map(self._blank, ACTIONS))

    def _blank(self, kind: type[Any]) -> Blank:
        fields = tuple(self._fields(kind))
        return Blank(str(kind.__struct_config__.tag), "player" in kind.__struct_fields__, fields)

    def _fields(self, kind: type[Any]) -> Iterator[BlankField]:
        hints = get_type_hints(kind)
        for field in msgspec.structs.fields(kind):
            if field.name != "player":
                hint, optional = without_none(hints[field.name])
                needed = field.required or (optional and field.name in getattr(kind, "OUTCOME", ()))
                yield self._field(field.name, hint, needed=needed)

    def _field(self, name: str, hint: Any, *, needed: bool) -> BlankField:
        if hint is Cell:
            return BlankField(name, "choice", needed, tuple(map(str, sorted(self._cells()))))
        if hint is Cubes:
            return BlankField(name, "pieces", needed, COLOURS)
        if hint is bool:
            return BlankField(name, "yesno", needed)
        if get_origin(hint) is Literal:
            return BlankField(name, "choice", needed, tuple(map(str, get_args(hint))))
        if name == "order":
            return BlankField(name, "list", needed, tuple(map(str, range(1, GRIDS.stop))), most=GRIDS.stop - 1)
        if get_origin(hint) is tuple:
            return BlankField(name, "list", needed, tuple(map(str, range(1, TILES + 1))), most=SPACES)
        return BlankField(name, "count", needed)

    def _cells(self) -> set[Cell]:
        return {*self._values.propeller, *self._values.playable[GRIDS.stop - 1]}
