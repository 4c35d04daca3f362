"""Why the rest is not possible: the kinds of acts that no rule allows at this moment."""

from typing import Any, TypeVar

from citytable.rules.errors import IllegalAction
from citytable.umpire.whole_game import WholeGame

A = TypeVar("A")
P = TypeVar("P")


def declined(game: WholeGame[A, P], position: P) -> tuple[tuple[str, IllegalAction], ...]:
    """Return one decision of each kind of which none is legal now, in notation, with the refusal."""
    kinds: dict[type[Any], tuple[str, IllegalAction] | None] = {type(one): None for one in game.decisions(position)}
    for thought in game.thoughts(position):
        if type(thought) in kinds:
            continue  # something of its kind is allowed, or refused already
        try:
            game.supposed(position, thought)
        except IllegalAction as refusal:
            kinds[type(thought)] = (game.text(thought), refusal)
    return tuple(one for one in kinds.values() if one is not None)
