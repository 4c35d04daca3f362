"""Examine a station: ask for its health and its clock, and count the messages that are lost on the way."""

from citytable.doctor.diagnosis import Measurements
from citytable.doctor.line import Line, NoAnswer, StationMessage
from citytable.doctor.roll_call import present
from citytable.link.wire_in import HealthReport, Knocks, Pong, Quiet, Samples

QUESTIONS = 5
ANSWER_S = 10.0
_FIRST = 1 << 20
"""The first id of our questions; the hub counts its own from 1."""


class _Notes:
    """Collect the messages of one station."""

    def __init__(self, station: str) -> None:
        self.station = station
        self.reports: list[HealthReport] = []
        self.asked_us: dict[int, int] = {}
        self.round_trips_us: list[int] = []
        self.messages = 0
        self.lost = 0
        self._last_seq: int | None = None

    def take(self, heard: StationMessage) -> None:
        """Add a message if this station sent it."""
        if heard.station != self.station:
            return
        match heard.message:
            case HealthReport() as report:
                self.reports.append(report)
            case Pong(id=identity) if identity in self.asked_us:
                self.round_trips_us.append(heard.arrived_us - self.asked_us.pop(identity))
            case Samples(sample_seq=seq) | Quiet(sample_seq=seq) | Knocks(sample_seq=seq):
                self.messages += 1
                if self._last_seq is not None and seq > self._last_seq:
                    self.lost += seq - self._last_seq - 1
                self._last_seq = seq

    def answered(self, identity: int) -> bool:
        """Return whether the health report with this id has come."""
        return any(report.id == identity for report in self.reports)


async def examine(line: Line, station: str, seconds: float) -> Measurements:
    """Measure a station for some seconds; raises `NoAnswer` if it is not connected."""
    birth = await present(line, station)
    notes = _Notes(station)
    await _inspect(line, notes, _FIRST)
    begun = [report for report in notes.reports if report.id == _FIRST]
    notes.reports = begun[-1:]
    for k in range(QUESTIONS):
        identity = _FIRST + k
        notes.asked_us[identity] = await line.ping(station, identity)
        async for heard in line.hear(seconds / QUESTIONS):
            notes.take(heard)
    await _inspect(line, notes, _FIRST + 1)
    if any(report.boot != birth.boot for report in notes.reports):
        raise NoAnswer.of("restarted", station=station)
    return Measurements(birth, tuple(notes.reports), tuple(notes.round_trips_us), notes.messages, notes.lost)


async def _inspect(line: Line, notes: _Notes, identity: int) -> None:
    """Ask for the station's health and wait for the report."""
    await line.ask(notes.station, "inspect", id=identity)
    async for heard in line.hear(ANSWER_S):
        notes.take(heard)
        if notes.answered(identity):
            return
    raise NoAnswer.of("no_health", station=notes.station, seconds=ANSWER_S)
