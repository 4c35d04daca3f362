"""A company: bots who play one game on a virtual table, with their own copy of it.

Their intentions are the truth a rehearsal is judged by. The hub only sees what their hands do, hears what they say and
asks about what it cannot sense. A game's people derive from `Company`, or from `TurnByTurn`.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

import msgspec

from citytable.bots.bot import Bot
from citytable.journal.store import JournalUnavailable
from citytable.rehearsal.blind import Blind
from citytable.rehearsal.door import Door
from citytable.rehearsal.replying import Refused, reply
from citytable.rehearsal.twin import Act, Twin
from citytable.rules.errors import LocalisedError
from citytable.session.box import Box, GameOptions
from citytable.table.question import FieldValue, Question
from citytable.table.word import Statement

A = TypeVar("A")
P = TypeVar("P")

PATIENCE = 60  # how often people look at the display before they say that it is stuck
PATIENCE_LIVE = 1200  # and where time does not wait for the hub, which may be late on a busy computer
LOOK_MS = 500


class Stuck(RuntimeError):
    """The display does not arrive at what the people did: raised with what it shows."""


class Scenery(msgspec.Struct, frozen=True):
    """The virtual table that people find. `on_turn(position)` takes the public truth after each turn shown."""

    twin: Twin
    door: Door
    rng: random.Random
    blind: Blind
    on_turn: Callable[[Any], None]
    faults: bool = False


class Company(ABC, Generic[A, P]):
    """Plays one whole game; `bots` by seat."""

    def __init__(self, box: Box[A, P], options: GameOptions, bots: tuple[Bot, ...], scenery: Scenery) -> None:
        self._box = box
        self._options = options
        self._bots = bots
        self._twin = scenery.twin
        self._door = scenery.door
        self._rng = scenery.rng
        self._blind = scenery.blind
        self._on_turn = scenery.on_turn
        self._exact = box.begin(options)
        self._public = box.begin(options)
        self._table = box.table()
        self._people: set[int] = set()  # seats whose things people at browsers move
        self._before: tuple[A, ...] = ()  # what was confirmed when a turn began
        self.corrections = 0
        """How often people put right what the display objected to."""
        self.falls_reported = 0
        """How often people had to report a fall that no sensor saw."""
        self.unnoticed = 0
        """How often the display objected to nothing although something lay where it may not."""
        self.wrong_acts: list[tuple[int, str]] = []
        """What people did wrong: when hands were done (virtual time, microseconds), and how its thing's name begins."""
        self.taken_back = 0
        """How many turns people took back."""

    @property
    def intentions(self) -> tuple[A, ...]:
        """Return the actions that were done, as the table could know them."""
        return self._public.actions

    def truth(self) -> Any:
        """Return a fresh game into which the intentions were pushed."""
        fresh = self._box.begin(self._options)
        for action in self.intentions:
            fresh.push(action)
        return fresh

    async def play(self) -> None:
        """Play until the game is over; raises `Stuck`."""
        try:
            await self._play()
        except (LocalisedError, JournalUnavailable) as refusal:
            raise Stuck(f"the hub refuses a statement of the people at the table: {refusal}") from refusal

    # what a game's people say of it

    @abstractmethod
    async def _play(self) -> None:
        """Play until the game is over."""

    @abstractmethod
    def _known(self, question: Question) -> Mapping[str, FieldValue]:
        """Return the answer of somebody who was there; raise `Stuck`."""

    def _public_of(self, action: A) -> A:
        """Return the action as the table can know it."""
        return action

    def _laid_out(self) -> tuple[Act, ...]:
        """Return the cards and tiles that a person who sits down finds where no reader is; most games have none."""
        return ()

    # what all people do

    def _seat(self) -> int:
        """Return whose turn it is; 0 for nobody's."""
        return self._table.seat(self._exact.position)

    def _push(self, action: A) -> None:
        self._exact.push(action)
        self._public.push(self._public_of(action))

    async def _say(self, action: A) -> None:
        await self._door.say(Statement(action=self._table.text(action), by="table"))

    async def _until_shown(self) -> None:
        """Watch the display until it shows whose turn it is, and answer its questions meanwhile."""
        expected = self._seat() if self._exact.outcome() is None else 0
        left = PATIENCE if self._twin.door_port is None else PATIENCE_LIVE
        while left:
            await self._twin.wait(LOOK_MS)
            await self._attend()
            if self._door.seat() == expected and not self._door.questions():
                self._before = self._door.actions()
                self._on_turn(self._public.position)
                return
            left -= not self._waits_for_people()
        raise Stuck(
            f"the display shows seat {self._door.seat()}, the people are at seat {expected}; "
            f"it asks {self._door.questions()} and says {self._door.status()}; "
            f"they did {[str(action) for action in self.intentions[-8:]]}"
        )

    async def _let_sit(self) -> None:
        """Give the seats to the people at browsers who wish to play."""
        if self._twin.door_port is None:
            return
        (seen,) = await self._twin.act({"act": "look_around"})
        for seat in seen["wished"]:
            await self._twin.act(*self._laid_out(), {"act": "hand_over", "seat": seat})
            self._people.add(seat)

    async def _persons_turn(self, seat: int) -> None:
        """Wait until a person has played their turn, and repeat in this copy of the game what the display says."""
        before = self._before  # a person need not wait until the bots have built
        while self._door.seat() == seat:
            await self._twin.wait(LOOK_MS)
            await self._attend()
        done = self._door.actions()
        if done[: len(before)] != before:
            raise Stuck(f"what was done before the turn of seat {seat} was put right: {before[-3:]}")
        for action in done[len(before) :]:
            self._exact.push(action)
            self._public.push(action)
        await self._until_shown()

    def _is_for_a_person(self, question: Question) -> bool:
        """Return whether somebody at a browser knows the answer: their own question, or the table's in their turn."""
        return (self._seat() if question.seat is None else question.seat) in self._people

    def _waits_for_people(self) -> bool:
        """Return whether an open question waits for somebody at a browser, who may take their time."""
        fields = [field for question in self._door.questions() for field in question.fields]
        voters = {seat for field in fields for seat in field.voters or ()}
        return bool(voters & self._people) or any(map(self._is_for_a_person, self._door.questions()))

    async def _attend(self) -> None:
        """Answer every open question as somebody who was there."""
        for question in self._door.questions():
            await self._reply(question)

    async def _reply(self, question: Question) -> None:
        agreed = {field.name: True for field in question.fields if field.voters is not None}
        try:
            known = agreed if self._is_for_a_person(question) else self._known(question)
            await reply(self._door, question, known, self._people)
        except Refused as refused:
            raise Stuck(str(refused)) from refused
