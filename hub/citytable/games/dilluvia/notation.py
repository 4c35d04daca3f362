"""Dilluvia Project's actions and positions as text, and back. See `docs/reference/dilluvia-rules.md`."""

from citytable.games.dilluvia.actions import NOTATION, Action
from citytable.games.dilluvia.leaves import LEAVES
from citytable.games.dilluvia.position import Position
from citytable.rules.json_notation import from_json, to_json


def action_from_text(text: str) -> Action:
    """Read `p1 buy space=7`; raises `Unreadable`. `str(action)` writes it."""
    action: Action = NOTATION.from_text(text)
    return action


def position_to_text(position: Position) -> str:
    """Write a position as one line of JSON; equal positions give equal lines."""
    return to_json(position, LEAVES)


def position_from_text(text: str) -> Position:
    """Read a position; raises `Unreadable` with the place."""
    return from_json(text, Position, LEAVES, "position")
