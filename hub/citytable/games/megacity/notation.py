"""MegaCity's actions and positions as text, and back. See `docs/reference/notation.md`."""

from citytable.games.megacity.actions import NOTATION, Action
from citytable.games.megacity.leaves import LEAVES
from citytable.games.megacity.position import Position
from citytable.rules.json_notation import from_json, to_json


def action_from_text(text: str) -> Action:
    """Read `p1 take_contract contract=CO5`; raises `Unreadable`. `str(action)` writes it."""
    action: Action = NOTATION.from_text(text)
    return action


def position_to_text(position: Position) -> str:
    """Write a position as one line of JSON; equal positions give equal lines."""
    return to_json(position, LEAVES)


def position_from_text(text: str) -> Position:
    """Read a position; raises `Unreadable` with the place. `check_position` says whether it is legal."""
    return from_json(text, Position, LEAVES, "position")
