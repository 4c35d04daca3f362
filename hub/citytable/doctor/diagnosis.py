"""Judge the measurements of a station: a finding for each, with what to check where something is wrong.

This module only computes. Its limits are those of ordinary parts: an HX711 at its fast rate converts 74 to 94 times a
second, because it runs on its own oscillator; a 1 kg cell at rest behind it has a noise of 0.02 to 0.03 g.
"""

from datetime import date
from itertools import pairwise
from typing import NamedTuple

import msgspec

from citytable.link.wire_in import Birth, HealthReport
from citytable.sensing.zero import DUE_DAYS
from citytable.table.health import CellHealth, RangerHealth, ReaderHealth
from citytable.table.plan import CellPlan, SpotPlan, StationPlan

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
TOO_FULL = (
    "a station is tried with a quarter of its memory free: restart it; if this comes back, report it to the developers"
)
FREE_BYTES = 100_000  # a quarter of the heap we count on a Pico 2 W; nobody has read it on a board (decisions/0050)
ROUND_TRIP_US = 200_000


class Finding(msgspec.Struct, frozen=True):
    """Hold one line of a diagnosis: what was examined, what was seen, and what to check (empty: all is well)."""

    what: str
    seen: str
    check: str = ""

    @property
    def ok(self) -> bool:
        """Return whether all is well."""
        return not self.check


class Measurements(NamedTuple):
    """Hold the measurements of a station.

    `round_trips_us`: how long each answer about its clock took. `lost`: how many messages of samples did not arrive,
    beside the `messages` that did.
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


def _spot(plan: SpotPlan, seen: Totals, birth: Birth, today: date) -> list[Finding]:
    findings = list(_differing(plan, birth))
    for number, cell in enumerate(plan.cells):
        findings += _cell(f"{plan.spot} cell {number}", cell, seen, (plan.spot, number))
        findings += _calibration(plan.spot, number, cell, today)
    if plan.reader:
        findings.append(_reader(f"{plan.spot} tag reader", seen.readers.get(plan.spot)))
    if plan.crane_zero_mm is not None:
        findings.append(_ranger(f"{plan.spot} range", seen.rangers.get(plan.spot)))
        findings += _beam(plan, seen.rangers.get(plan.spot), birth)
    return findings


def _if(wrong: bool, check: str) -> str:
    return check if wrong else ""


def _differing(plan: SpotPlan, birth: Birth) -> tuple[Finding, ...]:
    """Compare the station's own account of a spot with the plan."""
    has = next((spot for spot in birth.spots if spot.spot == plan.spot), None)
    if has is None:
        wrong = "the station does not report this spot: adopt it again, or correct the plan file"
        return (Finding(f"{plan.spot} plan", "not at this station", wrong),)
    planned = (len(plan.cells), plan.reader, plan.ring_leds, plan.crane_zero_mm is not None)
    there = (has.cells, has.reader, has.ring, has.crane)
    if planned == there:
        return ()
    differences = [
        f"{name} {mine!r} in the plan and {other!r} at the station"
        for name, mine, other in zip(("cells", "reader", "LEDs", "crane"), planned, there, strict=True)
        if mine != other
    ]
    return (
        Finding(
            f"{plan.spot} plan", ", ".join(differences), "correct the plan file, or give the station another pin plan"
        ),
    )


def _cell(what: str, plan: CellPlan, seen: Totals, key: tuple[str, int]) -> list[Finding]:
    cell = seen.cells.get(key)
    if cell is None:
        return [Finding(f"{what} rate", "not reported", "the station does not know this cell: correct the plan file")]
    rate = Finding(f"{what} rate", f"{cell.rate_hz:.1f}/s of {NOMINAL_HZ} nominal", _rate_wrong(cell.rate_hz))
    if cell.rate_hz == 0:
        return [rate]
    noise_g = cell.noise / abs(plan.counts_per_g) if plan.counts_per_g else float("inf")
    limit_g = plan.capacity_g * NOISE_SHARE
    lost = cell.lost / max(1.0, seen.conversions[key])
    return [
        rate,
        Finding(
            f"{what} saturated",
            f"{cell.saturated} conversions",
            _if(
                cell.saturated > 0,
                "take the load off; if this stays, a wire of the cell is loose, or the cell is bent",
            ),
        ),
        Finding(
            f"{what} distinct values",
            str(cell.distinct),
            _if(cell.distinct < DISTINCT_LEAST, "the cell repeats the same values: check DOUT and the cell's wires"),
        ),
        Finding(
            f"{what} noise",
            f"{noise_g:.3f} g (up to {limit_g:.2f} g)",
            _if(
                noise_g > limit_g,
                "keep hands off during the measurement; keep the cell's cable away from those of the LEDs and the "
                "supply",
            ),
        ),
        Finding(
            f"{what} lost",
            f"{cell.lost} conversions",
            _if(lost > LOST_SHARE, "the board is too busy, or SCK picks up noise: keep its wires short"),
        ),
    ]


def _calibration(spot: str, number: int, plan: CellPlan, today: date) -> list[Finding]:
    """Report the age of the calibration if the plan has its date."""
    if plan.calibrated is None:
        return []
    old = (today - plan.calibrated).days
    again = _if(old > DUE_DAYS, f"calibrate it again: citytable calibrate {spot}")
    return [Finding(f"{spot} cell {number} calibration", f"{old} days old (up to {DUE_DAYS})", again)]


def _rate_wrong(rate_hz: float) -> str:
    if RATE_HZ[0] <= rate_hz <= RATE_HZ[1]:
        return ""
    if rate_hz == 0:
        return "there are no conversions: check the plug of the cell's HX711, its supply, DOUT and SCK"
    if SLOW_RATE_HZ[0] <= rate_hz <= SLOW_RATE_HZ[1]:
        return "the HX711 is set to 10/s: connect its RATE pin to its supply"
    return "this is neither of the HX711's rates: check SCK and DOUT for loose contacts, and its supply"


def _reader(what: str, reader: ReaderHealth | None) -> Finding:
    if reader is None:
        return Finding(what, "not reported", "the station does not know this reader: correct the plan file")
    seen = f"answered {reader.answered} times, silent {reader.silent} times"
    if reader.silent:
        return Finding(what, seen, "check its cable, its chip select, and that its switches select SPI")
    return Finding(
        what,
        seen,
        _if(reader.answered == 0, "the station never asked it: read `citytable station log` for what keeps it busy"),
    )


def _ranger(what: str, ranger: RangerHealth | None) -> Finding:
    if ranger is None:
        return Finding(what, "not reported", "the station does not know this sensor: correct the plan file")
    seen = f"{ranger.n} readings, spread {ranger.spread_mm:.1f} mm, {ranger.bad} invalid"
    if ranger.n + ranger.bad == 0:
        return Finding(what, seen, "the sensor measures nothing: check its cable and its XSHUT wire")
    if ranger.bad > BAD_SHARE * (ranger.n + ranger.bad):
        return Finding(what, seen, "clean its window; it must see the white target and no edge of anything")
    if ranger.spread_mm > SPREAD_MM:
        return Finding(what, seen, "let the paddle hang still and keep sunlight off it")
    return Finding(what, seen)


def _beam(plan: SpotPlan, ranger: RangerHealth | None, birth: Birth) -> tuple[Finding, ...]:
    """Report on the beam of a parked crane if the plan or the station has one: it must be clear."""
    what, there = f"{plan.spot} beam", any(one.spot == plan.spot and one.beam for one in birth.spots)
    if not plan.crane_beam:
        unused = 'the hub does not use it: write "crane_beam": true at this spot in the plan file'
        return (Finding(what, "at the station, not in the plan", unused),) if there else ()
    if not there or ranger is None:
        no_place = "give the station a pin plan that has one and the latest program, or correct the plan file"
        return (Finding(what, "in the plan, not at the station", no_place),)
    clear, broken = ranger.beam_clear or 0, ranger.beam_broken or 0
    seen = f"clear {clear} times, broken {broken} times"
    if clear + broken == 0:
        return (Finding(what, seen, "it was not read: check the expander's cable, and the crane's range above"),)
    dark = "park the crane; if it stays, wipe both halves of the beam, and check the emitter's two wires"
    return (Finding(what, seen, _if(broken > 0, dark)),)


def _accelerometer(plan: StationPlan, examined: Measurements) -> tuple[Finding, ...]:
    """Report on the accelerometer if the plan or the station has one."""
    what, answers = "accelerometer", examined.birth.accelerometer
    if not plan.accelerometer:
        unused = 'the hub does not use it: write "accelerometer": true at this station in the plan file'
        return (Finding(what, "at the station, not in the plan", unused),) if answers else ()
    if answers is None:
        no_place = "give the station a pin plan that has one and the latest program, or correct the plan file"
        return (Finding(what, "in the plan, not at the station", no_place),)
    reports = [report.accelerometer for report in examined.reports[1:] if report.accelerometer is not None]
    if not any(one.rate_hz for one in reports):
        return (Finding(what, "it does not answer", "check its cable; until then falls are detected by weight alone"),)
    slowest_hz, lost = min(one.rate_hz for one in reports), sum(one.lost for one in reports)
    seen = f"{slowest_hz:.0f} windows/s, loudest {max(one.peak_mg for one in reports)} mg, {lost} gaps"
    if not WINDOWS_HZ[0] <= slowest_hz <= WINDOWS_HZ[1]:
        return (Finding(what, seen, "its answers come and go: check its cable for loose contacts"),)
    return (Finding(what, seen, _if(lost > 0, "something holds the program up: read `citytable station log`")),)


def _board(examined: Measurements) -> list[Finding]:
    measured = examined.reports[1:]
    gap_us = max((report.gap_us for report in measured), default=0)
    dropped = sum(report.dropped for report in measured)
    refused = sum(report.refused for report in measured)
    free = [report.free_bytes for report in measured if report.free_bytes is not None]
    findings = [
        _clock(examined.round_trips_us),
        Finding(
            "messages of samples",
            f"{examined.messages} arrived, {examined.lost} lost, {dropped} found no room",
            _if(
                dropped + examined.lost > 0,
                "the link is too slow: move the access point, or use the USB cable",
            ),
        ),
        Finding(
            "messages to the station",
            f"{refused} refused",
            _if(refused > 0, "the station cannot read some messages: check that hub and station have the same version"),
        ),
        Finding(
            "sampler's longest pause",
            f"{gap_us / 1000:.0f} ms",
            _if(gap_us > GAP_US, "something holds the program up: read `citytable station log`"),
        ),
    ]
    if free:
        findings.append(
            Finding(
                "free memory",
                f"{min(free)} bytes",
                _if(min(free) < FREE_BYTES, TOO_FULL),
            )
        )
    return findings


def _clock(round_trips_us: tuple[int, ...]) -> Finding:
    if not round_trips_us:
        return Finding(
            "clock", "no answer", "the station receives nothing: check that its hub runs, and that its login is right"
        )
    best_us = min(round_trips_us)
    slow = _if(best_us > ROUND_TRIP_US, "the link is slow or busy: move the access point, or use the USB cable")
    return Finding("clock", f"known to {best_us / 2000:.1f} ms, from {len(round_trips_us)} answers", slow)
