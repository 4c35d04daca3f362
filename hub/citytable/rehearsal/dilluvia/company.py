"""People who play Dilluvia Project: they lay out tiles and take them, and say what no reader sees.

Written from the rulebook: which tile lies where they know from their own copy of the game.
"""

from collections.abc import Mapping
from typing import Any

from citytable.games.dilluvia.actions import Acquire, Action, Buy, Refill, SetUp, Zeppelin
from citytable.games.dilluvia.dealer import Dealer
from citytable.games.dilluvia.market import LINES
from citytable.games.dilluvia.position import TURNS, Position
from citytable.games.dilluvia.spots import market_spot
from citytable.games.dilluvia.values import SPACES
from citytable.rehearsal.company import LOOK_MS, Scenery, Stuck
from citytable.rehearsal.turn_by_turn import TurnByTurn
from citytable.rehearsal.twin import Act
from citytable.rules.chance import Chance
from citytable.table import spot as spots
from citytable.table.question import FieldValue, Question
from citytable.table.spot import Spot

UNTIDY = 0.25  # how often hands with faults are untidy when they could be
READ_MS = 1500


class DilluviaCompany(TurnByTurn[Action, Position]):
    """Play Dilluvia Project, one decision after the other."""

    def __init__(self, box: Any, options: Any, bots: Any, scenery: Scenery) -> None:
        super().__init__(box, options, bots, scenery)
        self._is_untidy = scenery.faults
        self._dealer: Chance[Any, Action] = Dealer(self._rng)
        self._lying: dict[Spot, int] = {}  # tiles on the seats' slots

    def _choose(self, seat: int) -> Action:
        """Make the random draws that are nobody's decision."""
        if seat:
            return super()._choose(seat)
        (decision,) = self._exact.legal_actions
        return self._dealer.outcome(self._exact, decision)

    async def _do(self, decision: Action) -> None:
        if self._is_untidy and self._rng.random() < UNTIDY:
            match decision:
                case Zeppelin():
                    await self._look_at_a_tile()
                case Buy(player=seat) if self._exact.position.turn < TURNS:
                    await self._take_from_another_line(seat)
        await super()._do(decision)

    async def _look_at_a_tile(self) -> None:
        """Take a tile of the market up, read it, and put it back."""
        position: Position = self._exact.position
        there = [space for space, tile in enumerate(position.market, start=1) if tile > 0]
        if not there or not self._blind.reads({market_spot(space) for space in there}):
            return
        space = self._rng.choice(there)
        await self._twin.act({"act": "put_away", "thing": f"tile/{position.market[space - 1]}"})
        await self._twin.wait(READ_MS)
        await self._twin.act(_bring(position.market[space - 1], space))
        await self._twin.wait(LOOK_MS)

    async def _take_from_another_line(self, seat: int) -> None:
        """Take a tile that the zeppelin does not reach, and put it back when the display objects."""
        position: Position = self._exact.position
        berth = position.of(seat).zeppelin
        wrong = [k for k, tile in enumerate(position.market, start=1) if tile > 0 and berth and k not in LINES[berth]]
        free = [slot for slot in _slots(seat) if slot not in self._lying]
        if not wrong or not free:
            return
        space, slot = self._rng.choice(wrong), self._rng.choice(free)
        if not self._blind.reads({market_spot(space), slot}):
            return
        await self._twin.act({"act": "bring", "thing": f"tile/{position.market[space - 1]}", "spot": slot})
        await self._twin.wait(LOOK_MS)
        if self._door.status().disagreements:
            self.corrections += 1
        else:
            self.unnoticed += 1
        await self._twin.act(_bring(position.market[space - 1], space))
        await self._twin.wait(LOOK_MS)

    def _laid_out(self) -> tuple[Act, ...]:
        position: Position = self._exact.position
        return tuple(self._tiles_of(seat) for seat in range(1, len(position.players) + 1))

    def _tiles_of(self, seat: int) -> Act:
        """Return the pile of the tiles that a player has taken up from their slots."""
        held = [one.tile for one in self._exact.position.of(seat).tiles if one.tile not in self._lying.values()]
        things = [f"tile/{tile}" for tile in held]
        return {"act": "stack", "pile": f"tiles/{seat}", "things": things, "face_up": True, "seat": seat}

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
        """Lay a tile on one of the player's slots, and take up the tile that was there."""
        seat: int = self._exact.position.player
        slot = self._rng.choice(_slots(seat))
        before, self._lying[slot] = self._lying.get(slot), tile
        taken_up = () if before is None else ({"act": "put_away", "thing": f"tile/{before}"},)
        return (*taken_up, {"act": "bring", "thing": f"tile/{tile}", "spot": slot})

    def _is_said(self, action: Action) -> bool:
        position: Position = self._exact.position
        match action:
            case SetUp():
                return not self._blind.reads({market_spot(space) for space in range(1, SPACES + 1)})
            case Refill():
                empty = {market_spot(space) for space, tile in enumerate(position.market, start=1) if not tile}
                return not self._blind.reads(empty)
            case Buy(space=space) | Acquire(space=space) if position.turn < TURNS:
                reads = self._blind.reads
                return not reads({market_spot(space)}) and not reads(set(_slots(action.player)))
            case _:
                return True

    def _known(self, question: Question) -> Mapping[str, FieldValue]:
        """Return the tiles that came up, as somebody reads them from the market."""
        position: Position = self._exact.position
        spaces = {field.name: int(field.name.removeprefix("space_")) for field in question.fields}
        if not question.about.startswith(("table set_up", "table refill")):
            raise Stuck(f"nobody at the table knows what to answer to {question}")
        return {name: f"tile/{position.market[space - 1]}" for name, space in spaces.items()}


def _slots(seat: int) -> list[Spot]:
    return [spots.card(seat, k) for k in range(spots.CARD_SLOTS_PER_SEAT)]


def _bring(tile: int | None, space: int) -> Act:
    return {"act": "bring", "thing": f"tile/{tile}", "spot": market_spot(space)}
