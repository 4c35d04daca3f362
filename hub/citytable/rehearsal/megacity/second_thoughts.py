"""Second thoughts: now and then a turn that is confirmed is taken back, as people do, and everything put back by hand.

Only turns that hands can undo one by one: nothing fell, and no tower was built or taken down.
"""

import random

from citytable.games.megacity.actions import Accident, Action, Deliver
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.turn import next_seat
from citytable.rehearsal.door import Door
from citytable.rehearsal.megacity.building import Workshop
from citytable.rehearsal.megacity.undone import undone
from citytable.rehearsal.twin import Act, Twin
from citytable.table.word import TakeBack, UndoReply, UndoRequest

LOOK_MS = 500
PATIENCE = 60
SILENT = "station_silent"
WAYS = ("the player's own wish", "the wish of the next", "the host")


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
        """Note that a turn begins."""
        self._begun = len(self._exact.actions)
        self._standing = self._workshop.standing()
        self._landmarks_open = self._exact.position.landmarks_open

    def may(self) -> bool:
        """Return whether hands can undo the turn that has just ended: its towers stand, here or in the city."""
        position, turn = self._exact.position, self._turn()
        quiet = not any(isinstance(one, Accident) for one in turn)
        stood = all(one.stood for one in turn if isinstance(one, Deliver))
        goes_on = not position.final and self._exact.outcome() is None
        laid_out = self._landmarks_open != position.landmarks_open
        return quiet and stood and goes_on and not laid_out and self._built_as_before()

    def _built_as_before(self) -> bool:
        """Return whether no tower was built, taken down or changed in the turn."""
        delivered = {one.platform: one.pieces for one in self._turn() if isinstance(one, Deliver)}
        now = {name: tower.pieces for name, tower in self._workshop.standing().items()} | delivered
        return now == {name: tower.pieces for name, tower in self._standing.items()}

    def _turn(self) -> tuple[Action, ...]:
        return self._exact.actions[self._begun :]

    async def take_back(self, seat: int) -> None:
        """Take the turn of `seat` back and put everything back; raises `NotPutBack`."""
        turn = self._turn()
        await self._say_so(seat, len(turn))
        hands: list[Act] = []
        for action in reversed(turn):
            self._exact.pop()
            self._public.pop()
            hands += undone(self._exact.position, action, seat, self._exact.deck)
        self._workshop.think_again(self._standing)
        await self._twin.wait(LOOK_MS)
        if self._is_back():
            self.unnoticed += 1  # the bag at least lies elsewhere
        for act in hands:
            await self._twin.act(act)
        for _ in range(PATIENCE):
            await self._twin.wait(LOOK_MS)
            if self._is_back():
                self.taken_back += 1
                return
        raise NotPutBack(f"after {[str(one) for one in turn]} was taken back: {self._door.status()}")

    def _is_back(self) -> bool:
        """Return whether hands have nothing to put right; a station that fell silent does not count."""
        return all(one.kind == SILENT for one in self._door.status().disagreements)

    async def _say_so(self, seat: int, actions: int) -> None:
        """Ask for the undo: the player on a phone, the next player with this one's consent, or the host."""
        first = (await self._door.entries())[-actions].seq
        following = next_seat(seat, len(self._exact.position.players))
        match self._rng.choice(WAYS):
            case "the host":
                await self._door.say(TakeBack(entry=first, by="host"))
            case "the player's own wish":
                await self._door.say(UndoRequest(by=f"seat {seat}", to=first - 1))
            case _:
                await self._door.say(UndoRequest(by=f"seat {following}", to=first - 1))
                await self._door.say(UndoReply(by=f"seat {seat}", agrees=True))
