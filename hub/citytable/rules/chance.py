"""Chance: what no player decides. A game brings its own, an edge of the hub or a program that plays games uses it."""

from typing import Protocol, TypeVar

Action = TypeVar("Action")
Game_contra = TypeVar("Game_contra", contravariant=True)


class Chance(Protocol[Game_contra, Action]):
    """Draws cards, tiles and pieces, and says what hands and rulers would: how a building came out.

    It keeps nothing of a game. What may come follows from the position, and the draws from the `random.Random` it was
    made with, so that the same seed gives the same game.
    """

    def outcome(self, game: Game_contra, decision: Action) -> Action:
        """Return the decision with every open field filled in, so that `game.push` takes it."""
        ...
