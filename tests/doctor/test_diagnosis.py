"""What a diagnosis makes of measurements: in order, or what to check."""

from datetime import date, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.doctor.diagnosis import Measurements, diagnose, together
from citytable.link.wire_in import Birth, Clock, HealthReport, SpotSensors
from citytable.table.health import AccelerometerHealth, CellHealth, RangerHealth, ReaderHealth
from citytable.table.plan import CellPlan, SpotPlan, StationPlan

SPOT = "seat/1/pad/0"
TODAY = date(2026, 11, 21)
PLAN = StationPlan(
    "seat-1",
    "seat",
    (SpotPlan(SPOT, cells=(CellPlan(2147.0, 0, 1000),), reader=True, ring_leds=12, crane_zero_mm=300.0),),
)
BIRTH = Birth(
    boot=7,
    kind="seat",
    firmware="0.1.0",
    at=Clock(0, 0),
    spots=(SpotSensors(spot=SPOT, cells=1, reader=True, ring=12, crane=True),),
)
CELL = CellHealth(spot=SPOT, cell=0, rate_hz=80.4, saturated=0, distinct=140, noise=41.5, lost=0)
READER = ReaderHealth(SPOT, 24, 0)
RANGER = RangerHealth(SPOT, 98, 1.2, 2)


def report(seconds: int, cell=CELL, reader=READER, ranger=RANGER, **changes) -> HealthReport:
    cells = () if cell is None else (cell,)
    readers = () if reader is None else (reader,)
    rangers = () if ranger is None else (ranger,)
    fields = {"gap_us": 21_400, "dropped": 0, "refused": 0, "free_bytes": 131_000}
    return HealthReport(
        boot=7, at=Clock(0, seconds * 1_000_000), cells=cells, readers=readers, rangers=rangers, **{**fields, **changes}
    )


def examined(*reports: HealthReport, **changes) -> Measurements:
    whole = Measurements(BIRTH, (report(0), *reports), (4_000, 6_000), 20, 0)
    return whole._replace(**changes)


def wrong(seen: Measurements, plan: StationPlan = PLAN) -> dict[str, str]:
    return {one.label(): one.check["en"] for one in diagnose(plan, seen, TODAY) if not one.ok}


def cell(**changes) -> CellHealth:
    return msgspec.structs.replace(CELL, **changes)


def test_a_healthy_station_is_in_order_line_by_line():
    findings = diagnose(PLAN, examined(report(10)), TODAY)
    assert all(finding.ok for finding in findings)
    assert {finding.label(): finding.seen["en"] for finding in findings} == {
        f"{SPOT} cell 0 rate": "80.4/s of 80 nominal",
        f"{SPOT} cell 0 saturated": "0 conversions",
        f"{SPOT} cell 0 distinct values": "140",
        f"{SPOT} cell 0 noise": "0.019 g (up to 0.10 g)",
        f"{SPOT} cell 0 lost": "0 conversions",
        f"{SPOT} tag reader": "answered 24 times, silent 0 times",
        f"{SPOT} range": "98 readings, spread 1.2 mm, 2 invalid",
        "clock": "known to 2.0 ms, from 2 answers",
        "messages of samples": "20 arrived, 0 lost, 0 did not fit",
        "messages to the station": "0 refused",
        "sampler's longest pause": "21 ms",
        "free memory": "131000 bytes",
    }


BEAM = msgspec.structs.replace(PLAN, spots=(msgspec.structs.replace(PLAN.spots[0], crane_beam=True),))


def _with_beam(clear, broken):
    ranger = msgspec.structs.replace(RANGER, beam_clear=clear, beam_broken=broken)
    spots = (msgspec.structs.replace(BIRTH.spots[0], beam=True),)
    return examined(report(10, ranger=ranger), birth=msgspec.structs.replace(BIRTH, spots=spots))


@pytest.mark.parametrize(
    ("seen", "plan", "check"),
    [
        (_with_beam(98, 0), BEAM, None),
        (_with_beam(0, 98), BEAM, "wipe both halves of the beam"),
        (_with_beam(97, 1), BEAM, "park the crane"),
        (_with_beam(0, 0), BEAM, "check the expander's cable"),
        (_with_beam(98, 0), PLAN, '"crane_beam": true'),
        (examined(report(10)), BEAM, "give the station a pin plan that has one"),
        (examined(report(10)), PLAN, None),
    ],
)
def test_the_beam_of_a_parked_crane_must_be_clear(seen, plan, check):
    found = wrong(seen, plan)
    assert list(found) == ([] if check is None else [f"{SPOT} beam"])
    assert check is None or check in found[f"{SPOT} beam"]


@pytest.mark.parametrize(
    ("seen", "what", "check"),
    [
        (report(10, cell(rate_hz=0.0, distinct=0)), "cell 0 rate", "no conversions: check the plug"),
        (report(10, cell(rate_hz=10.7)), "cell 0 rate", "RATE pin"),
        (report(10, cell(rate_hz=50.0)), "cell 0 rate", "neither of the HX711's rates"),
        (report(10, cell(rate_hz=145.0)), "cell 0 rate", "neither of the HX711's rates"),
        (report(10, cell(saturated=800)), "cell 0 saturated", "take the load off"),
        (report(10, cell(distinct=1, noise=0.0)), "cell 0 distinct values", "the cell repeats the same values"),
        (report(10, cell(noise=400.0)), "cell 0 noise", "do not touch"),
        (report(10, cell(lost=30)), "cell 0 lost", "keep its wires short"),
        (report(10, None), "cell 0 rate", "does not know this cell"),
        (report(10, reader=ReaderHealth(SPOT, 3, 9)), "tag reader", "chip select"),
        (report(10, reader=ReaderHealth(SPOT, 0, 0)), "tag reader", "never asked it"),
        (report(10, reader=None), "tag reader", "does not know this reader"),
        (report(10, ranger=RangerHealth(SPOT, 0, 0.0, 0)), "range", "XSHUT"),
        (report(10, ranger=RangerHealth(SPOT, 20, 1.0, 60)), "range", "clean its window"),
        (report(10, ranger=RangerHealth(SPOT, 90, 14.0, 0)), "range", "hang still"),
        (report(10, ranger=None), "range", "does not know this sensor"),
    ],
)
def test_what_is_wrong_with_a_sensor_is_told_with_what_to_check(seen, what, check):
    found = wrong(examined(seen))
    assert check in found[f"{SPOT} {what}"]
    assert len(found) == 1


@pytest.mark.parametrize(
    ("seen", "what", "check"),
    [
        (examined(report(10, dropped=3)), "messages of samples", "the link is too slow"),
        (examined(report(10), lost=2), "messages of samples", "the link is too slow"),
        (examined(report(10, refused=1)), "messages to the station", "hub and station have the same version"),
        (examined(report(10, gap_us=400_000)), "sampler's longest pause", "delays the program"),
        (examined(report(10, free_bytes=99_000)), "free memory", "a quarter of its memory free"),
        (examined(report(10), round_trips_us=()), "clock", "receives nothing"),
        (examined(report(10), round_trips_us=(900_000,)), "clock", "slow or busy"),
        (
            examined(report(10), birth=msgspec.structs.replace(BIRTH, spots=())),
            f"{SPOT} plan",
            "does not report this spot",
        ),
        (
            examined(
                report(10),
                birth=msgspec.structs.replace(
                    BIRTH, spots=(SpotSensors(spot=SPOT, cells=3, reader=True, ring=12, crane=True),)
                ),
            ),
            f"{SPOT} plan",
            "correct the plan file",
        ),
    ],
)
def test_what_is_wrong_with_the_board_is_told_with_what_to_check(seen, what, check):
    found = wrong(seen)
    assert check in found[what]
    assert len(found) == 1


def test_a_plan_without_counts_per_gram_is_no_cell():
    (spot,) = PLAN.spots
    plan = msgspec.structs.replace(PLAN, spots=(msgspec.structs.replace(spot, cells=(CellPlan(0.0, 0, 1000),)),))
    assert list(wrong(examined(report(10)), plan)) == [f"{SPOT} cell 0 noise"]


def test_without_memory_to_count_nothing_is_said_of_it():
    found = {finding.label() for finding in diagnose(PLAN, examined(report(10, free_bytes=None)), TODAY)}
    assert "free memory" not in found


def test_what_was_before_the_first_report_does_not_count():
    before = report(0, cell(saturated=9, lost=99, noise=9e9))
    assert together((before, report(10))).cells[SPOT, 0] == CELL


@given(st.lists(st.tuples(st.integers(1, 30), st.floats(0, 100), st.integers(0, 50)), min_size=1, max_size=5))
def test_reports_together_say_what_one_long_one_would(parts):
    reports, at = [report(0)], 0
    for seconds, rate_hz, lost in parts:
        at += seconds
        reports.append(report(at, cell(rate_hz=rate_hz, lost=lost)))
    seen = together(tuple(reports))
    conversions = sum(seconds * rate_hz for seconds, rate_hz, _ in parts)
    assert seen.conversions[SPOT, 0] == pytest.approx(conversions)
    assert seen.cells[SPOT, 0].rate_hz == pytest.approx(conversions / at)
    assert seen.cells[SPOT, 0].lost == sum(lost for *_, lost in parts)
    assert seen.readers[SPOT].answered == 24 * len(parts)


@given(st.floats(0, 1e4), st.integers(0, 10_000), st.integers(0, 300), st.floats(0, 1e7), st.integers(0, 10_000))
def test_every_finding_ends_in_ok_or_in_what_to_check(rate_hz, saturated, distinct, noise, lost):
    measured = cell(rate_hz=rate_hz, saturated=saturated, distinct=distinct, noise=noise, lost=lost)
    for finding in diagnose(PLAN, examined(report(10, measured)), TODAY):
        assert finding.seen
        assert finding.ok == (finding.check == {})


@pytest.mark.parametrize(("days", "check"), [(180, ""), (181, "calibrate it again: citytable calibrate seat/1/pad/0")])
def test_a_calibration_of_half_a_year_is_old(days, check):
    dated = msgspec.structs.replace(PLAN.spots[0].cells[0], calibrated=TODAY - timedelta(days=days))
    plan = msgspec.structs.replace(PLAN, spots=(msgspec.structs.replace(PLAN.spots[0], cells=(dated,)),))
    (found,) = [one for one in diagnose(plan, examined(report(10)), TODAY) if one.label().endswith("calibration")]
    assert (found.seen["en"], found.check.get("en", "")) == (f"{days} days old (up to 180)", check)


HEARD = AccelerometerHealth(rate_hz=101.2, lost=0, peak_mg=24)


def accelerometer(heard, *, planned=True, answers=True):
    """What is found of it: in order, or what to check."""
    seen = examined(report(10, accelerometer=heard), birth=msgspec.structs.replace(BIRTH, accelerometer=answers))
    plan = msgspec.structs.replace(PLAN, accelerometer=planned)
    return [finding for finding in diagnose(plan, seen, TODAY) if finding.label() == "accelerometer"]


def test_an_accelerometer_that_listens_is_in_order():
    (finding,) = accelerometer(HEARD)
    assert (finding.seen["en"], finding.ok) == ("101 windows/s, loudest 24 mg, 0 gaps", True)


def test_nobody_misses_what_the_plan_does_not_have():
    assert accelerometer(None, planned=False, answers=None) == []
    assert accelerometer(None, planned=False, answers=False) == []


@pytest.mark.parametrize(
    ("heard", "has", "seen", "check"),
    [
        (None, {"answers": None}, "in the plan, not at the station", "pin plan"),
        (HEARD, {"planned": False}, "at the station, not in the plan", '"accelerometer": true'),
        (None, {"answers": False}, "it does not answer", "check its cable"),
        (msgspec.structs.replace(HEARD, rate_hz=0.0), {}, "it does not answer", "check its cable"),
        (msgspec.structs.replace(HEARD, rate_hz=40.0), {}, "40 windows/s", "loose contacts"),
        (msgspec.structs.replace(HEARD, lost=3), {}, "3 gaps", "delays the program"),
    ],
)
def test_what_is_wrong_with_an_accelerometer_is_said(heard, has, seen, check):
    (finding,) = accelerometer(heard, **has)
    assert seen in finding.seen["en"]
    assert check in finding.check["en"]
