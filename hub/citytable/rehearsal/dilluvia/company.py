"""People who play Dilluvia Project: they lay out tiles and take them, and say what no reader sees.

Written from the rulebook: which tile lies where they know from their own copy of the game.
"""

from collections.abc import Mapping
from typing import Any

from citytable.games.dilluvia.actions import Acquire, Action, Buy, Refill, SetUp, Zeppelin
from citytable.games.dilluvia.dealer import Dealer
from citytable.games.dilluvia.position import TURNS, Position
from citytable.rehearsal.company import Stuck
from citytable.rehearsal.turn_by_turn import TurnByTurn
from citytable.rehearsal.twin import Act
from citytable.rules.chance import Chance
from citytable.table import spot as spots
from citytable.table.question import FieldValue, Question
from citytable.table.spot import Spot

_MARKET = 16


class DilluviaCompany(TurnByTurn[Action, Position]):
    """Plays Dilluvia Project one decision after the other."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._dealer: Chance[Any, Action] = Dealer(self._rng)
        self._lying: dict[Spot, int] = {}  # tiles on the seats' slots

    def _choose(self, seat: int) -> Action:
        """Shuffle and draw what is nobody's decision."""
        if seat:
            return super()._choose(seat)
        (decision,) = self._exact.legal_actions
        return self._dealer.outcome(self._exact, decision)

    def _acts(self, decision: Action) -> tuple[Act, ...]:
        position: Position = self._exact.position
        match decision:
            case SetUp(market=tiles) | Refill(tiles=tiles):
                empty = [space for space, tile in enumerate(position.market, start=1) if not tile]
                return tuple(_bring(tile, space) for tile, space in zip(tiles or (), empty, strict=False))
            case Buy(space=space) | Acquire(space=space) if position.turn < TURNS:
                return self._taken(position.market[space - 1])
            case Zeppelin() if not any(player.zeppelin for player in position.players):
                return tuple({"act": "put_away", "thing": f"tile/{tile}"} for tile in position.aside)
            case _:
                return ()

    def _taken(self, tile: int) -> tuple[Act, ...]:
        """Lay a tile on one of the player's slots; what lay there they take up."""
        seat: int = self._exact.position.player
        slot = spots.card(seat, self._rng.randrange(spots.CARD_SLOTS_PER_SEAT))
        before, self._lying[slot] = self._lying.get(slot), tile
        taken_up = () if before is None else ({"act": "put_away", "thing": f"tile/{before}"},)
        return (*taken_up, {"act": "bring", "thing": f"tile/{tile}", "spot": slot})

    def _is_said(self, action: Action) -> bool:
        position: Position = self._exact.position
        match action:
            case SetUp():
                return not self._blind.reads({f"market/{space}" for space in range(1, _MARKET + 1)})
            case Refill():
                empty = {f"market/{space}" for space, tile in enumerate(position.market, start=1) if not tile}
                return not self._blind.reads(empty)
            case Buy(space=space) | Acquire(space=space) if position.turn < TURNS:
                slots = {spots.card(action.player, k) for k in range(spots.CARD_SLOTS_PER_SEAT)}
                return not self._blind.reads({f"market/{space}"}) and not self._blind.reads(slots)
            case _:
                return True

    def _known(self, question: Question) -> Mapping[str, FieldValue]:
        """Return which tiles came up, as somebody reads them off the market."""
        position: Position = self._exact.position
        spaces = {field.name: int(field.name.removeprefix("space_")) for field in question.fields}
        if not question.about.startswith(("table set_up", "table refill")):
            raise Stuck(f"nobody at the table knows what to answer to {question}")
        return {name: f"tile/{position.market[space - 1]}" for name, space in spaces.items()}


def _bring(tile: int | None, space: int) -> Act:
    return {"act": "bring", "thing": f"tile/{tile}", "spot": f"market/{space}"}
