"""Recorded games of a month: what the stations said, and what the people said and waited for.

`Recorder` listens to one game that is played on the virtual table; what it heard is a `Tape`. `Again` are people who
play that game again: `tools/tape_stations.py` says what the stations said, and they say what people said, once the
hub's screen has come as far.
"""

import asyncio
import gzip
from collections import deque
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Literal, TypeAlias

import msgspec
from host_screen import Hands, Screen

from citytable.bots.greedy import Greedy
from citytable.games.megacity.actions import Action, Deliver, EndTurn
from citytable.games.megacity.box import BOX
from citytable.games.megacity.position import Options, Position
from citytable.link.broker import Broker
from citytable.link.mqtt import Arrival, MqttConnection
from citytable.rehearsal.blind import Blind
from citytable.rehearsal.company import Company, Scenery
from citytable.rehearsal.megacity.company import MegaCityCompany
from citytable.rehearsal.twin import Twin
from citytable.table.plan import Plan
from citytable.table.question import FieldValue, Question
from citytable.table.word import Statement, Word
from tabletwin.board import TICKS
from tablewire import topics

THINK_MS = 20_000
"""How long people of flesh think before a turn. Bots do not, and play in twenty minutes what takes people an hour."""
PATIENCE_S = 120.0


Kind: TypeAlias = Literal["begin", "statement", "answer", "turn", "over"]


class Line(msgspec.Struct, frozen=True, array_like=True):
    """A message of a station, and when it came: microseconds of the table's time since the recording began."""

    at_us: int
    station: str
    channel: str
    message: dict[str, Any]


class Mark(msgspec.Struct, frozen=True, array_like=True):
    """Something the people did: they began, stated an action, answered, or waited until the screen showed whose turn
    it is."""

    at_us: int
    kind: Kind
    action: str = ""
    seat: int = 0


class Tape(msgspec.Struct, frozen=True):
    """One game: what was said in its order, what people did and waited for, and the game, in notation."""

    players: int
    lines: list[Line]
    marks: list[Mark]
    actions: list[str]


def written(tape: Tape, file: Path) -> None:
    """Write a tape, the same one always to the same bytes; a file that is there is a whole one."""
    beside = file.with_suffix(".part")
    beside.write_bytes(gzip.compress(msgspec.json.encode(tape), mtime=0))
    beside.rename(file)


def read(file: Path) -> Tape:
    """Return the tape in a file."""
    return msgspec.json.decode(gzip.decompress(file.read_bytes()), type=Tape)


class RecordedScreen:
    """A screen as the people see it; what they say to it is recorded."""

    def __init__(self, screen: Screen, recorder: "Recorder") -> None:
        self._screen = screen
        self._recorder = recorder
        self.questions, self.status = screen.questions, screen.status
        self.actions, self.seat = screen.actions, screen.seat

    async def say(self, word: Word) -> None:
        """Say it, and record what was taken."""
        await self._screen.say(word)
        if isinstance(word, Statement):
            self._recorder.mark("statement", action=word.action)
        else:
            self._recorder.mark("answer")


class Recorder:
    """Hears the stations of one table while inside."""

    def __init__(self, broker: Broker, table: str, now_us: Callable[[], int]) -> None:
        filters = tuple((topics.topic(table, "+", channel), 1) for channel in topics.FROM_STATION)
        self._now_us = now_us
        self._began_us = now_us()
        self._wire = MqttConnection(broker, filters, lambda: now_us() - self._began_us)
        self._arrivals: list[Arrival] = []
        self._marks: list[Mark] = []

    def mark(self, kind: Kind, action: str = "", seat: int = 0) -> None:
        """Note what the people do now."""
        self._marks.append(Mark(self._now_us() - self._began_us, kind, action, seat))

    def turn(self, position: Position) -> None:
        """Note that the screen shows what the people know: whose turn it is, and nothing to be asked."""
        self.mark("turn", seat=BOX.table().seat(position))

    async def listen(self) -> None:
        """Until cancelled."""
        async with self._wire:
            while True:
                await self._wire.wait(1.0)
                self._arrivals += self._wire.drain()

    def tape(self, players: int, actions: list[str]) -> Tape:
        """Return what was recorded of a game with these actions, its end marked."""
        self.mark("over")
        self._arrivals += self._wire.drain()
        return Tape(players, lines_of(self._arrivals), self._marks, actions)


def lines_of(arrivals: list[Arrival]) -> list[Line]:
    """Return what stations said in one start each, at the time at which they said it by their own clocks.

    What they repeated counts once, what was there before does not. Whoever records reads late on a busy computer.
    """
    births: dict[str, int] = {}
    heard: set[tuple[str, int]] = set()
    lines = []
    for arrival in arrivals:
        *_, station, channel = arrival.topic.split("/")
        if arrival.retained or station in {topics.HUB, topics.TWIN}:
            continue
        message = msgspec.json.decode(arrival.payload)
        if channel == topics.STATE and message["type"] == "birth":
            births.setdefault(station, message["boot"])
        key = (station, message.get("event_seq", 0))
        if message["boot"] != births.get(station) or (channel == topics.EVENT and key in heard):
            continue
        heard.add(key)
        lines.append(Line(arrival.arrived_us, station, channel, message))
    return _as_said(lines)


def _as_said(lines: list[Line]) -> list[Line]:
    """Return lines at the times at which they were said, each station's in its order.

    What took the least time from a station's reading of its clock until it arrived tells how that clock stands.
    """
    ahead_us: dict[str, int] = {}
    for line in lines:
        if (said_us := _said_us(line.message)) is not None:
            ahead_us[line.station] = max(said_us - line.at_us, ahead_us.get(line.station, said_us - line.at_us))
    last_us: dict[str, int] = {}
    dated = []
    for line in lines:
        said_us = _said_us(line.message)
        at_us = line.at_us if said_us is None else min(line.at_us, said_us - ahead_us[line.station])
        last_us[line.station] = max(at_us, last_us.get(line.station, 0))
        dated.append(msgspec.structs.replace(line, at_us=last_us[line.station]))
    return sorted(dated, key=lambda line: line.at_us)


def _said_us(message: dict[str, Any]) -> int | None:
    """Return the last reading of its own clock in what a station said: where that lasted, its end."""
    at = message.get("sent", message.get("at"))
    return None if at is None else int(at[0] * TICKS + at[1] + sum(message.get("dt_us", ())))


class GivenTable(Twin):
    """A virtual table as a process of its own that moves the time of its table, as fast as the hub keeps up."""

    def __init__(self, plan: Path, broker: Broker, seed: int, clock: Path) -> None:
        """`clock` is the file with the time of the table."""
        super().__init__(plan, BOX.name, broker, seed)
        program = str(Path(__file__).with_name("given_twin.py"))
        self._arguments = (program, *self._arguments[self._arguments.index("--plan") :], "--clock", str(clock))
        self.stations = tuple(one.station for one in msgspec.json.decode(plan.read_bytes(), type=Plan).stations)


class TapeStations(Twin):
    """The stations of a tape, as a process of their own: instead of a virtual table."""

    def __init__(self, tape: Path, table: str, broker: Broker, clock: Path) -> None:
        """`clock` is the file with the time of the table, which they move."""
        super().__init__(tape, BOX.name, broker, 0)
        words = ("--tape", tape, "--table", table, "--broker", f"{broker.host}:{broker.port}", "--clock", clock)
        self._arguments = (str(Path(__file__).with_name("tape_stations.py")), *map(str, words))
        self.stations = tuple(sorted({line.station for line in read(tape).lines}))


class Again(MegaCityCompany):
    """People who play the game of a tape again: what they are asked they answer as those would who played it."""

    def __init__(self, tape: Tape, hands: Hands, screen: Screen, plan: Plan) -> None:
        bots = tuple(Greedy() for _ in range(tape.players))
        scenery = Scenery(hands, screen, Random(0), Blind(plan), lambda _: None)  # type: ignore[arg-type]  # as hands do
        super().__init__(BOX, Options(players=tape.players), bots, scenery)
        self._hands = hands
        self._all = tuple(map(BOX.action, tape.actions))
        self._done = deque(self._all)
        self._turn = 0
        """Which turn is going on; before the first one the game is set up."""
        self._ended = 0
        """How many turns are over in this copy of the game."""

    async def _play(self) -> None:
        while True:
            async with asyncio.timeout(PATIENCE_S):
                (mark,) = await self._hands.act({"act": "on"})
            match mark["kind"]:
                case "over":
                    return
                case "statement":
                    self._do_up_to(mark["action"])
                    await self._door.say(Statement(action=mark["action"], by="table"))
                case "answer":
                    self._do_turn()
                    await self._attend()
                case "turn":
                    self._do_turn()
                    self._turn += 1
                    await self._until_shown()
                    await self._hands.wait(THINK_MS)

    def _do_up_to(self, action: str) -> None:
        """Do in this copy of the game what comes before an action that is stated, and that one, if it is exactly so."""
        if action in map(str, self._done):
            while str(self._do_next()) != action:
                pass

    def _do_turn(self) -> None:
        """Do in this copy of the game what is left of the turn that goes on."""
        while self._done and self._ended < self._turn:
            self._do_next()

    def _do_next(self) -> Action:
        action = self._done.popleft()
        Company._push(self, action)  # the pieces in a workshop were the others', who built then
        self._ended += isinstance(action, EndTurn)
        return action

    def _known(self, question: Question) -> dict[str, FieldValue]:
        """Return what somebody who was there answers; raises `Stuck`. Of each delivery they know how it came out."""
        contract = question.words.get("contract")
        stood = (one for one in self._all if isinstance(one, Deliver) and one.stood and one.contract == contract)
        self._delivery = next(stood, self._delivery)
        return super()._known(question)


def truth(tape: Tape) -> Position:
    """Return the position to which a tape's game comes."""
    game = BOX.begin(Options(players=tape.players))
    for action in tape.actions:
        game.push(BOX.action(action))
    return game.position
