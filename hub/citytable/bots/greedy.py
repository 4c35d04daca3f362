"""A bot that follows the game's advice and never looks ahead."""

from collections.abc import Sequence

from citytable.bots.bot import Action, Advised


class Greedy:
    """Always the same choice in the same position: the first of the best."""

    def choose(self, game: Advised[Action], decisions: Sequence[Action]) -> Action:
        """Return the decision the game advises most."""
        return max(decisions, key=game.advice)
