"""The inbox: what stations said, in the order in which it happened.

Messages arrive in any order over many connections. `take` sorts out repeats, fills holes and turns station time into
hub time; `release(until_us)` gives out everything that happened up to then, ordered by (t_us, station, start, seq).
`fresh` gives the same messages once before, as soon as they have come.

- Events carry `event_seq` without holes. One that is ahead waits for those before it; a repeat is dropped. A hole that
  stays open for `HOLE_ASK_US` is a reason to ask the stations for a replay (`wants_replay`); after `HOLE_LOST_US` it is
  given up, counted and reported as `EventsLost`.
- An event is to be acknowledged when the batch it was released in is committed, and again when a repeat of it comes.
- Samples carry `sample_seq`; gaps are counted, repeats dropped.
- No moment can lie after the arrival of the message that reports it, so a station with a wrong clock cannot hold
  anything back. A message is released at its end: samples with their last sample, a quiet second with its end. Knocks
  are released with their first, before the samples of the same time: whoever judges these wants to have heard them.
- Samples of all stations come over one connection, which may be seconds behind those of the events where the hub or
  its broker is busy. A judgement would take what happened before an event for something that happened after it. So
  `release` waits for samples that a station owes, if it is told how long.
- What a scale said before its station was given up, and comes only then, counts from that moment on: the last word
  about a load that rests must not be that nobody knows it.
- During a roll call (`citytable.link.roll_call`) what stations say is kept; then it is taken as if it came together.
"""

from bisect import bisect_right, insort
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import msgspec

from citytable.link.registry import BootRecord, Registry
from citytable.link.roll_call import RollCall
from citytable.link.wire_in import (
    BadMessage,
    Birth,
    Care,
    Death,
    Event,
    Fault,
    FromStation,
    Inventory,
    Knocks,
    Pong,
    Quiet,
    Samples,
    Unreadable,
)

HOLE_ASK_US = 1_000_000
HOLE_LOST_US = 5_000_000
ANSWERS = 10
"""So many answers without a word of a scale between them: the station lives, and its scales do not. They come a second
and more apart, and are counted as they arrive on one connection: a hub that is late itself would misjudge any time."""
OWED_US = 2_000_000
"""A station tells of its scales at least once a second: where one is behind by more, samples are under way."""
AHEAD_MAX = 1000
"""Events kept while one before them is missing; more are dropped, unacknowledged: the station repeats them."""


class EventsLost(msgspec.Struct, frozen=True):
    """`count` events up to `event_seq` never arrived."""

    boot: int
    event_seq: int
    count: int


class WentSilent(msgspec.Struct, frozen=True):
    """A station was not heard for a long time: the things at its spots are unknown."""

    boot: int


class SpokeAgain(msgspec.Struct, frozen=True):
    """A station that had gone silent is heard again, without a new start. `birth` is its latest birth."""

    boot: int
    birth: Birth


class SaidNoWeight(msgspec.Struct, frozen=True):
    """A station still answers, but none of its scales sends anything."""

    boot: int


HubMade: TypeAlias = Unreadable | EventsLost | WentSilent | SpokeAgain | SaidNoWeight
Told: TypeAlias = Birth | Death | Event | Samples | Quiet | Knocks | HubMade
Marks: TypeAlias = Mapping[tuple[str, int], int]
"""High-water marks: the last event_seq by (station, boot)."""


class Received(msgspec.Struct, frozen=True):
    """A message of a station, or an observation of the hub about it, in hub time.

    `t_us` is when it was over (for its order; of knocks the first), `start_us` the moment of its `at`: the first sample
    of samples. `seq` is the event_seq of events, the sample_seq of samples, otherwise 0.
    """

    station: str
    boot: int
    message: Told
    t_us: int
    start_us: int
    seq: int = 0


class Acknowledgement(msgspec.Struct, frozen=True):
    """All events of a station's boot up to `event_seq` are committed."""

    station: str
    boot: int
    event_seq: int


_Numbered: TypeAlias = Event | Unreadable


@dataclass
class _Voice:
    """The sequences of one start of a station."""

    order: int
    event_next: int
    committed: int
    sample_last: int | None
    floor_us: int
    ahead: dict[int, tuple[_Numbered, int]] = field(default_factory=dict)
    hole_since_us: int | None = None
    asked: bool = False
    repeat_due: bool = False
    answers: int = 0  # since the last report of a scale
    told_us: int | None = None  # until when its scales should have reported; None: nothing is expected of them
    life: int = 0  # how often it was gone: later messages come after that, even at the same moment


_RANK_BIRTH, _RANK_EVENT, _RANK_SAMPLES, _RANK_END = range(4)
_Key: TypeAlias = tuple[int, str, int, int, int, int]


class Inbox:
    """Give decoded messages to `take`, get them in order from `release`, report safe ones with `committed`."""

    def __init__(self, registry: Registry, high_water: Marks | None = None, roll_call: RollCall | None = None) -> None:
        self._registry = registry
        self._roll_call = roll_call
        self._since_us = 0 if roll_call is None else roll_call.began_us
        self._high_water = dict(high_water or {})
        self._voices: dict[tuple[str, int], _Voice] = {}
        self._pending: list[tuple[_Key, Received]] = []  # in order
        self._fresh: list[tuple[_Key, Received]] = []
        self._gone_us: dict[str, int] = {}
        self._wants_replay = False
        self._waits = False

    def take(self, station: str, message: FromStation, arrived_us: int, *, retained: bool = False) -> None:
        """Take a message of a station, in any order."""
        if not self._registry.hear(station, message, arrived_us, retained=retained):
            return
        start = self._registry.boot(station, message.boot)
        if start is None:  # a death of a boot whose birth we never heard changes nothing
            return
        voice = self._voice(station, message.boot, start)
        if not isinstance(message, Birth | Death) and self._registry.came_back(station):
            self._spoke_again(station, voice, start, arrived_us)
        if self._roll_call is None:
            self._put_in_order(station, voice, start, message, arrived_us)
            return
        if isinstance(message, Birth) and retained:
            self._roll_call.await_also(station)
        self._roll_call.keep(station, message, arrived_us)

    def _put_in_order(
        self, station: str, voice: _Voice, start: BootRecord, message: FromStation, arrived_us: int
    ) -> None:
        match message:
            case Birth():
                self._birth(station, voice, start, message, arrived_us)
            case Death():
                self._gone(station, voice, Received(station, message.boot, message, arrived_us, arrived_us))
            case Samples() | Quiet() | Knocks():
                self._samples(station, voice, start, message, arrived_us)
            case Pong():  # the registry has set the clock by it
                voice.answers += 1
                if voice.answers % ANSWERS == 0:
                    voice.told_us = None
                    said = Received(station, message.boot, SaidNoWeight(message.boot), arrived_us, arrived_us)
                    self._put(station, voice, _RANK_SAMPLES, said)
            case Care():
                pass  # the station lives; the rest is for the people who look after it
            case _:
                self._numbered(station, voice, message, arrived_us)

    def take_unreadable(self, note: BadMessage, arrived_us: int) -> None:
        """Use up the number of an event that could not be read."""
        lost = note.lost
        start = None if lost is None else self._registry.boot(note.station, lost.boot)
        record = self._registry.station(note.station)
        if lost is None or start is None or record is None or record.boot != lost.boot:
            return
        self._numbered(note.station, self._voice(note.station, lost.boot, start), lost, arrived_us)

    def tend(self, now_us: int) -> None:
        """Detect missing messages: silent stations, holes that stay open, the last one of a roll call."""
        if self._roll_call is not None and self._roll_call.is_over(self._registry, now_us):
            self._end_roll_call(self._roll_call)
        for station, boot in self._registry.fallen_silent(now_us):
            voice = self._voices[station, boot]
            self._gone(station, voice, Received(station, boot, WentSilent(boot), now_us, now_us))
        for (station, boot), voice in sorted(self._voices.items()):
            if voice.hole_since_us is None:
                continue
            if now_us - voice.hole_since_us >= HOLE_LOST_US:
                self._give_up_hole(station, boot, voice, now_us)
            elif now_us - voice.hole_since_us >= HOLE_ASK_US and not voice.asked:
                voice.asked = True
                self._wants_replay = True

    @property
    def calls_the_roll(self) -> bool:
        """Report whether messages are kept until all stations have reported."""
        return self._roll_call is not None

    def call_the_roll(self, stations: Iterable[str], began_us: int, until_us: int) -> None:
        """Keep messages from now on until all of these stations have reported, or until `until_us`."""
        if self._roll_call is None:
            self._roll_call = RollCall(stations, began_us, until_us)
        else:
            self._roll_call.call_again(stations, began_us, until_us)

    def _end_roll_call(self, roll_call: RollCall) -> None:
        self._roll_call = None
        for station, message, arrived_us in roll_call.kept():
            start = self._registry.boot(station, message.boot)
            if start is not None:
                self._put_in_order(station, self._voice(station, message.boot, start), start, message, arrived_us)

    def wants_replay(self) -> bool:
        """Return whether stations should repeat unacknowledged messages; asking clears it."""
        wanted, self._wants_replay = self._wants_replay, False
        return wanted

    def release(self, until_us: int, patience_us: int = 0) -> list[Received]:
        """Release everything that happened up to `until_us` and was not released yet, in order.

        Samples may be late: later messages wait for those of a station, at most for this time.
        """
        told_us = [voice.told_us for voice in self._voices.values() if voice.told_us is not None]
        owed_us = min(told_us, default=until_us)
        self._waits = patience_us > 0 and until_us - owed_us > OWED_US
        if self._waits:
            until_us = max(owed_us, until_us - patience_us)
        n = bisect_right(self._pending, until_us, key=lambda entry: entry[0][0])
        due, self._pending = self._pending[:n], self._pending[n:]
        if due:
            self._fresh = [entry for entry in self._fresh if entry[0][0] > until_us]
        return [received for _, received in due]

    def fresh(self) -> list[Received]:
        """Return messages since the last call that are not released, in order; more may come between."""
        came, self._fresh = sorted(self._fresh, key=_key), []
        return [received for _, received in came]

    @property
    def oldest_us(self) -> int | None:
        """Return the time of the first message that is held back; None if there is none, or it waits for scales."""
        return self._pending[0][0][0] if self._pending and not self._waits else None

    def committed(self, batch: Iterable[Received]) -> list[Acknowledgement]:
        """Return the acknowledgements due now that the effects of a released batch are safe."""
        for key, event_seq in high_water(batch).items():
            voice = self._voices.get(key)
            if voice is not None and event_seq > voice.committed:
                voice.committed = event_seq
                voice.repeat_due = True
        acknowledgements = []
        for (station, boot), voice in sorted(item for item in self._voices.items() if item[1].repeat_due):
            voice.repeat_due = False
            acknowledgements.append(Acknowledgement(station, boot, voice.committed))
        return acknowledgements

    def _voice(self, station: str, boot: int, start: BootRecord) -> _Voice:
        voice = self._voices.get((station, boot))
        if voice is None:
            known = self._high_water.get((station, boot), 0)
            voice = _Voice(
                start.order, known + 1, known, 0 if start.fresh else None, start.born_us if start.fresh else 0
            )
            self._voices[station, boot] = voice
            self._forget_old(station)
        return voice

    def _forget_old(self, station: str) -> None:
        for key in [key for key in self._voices if key[0] == station]:
            if self._registry.boot(*key) is None:
                del self._voices[key]

    def _put(self, station: str, voice: _Voice, rank: int, received: Received) -> None:
        entry = (received.t_us, station, voice.order, voice.life, rank, received.seq), received
        insort(self._pending, entry, key=_key)
        self._fresh.append(entry)

    def _gone(self, station: str, voice: _Voice, received: Received) -> None:
        self._put(station, voice, _RANK_END, received)
        voice.life += 1
        voice.told_us = None
        self._gone_us[station] = received.t_us

    def _spoke_again(self, station: str, voice: _Voice, start: BootRecord, arrived_us: int) -> None:
        """Ask for a replay: only that makes a silent station repeat the tags at its spots."""
        self._wants_replay = True
        voice.floor_us = max(voice.floor_us, arrived_us)
        back = SpokeAgain(start.birth.boot, start.birth)
        self._put(station, voice, _RANK_BIRTH, Received(station, back.boot, back, arrived_us, arrived_us))

    def _birth(self, station: str, voice: _Voice, start: BootRecord, birth: Birth, arrived_us: int) -> None:
        for (name, boot), before in self._voices.items():
            if name == station and boot != birth.boot:
                before.told_us = None
        t_us = max(start.clock.hub_us(birth.at, arrived_us), self._gone_us.get(station, self._since_us))
        self._put(station, voice, _RANK_BIRTH, Received(station, birth.boot, birth, t_us, t_us))

    def _samples(
        self, station: str, voice: _Voice, start: BootRecord, message: Samples | Quiet | Knocks, arrived_us: int
    ) -> None:
        if voice.sample_last is not None:
            if message.sample_seq <= voice.sample_last:
                return
            self._registry.lose_samples(station, message.sample_seq - voice.sample_last - 1)
        voice.sample_last = message.sample_seq
        if not isinstance(message, Knocks):
            voice.answers = 0
        match message:
            case Samples(lost=lost):
                self._registry.lose_samples(station, lost)
            case Quiet(cells=cells):
                self._registry.lose_samples(station, sum(cell.lost for cell in cells))
        length_us = 0 if isinstance(message, Quiet) else sum(message.dt_us)
        end_us = min(start.clock.hub_us(message.at, arrived_us) + length_us, arrived_us)
        if not isinstance(message, Knocks):
            voice.told_us = end_us
        start_us = end_us - length_us
        t_us = max(start_us if isinstance(message, Knocks) else end_us, self._gone_us.get(station, 0))
        released = Received(station, message.boot, message, t_us, start_us, message.sample_seq)
        self._put(station, voice, _RANK_SAMPLES, released)

    def _numbered(self, station: str, voice: _Voice, event: _Numbered, arrived_us: int) -> None:
        if event.event_seq < voice.event_next:
            voice.repeat_due = voice.repeat_due or event.event_seq <= voice.committed
            return
        if len(voice.ahead) < AHEAD_MAX or event.event_seq == voice.event_next:
            voice.ahead.setdefault(event.event_seq, (event, arrived_us))
        self._advance(station, voice, arrived_us)

    def _advance(self, station: str, voice: _Voice, now_us: int) -> None:
        """Let every event through that has no missing one before it."""
        while voice.event_next in voice.ahead:
            event, arrived_us = voice.ahead.pop(voice.event_next)
            voice.event_next += 1
            voice.hole_since_us, voice.asked = None, False
            self._let_through(station, voice, event, arrived_us)
        if voice.ahead and voice.hole_since_us is None:
            voice.hole_since_us = now_us

    def _let_through(self, station: str, voice: _Voice, event: _Numbered, arrived_us: int) -> None:
        if isinstance(event, Unreadable):
            t_us = arrived_us
            self._registry.lose_events(station, 1)
        else:
            start = self._registry.boot(station, event.boot)
            t_us = arrived_us if start is None else start.clock.hub_us(event.at, arrived_us)
        if isinstance(event, Fault):
            self._registry.heed(station, event)
        elif isinstance(event, Inventory):
            self._registry.lose_events(station, event.events_lost)
        voice.floor_us = max(voice.floor_us, t_us)
        released = Received(station, event.boot, event, voice.floor_us, voice.floor_us, event.event_seq)
        self._put(station, voice, _RANK_EVENT, released)

    def _give_up_hole(self, station: str, boot: int, voice: _Voice, now_us: int) -> None:
        first = min(voice.ahead)
        count = first - voice.event_next
        self._registry.lose_events(station, count)
        voice.event_next = first
        voice.floor_us = max(voice.floor_us, min(voice.ahead[first][1], now_us))
        missing = EventsLost(boot, first - 1, count)
        released = Received(station, boot, missing, voice.floor_us, voice.floor_us, first - 1)
        self._put(station, voice, _RANK_EVENT, released)
        self._advance(station, voice, now_us)


def _key(entry: tuple[_Key, Received]) -> _Key:
    return entry[0]


def high_water(batch: Iterable[Received]) -> dict[tuple[str, int], int]:
    """Return the marks to be stored in the same transaction as the effects of a batch."""
    marks: dict[tuple[str, int], int] = {}
    for received in batch:
        if isinstance(received.message, Event | Unreadable | EventsLost):
            key = (received.station, received.boot)
            marks[key] = max(marks.get(key, 0), received.seq)
    return marks
