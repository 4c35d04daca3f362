"""Diagnosis: what the measurements of a station mean, a finding for each, with what to check where something is wrong.

Pure judgement. The limits are those of ordinary parts: an HX711 at its fast rate converts 74 to 94 times a second,
because it runs on its own oscillator; a resting 1 kg cell behind it has a noise of 0.02 to 0.03 g.
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
"""Of an accelerometer: four measurements of 400 a second, by a clock of its own."""
BAD_SHARE = 0.5
GAP_US = 200_000
FREE_BYTES = 20_000
ROUND_TRIP_US = 200_000


class Finding(msgspec.Struct, frozen=True):
    """One line: what was looked at, what was seen, and what to check (empty: it is in order)."""

    what: str
    seen: str
    check: str = ""

    @property
    def ok(self) -> bool:
        """Whether it is in order."""
        return not self.check


class Examined(NamedTuple):
    """What was measured of a station. `round_trips_us`: how long its clock answers took; `lost`: messages of samples
    that did not arrive, of `messages`."""

    birth: Birth
    reports: tuple[HealthReport, ...]
    round_trips_us: tuple[int, ...]
    messages: int
    lost: int


class Seen(NamedTuple):
    """All reports of an examination together; `passed_s` is how long each cell was watched."""

    conversions: dict[tuple[str, int], float]
    passed_s: dict[tuple[str, int], float]
    cells: dict[tuple[str, int], CellHealth]
    readers: dict[str, ReaderHealth]
    rangers: dict[str, RangerHealth]


def diagnose(plan: StationPlan, examined: Examined, today: date) -> tuple[Finding, ...]:
    """Every finding, sensors first, spot by spot in the plan's order."""
    seen = together(examined.reports)
    sensors = [finding for spot in plan.spots for finding in _spot(spot, seen, examined.birth, today)]
    return (*sensors, *_accelerometer(plan, examined), *_board(examined))


def together(reports: tuple[HealthReport, ...]) -> Seen:
    """Reports one after the other as one: counts are added, the worst of measures is kept. The first only begins."""
    seen = Seen({}, {}, {}, {}, {})
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
            known_ranger = seen.rangers.get(ranger.spot, RangerHealth(ranger.spot, 0, 0.0, 0))
            seen.rangers[ranger.spot] = RangerHealth(
                ranger.spot,
                known_ranger.n + ranger.n,
                max(known_ranger.spread_mm, ranger.spread_mm),
                known_ranger.bad + ranger.bad,
            )
    return seen


def _add_cell(seen: Seen, cell: CellHealth, passed_s: float) -> None:
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


def _spot(plan: SpotPlan, seen: Seen, birth: Birth, today: date) -> list[Finding]:
    findings = list(_differing(plan, birth))
    for number, cell in enumerate(plan.cells):
        findings += _cell(f"{plan.spot} cell {number}", cell, seen, (plan.spot, number))
        findings += _calibration(plan.spot, number, cell, today)
    if plan.reader:
        findings.append(_reader(f"{plan.spot} tag reader", seen.readers.get(plan.spot)))
    if plan.crane_zero_mm is not None:
        findings.append(_ranger(f"{plan.spot} range", seen.rangers.get(plan.spot)))
    return findings


def _if(wrong: bool, check: str) -> str:
    return check if wrong else ""


def _differing(plan: SpotPlan, birth: Birth) -> tuple[Finding, ...]:
    """What the station says it has at a spot, where the plan says otherwise."""
    has = next((spot for spot in birth.spots if spot.spot == plan.spot), None)
    if has is None:
        wrong = "the station has no such spot: adopt it again, or correct the plan file"
        return (Finding(f"{plan.spot} plan", "not at this station", wrong),)
    planned = (len(plan.cells), plan.reader, plan.ring_leds, plan.crane_zero_mm is not None)
    there = (has.cells, has.reader, has.ring, has.crane)
    if planned == there:
        return ()
    told = [
        f"{name} {mine!r} in the plan and {other!r} at the station"
        for name, mine, other in zip(("cells", "reader", "LEDs", "crane"), planned, there, strict=True)
        if mine != other
    ]
    return (
        Finding(f"{plan.spot} plan", ", ".join(told), "correct the plan file, or give the station another pin plan"),
    )


def _cell(what: str, plan: CellPlan, seen: Seen, key: tuple[str, int]) -> list[Finding]:
    cell = seen.cells.get(key)
    if cell is None:
        return [Finding(f"{what} rate", "no word of it", "the station does not know this cell: correct the plan file")]
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
                "take the load off; if it stays, a wire of the cell is off, or the cell is bent",
            ),
        ),
        Finding(
            f"{what} distinct values",
            str(cell.distinct),
            _if(cell.distinct < DISTINCT_LEAST, "the same value again and again: check DOUT and the cell's wires"),
        ),
        Finding(
            f"{what} noise",
            f"{noise_g:.3f} g (up to {limit_g:.2f} g)",
            _if(
                noise_g > limit_g,
                "keep hands off while this runs; then keep the cell's cable away from the LEDs' and the supply's",
            ),
        ),
        Finding(
            f"{what} lost",
            f"{cell.lost} conversions",
            _if(lost > LOST_SHARE, "the board is too busy or SCK is disturbed: keep its wires short"),
        ),
    ]


def _calibration(spot: str, number: int, plan: CellPlan, today: date) -> list[Finding]:
    """How old the calibration is, where the plan knows."""
    if plan.calibrated is None:
        return []
    old = (today - plan.calibrated).days
    again = _if(old > DUE_DAYS, f"calibrate it again: citytable calibrate {spot}")
    return [Finding(f"{spot} cell {number} calibration", f"{old} days old (up to {DUE_DAYS})", again)]


def _rate_wrong(rate_hz: float) -> str:
    if RATE_HZ[0] <= rate_hz <= RATE_HZ[1]:
        return ""
    if rate_hz == 0:
        return "no conversions: check the plug of the cell's HX711, its supply, DOUT and SCK"
    if SLOW_RATE_HZ[0] <= rate_hz <= SLOW_RATE_HZ[1]:
        return "the HX711 is set to 10/s: connect its RATE pin to its supply"
    return "neither of the HX711's rates: check SCK and DOUT for loose contacts, and its supply"


def _reader(what: str, reader: ReaderHealth | None) -> Finding:
    if reader is None:
        return Finding(what, "no word of it", "the station does not know this reader: correct the plan file")
    seen = f"answered {reader.answered} times, silent {reader.silent} times"
    if reader.silent:
        return Finding(what, seen, "check its cable, its chip select, and that it is switched to SPI")
    return Finding(what, seen, _if(reader.answered == 0, "it was not asked: is the station very busy?"))


def _ranger(what: str, ranger: RangerHealth | None) -> Finding:
    if ranger is None:
        return Finding(what, "no word of it", "the station does not know this sensor: correct the plan file")
    seen = f"{ranger.n} readings, spread {ranger.spread_mm:.1f} mm, {ranger.bad} invalid"
    if ranger.n + ranger.bad == 0:
        return Finding(what, seen, "it measures nothing: check its cable and its XSHUT wire")
    if ranger.bad > BAD_SHARE * (ranger.n + ranger.bad):
        return Finding(what, seen, "clean its window; it must see the white target and no edge")
    if ranger.spread_mm > SPREAD_MM:
        return Finding(what, seen, "let the paddle hang still and keep sunlight off it")
    return Finding(what, seen)


def _accelerometer(plan: StationPlan, examined: Examined) -> tuple[Finding, ...]:
    """What hears knocks, where the plan or the station has it."""
    what, answers = "accelerometer", examined.birth.accelerometer
    if not plan.accelerometer:
        unused = 'nobody uses what it hears: write "accelerometer": true to this station in the plan file'
        return (Finding(what, "at the station, not in the plan", unused),) if answers else ()
    if answers is None:
        no_place = "give the station a pin plan with a place for it and the latest program, or correct the plan file"
        return (Finding(what, "in the plan, not at the station", no_place),)
    told = [report.accelerometer for report in examined.reports[1:] if report.accelerometer is not None]
    if not any(one.rate_hz for one in told):
        return (Finding(what, "it is not heard", "check its cable; falls are told by weight alone meanwhile"),)
    slowest_hz, lost = min(one.rate_hz for one in told), sum(one.lost for one in told)
    seen = f"{slowest_hz:.0f} windows/s, loudest {max(one.peak_mg for one in told)} mg, {lost} gaps"
    if not WINDOWS_HZ[0] <= slowest_hz <= WINDOWS_HZ[1]:
        return (Finding(what, seen, "it comes and goes: check its cable for loose contacts"),)
    return (Finding(what, seen, _if(lost > 0, "something holds the program up: see `citytable station log`")),)


def _board(examined: Examined) -> list[Finding]:
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
                "the link is too slow: a better place for the access point, or the USB cable",
            ),
        ),
        Finding(
            "messages to the station",
            f"{refused} refused",
            _if(refused > 0, "somebody sends nonsense: are hub and station of one version?"),
        ),
        Finding(
            "sampler's longest pause",
            f"{gap_us / 1000:.0f} ms",
            _if(gap_us > GAP_US, "something holds the program up: see `citytable station log`"),
        ),
    ]
    if free:
        findings.append(
            Finding(
                "free memory",
                f"{min(free)} bytes",
                _if(min(free) < FREE_BYTES, "restart the station; if it comes back, tell the developers"),
            )
        )
    return findings


def _clock(round_trips_us: tuple[int, ...]) -> Finding:
    if not round_trips_us:
        return Finding("clock", "not one answer", "the station hears nothing: is its hub there, and its login right?")
    best_us = min(round_trips_us)
    slow = _if(
        best_us > ROUND_TRIP_US, "the link is slow or busy: a better place for the access point, or the USB cable"
    )
    return Finding("clock", f"known to {best_us / 2000:.1f} ms, from {len(round_trips_us)} answers", slow)
