"""Recorded games of a month: what the stations said, and what the people said and waited for.

`Recorder` listens to one game that is played on the virtual table; what it heard is a `Tape`. `Again` are people who
play that game again: `tools/tape_stations.py` says what the stations said, and they say what people said, once the
hub's screen has come as far.
"""

import asyncio
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec
from host_screen import Hands, Screen

from citytable.games.megacity.box import BOX
from citytable.games.megacity.position import Options, Position
from citytable.link.broker import Broker
from citytable.link.mqtt import Arrival, MqttConnection
from citytable.rehearsal.company import Stuck
from citytable.rehearsal.replying import reply
from citytable.rehearsal.twin import Twin
from citytable.table.question import FieldValue, Question
from citytable.table.word import Answer, Statement, Word
from tablewire import topics

THINK_MS = 20_000
"""How long people of flesh think before a turn. Bots do not, and play in twenty minutes what takes people an hour."""
LOOK_MS = 500
PATIENCE_S = 120.0
LOOKS = 1200  # how often people look at the display before they say that it is stuck


class Line(msgspec.Struct, frozen=True, array_like=True):
    """A message of a station, and when it came: microseconds of the table's time since the recording began."""

    at_us: int
    station: str
    channel: str
    message: dict[str, Any]


class Mark(msgspec.Struct, frozen=True, array_like=True):
    """Something the people did: they stated an action, or waited until the screen showed whose turn it is."""

    at_us: int
    kind: Literal["statement", "turn", "over"]
    action: str = ""
    seat: int = 0


class Replied(msgspec.Struct, frozen=True):
    """What people answered, and to which question: its number differs from game to game."""

    prompt: str
    about: str
    seat: int | None
    values: dict[str, FieldValue]


class Tape(msgspec.Struct, frozen=True):
    """One game: what was said in its order, the answers, and what was done, in notation."""

    players: int
    lines: list[Line]
    marks: list[Mark]
    answers: list[Replied]
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
        asked = {question.id: question for question in self._screen.questions()}
        await self._screen.say(word)
        match word:
            case Statement(action=action):
                self._recorder.mark("statement", action=action)
            case Answer(question=question, values=values) if question in asked:
                about = asked[question]
                self._recorder.answers.append(Replied(about.prompt, about.about, about.seat, values))


class Recorder:
    """Hears the stations of one table while inside."""

    def __init__(self, broker: Broker, table: str, now_us: Callable[[], int]) -> None:
        filters = tuple((topics.topic(table, "+", channel), 1) for channel in topics.FROM_STATION)
        self._now_us = now_us
        self._began_us = now_us()
        self._wire = MqttConnection(broker, filters, lambda: now_us() - self._began_us)
        self._arrivals: list[Arrival] = []
        self._marks: list[Mark] = []
        self.answers: list[Replied] = []
        self.is_whole = True
        """Whether nothing was lost: not where the broker went while it listened."""

    def mark(self, kind: Literal["statement", "turn", "over"], action: str = "", seat: int = 0) -> None:
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
        return Tape(players, list(lines_of(self._arrivals)), self._marks, self.answers, actions)


def lines_of(arrivals: list[Arrival]) -> list[Line]:
    """Return what stations said in one start each; what they repeated counts once, what was there before does not."""
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
    return lines


class TapeStations(Twin):
    """The stations of a tape, as a process of their own: instead of a virtual table."""

    def __init__(self, tape: Path, table: str, broker: Broker, clock: Path) -> None:
        """`clock` is the file with the time of the table, which they move."""
        super().__init__(tape, BOX.name, broker, 0)
        words = ("--tape", tape, "--table", table, "--broker", f"{broker.host}:{broker.port}", "--clock", clock)
        self._arguments = (str(Path(__file__).with_name("tape_stations.py")), *map(str, words))
        self.stations = tuple(sorted({line.station for line in read(tape).lines}))


class Again:
    """People who play the game of a tape again."""

    def __init__(self, tape: Tape, hands: Hands, screen: Screen) -> None:
        self._left = list(tape.answers)
        self._hands = hands
        self._screen = screen

    async def play(self) -> None:
        """Play to the end; raises `Stuck`, and `TimeoutError` where the hub takes no notice of the stations."""
        while True:
            async with asyncio.timeout(PATIENCE_S):
                (mark,) = await self._hands.act({"act": "on"})
            match mark["kind"]:
                case "over":
                    return
                case "statement":
                    await self._screen.say(Statement(action=mark["action"], by="table"))
                case "turn":
                    await self._until_shown(mark["seat"])
                    await self._hands.wait(THINK_MS)

    async def _until_shown(self, seat: int) -> None:
        for _ in range(LOOKS):
            for question in self._screen.questions():
                await self._reply(question)
            if self._screen.seat() == seat and not self._screen.questions():
                return
            await self._hands.wait(LOOK_MS)
        shown, asked = self._screen.seat(), self._screen.questions()
        raise Stuck(f"the display shows seat {shown}, the people are at seat {seat}; it asks {asked}")

    async def _reply(self, question: Question) -> None:
        """Answer as the people did, if they were asked the same; what is not among the choices yet may come."""
        asked = (question.prompt, question.about, question.seat)
        for one in self._left:
            if (one.prompt, one.about, one.seat) == asked and _may_be(question, one.values):
                await reply(self._screen, question, one.values)  # type: ignore[arg-type]
                self._left.remove(one)
                return


def _may_be(question: Question, values: dict[str, FieldValue]) -> bool:
    """Report whether these are among the choices, where a question has some."""
    return all(not one.choices or values.get(one.name) in {None, *one.choices} for one in question.fields)


def truth(tape: Tape) -> Position:
    """Return the position to which a tape's game comes."""
    game = BOX.begin(Options(players=tape.players))
    for action in tape.actions:
        game.push(BOX.action(action))
    return game.position
