"""What is drawn of a trace: loads in grams, and the facts that were told."""

from citytable.journal.excerpt import Excerpt
from citytable.sensing.reading import CellQuiet, CellSamples, TagRead
from citytable.table.fact import ButtonPressed, Fell, HeightMeasured, MassMoving, MassSettled
from citytable.table.plan import CellPlan
from citytable.views.signal import POINTS_MAX, Signal, signal

PAD, CARD = "seat/1/pad/0", "seat/1/card/0"
CELLS = {PAD: (CellPlan(100.0, 0, 1000), CellPlan(-50.0, 10, 1000)), CARD: ()}
MS = 1000


def excerpt(*readings, spot=PAD, from_ms=0, until_ms=1000):
    return Excerpt(spot, from_ms * MS, until_ms * MS, readings)


def samples(cell, *told):
    return CellSamples(PAD, cell, tuple(t_ms * MS for t_ms, _ in told), tuple(counts for _, counts in told))


def test_the_cells_of_a_spot_are_added_up_in_grams():
    first = samples(0, (100, 0), (110, 100), (120, 300))
    second = samples(1, (105, 10), (115, -40))
    drawn = signal(7, [excerpt(second, first)], [], CELLS)
    (curve,) = drawn.curves
    assert (drawn.seq, curve.spot) == (7, PAD)
    assert list(zip(curve.t_ms, curve.grams, strict=True)) == [(105, 0.0), (115, 2.0)]


def test_times_count_from_the_earliest_excerpt_and_quiet_seconds_are_points():
    quiet = tuple(CellQuiet(PAD, cell, 600 * MS, 80, 0.0, 1.0, 0, 0) for cell in (0, 1))
    tag = TagRead(520 * MS, CARD, "04aa", here=True)
    drawn = signal(7, [excerpt(*quiet, from_ms=550, until_ms=900), excerpt(tag, spot=CARD, from_ms=500)], [], CELLS)
    assert (drawn.from_us, drawn.until_us) == (500 * MS, 1000 * MS)
    assert {curve.spot: curve.t_ms for curve in drawn.curves} == {CARD: (), PAD: (100,)}


def test_the_facts_of_the_spots_within_the_excerpts_are_marked():
    facts = [
        MassMoving(t_us=120 * MS, spot=PAD),
        Fell(t_us=150 * MS, spot=PAD, lost_g=12.34, stage="confirmed"),
        MassSettled(t_us=200 * MS, spot=PAD, mass_g=45.678, step_g=1.0, error_g=0.1),
        HeightMeasured(t_us=300 * MS, spot=PAD, low_mm=50.0, high_mm=54.0, source="crane"),
        MassMoving(t_us=1200 * MS, spot=PAD),
        MassMoving(t_us=120 * MS, spot="city/0/0"),
        ButtonPressed(t_us=120 * MS, seat=1),
    ]
    marks = signal(7, [excerpt()], facts, CELLS).marks
    assert [(mark.t_ms, mark.fact, mark.stage, mark.value) for mark in marks] == [
        (120, "mass_moving", "", None),
        (150, "fell", "confirmed", 12.3),
        (200, "mass_settled", "", 45.7),
        (300, "height_measured", "", 52.0),
    ]


def test_without_an_excerpt_there_is_no_curve():
    assert signal(7, [], [MassMoving(t_us=1, spot=PAD)], CELLS) == Signal(7, 0, 0, (), ())


def test_a_long_curve_is_thinned_and_keeps_its_spikes():
    told = [(k, 100_000 if k == 4567 else k % 7) for k in range(10_000)]
    drawn = signal(7, [excerpt(samples(0, *told), until_ms=10_000)], [], {PAD: CELLS[PAD][:1]})
    (curve,) = drawn.curves
    assert len(curve.t_ms) <= POINTS_MAX
    assert max(curve.grams) == 1000.0
    assert list(curve.t_ms) == sorted(curve.t_ms)


def test_a_cell_that_the_plan_does_not_have_is_passed_over():
    assert signal(7, [excerpt(samples(5, (1, 1)))], [], CELLS).curves[0].t_ms == ()
