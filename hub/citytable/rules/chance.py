"""Chance: everything that no player decides. A game brings its own; programs that play games use it."""

from typing import Protocol, TypeVar

Action = TypeVar("Action")
Game_contra = TypeVar("Game_contra", contravariant=True)


class Chance(Protocol[Game_contra, Action]):
    """Draws cards, tiles and pieces, and gives the results of hands and rulers: how a building came out.

    It keeps nothing of a game. The possible outcomes follow from the position, and the draws from its `random.Random`,
    so that the same seed gives the same game.
    """

    def outcome(self, game: Game_contra, decision: Action) -> Action:
        """Return the decision with every open field filled in, so that `game.push` takes it."""
        ...
