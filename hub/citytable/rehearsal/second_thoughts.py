"""Second thoughts: now and then a turn that is confirmed is taken back, as people do, and everything put back by hand.

Only turns that hands can undo one by one: nothing was delivered, and nothing fell.
"""

import random
from typing import Any

from citytable.games.megacity.actions import (
    Action,
    EndTurn,
    Rezone,
    TakeContract,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.turn import next_seat
from citytable.rehearsal.building import Workshop
from citytable.rehearsal.door import Door
from citytable.rehearsal.megacity_acts import materials
from citytable.rehearsal.twin import Act, Twin
from citytable.views.undo import TakingBack, UndoWish, UndoWord

LOOK_MS = 500
PATIENCE = 60
WAYS = ("his own wish", "the wish of the next", "the host")


class NotPutBack(RuntimeError):
    """Everything is put back, and the display does not see it: told with what it says."""


class SecondThoughts:
    """Takes turns of a company back. `begin` at the beginning of each; the games are its own and the public one."""

    def __init__(
        self, exact: MegaCity, public: MegaCity, workshop: Workshop, twin: Twin, door: Door, rng: random.Random
    ) -> None:
        self._exact = exact
        self._public = public
        self._workshop = workshop
        self._twin = twin
        self._door = door
        self._rng = rng
        self._begun = 0
        self._standing = workshop.standing()
        self._landmarks_open = False
        self.taken_back = 0
        """How many turns were taken back."""
        self.unnoticed = 0
        """How often the display did not ask for anything to be put back although it was to be."""

    def begin(self) -> None:
        """A turn begins."""
        self._begun = len(self._exact.actions)
        self._standing = self._workshop.standing()
        self._landmarks_open = self._exact.position.landmarks_open

    def may(self) -> bool:
        """Whether hands can undo the turn that has just ended."""
        position, turn = self._exact.position, self._turn()
        plain = all(isinstance(one, EndTurn | Rezone | TakeContract | TakePieces | TakePlatform) for one in turn)
        as_it_was = self._standing == self._workshop.standing() and self._landmarks_open == position.landmarks_open
        taken = [self._exact.deck.contracts[one.contract] for one in turn if isinstance(one, TakeContract)]
        goes_on = not position.final and self._exact.outcome() is None
        return plain and as_it_was and goes_on and not any(contract.landmark for contract in taken)

    def _turn(self) -> tuple[Action, ...]:
        return self._exact.actions[self._begun :]

    async def take_back(self, seat: int) -> None:
        """Take the turn of `seat` back and put everything back; raises `NotPutBack`."""
        turn = self._turn()
        await self._say_so(seat, len(turn))
        for _ in turn:
            self._exact.pop()
            self._public.pop()
        self._workshop.think_again()
        await self._twin.wait(LOOK_MS)
        if self._door.status().agrees:
            self.unnoticed += 1  # the bag at least lies elsewhere
        for act in self._hands(seat, turn):
            await self._twin.act(act)
        for _ in range(PATIENCE):
            await self._twin.wait(LOOK_MS)
            if self._door.status().agrees:
                self.taken_back += 1
                return
        raise NotPutBack(f"after {[str(one) for one in turn]} was taken back: {self._door.status()}")

    async def _say_so(self, seat: int, actions: int) -> None:
        """The player on his phone, the next player with the consent of this one, or the host."""
        first = (await self._door.entries())[-actions].seq
        following = next_seat(seat, len(self._exact.position.players))
        match self._rng.choice(WAYS):
            case "the host":
                await self._door.correct(TakingBack(entry=first, by="host"))
            case "his own wish":
                await self._door.undo(UndoWish(seat=seat, to=first - 1))
            case _:
                await self._door.undo(UndoWish(seat=following, to=first - 1))
                await self._door.undo(UndoWord(seat=seat, agrees=True))

    def _hands(self, seat: int, turn: tuple[Action, ...]) -> list[Act]:
        """What hands do to put everything back, the last first."""
        back: list[Act] = []
        for action in reversed(turn):
            back += self._hand(seat, action)
        return back

    def _hand(self, seat: int, action: Action) -> list[dict[str, Any]]:
        match action:
            case EndTurn():
                return [{"act": "pass_bag", "from": next_seat(seat, len(self._exact.position.players)), "to": seat}]
            case TakePieces(drawn=drawn) if drawn is not None and drawn.total:
                return [{"act": "return_pieces", "seat": seat, "pieces": materials(drawn)}]
            case TakeContract(contract=name):
                column = self._exact.deck.contracts[name].type
                return [{"act": "give_back_contract", "seat": seat, "contract": name, "column": column}]
            case TakePlatform(platform=platform, revealed=revealed):
                came = next((face.platform for face in revealed or () if face is not None), None)
                return [{"act": "give_back_platform", "seat": seat, "platform": platform, "revealed": came}]
            case Rezone(platform=platform):
                return [{"act": "rezone", "seat": seat, "platform": platform}]
            case _:
                return []
