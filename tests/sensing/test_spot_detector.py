"""The detector of one spot: rows of counts in, events out; above all what must never be taken for a fall."""

import json
import math
import random

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.sensing import Detector, detector
from citytable.sensing.calibration import Start
from citytable.sensing.trees import Judges

pytestmark = pytest.mark.long(12)

TILE_G = 30.0
FALLS = ("collapse", "partial_collapse")
RAIL = -8388608


@pytest.fixture
def run(kit):
    """Rows of a signal through a detector: the confirmed events, in order."""

    def run(rows, cells=3, scale=900.0):
        watch = detector(kit.cal(cells, scale, TILE_G))
        told = [(t_us, event) for t_us, counts in rows for event in watch.update(t_us, counts)]
        return [event for _, event in told if event.stage == "confirmed"]

    return run


def kinds(events, *but):
    return [event.kind for event in events if event.kind not in ("disturbance", *but)]


@pytest.mark.parametrize("cells", [1, 2, 3])
@pytest.mark.parametrize("scale", [900.0, -900.0])
def test_pieces_platforms_and_falls_are_told_by_one_two_or_three_cells_of_either_sign(kit, run, cells, scale):
    loads = kit.Loads(TILE_G + 60).set_down(2, 9).take(5, 9).fall(8, 45).take(12, TILE_G + 15).set_down(15, TILE_G + 15)
    events = [event for event in run(kit.rows(loads, 18, cells, scale), cells, scale) if event.kind != "disturbance"]
    assert [event.kind for event in events] == [
        "piece_added",
        "piece_removed",
        "collapse",
        "platform_lifted",
        "platform_placed",
    ]
    assert [event.mass_g for event in events] == pytest.approx([9, -9, -45, 15, 15], abs=2.5)
    assert events[0].mass_g == pytest.approx(9, abs=0.25)


def test_the_calibration_may_be_decoded_json(kit):
    assert detector({"counts_per_g": [800], "zero_counts": [5], "cell_xy_mm": [[0, 0]]}).update(0, [5], None) == []


@pytest.mark.parametrize(
    "given",
    [
        lambda t_us, counts, tof, zones: (np.int64(t_us), np.array(counts, np.int32), np.int16(tof), np.array(zones)),
        lambda t_us, counts, tof, zones: (
            np.float64(t_us + 0.25),
            np.array(counts, np.float64) + 0.25,
            np.float32(tof),
            np.array(zones, np.int16),
        ),
        lambda t_us, counts, tof, zones: (float(t_us), tuple(map(float, counts)), float(tof), tuple(zones)),
    ],
    ids=["numpy's whole numbers", "numpy's with fractions", "floats"],
)
def test_numbers_of_any_kind_are_told_as_pythons_own(kit, given):
    cal = msgspec.structs.replace(
        kit.cal(3, 900.0, TILE_G), tof_height_mm=400, start=Start(pieces_on=7, mass_g=60, height_mm=100)
    )
    told: list[list[str]] = []
    for as_given in (lambda *sample: sample, given):
        watch = detector(cal)
        told.append([])
        for t_us, counts in kit.rows(kit.Loads(TILE_G + 60).set_down(2, 9).fall(5, 40).take(9, TILE_G + 29), 11):
            events = watch.update(*as_given(t_us, counts, 320, [320] * 64))
            told[-1] += [json.dumps(msgspec.structs.asdict(event)) for event in events]
            msgspec.json.encode(events)
    assert told[0] == told[1]
    assert len(told[0]) > 3


@pytest.mark.parametrize("nothing", [math.nan, math.inf, np.float32("nan")])
def test_what_is_no_number_is_no_reading(kit, run, nothing):
    rows = kit.rows(kit.Loads(TILE_G + 80), 9)
    gone = [(t, [counts[0], nothing, counts[2]] if t > 3_000_000 else counts) for t, counts in rows]
    assert [(event.cell, event.what) for event in run(gone) if event.kind == "fault"] == [(1, "silent")]
    watch = detector(kit.cal(3, 900.0, TILE_G))
    assert watch.update(0, [1, 2, 3], nothing, [nothing] * 64) == []


@pytest.mark.parametrize("cells", [1, 3])
def test_a_calibration_without_ranges_and_start_is_enough(kit, cells):
    cal = kit.cal(cells, 900.0, 0.0)
    watch, told = detector({"counts_per_g": list(cal.counts_per_g), "zero_counts": list(cal.zero_counts)}), []
    for t_us, counts in kit.rows(kit.Loads(90).set_down(2, 9).fall(5, 40), 9, cells):
        told += [event for event in watch.update(t_us, counts) if event.stage == "confirmed"]
    assert kinds(told) in (["piece_added", "collapse"], ["piece_added", "partial_collapse"])
    assert {event.height_mm for event in told} == {None}


@pytest.mark.parametrize(
    ("cal", "sentence"),
    [
        ({"counts_per_g": [], "zero_counts": []}, "one to three cells"),
        ({"counts_per_g": [1, 2], "zero_counts": [1]}, "give one of each"),
        ({"counts_per_g": [0], "zero_counts": [1]}, "no cell has a scale of 0"),
        ({"zero_counts": [1]}, "counts_per_g"),
    ],
)
def test_a_calibration_that_cannot_be_is_refused_with_a_sentence(cal, sentence):
    with pytest.raises(ValueError, match=sentence):
        detector(cal)


@pytest.mark.parametrize(
    "disturb",
    [
        lambda loads: loads.tremble(3, 6, 5),
        lambda loads: loads.lean(3, 1800, 7),
        lambda loads: loads.bump(3, 80).bump(5, 50),
        lambda loads: loads.lean(3, 25, 1).lean(5, 25, 1).lean(7, 25, 1),
    ],
    ids=["a phone vibrates", "a child leans", "the table is bumped", "two platforms touch"],
)
def test_what_moves_and_changes_nothing_is_told_as_nothing_but_a_disturbance(kit, run, disturb):
    assert kinds(run(kit.rows(disturb(kit.Loads(TILE_G + 80)), 13))) == []


def test_half_an_hour_of_drift_is_no_piece(kit, run):
    loads = kit.Loads(TILE_G + 80).drift(18.0)
    assert kinds(run(kit.rows(loads, 1800, cells=1), cells=1)) == []


@pytest.mark.parametrize("value", [RAIL, 8388607, 0, -5_500_000], ids=["low", "high", "zero", "floating"])
def test_a_cell_that_breaks_in_the_middle_of_a_fall_is_a_fault_within_half_a_second_and_no_fall(kit, run, value):
    rows = kit.rows(kit.Loads(TILE_G + 80).fall(4.02, 40), 9)
    broken = [(t, [counts[0], value, counts[2]] if t > 4_000_000 else counts) for t, counts in rows]
    events = run(broken)
    faults = [event for event in events if event.kind == "fault"]
    assert [event.cell for event in faults] == [1]
    assert faults[0].t_us - 4_000_000 < 500_000
    assert kinds(events, "fault") == []


def test_a_cell_that_flickers_around_another_load_is_a_fault_and_no_fall(kit, run):
    rows = kit.rows(kit.Loads(TILE_G + 80), 9)
    broken = [
        (t, [counts[0], 20_000 + n % 2, counts[2]] if t > 4_000_000 else counts) for n, (t, counts) in enumerate(rows)
    ]
    (fault,) = run(broken)
    assert (fault.kind, fault.sub, fault.cell) == ("fault", "stuck", 1)
    assert fault.t_us - 4_000_000 < 500_000


def test_a_cell_that_gives_nothing_more_is_silent_and_comes_back(kit, run):
    rows = kit.rows(kit.Loads(TILE_G + 80), 9)
    gone = [(t, [counts[0], None, counts[2]] if 3_000_000 < t < 5_000_000 else counts) for t, counts in rows]
    short = [(t, counts[:2] if 3_000_000 < t < 5_000_000 else counts) for t, counts in rows]
    assert [event.what for event in run(gone) if event.kind == "fault"] == ["silent"]
    assert [event.cell for event in run(short) if event.kind == "fault"] == [2]
    assert kinds(run(gone), "fault") == []


@pytest.mark.parametrize("glitch", [0, -1, 2**20 - 1, 2**23 - 1, RAIL, 173_978])
def test_single_bad_reads_are_not_seen_at_all(kit, run, glitch):
    rows = kit.rows(kit.Loads(TILE_G + 80).set_down(6, 9), 10)
    bad = [(t, [counts[0], glitch, counts[2]] if n % 97 == 60 else counts) for n, (t, counts) in enumerate(rows)]
    events = run(bad)
    assert kinds(events) == ["piece_added"]
    assert next(e for e in events if e.kind == "piece_added").mass_g == pytest.approx(9, abs=0.3)


@pytest.mark.parametrize(
    "clock",
    [
        lambda t: t - 2_000_000 if t > 4_000_000 else t,
        lambda t: t + 3_600_000_000 if t > 4_000_000 else t,
        lambda t: t % (1 << 22),
        lambda t: 0,
    ],
    ids=["goes back", "leaps", "wraps", "stands still"],
)
def test_a_clock_that_goes_wrong_loses_nothing_and_invents_nothing(kit, run, clock):
    rows = kit.rows(kit.Loads(TILE_G + 60).set_down(2, 9).take(7, 9), 10)
    events = run([(clock(t), counts) for t, counts in rows])
    assert kinds(events) == ["piece_added", "piece_removed"]
    assert {event.t_us for event in events} <= {clock(t) for t, _ in rows}


def falls_of(kit, meanwhile, offset_us=0):
    """The times in seconds at which a fall of 3 s is told, by a detector that hears something else at 3.1 s."""
    watch, told = detector(kit.cal(3, 900.0, TILE_G)), []
    for t_us, counts in kit.rows(kit.Loads(TILE_G + 80).fall(3, 40), 6):
        told += watch.update(t_us + offset_us, counts)
        if t_us // 12_500 == 248:
            meanwhile(watch, t_us + offset_us)
    return [(event.t_us - offset_us) / 1e6 for event in told if event.kind in FALLS and event.stage == "confirmed"]


@pytest.mark.parametrize("offset_us", [0, 2**40])
def test_a_tag_that_left_excuses_a_fall_and_neighbours_that_moved_leave_it_to_the_second_look(kit, offset_us):
    [alone_s] = falls_of(kit, lambda watch, t_us: None, offset_us)
    assert falls_of(kit, lambda watch, t_us: watch.tag_left(t_us - 50_000), offset_us) == []
    assert falls_of(kit, lambda watch, t_us: watch.tag_left(t_us - 2_500_000), offset_us) == [alone_s]
    [at_rest_s] = falls_of(kit, lambda watch, t_us: watch.neighbour_moved(t_us - 50_000), offset_us)
    assert at_rest_s > alone_s + 0.2
    assert falls_of(kit, lambda watch, t_us: watch.neighbour_moved(t_us - 500_000), offset_us) == [alone_s]


def test_a_hand_over_the_tower_is_waited_for_and_a_pressed_piece_is_told_once(kit):
    loads = kit.Loads(TILE_G + 60).set_down(2, 9).lean(2.9, 5, 0.9)
    watch = detector(kit.cal(3, 900.0, TILE_G))
    told = []
    for t_us, counts in kit.rows(loads, 8):
        tof_mm = 250 if 1_900_000 < t_us < 4_800_000 else 400
        told += [(t_us, event) for event in watch.update(t_us, counts, tof_mm) if event.kind != "disturbance"]
    [(t_us, event)] = told
    assert (event.kind, event.mass_g) == ("piece_added", pytest.approx(9, abs=0.3))
    assert t_us > 4_800_000


def test_what_comes_and_falls_carries_the_height_after_it_and_an_alert_does_not(kit):
    start = Start(pieces_on=7, mass_g=60, height_mm=100)
    watch = detector(msgspec.structs.replace(kit.cal(3, 900.0, TILE_G), tof_height_mm=400, start=start))
    told = []
    for t_us, counts in kit.rows(kit.Loads(TILE_G + 60).set_down(3, 9).fall(8, 40), 12):
        tof_mm = 250 if 2_900_000 < t_us < 4_200_000 else 340 if t_us < 4_200_000 else 320
        zones = [390 if zone % 8 in (0, 7) else tof_mm - 20 for zone in range(64)]
        told += watch.update(t_us, counts, tof_mm, zones)
    heights = {(event.kind, event.stage): event for event in told}
    added, fell = heights["piece_added", "confirmed"], heights["collapse", "confirmed"]
    assert (added.height_mm, added.height_low_mm, added.height_high_mm) == (120, 95, 225)
    assert (fell.height_low_mm, fell.height_high_mm) == (0, 225)
    assert {event.height_mm for event in told if event.stage != "confirmed"} == {None}


def test_a_range_sensor_that_says_anything_is_a_fault_and_left_out(kit):
    loads = kit.Loads(TILE_G + 60).set_down(4, 9).take(7, 9).set_down(10, 9)
    cal = msgspec.structs.replace(kit.cal(3, 900.0, TILE_G), tof_height_mm=400)
    seeing, blind, chance = detector(cal), detector(cal), random.Random(4)
    told, told_blind = [], []
    for n, (t_us, counts) in enumerate(kit.rows(loads, 14)):
        told += seeing.update(t_us, counts, chance.randrange(4000) if n % 4 == 0 else None)
        told_blind += blind.update(t_us, counts)
    fault, *others = told
    assert (fault.kind, fault.sub, fault.cell) == ("fault", "range", None)
    assert fault.t_us < 1_500_000
    assert others == told_blind


class Sure:
    """Trees that are sure of what happens between two times."""

    def __init__(self, from_s, to_s):
        self.from_us, self.to_us = from_s * 1e6, to_s * 1e6
        self.now_us = 0

    def chance(self, x):
        return 0.999 if self.from_us <= self.now_us < self.to_us else 0.001


def test_a_piece_that_a_fall_sets_free_is_told_before_it_and_is_part_of_its_height(kit):
    start = Start(pieces_on=7, mass_g=60, height_mm=100)
    falls, pieces = Sure(4.2, 9), Sure(3.9, 4.2)
    watch = Detector(
        msgspec.structs.replace(kit.cal(3, 900.0, TILE_G), start=start),
        Judges(falls, pieces=pieces, resting=kit.NEVER, glancing=kit.ALWAYS),
    )
    told = []
    for t_us, counts in kit.rows(kit.Loads(TILE_G + 60).set_down(3, 9).bump(4.2, 40), 6):
        falls.now_us = pieces.now_us = t_us
        tof_mm = 400 if t_us < 2_900_000 else 250  # a hand that stays: the piece waits
        told += [event for event in watch.update(t_us, counts, tof_mm) if event.stage == "confirmed"]
    added, fell = (event for event in told if event.kind != "disturbance")
    assert (added.kind, fell.kind) == ("piece_added", "partial_collapse")
    assert added.t_us < fell.t_us
    assert (added.height_high_mm, fell.height_high_mm) == (225, 225)


@given(
    st.lists(
        st.tuples(
            st.integers(-(2**40), 2**40),
            st.lists(st.none() | st.integers(RAIL, 8388607), max_size=4),
            st.none() | st.integers(-1, 4000),
        ),
        max_size=120,
    ),
    st.sampled_from([40, 80, 320]),
)
def test_whatever_comes_in_events_carry_the_time_of_their_sample(samples, rate_hz):
    cal = {"counts_per_g": [800, 810, 790], "zero_counts": [0, 0, 0], "tile_g": 30, "rate_hz": rate_hz}
    watch = detector(cal)
    for t_us, counts, tof_mm in samples:
        assert all(event.t_us == t_us for event in watch.update(t_us, counts, tof_mm))
