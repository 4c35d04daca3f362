"""Positions of Comeback City as text, and back. Actions: `actions.py`."""

from citytable.games.comeback.actions import LEAVES
from citytable.games.comeback.position import Position
from citytable.rules.json_notation import from_json, to_json


def position_to_text(position: Position) -> str:
    """Write a position as one line of JSON; equal positions give equal lines."""
    return to_json(position, LEAVES)


def position_from_text(text: str) -> Position:
    """Read a position; raises `Unreadable` with the place. `check_position` says whether it is legal."""
    return from_json(text, Position, LEAVES, "position")
