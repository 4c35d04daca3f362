"""Reports at the table: everything except the market is reported, and each reported act is over at once."""

from collections.abc import Iterator
from itertools import permutations

from citytable.games.dilluvia.actions import Acquire, Action, Buy, DrawOrder, Refill, SetUp, Zeppelin
from citytable.games.dilluvia.decisions import decisions
from citytable.games.dilluvia.position import Position
from citytable.games.dilluvia.reveals import is_whole, with_unknowns
from citytable.games.dilluvia.values import Values


def _waits(position: Position, decision: Action) -> bool:
    """Return whether a tile that came up has to be named before this can be done (DR3)."""
    if isinstance(decision, Buy):
        return position.market[decision.space - 1] < 0
    return isinstance(decision, DrawOrder | Zeppelin) and min(position.market) < 0


class Speech:
    """Dilluvia Project brings `Speaks`."""

    def __init__(self, values: Values) -> None:
        self._values = values

    def sayable(self, position: Position) -> Iterator[Action]:
        """Yield every decision, and every order of play that can be drawn; which tiles came up is asked, and waits."""
        for decision in decisions(position, self._values):
            if _waits(position, decision):
                continue
            if isinstance(decision, DrawOrder):
                yield from map(DrawOrder, permutations(range(1, position.options.players + 1)))
            else:
                yield with_unknowns(position, decision)

    def needs_word(self, action: Action) -> bool:
        """Return whether no tile of the market shows the act."""
        return not isinstance(action, SetUp | Refill | Buy | Acquire)

    def ends_itself(self, action: Action) -> bool:
        """Return whether the act is over at once: a tile that was taken lies at the seat."""
        return is_whole(action)

    def asker(self, action: Action) -> int | None:
        """Return the player of the act; tiles that come up are for the whole table."""
        return getattr(action, "player", None)
