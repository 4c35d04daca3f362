"""What a spot says about the load on it."""

import random

import msgspec
import pytest

from citytable.sensing.knock_history import NAMES
from citytable.sensing.reading import CellAlert, CellSamples, Knocks, SensorFaultReading
from citytable.sensing.spot_weight import SpotWeight
from citytable.table.fact import Fell, MassMoving, MassSettled, SensorFault
from citytable.table.plan import CellPlan

pytestmark = pytest.mark.long(3)

SPOT = "seat/1/pad/0"
SECOND_US = 1_000_000


@pytest.fixture
def weigh(kit):
    """Facts of one spot under `loads`, and the conversions they came from."""

    def run(loads, seconds, *, cells=3, spoil=None, scale=900.0, seed=7, noise_counts=40.0, rate_hz=81.3, **options):
        period_us = round(1e6 / rate_hz)
        bench = kit.Bench(cells, seed=seed, scale=scale, noise_counts=noise_counts, period_us=period_us)
        conversions = bench.convert(loads, seconds)
        if spoil:
            spoil(conversions)
        weight = SpotWeight(SPOT, bench.plans, **options)
        return [fact for reading in kit.full_stream(SPOT, conversions) for fact in weight.samples(reading)]

    return run


def steps(facts):
    return [fact.step_g for fact in facts if isinstance(fact, MassSettled) and fact.step_g]


def stages(facts):
    return [fact.stage for fact in facts if isinstance(fact, Fell)]


@pytest.mark.parametrize("cells", [1, 2, 3])
@pytest.mark.parametrize("scale", [900.0, -900.0])
def test_a_piece_set_down_is_a_step_of_its_mass(kit, weigh, cells, scale):
    facts = weigh(kit.Loads(60).set_down(2, 8.5), 5, cells=cells, scale=scale)
    assert [type(fact) for fact in facts] == [MassSettled, MassMoving, MassSettled]
    first, _, last = facts
    assert first.mass_g == pytest.approx(60, abs=0.2)
    assert first.step_g == 0
    assert last.step_g == pytest.approx(8.5, abs=last.error_g + first.error_g)
    assert last.mass_g == pytest.approx(68.5, abs=0.2)


@pytest.mark.parametrize("cells", [1, 3])
@pytest.mark.parametrize("rate_hz", [10, 20, 40])
def test_slow_converters_are_weighed_as_soon_as_it_is_known_how_slow_they_are(kit, weigh, cells, rate_hz):
    facts = weigh(kit.Loads(60).set_down(6, 8.5).take(10, 8.5), 14, cells=cells, rate_hz=rate_hz)
    assert steps(facts) == pytest.approx([8.5, -8.5], abs=0.25)


@pytest.mark.parametrize("grams", [0.5, 1.0, 3.0, 12.0])
def test_small_pieces_are_seen_come_and_go(kit, weigh, grams):
    facts = weigh(kit.Loads(60).set_down(2, grams).take(5, grams), 8)
    assert steps(facts) == pytest.approx([grams, -grams], abs=0.25)


def test_motion_is_told_within_a_fifth_of_a_second_and_rest_within_one(kit, weigh):
    _, moving, settled = weigh(kit.Loads(60).take(2, 8), 5)
    assert 2.0e6 < moving.t_us < 2.2e6
    assert 2.2e6 < settled.t_us < 3.0e6


def test_a_lean_is_motion_and_no_step(kit, weigh):
    facts = weigh(kit.Loads(90).lean(2, 150, 2.5).bump(7, 12), 10)
    assert steps(facts) == []
    assert stages(facts) == []
    assert len(kit.told(facts, MassMoving)) >= 2
    assert isinstance(facts[-1], MassSettled)


def test_an_elbow_that_rests_and_goes_is_no_fall(kit, weigh):
    facts = weigh(kit.Loads(60).set_down(2, 150).take(6, 150), 10)
    assert steps(facts) == pytest.approx([150, -150], abs=0.5)
    assert "confirmed" not in stages(facts)


def test_an_elbow_that_jerks_away_is_no_fall(kit, weigh):
    facts = weigh(kit.Loads(60).set_down(2, 150).snatch(6, 150), 10)
    assert steps(facts) == pytest.approx([150, -150], abs=0.5)
    assert "confirmed" not in stages(facts)


def test_a_bump_that_shakes_off_a_crumb_is_no_fall_and_less_than_a_third_of_a_gram_no_step(kit, weigh):
    crumb = weigh(kit.Loads(60).bump(3, 25).take(3, 0.7), 6)
    assert steps(crumb) == pytest.approx([-0.7], abs=0.2)
    assert "confirmed" not in stages(crumb)
    assert steps(weigh(kit.Loads(60).lean(3, 20, 0.7).take(3, 0.25), 6, noise_counts=5.0)) == []


def test_samples_lost_while_a_hand_takes_something_make_no_fall_of_it(kit, weigh):
    def spoil(cells):
        for cell in cells:
            cell[:] = [sample for sample in cell if not 3.08e6 < sample[0] < 3.16e6]

    facts = weigh(kit.Loads(110).take(3, 50), 6, spoil=spoil)
    assert steps(facts) == pytest.approx([-50], abs=0.3)
    assert "confirmed" not in stages(facts)


def test_a_tower_that_falls_is_alerted_then_confirmed(kit, weigh):
    facts = weigh(kit.Loads(110).fall(3, 45), 7)
    alert, confirmed = kit.told(facts, Fell)
    assert (alert.stage, confirmed.stage) == ("alert", "confirmed")
    assert 3e6 < alert.t_us <= confirmed.t_us < 4e6
    assert alert.confidence < confirmed.confidence
    assert steps(facts) == pytest.approx([-45], abs=0.5)


def test_a_piece_taken_away_is_no_fall(kit, weigh):
    facts = weigh(kit.Loads(110).take(3, 12), 7)
    assert steps(facts) == pytest.approx([-12], abs=0.3)
    assert stages(facts) == []


def test_a_lifted_platform_is_no_fall_however_rough_the_lift(kit, weigh):
    facts = weigh(kit.Loads(110).bump(2.9, 60).snatch(3, 110), 7)
    assert "confirmed" not in stages(facts)
    assert kit.told(facts, MassSettled)[-1].mass_g == pytest.approx(0, abs=0.2)


def test_with_a_tile_as_tare_a_bare_tile_is_not_an_empty_spot(kit, weigh):
    swept = weigh(kit.Loads(110).fall(3, 80), 7, tare_g=30.0)
    assert stages(swept) == ["alert", "confirmed"]
    assert kit.told(swept, MassSettled)[-1].mass_g == pytest.approx(0, abs=0.2)
    lifted = weigh(kit.Loads(110).fall(3, 110), 7, tare_g=30.0)
    assert "confirmed" not in stages(lifted)


def test_nothing_falls_on_the_bag_cradle(kit, weigh):
    facts = weigh(kit.Loads(300).fall(3, 45), 7, cells=1, watches_falls=False)
    assert stages(facts) == []
    assert steps(facts) == pytest.approx([-45], abs=0.5)


def test_a_tag_that_left_makes_it_a_lift(kit):
    bench = kit.Bench(3)
    weight = SpotWeight(SPOT, bench.plans)
    facts = []
    for reading in kit.full_stream(SPOT, bench.convert(kit.Loads(110).fall(3, 45), 7)):
        facts += weight.samples(reading)
        if reading.cell == 0 and reading.t_us[0] // 100_000 == 33:
            weight.tag_left(3_300_000)
    assert "confirmed" not in stages(facts)


def test_bad_reads_alone_or_in_pairs_are_not_seen_at_all(kit, weigh):
    def spoil(cells):
        for n, value in enumerate([0, -1, 2**19 - 1, 2**23 - 1, -(2**23), 65_535, 1_234_567]):
            place = 200 + 37 * n
            cells[n % 3][place] = (cells[n % 3][place][0], value)

        for place in (150, 153, 500, 503):  # and two in a row
            cells[0][place : place + 2] = [(t_us, 2**20 - 1) for t_us, _ in cells[0][place : place + 2]]

    clean = weigh(kit.Loads(60).set_down(3, 9), 8)
    assert [type(f) for f in weigh(kit.Loads(60).set_down(3, 9), 8, spoil=spoil)] == [type(f) for f in clean]


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (-(2**23), "out of its range"),
        (2**23 - 1, "out of its range"),
        (5_000_000, "out of its range"),
        (71_234, "stuck at one value"),
    ],
)
def test_a_broken_cell_is_a_fault_within_half_a_second_and_never_a_fall(kit, weigh, value, what):
    def spoil(cells):
        cells[1][:] = [(t, value if 3e6 < t < 5e6 else c) for t, c in cells[1]]

    facts = weigh(kit.Loads(110), 9, spoil=spoil)
    on, off = kit.told(facts, SensorFault)
    assert (on.what, on.on, off.what, off.on) == (f"cell 1: {what}", True, f"cell 1: {what}", False)
    assert 3e6 < on.t_us < 3.5e6
    assert 5e6 < off.t_us < 5.6e6
    assert "confirmed" not in stages(facts)
    assert facts[-1].mass_g == pytest.approx(110, abs=0.3)
    assert facts[-1].step_g == 0


SPARKS = [0, 2**20 - 1, 173_978]


@pytest.mark.parametrize(
    "converted",
    [
        lambda n: 71_234 + (n % 2),
        lambda n: 71_234 + (n * n % 3) - 1,
        lambda n: 71_234 if n % 4 else SPARKS[n // 4 % 3],
        lambda n: 71_234 + n % 2 if n % 9 > 1 else SPARKS[n % 3],
    ],
    ids=["flickers", "flickers by one either way", "glitches", "flickers and glitches"],
)
def test_a_cell_that_hardly_changes_is_stuck_within_half_a_second(kit, weigh, converted):
    def spoil(cells):
        cells[1][:] = [(t, converted(n) if 3e6 < t < 5e6 else c) for n, (t, c) in enumerate(cells[1])]

    facts = weigh(kit.Loads(110), 9, spoil=spoil)
    on, off = kit.told(facts, SensorFault)
    assert (on.what, on.on, off.on) == ("cell 1: stuck at one value", True, False)
    assert 3e6 < on.t_us < 3.5e6
    assert 5e6 < off.t_us < 5.6e6
    assert "confirmed" not in stages(facts)


def test_a_cell_that_says_nothing_more_makes_the_mass_unknown(kit):
    bench = kit.Bench(2)
    cells = bench.convert(kit.Loads(110), 8)
    cells[1] = [sample for sample in cells[1] if sample[0] < 2e6]
    weight = SpotWeight(SPOT, bench.plans)
    facts = []
    for reading in kit.full_stream(SPOT, cells):
        facts += weight.samples(reading)
        facts += weight.advance(reading.t_us[-1])
    settled, fault, moving = facts
    assert isinstance(settled, MassSettled)
    assert isinstance(fault, SensorFault)
    assert fault.what == "cell 1: silent"
    assert 5e6 < fault.t_us < 5.3e6
    assert isinstance(moving, MassMoving)


def test_a_cell_that_was_never_heard_keeps_the_mass_unknown(kit):
    bench = kit.Bench(3)
    cells = bench.convert(kit.Loads(110).fall(2, 50), 5)
    weight = SpotWeight(SPOT, bench.plans)
    assert [f for r in kit.full_stream(SPOT, cells) if r.cell != 2 for f in weight.samples(r)] == []


def test_a_clock_that_jumps_back_starts_anew_and_keeps_the_mass(kit):
    bench = kit.Bench(1)
    weight = SpotWeight(SPOT, bench.plans)
    facts = []
    for start_s, grams in ((1000, 50), (10, 62)):
        for reading in kit.full_stream(SPOT, bench.convert(kit.Loads(grams), 3, start_s=start_s)):
            facts += weight.samples(reading)
    _, moving, second = facts
    assert isinstance(moving, MassMoving)
    assert second.step_g == pytest.approx(12, abs=0.3)
    assert second.t_us - 10e6 < 1e6


@pytest.mark.parametrize("leap_us", [-3_000_000, -(2**30), 3_600_000_000], ids=["back", "wrapped", "on"])
@pytest.mark.parametrize("from_us", [4_030_000, 6_030_000], ids=["at rest", "under an elbow"])
def test_a_clock_that_leaps_loses_no_step_and_makes_no_fall(kit, leap_us, from_us):
    bench = kit.Bench(3)
    weight, facts = SpotWeight(SPOT, bench.plans), []
    for reading in kit.full_stream(SPOT, bench.convert(kit.Loads(90).set_down(2, 9).lean(5, 300, 2).take(9, 9), 12)):
        t_us = tuple(t + leap_us if t > from_us else t for t in reading.t_us)
        facts += weight.samples(msgspec.structs.replace(reading, t_us=t_us))
    assert steps(facts) == pytest.approx([9, -9], abs=0.3)
    assert "confirmed" not in stages(facts)
    assert not [fact for fact in facts if isinstance(fact, SensorFault)]


def test_two_platforms_that_touch_now_and_then_leave_no_step(kit, weigh):
    facts = weigh(kit.Loads(110).lean(3, 25, 1).lean(5, 25, 1).lean(7, 25, 1), 10)
    assert steps(facts) == []
    assert "confirmed" not in stages(facts)


def test_the_stations_own_alert_at_rest_is_told_to_nobody(kit):
    bench = kit.Bench(1)
    weight = SpotWeight(SPOT, bench.plans)
    readings = kit.full_stream(SPOT, bench.convert(kit.Loads(90), 6))
    facts = []
    for reading in readings:
        facts += weight.samples(reading)
        if reading.t_us[0] // 100_000 == 30:
            weight.alert(CellAlert(t_us=3_010_000, spot=SPOT, cell=0, drop=18_000))
    assert stages(facts) == []


def test_a_cell_the_station_does_not_believe_is_not_weighed(kit):
    bench = kit.Bench(1)
    weight = SpotWeight(SPOT, bench.plans)
    fault = SensorFaultReading(t_us=2_000_000, spot=SPOT, sensor="cell", what="no conversions", on=True)
    facts = []
    for n, reading in enumerate(kit.full_stream(SPOT, bench.convert(kit.Loads(90), 4))):
        if n == 20:
            facts += weight.station_fault(fault)
        facts += weight.samples(reading)
    assert [type(fact) for fact in facts] == [MassSettled, MassMoving]


def test_a_trembling_table_settles_too_though_later(kit, weigh):
    facts = weigh(kit.Loads(90).tremble(2, 0.9, 7).set_down(3, 10), 9)
    assert steps(facts) == pytest.approx([10], abs=0.3)
    assert kit.told(facts, MassSettled)[-1].t_us > 5e6


def test_slow_drift_is_followed_and_told_as_no_step(kit):
    bench = kit.Bench(1)
    weight = SpotWeight(SPOT, bench.plans)
    facts = []
    for n in range(40):  # 0.05 g/s, far more than a cell drifts
        loads = kit.Loads(80 + 0.05 * n)
        for reading in kit.full_stream(SPOT, bench.convert(loads, 1, start_s=n)):
            facts += weight.samples(reading)
    assert [type(fact) for fact in facts] == [MassSettled]


def test_a_scale_of_zero_is_refused():
    with pytest.raises(ValueError, match="calibrate"):
        SpotWeight(SPOT, (CellPlan(counts_per_g=0.0, zero_counts=0, capacity_g=1000),))


def test_an_empty_batch_says_nothing(kit):
    weight = SpotWeight(SPOT, kit.Bench(1).plans)
    assert weight.samples(CellSamples(spot=SPOT, cell=0, t_us=(), counts=())) == []


def test_a_bag_thrown_onto_its_cradle_and_rummaged_in_is_no_input_that_floats():
    cell = CellPlan(counts_per_g=716.0, zero_counts=0, capacity_g=3000)
    weight, swing = SpotWeight("seat/1/bag", (cell,), watches_falls=False), random.Random(5)
    facts = []
    for batch in range(20):
        times = tuple((batch * 8 + k) * 12_500 for k in range(8))
        hard = 300 if batch < 10 else 0.3
        counts = tuple(round(716 * (400 + swing.uniform(-hard, hard))) for _ in times)
        facts += weight.samples(CellSamples("seat/1/bag", 0, times, counts))
    assert not [fact for fact in facts if isinstance(fact, SensorFault)]


def test_what_knocks_is_asked_of_the_ear_until_nobody_listens_any_more(kit):
    weight = SpotWeight(SPOT, kit.Bench().plans)
    assert not weight.knock_history.hears(SECOND_US)
    weight.knocks(Knocks("seat-1", (SECOND_US, SECOND_US + 20_000), (30.0, 400.0), SECOND_US + 20_000))
    assert weight.knock_history.hears(SECOND_US + 500_000)
    features = dict(zip(NAMES, weight.knock_history.features(SECOND_US + 40_000, SECOND_US, SECOND_US), strict=True))
    assert (features["knocks"], features["knock_max"]) == (2, 400.0)
    weight.knocks(Knocks("seat-1", (), (), 9 * SECOND_US))
    assert weight.knock_history.features(9 * SECOND_US, 8 * SECOND_US, 8 * SECOND_US)[: len(NAMES) // 2] == [0.0] * (
        len(NAMES) // 2
    )
    assert not weight.knock_history.hears(13 * SECOND_US)
