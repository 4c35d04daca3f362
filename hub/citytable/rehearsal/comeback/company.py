"""One person with the box: flips, builds, discards, and follows what a disaster does."""

from collections.abc import Mapping
from typing import Any, cast

from msgspec.structs import replace

from citytable.games.comeback.actions import Action, Build, Discard, Flip, Lay, Roll, SetUp, Strike, TurnUp
from citytable.games.comeback.dealer import Dealer
from citytable.games.comeback.deck import DISASTERS
from citytable.games.comeback.game import ComebackCity
from citytable.games.comeback.places import Place
from citytable.games.comeback.position import Position
from citytable.rehearsal.company import LOOK_MS, PATIENCE, Scenery, Stuck
from citytable.rehearsal.turn_by_turn import TurnByTurn
from citytable.rehearsal.twin import Act, Result
from citytable.table.question import FieldValue, Question

SLOT, SECOND, THIRD = (f"seat/1/card/{k}" for k in range(3))
ASIDE = "aside/1"
UNTIDY = 0.25  # how often hands with faults are untidy when they could be


def lying(position: Position) -> dict[str, str]:
    """Return the place of each card that the person has put down, without cards in a pile or in the box."""
    there = {f"building/{building.card}": f"grid/{building.at}" for building in position.city}
    there |= {f"building/{card}": spot for card, spot in zip(position.hand, (SECOND, THIRD), strict=False)}
    if position.current:
        there[f"building/{position.current}"] = SLOT
    if not position.built:
        there |= {f"building/{card}": ASIDE for card in position.discarded}
    there |= {f"bonus/{bonus.card}": f"bonus/{k}" for k, bonus in enumerate(position.bonuses, start=1)}
    if position.disaster:
        there[f"disaster/{position.disaster}"] = "disaster/1"
    return there


class ComebackCompany(TurnByTurn[Action, Position]):
    """A person who plays alone."""

    def __init__(self, box: Any, options: Any, bots: Any, scenery: Scenery) -> None:
        super().__init__(box, options, bots, scenery)
        self._dealer = Dealer(self._rng)
        self._is_untidy = scenery.faults
        self._lying: dict[str, str] = {}
        self._moved: dict[str, str] = {}

    def _choose(self, seat: int) -> Action:
        return self._dealer.outcome(cast("ComebackCity", self._exact), super()._choose(seat))

    async def _do(self, decision: Action) -> None:
        after = self._exact.copy()
        after.push(decision)
        wanted = lying(after.position)
        if not self._leaves_it_for_later(decision):
            await self._put_away([thing for thing in self._lying if thing not in wanted])
        if isinstance(decision, Build):
            await self._try_too_high(decision)
        self._moved = {thing: spot for thing, spot in wanted.items() if self._lying.get(thing) != spot}
        self._lying |= wanted
        await super()._do(decision)
        await self._until_recorded()

    def _laid_out(self) -> tuple[Act, ...]:
        position: Position = self._exact.position
        used = position.discarded if position.built else ()
        piles = {"passed": position.passed, "discards": (*position.discard_pile, *used), "gone": position.gone}
        return (
            self._pile("deck", [f"building/{card}" for card in position.deck]),
            self._pile("disasters", [f"disaster/{kind}" for kind in DISASTERS]),
            *(self._pile(name, [f"building/{card}" for card in cards], face_up=True) for name, cards in piles.items()),
        )

    def _pile(self, name: str, things: list[str], *, face_up: bool = False) -> Act:
        loose = [thing for thing in things if thing not in self._lying]
        return {"act": "stack", "pile": name, "things": loose, "face_up": face_up}

    async def _until_recorded(self) -> None:
        """Watch the display until it shows the act, and answer its questions meanwhile; raise `Stuck`."""
        for _ in range(PATIENCE):
            await self._attend()
            if len(await self._door.entries()) >= len(self.intentions):
                return
            await self._twin.wait(LOOK_MS)
        raise Stuck(f"the display does not show {self.intentions[-1]}; it says {self._door.status()}")

    async def _put_away(self, things: list[str]) -> None:
        if things:
            await self._twin.act(*({"act": "put_away", "thing": thing} for thing in things))
        self._lying = {thing: spot for thing, spot in self._lying.items() if thing not in things}

    def _leaves_it_for_later(self, decision: Action) -> bool:
        """Return whether a card that was passed stays where it is, under the next one."""
        return self._is_untidy and isinstance(decision, Flip) and self._rng.random() < UNTIDY

    async def _try_too_high(self, decision: Build) -> None:
        """Lay the card where no rule allows it, and take it to its place when the display objects."""
        above = Place(decision.at.column, decision.at.row + 1)
        spot = f"grid/{above}"
        first = {at for action in self._exact.legal_actions if isinstance(action, Build) for at in [action.at]}
        if not self._is_untidy or above in first or not self._blind.reads({spot, SLOT}) or spot in self._lying.values():
            return
        if self._rng.random() < UNTIDY:
            await self._twin.act({"act": "bring", "thing": f"building/{decision.card}", "spot": spot})
            await self._twin.wait(LOOK_MS)
            if self._door.status().disagreements:
                self.corrections += 1
            else:
                self.unnoticed += 1

    def _acts(self, decision: Action) -> tuple[Act, ...]:  # noqa: ARG002  what moves was worked out before
        return tuple({"act": "bring", "thing": thing, "spot": spot} for thing, spot in self._moved.items())

    def _came_out(self, decision: Action, results: list[Result]) -> Action:  # noqa: ARG002  the deck was shuffled before
        return decision

    def _is_said(self, action: Action) -> bool:
        match action:
            case Flip():
                spots = {SLOT}
            case Build(at=at) | Lay(at=at):
                spots = {SLOT, f"grid/{at}"}
            case Discard():
                spots = {SLOT, ASIDE}
            case Strike():
                spots = {"disaster/1"}
            case _:
                return True
        return not self._blind.reads(spots)

    async def _say(self, action: Action) -> None:
        """Report the act; for dice, faces and cards, half of the time only that they were thrown or turned."""
        if isinstance(action, Roll | TurnUp | SetUp | Flip | Strike) and self._rng.random() < 0.5:
            action = self._table.decision(action)
        await super()._say(action)

    def _known(self, question: Question) -> Mapping[str, FieldValue]:
        action = self.intentions[-1]
        match action:
            case SetUp(bonuses=bonuses, row=row, hand=hand):
                named = {"bonus": bonuses, "row": row, "hand": hand}
            case TurnUp(meteors=meteors):
                named = {"meteor": meteors}
            case Roll(blue=blue, white=white):
                return {"blue": blue or 0, "white": white or 0}
            case Flip(card=card):
                return {"card": card or ""}
            case Strike(disaster=disaster):
                return {"disaster": disaster or ""}
            case _:
                raise LookupError(f"nobody at the table knows what is asked: {question}")
        return {f"{name}{k}": one for name, cards in named.items() for k, one in enumerate(cards or (), start=1)}

    def _public_of(self, action: Action) -> Action:
        """Return the action as the table can know it: nobody is asked which bonuses were drawn again."""
        return replace(action, redrawn=()) if isinstance(action, SetUp) else action
