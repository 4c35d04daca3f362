"""The stations by name: which are online, their boots and clocks, their losses and their faults.

Every start of a station has a random boot number. Boots decide, never the order of arrival:
- The birth of a new boot is accepted. The hub then listens to this boot, and the boot before it is superseded.
- A death counts only for the boot that the hub listens to, so the will of an older start cannot kill a new birth.
- All other messages of a superseded boot are ignored. If it still speaks `STRAGGLER_US` after it was superseded, two
  stations have the same name. This is reported, and the hub listens to the boot accepted last as long as it speaks,
  and to the other one only when that is gone. Ignored messages are not acknowledged either, so no event is lost.

The stations of the plan always have a place. Of other names `STRANGERS_MAX` are kept: a new station may be on the desk,
but anybody who reaches the broker can invent names and leave births there.

Silence has steps. They depend on how long the hub has listened (`citytable.link.mqtt.Listening`) since a message:
- After `ASK_US` the hub asks the station for a sign of life, and repeats this at the same interval.
- After `LATE_US`, without an answer within `ANSWER_US`, the station is late: it is shown as silent, nothing more.
- After `GONE_US` it is gone: what lies at its spots is no longer known.
A station that has answered no question since its start is not expected to answer. After `SILENT_US` of the hub's own
time without a message a station is gone, whatever the reason: nobody has seen what was done there for so long.
"""

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TypeAlias

from citytable.link.clocks import PingBook, StationClock
from citytable.link.complaints import complaint, of_sensor
from citytable.link.turned_away import RefusedNames
from citytable.link.wire_in import Birth, Death, Fault, FromStation, HealthReport, LogLine, Pong
from citytable.table.health import Health, Report, Said

ASK_US = 1_150_000  # a station at rest reports this once a second
ANSWER_US = 400_000
LATE_US = 1_700_000
GONE_US = 8_000_000
"""A network that stalls does so for a shorter time, and then nothing is lost; a station that could not reach a broker
tries again at least every six seconds."""
SILENT_US = 25_000_000
"""A station is asked for its clock every 10 s: two unanswered questions and a half."""
STRAGGLER_US = 2_000_000
PING_US = 10_000_000
DOUBT_US = 1_000_000  # from question to question while a clock is in doubt
RIVAL_SHOWN_US = 60_000_000
STRANGERS_MAX = 64
"""Names that are not in the plan."""
BOOTS_KEPT = 8
LINES_KEPT = 200
"""Of each station's log: an evening of a station that is well, an hour of one that complains."""


@dataclass
class BootRecord:
    """One start of a station. `fresh`: its birth arrived directly, so its numbers begin at 1.

    `answers`: it has answered a question.
    """

    birth: Birth
    born_us: int
    fresh: bool
    order: int
    clock: StationClock = field(default_factory=StationClock)
    superseded_us: int | None = None
    answers: bool = False


@dataclass
class StationRecord:
    """One name on the wire. If it is not `online` it is gone or dead; `dead` is known from its will or its farewell.

    `heard_us` and `asked_us` (whether it lives, since it was heard) are in time listened.
    """

    name: str
    boots: dict[int, BootRecord] = field(default_factory=dict)
    boot: int | None = None
    online: bool = False
    dead: bool = False
    late: bool = False
    heard_us: int = 0
    asked_us: int | None = None
    last_seen_us: int = 0
    pinged_us: int | None = None
    samples_lost: int = 0
    events_lost: int = 0
    unheard: int = 0
    rival: tuple[int, int] | None = None
    faults: dict[tuple[str, str, str], dict[str, str]] = field(default_factory=dict)
    started: int = 0
    report: Report | None = None
    said: deque[Said] = field(default_factory=lambda: deque(maxlen=LINES_KEPT))

    def spoke(self, listened_us: int) -> None:
        """Note that it was heard just now."""
        self.late, self.heard_us, self.asked_us = False, listened_us, None


Standing: TypeAlias = tuple[str, bool, tuple[dict[str, str], ...]]
"""A station's name, whether it is online, and what there is to complain of it: language -> sentence."""


class Registry:
    """Keep track of the stations. `hear` decides about every message before anything else uses it."""

    def __init__(self, plan: Collection[str] = ()) -> None:
        self._plan = frozenset(plan)
        self._stations: dict[str, StationRecord] = {}
        self._named: list[tuple[str, StationRecord]] = []
        self._pings = PingBook()
        self._listened_us = 0
        self._grown_late = False
        self.refused = RefusedNames()

    def has_place(self, name: str, others: Collection[str]) -> bool:
        """Return whether there is room for this name; a station of the plan always has a place."""
        return name in self._plan or sum(other not in self._plan for other in others) < STRANGERS_MAX

    def station(self, name: str) -> StationRecord | None:
        """Return everything known about a station."""
        return self._stations.get(name)

    def boot(self, name: str, boot: int) -> BootRecord | None:
        """Return everything known about one start of a station."""
        record = self._stations.get(name)
        return None if record is None else record.boots.get(boot)

    def listen(self, listened_us: int) -> None:
        """Note for how long the hub has listened by now; call `hear` for messages of that moment afterwards."""
        self._listened_us = max(self._listened_us, listened_us)

    def listen_anew(self) -> None:
        """Begin to listen again: the hub is connected again, and could hear nobody until now."""
        for record in self._stations.values():
            record.spoke(self._listened_us)

    def hear(self, name: str, message: FromStation, arrived_us: int, *, retained: bool = False) -> bool:
        """Take a message, and report whether it is to be taken further."""
        record = self._stations.get(name)
        if record is None:
            if not self.has_place(name, self._stations):
                self.refused.add(name)
                return False
            record = self._stations[name] = StationRecord(name)
        if isinstance(message, Birth):
            taken = _birth(record, message, arrived_us, retained=retained)
            if taken:
                record.spoke(self._listened_us)
            return taken
        if isinstance(message, Death):
            return _death(record, message, arrived_us)
        if message.boot != record.boot and not _other_boot(record, message.boot, arrived_us):
            record.unheard += 1
            return False
        record.last_seen_us = arrived_us
        record.spoke(self._listened_us)
        _doubt(record, message, arrived_us)
        if isinstance(message, HealthReport):
            record.report = _report(message, arrived_us)
        elif isinstance(message, LogLine):
            record.said.append(Said(arrived_us, message.level, message.text))
        return not (isinstance(message, Pong) and not self._pong(record, message, arrived_us))

    def _pong(self, record: StationRecord, pong: Pong, arrived_us: int) -> bool:
        asked_us = self._pings.asked_us(record.name, pong.id)
        if asked_us is None:
            return False
        record.boots[pong.boot].answers = True
        return record.boots[pong.boot].clock.exchange(asked_us, pong.received, pong.sent, arrived_us)

    def came_back(self, name: str) -> bool:
        """Report whether a station that was silent has just spoken; it is online from now on."""
        record = self._stations[name]
        if record.online or record.boot is None:
            return False
        record.online, record.dead = True, False
        record.pinged_us = None  # the cause of the silence may have stopped its clock
        return True

    def fallen_silent(self, now_us: int) -> list[tuple[str, int]]:
        """Return name and boot of the stations that have been silent too long; they are offline from now on."""
        silent = []
        for name, record in self._by_name():
            if record.boot is None or not record.online:
                continue
            silent_us = self._listened_us - record.heard_us
            if (record.late and silent_us > GONE_US) or now_us - record.last_seen_us > SILENT_US:
                record.online = False
                silent.append((name, record.boot))
            elif silent_us >= LATE_US and not record.late and self._owes_an_answer(record):
                record.late = self._grown_late = True
        return silent

    def _owes_an_answer(self, record: StationRecord) -> bool:
        asked_us, start = record.asked_us, record.boots.get(record.boot or 0)
        if asked_us is None or start is None:
            return False
        return start.answers and self._listened_us - asked_us >= ANSWER_US

    def has_grown_late(self) -> bool:
        """Report whether some station has become late since this was last asked."""
        late, self._grown_late = self._grown_late, False
        return late

    def present(self) -> list[str]:
        """Return the stations that are neither gone nor dead, by name."""
        return sorted(name for name, record in self._stations.items() if record.online)

    def pings_due(self, now_us: int) -> list[tuple[str, int]]:
        """Return name and question id of each station to ask: for its clock every `PING_US`, or for a sign of life."""
        due = []
        for name, record in self._by_name():
            if record.boot is None or record.dead:
                continue
            wants_clock = record.pinged_us is None or now_us - record.pinged_us >= PING_US
            if not wants_clock and not self._is_missed(record):
                continue
            if wants_clock:
                record.pinged_us = now_us
            record.asked_us = self._listened_us
            due.append((name, self._pings.ask(name, now_us)))
        return due

    def _is_missed(self, record: StationRecord) -> bool:
        since_us = record.heard_us if record.asked_us is None else max(record.heard_us, record.asked_us)
        return record.online and self._listened_us - since_us >= ASK_US

    def heed(self, name: str, fault: Fault) -> None:
        """Remember a sensor's fault, or its end."""
        faults = self._stations[name].faults
        if fault.on:
            faults[fault.spot, fault.sensor, fault.what] = of_sensor(fault.spot, fault.sensor, fault.what)
        else:
            faults.pop((fault.spot, fault.sensor, fault.what), None)

    def lose_samples(self, name: str, n: int) -> None:
        """Count lost conversions and lost messages of samples (each counts one)."""
        self._stations[name].samples_lost += n

    def lose_events(self, name: str, n: int) -> None:
        """Count events that will never be known."""
        self._stations[name].events_lost += n

    def health(self) -> tuple[Health, ...]:
        """Return the health of every station, by name."""
        return tuple(_health(record) for _, record in self._by_name())

    def standing(self) -> tuple[Standing, ...]:
        """Return the standing of every station, by name, without the rest of its health."""
        return tuple((name, record.online and not record.late, _faults(record)) for name, record in self._by_name())

    def _by_name(self) -> list[tuple[str, StationRecord]]:
        """Return every station by name; the list is made when one is new."""
        if len(self._named) != len(self._stations):
            self._named = sorted(self._stations.items())
        return self._named


def _birth(record: StationRecord, birth: Birth, arrived_us: int, *, retained: bool) -> bool:
    known = record.boots.get(birth.boot)
    if birth.boot == record.boot and known is not None:
        if retained and record.online:
            return False  # the broker repeats what we know
        _is_alive(record, arrived_us)
        return True
    if known is not None and not _heard_again(record, birth.boot, arrived_us):
        return False
    if known is None:
        _accept(record, birth, arrived_us, retained=retained)
    _is_alive(record, arrived_us)
    return True


def _doubt(record: StationRecord, message: FromStation, arrived_us: int) -> None:
    """Ask for a clock that has jumped at once: until then its messages lie at the wrong time."""
    at, start = getattr(message, "at", None), record.boots.get(message.boot)
    if at is None or start is None or record.pinged_us is None or arrived_us - record.pinged_us < DOUBT_US:
        return
    if start.clock.is_doubtful(at, arrived_us):
        record.pinged_us = None


def _is_alive(record: StationRecord, now_us: int) -> None:
    record.online, record.dead = True, False
    record.last_seen_us = now_us


def _accept(record: StationRecord, birth: Birth, arrived_us: int, *, retained: bool) -> None:
    record.started += 1
    start = BootRecord(birth, arrived_us, fresh=not retained, order=record.started)
    if not retained:
        start.clock.born(birth.at, arrived_us)
    record.boots[birth.boot] = start
    _listen_to(record, birth.boot, arrived_us)
    while len(record.boots) > BOOTS_KEPT:
        del record.boots[min(record.boots, key=lambda boot: record.boots[boot].order)]


def _listen_to(record: StationRecord, boot: int, now_us: int) -> None:
    if record.boot is not None and record.boot in record.boots:
        record.boots[record.boot].superseded_us = now_us
    record.boots[boot].superseded_us = None
    record.boot = boot
    record.pinged_us = None
    record.report = None
    record.faults.clear()


def _death(record: StationRecord, death: Death, arrived_us: int) -> bool:
    if record.rival is not None and death.boot == record.rival[0]:
        record.rival = None
    if death.boot != record.boot or not record.online:
        return False
    record.online, record.dead = False, True
    record.last_seen_us = arrived_us
    return True


def _other_boot(record: StationRecord, boot: int, arrived_us: int) -> bool:
    """Judge a message of a boot that is not listened to; return True if it is from now on."""
    known = record.boots.get(boot)
    if known is None or known.superseded_us is None:
        return False
    if arrived_us - known.superseded_us <= STRAGGLER_US:
        return False
    return _heard_again(record, boot, arrived_us)


def _heard_again(record: StationRecord, boot: int, arrived_us: int) -> bool:
    """Take a superseded boot that speaks: heard again if the one heard is gone, else a rival of the same name."""
    if record.online:
        record.rival = (boot, arrived_us)
        return False
    _listen_to(record, boot, arrived_us)
    record.rival = None
    return True


def _report(message: HealthReport, arrived_us: int) -> Report:
    return Report(
        at_us=arrived_us,
        gap_us=message.gap_us,
        dropped=message.dropped,
        refused=message.refused,
        free_bytes=message.free_bytes,
        cells=message.cells,
        readers=message.readers,
        rangers=message.rangers,
        accelerometer=message.accelerometer,
    )


def _faults(record: StationRecord) -> tuple[dict[str, str], ...]:
    faults = tuple(record.faults[key] for key in sorted(record.faults))
    if record.rival is not None and record.last_seen_us - record.rival[1] < RIVAL_SHOWN_US:
        name = repr(record.name)
        return (complaint("two_stations", name=name, heard=record.boot, other=record.rival[0]), *faults)
    return faults


def _health(record: StationRecord) -> Health:
    heard = record.boots.get(record.boot) if record.boot is not None else None
    return Health(
        station=record.name,
        online=record.online and not record.late,
        boot=record.boot or 0,
        firmware="" if heard is None else heard.birth.firmware,
        offset_us=None if heard is None else heard.clock.offset_us,
        last_seen_us=record.last_seen_us,
        samples_lost=record.samples_lost,
        events_lost=record.events_lost,
        faults=_faults(record),
        kind="" if heard is None else heard.birth.kind,
        hardware="" if heard is None else heard.birth.hardware,
        bundle="" if heard is None else heard.birth.bundle,
        reset="" if heard is None else heard.birth.reset,
        report=record.report,
        said=tuple(record.said),
    )
