"""What is asked: the tiles that came up where nobody reads them."""

from collections.abc import Callable, Mapping

from citytable.games.dilluvia.actions import Action, Refill, SetUp
from citytable.games.dilluvia.position import Position
from citytable.games.dilluvia.reveals import named
from citytable.table.question import Field, FieldValue


class Questions:
    """Dilluvia Project brings `Asks`. `check` raises `IllegalAction` for an answer that breaks a rule."""

    def __init__(self, check: Callable[[Position, Action], object]) -> None:
        self._check = check

    def questions(
        self, _position: Position, _action: Action, _known: Mapping[str, FieldValue], **_how: bool
    ) -> tuple[Field, ...]:
        """Return nothing: what came up where nobody reads is asked by the spaces of the layout."""
        return ()

    def answered(self, position: Position, action: Action, values: Mapping[str, FieldValue]) -> Action:
        """Return the action with the tiles that people name; raises `ValueError` with the rule it would break."""
        match action:
            case SetUp() | Refill():
                filled = named(position, action, values)
                self._check(position, filled)
                return filled
            case _:
                raise ValueError(f"nothing is asked about {action}")
