"""Judges the measurements of a station: a finding for each, with what to check if something is wrong.

This module only computes. Its limits are those of ordinary parts: an HX711 at its fast rate converts 74 to 94 times a
second, because it runs on its own oscillator; a 1 kg cell at rest behind it has a noise of 0.02 to 0.03 g.
"""

from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from typing import NamedTuple

import msgspec

from citytable.doctor.routine import Text
from citytable.languages import ENGLISH, Language
from citytable.languages.sentences import Sentences
from citytable.link.wire_in import Birth, HealthReport
from citytable.sensing.zero import DUE_DAYS
from citytable.table.health import CellHealth, RangerHealth, ReaderHealth
from citytable.table.plan import CellPlan, SpotPlan, StationPlan
from citytable.table.spot import Spot

FINDINGS = Sentences(__package__, "findings.json")
RATE_HZ = (74.0, 94.0)
SLOW_RATE_HZ = (8.0, 14.0)
NOMINAL_HZ = 80
DISTINCT_LEAST = 8
NOISE_SHARE = 1e-4
"""Of a cell's capacity: 0.1 g for 1 kg."""
LOST_SHARE = 0.01
SPREAD_MM = 5.0
WINDOWS_HZ = (85.0, 115.0)
"""The windows of an accelerometer, each of four measurements at 400 a second, by a clock of its own."""
BAD_SHARE = 0.5
GAP_US = 200_000
FREE_BYTES = 100_000  # a quarter of the heap we count on a Pico 2 W; nobody has read it on a board (decisions/0050)
ROUND_TRIP_US = 200_000


class Finding(msgspec.Struct, frozen=True):
    """Hold one line of a diagnosis: what was examined, what was seen, and what to check (empty: all is well).

    `spot` and `cell` say where, each empty or None for the whole station. All texts are in every language.
    """

    what: Text
    seen: Text
    check: Text = {}
    spot: Spot = ""
    cell: int | None = None

    @property
    def ok(self) -> bool:
        """Return whether all is well."""
        return not self.check

    def label(self, language: Language = ENGLISH) -> str:
        """Return what was examined, and where, in one language."""
        cell = "" if self.cell is None else _text("cell", n=self.cell)[language]
        return " ".join(part for part in (self.spot, cell, self.what[language]) if part)


class Measurements(NamedTuple):
    """Hold the measurements of a station.

    `round_trips_us`: how long each answer about its clock took. `lost`: how many messages of samples did not arrive,
    besides the `messages` that did.
    """

    birth: Birth
    reports: tuple[HealthReport, ...]
    round_trips_us: tuple[int, ...]
    messages: int
    lost: int


class Totals(NamedTuple):
    """Hold the sums of all reports of an examination; `passed_s` is the time for which each cell was measured."""

    conversions: dict[tuple[str, int], float]
    passed_s: dict[tuple[str, int], float]
    cells: dict[tuple[str, int], CellHealth]
    readers: dict[str, ReaderHealth]
    rangers: dict[str, RangerHealth]


def diagnose(plan: StationPlan, examined: Measurements, today: date) -> tuple[Finding, ...]:
    """Return every finding, sensors first, spot by spot in the plan's order."""
    seen = together(examined.reports)
    sensors = [finding for spot in plan.spots for finding in _spot(spot, seen, examined.birth, today)]
    return (*sensors, *_accelerometer(plan, examined), *_board(examined))


def together(reports: tuple[HealthReport, ...]) -> Totals:
    """Combine successive reports: add counts and keep the worst of measures. The first report only marks the start."""
    seen = Totals({}, {}, {}, {}, {})
    for before, report in pairwise(reports):
        passed_s = (report.at.total_us - before.at.total_us) / 1e6
        for cell in report.cells:
            _add_cell(seen, cell, passed_s)
        for reader in report.readers:
            known = seen.readers.get(reader.spot, ReaderHealth(reader.spot, 0, 0))
            seen.readers[reader.spot] = ReaderHealth(
                reader.spot, known.answered + reader.answered, known.silent + reader.silent
            )
        for ranger in report.rangers:
            known_ranger = seen.rangers.get(ranger.spot, RangerHealth(ranger.spot, 0, 0.0, 0, 0, 0))
            seen.rangers[ranger.spot] = RangerHealth(
                ranger.spot,
                known_ranger.n + ranger.n,
                max(known_ranger.spread_mm, ranger.spread_mm),
                known_ranger.bad + ranger.bad,
                (known_ranger.beam_clear or 0) + (ranger.beam_clear or 0),
                (known_ranger.beam_broken or 0) + (ranger.beam_broken or 0),
            )
    return seen


def _add_cell(seen: Totals, cell: CellHealth, passed_s: float) -> None:
    key = (cell.spot, cell.cell)
    known = seen.cells.get(key)
    conversions = seen.conversions[key] = seen.conversions.get(key, 0.0) + cell.rate_hz * passed_s
    together_s = seen.passed_s[key] = seen.passed_s.get(key, 0.0) + passed_s
    if known is None:
        seen.cells[key] = cell
        return
    seen.cells[key] = CellHealth(
        spot=cell.spot,
        cell=cell.cell,
        rate_hz=conversions / together_s if together_s else 0.0,
        saturated=known.saturated + cell.saturated,
        distinct=min(known.distinct, cell.distinct),
        noise=max(known.noise, cell.noise),
        lost=known.lost + cell.lost,
    )


def _text(key: str, **words: object) -> Text:
    return FINDINGS.text(key, **words)


def _seen(key: str, **words: object) -> Text:
    return _text(f"seen.{key}", **words)


def _check(key: str, *, wrong: bool = True, **words: object) -> Text:
    """Return what to check if it is `wrong`; otherwise nothing."""
    return _text(f"check.{key}", **words) if wrong else {}


def _spot(plan: SpotPlan, seen: Totals, birth: Birth, today: date) -> Iterator[Finding]:
    yield from _differing(plan, birth)
    for number, cell in enumerate(plan.cells):
        found = (*_cell(cell, seen, (plan.spot, number)), *_calibration(plan.spot, cell, today))
        yield from (msgspec.structs.replace(one, spot=plan.spot, cell=number) for one in found)
    sensors = []
    if plan.reader:
        sensors.append(_reader(seen.readers.get(plan.spot)))
    if plan.crane_zero_mm is not None:
        sensors.append(_ranger(seen.rangers.get(plan.spot)))
        sensors += _beam(plan, seen.rangers.get(plan.spot), birth)
    yield from (msgspec.structs.replace(one, spot=plan.spot) for one in sensors)


def _differing(plan: SpotPlan, birth: Birth) -> Iterator[Finding]:
    """Compare the station's own account of a spot with the plan."""
    has = next((spot for spot in birth.spots if spot.spot == plan.spot), None)
    if has is None:
        yield Finding(_text("plan"), _seen("nowhere"), _check("nowhere"), plan.spot)
        return
    planned = (len(plan.cells), plan.reader, plan.ring_leds, plan.crane_zero_mm is not None)
    there = (has.cells, has.reader, has.ring, has.crane)
    for name, mine, other in zip(("cells", "tag_reader", "leds", "crane"), planned, there, strict=True):
        if mine != other:
            seen = _seen("differs", what=_seen(name), planned=_has(mine), there=_has(other))
            yield Finding(_text("plan"), seen, _check("differs"), plan.spot)


def _has(value: bool | int) -> Text:
    """Return how many there are, or whether there is one."""
    return _seen("yes" if value else "no") if isinstance(value, bool) else _seen("number", n=value)


def _cell(plan: CellPlan, seen: Totals, key: tuple[str, int]) -> Iterator[Finding]:
    cell = seen.cells.get(key)
    if cell is None:
        yield Finding(_text("rate"), _seen("not_reported"), _check("no_cell"))
        return
    yield Finding(_text("rate"), _seen("rate", rate_hz=cell.rate_hz, nominal=NOMINAL_HZ), _rate_wrong(cell.rate_hz))
    if cell.rate_hz == 0:
        return
    noise_g = cell.noise / abs(plan.counts_per_g) if plan.counts_per_g else float("inf")
    limit_g = plan.capacity_g * NOISE_SHARE
    lost = cell.lost / max(1.0, seen.conversions[key])
    saturated, lost_n = _seen("conversions", n=cell.saturated), _seen("conversions", n=cell.lost)
    yield Finding(_text("saturated"), saturated, _check("saturated", wrong=cell.saturated > 0))
    repeats = _check("repeats", wrong=cell.distinct < DISTINCT_LEAST)
    yield Finding(_text("distinct"), _seen("number", n=cell.distinct), repeats)
    noise = _seen("noise", noise_g=noise_g, limit_g=limit_g)
    yield Finding(_text("noise"), noise, _check("noise", wrong=noise_g > limit_g))
    yield Finding(_text("lost"), lost_n, _check("lost", wrong=lost > LOST_SHARE))


def _calibration(spot: str, plan: CellPlan, today: date) -> Iterator[Finding]:
    """Report the age of the calibration if the plan has its date."""
    if plan.calibrated is not None:
        old = (today - plan.calibrated).days
        again = _check("old", wrong=old > DUE_DAYS, spot=spot)
        yield Finding(_text("calibration"), _seen("days", n=old, most=DUE_DAYS), again)


def _rate_wrong(rate_hz: float) -> Text:
    if RATE_HZ[0] <= rate_hz <= RATE_HZ[1]:
        return {}
    if rate_hz == 0:
        return _check("no_conversions")
    return _check("slow" if SLOW_RATE_HZ[0] <= rate_hz <= SLOW_RATE_HZ[1] else "neither")


def _reader(reader: ReaderHealth | None) -> Finding:
    what = _text("reader")
    if reader is None:
        return Finding(what, _seen("not_reported"), _check("no_reader"))
    seen = _seen("answered", answered=reader.answered, silent=reader.silent)
    if reader.silent:
        return Finding(what, seen, _check("reader"))
    return Finding(what, seen, _check("never_asked", wrong=reader.answered == 0))


def _ranger(ranger: RangerHealth | None) -> Finding:
    what = _text("range")
    if ranger is None:
        return Finding(what, _seen("not_reported"), _check("no_sensor"))
    seen = _seen("readings", n=ranger.n, spread_mm=ranger.spread_mm, bad=ranger.bad)
    if ranger.n + ranger.bad == 0:
        return Finding(what, seen, _check("measures_nothing"))
    if ranger.bad > BAD_SHARE * (ranger.n + ranger.bad):
        return Finding(what, seen, _check("window"))
    return Finding(what, seen, _check("paddle", wrong=ranger.spread_mm > SPREAD_MM))


def _beam(plan: SpotPlan, ranger: RangerHealth | None, birth: Birth) -> Iterator[Finding]:
    """Report on the beam of a parked crane if the plan or the station has one: it must be clear."""
    what, there = _text("beam"), any(one.spot == plan.spot and one.beam for one in birth.spots)
    if not plan.crane_beam:
        if there:
            yield Finding(what, _seen("not_planned"), _check("unused_beam"))
        return
    if not there or ranger is None:
        yield Finding(what, _seen("not_there"), _check("no_place"))
        return
    clear, broken = ranger.beam_clear or 0, ranger.beam_broken or 0
    unread = clear + broken == 0
    check = _check("beam_unread") if unread else _check("dark", wrong=broken > 0)
    yield Finding(what, _seen("beam", clear=clear, broken=broken), check)


def _accelerometer(plan: StationPlan, examined: Measurements) -> Iterator[Finding]:
    """Report on the accelerometer if the plan or the station has one."""
    what, answers = _text("accelerometer"), examined.birth.accelerometer
    if not plan.accelerometer:
        if answers:
            yield Finding(what, _seen("not_planned"), _check("unused_accelerometer"))
        return
    if answers is None:
        yield Finding(what, _seen("not_there"), _check("no_place"))
        return
    reports = [report.accelerometer for report in examined.reports[1:] if report.accelerometer is not None]
    if not any(one.rate_hz for one in reports):
        yield Finding(what, _seen("no_answer"), _check("by_weight"))
        return
    slowest_hz, lost = min(one.rate_hz for one in reports), sum(one.lost for one in reports)
    seen = _seen("windows", rate_hz=slowest_hz, peak_mg=max(one.peak_mg for one in reports), lost=lost)
    comes_and_goes = not WINDOWS_HZ[0] <= slowest_hz <= WINDOWS_HZ[1]
    yield Finding(what, seen, _check("comes_and_goes") if comes_and_goes else _check("held_up", wrong=lost > 0))


def _board(examined: Measurements) -> Iterator[Finding]:
    measured = examined.reports[1:]
    gap_us = max((report.gap_us for report in measured), default=0)
    dropped = sum(report.dropped for report in measured)
    refused = sum(report.refused for report in measured)
    free = [report.free_bytes for report in measured if report.free_bytes is not None]
    yield _clock(examined.round_trips_us)
    samples = _seen("samples", arrived=examined.messages, lost=examined.lost, dropped=dropped)
    yield Finding(_text("samples"), samples, _check("link", wrong=dropped + examined.lost > 0))
    yield Finding(_text("to_station"), _seen("refused", n=refused), _check("versions", wrong=refused > 0))
    yield Finding(_text("pause"), _seen("ms", ms=gap_us / 1000), _check("held_up", wrong=gap_us > GAP_US))
    if free:
        yield Finding(_text("memory"), _seen("bytes", n=min(free)), _check("full", wrong=min(free) < FREE_BYTES))


def _clock(round_trips_us: tuple[int, ...]) -> Finding:
    if not round_trips_us:
        return Finding(_text("clock"), _seen("silent"), _check("hears_nothing"))
    best_us = min(round_trips_us)
    seen = _seen("clock", ms=best_us / 2000, n=len(round_trips_us))
    return Finding(_text("clock"), seen, _check("busy_link", wrong=best_us > ROUND_TRIP_US))
