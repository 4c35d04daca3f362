"""Words at the table: what may be said, what must be, which acts end by themselves, and whom to ask about one."""

from collections.abc import Iterator

import msgspec

from citytable.games.megacity.actions import Action, CountPieces, Deliver, SetUp, TakePieces
from citytable.games.megacity.counting import may_be_counted
from citytable.games.megacity.decisions import decisions
from citytable.games.megacity.fall_form import may_fall
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Position
from citytable.games.megacity.scoring import outcome
from citytable.games.megacity.turning_up import unseen_tiles


class Speech:
    """MegaCity brings `Speaks`."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    def sayable(self, position: Position) -> Iterator[Action]:
        """Yield every decision but the deal, which has a form of its own, what can fall, be counted or come up late."""
        for decision in decisions(position, self._deck):
            match decision:
                case SetUp():
                    continue
                case Deliver():
                    yield msgspec.structs.replace(decision, stood=True)
                    yield msgspec.structs.replace(decision, stood=False)
                case _:
                    yield decision
        if outcome(position, self._deck) is None:
            yield from may_fall(position)
        yield from may_be_counted(position)
        yield from unseen_tiles(position)

    def needs_word(self, action: Action) -> bool:
        """Return whether a material is announced (R10), or it is the deal."""
        match action:
            case TakePieces(announced=material):
                return material is not None
            case SetUp():
                return True
            case _:
                return False

    def ends_itself(self, action: Action) -> bool:
        """Return whether a contract is turned over, as after a delivery (R27)."""
        return isinstance(action, Deliver) and bool(action.stood)

    def asker(self, action: Action) -> int | None:
        """Return the player who delivers, or whose pieces are counted; accidents are for the whole table."""
        return action.seat if isinstance(action, CountPieces) else getattr(action, "player", None)
