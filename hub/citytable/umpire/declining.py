"""Why the rest is not possible: the kinds of acts that no rule allows at this moment."""

from typing import Any, TypeVar

from citytable.rules.errors import IllegalAction
from citytable.umpire.whole_game import WholeGame

A = TypeVar("A")
P = TypeVar("P")


def declined(game: WholeGame[A, P], position: P) -> tuple[tuple[str, IllegalAction], ...]:
    """Return a decision of each kind of which none is legal, in notation, with the refusal."""
    kinds: dict[type[Any], tuple[str, IllegalAction] | None] = {}
    for thought in game.thoughts(position):
        try:
            game.supposed(position, thought)
        except IllegalAction as refusal:
            kinds.setdefault(type(thought), (game.text(thought), refusal))
        else:
            kinds[type(thought)] = None  # this one is allowed
    return tuple(one for one in kinds.values() if one is not None)
