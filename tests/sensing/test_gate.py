"""A station that gates its samples tells the same story as one that sends them all."""

from itertools import pairwise

import msgspec
import pytest

from citytable.sensing.reading import CellQuiet, CellSamples, SensorFaultReading
from citytable.sensing.spot_weight import SpotWeight
from citytable.table.fact import Fell, MassMoving, MassSettled

pytestmark = pytest.mark.long(11)

SPOT = "city/1/-1"


def story(weight, readings):
    facts = []
    for reading in readings:
        facts += weight.samples(reading) if isinstance(reading, CellSamples) else weight.quiet(reading)
    return facts


def lasting(facts):
    """The story without alerts that came to nothing.

    The trees look back on 1.6 s of noise, of which a station at rest sends the mean and the spread; a likelihood that
    just touches the bar of an alert may therefore do so on one side only. What is confirmed or rests may not differ.
    """
    falls = [fact for fact in facts if isinstance(fact, Fell)]
    vain = {id(one) for pair in pairwise(falls) if pair[1].stage == "withdrawn" for one in pair}
    return [fact for fact in facts if id(fact) not in vain]


@pytest.fixture
def evening(kit):
    """Twenty-odd seconds of everything that happens to a tower."""
    return (
        kit.Loads(70)
        .set_down(4.0, 9)
        .lean(8.5, 120, 2.0)
        .bump(14.0, 15)
        .take(18.0, 9)
        .fall(23.0, 30)
        .set_down(28.0, 6)
        .take(33.2, 46)
    )


@pytest.mark.parametrize("cells", [1, 2, 3])
@pytest.mark.seeds("seed", range(4), soak=100)
def test_gated_and_full_streams_give_the_same_facts(kit, evening, cells, seed):
    bench = kit.Bench(cells, seed=seed)
    conversions = bench.convert(evening, 38)
    full = lasting(story(SpotWeight(SPOT, bench.plans), kit.full_stream(SPOT, conversions)))
    readings = kit.gated_stream(SPOT, bench, conversions)
    gated = lasting(story(SpotWeight(SPOT, bench.plans), readings))

    assert any(isinstance(reading, CellQuiet) for reading in readings)
    assert sum(len(r.counts) for r in readings if isinstance(r, CellSamples)) < sum(map(len, conversions))
    assert [(type(f), getattr(f, "stage", None)) for f in gated] == [(type(f), getattr(f, "stage", None)) for f in full]
    for one, other in zip(gated[1:], full[1:], strict=True):  # the first settles by its first summary
        assert one.t_us == pytest.approx(other.t_us, abs=400_000 if isinstance(one, Fell) else 150_000)
        if isinstance(one, MassSettled):
            assert one.mass_g == pytest.approx(other.mass_g, abs=0.2)
            assert one.step_g == pytest.approx(other.step_g, abs=0.3)
    fell = next(n for n, fact in enumerate(full) if isinstance(fact, Fell) and fact.stage == "confirmed")
    assert not [fact for fact in full[fell + 1 :] if isinstance(fact, Fell) and fact.stage == "confirmed"]
    rests = next(fact for fact in full[fell:] if isinstance(fact, MassSettled))
    assert rests.step_g == pytest.approx(-30, abs=0.5)


def test_quiet_summaries_alone_settle_a_spot(kit):
    bench = kit.Bench(3)
    weight = SpotWeight(SPOT, bench.plans)
    facts = story(weight, kit.gated_stream(SPOT, bench, bench.convert(kit.Loads(50), 3)))
    assert [type(fact) for fact in facts] == [MassSettled]
    assert facts[0].mass_g == pytest.approx(50, abs=0.2)


def quiet(t_us, mean, low=None, high=None, spread=40.0):
    low, high = mean - 90 if low is None else low, mean + 90 if high is None else high
    return CellQuiet(spot=SPOT, cell=0, t_us=t_us, n=80, mean=mean, spread=spread, low=low, high=high)


def test_a_step_too_small_for_the_gate_is_told_by_the_summaries(kit):
    bench = kit.Bench(1)
    weight = SpotWeight(SPOT, bench.plans)
    zero, scale = bench.plans[0].zero_counts, bench.plans[0].counts_per_g
    facts = []
    for n, grams in enumerate((50, 50, 50.6, 50.6)):
        facts += weight.quiet(quiet(1_000_000 * (n + 1), zero + scale * grams))
    assert [type(fact) for fact in facts] == [MassSettled, MassMoving, MassSettled]
    assert facts[-1].step_g == pytest.approx(0.6, abs=0.1)


def test_summaries_of_a_cell_the_station_does_not_believe_are_not_weighed(kit):
    weight = SpotWeight(SPOT, kit.Bench(1).plans)
    weight.station_fault(SensorFaultReading(t_us=1, spot=SPOT, sensor="cell", what="loose plug", on=True))
    assert weight.quiet(quiet(1_000_000, 60_000)) == []
    weight.station_fault(SensorFaultReading(t_us=1_500_000, spot=SPOT, sensor="cell", what="loose plug", on=False))
    assert [type(fact) for fact in weight.quiet(quiet(2_000_000, 60_000))] == [MassSettled]


def test_summaries_show_stuck_and_railed_cells_and_a_sound_one_again(kit):
    bench = kit.Bench(1)
    weight = SpotWeight(SPOT, bench.plans)
    facts = []
    facts += weight.quiet(quiet(1_000_000, 60_000))
    facts += weight.quiet(quiet(2_000_000, 60_000, 60_000, 60_000, 0.0))
    facts += weight.quiet(quiet(3_000_000, 60_000, 59_000, 2**23 - 1))
    facts += weight.quiet(quiet(4_000_000, 60_000))
    assert [(getattr(f, "what", ""), getattr(f, "on", None)) for f in facts] == [
        ("", None),
        ("cell 0: stuck at one value", True),
        ("", None),
        ("cell 0: stuck at one value", False),
        ("cell 0: out of its range", True),
        ("cell 0: out of its range", False),
        ("", None),
    ]
    assert isinstance(facts[2], MassMoving)
    assert isinstance(facts[-1], MassSettled)
    assert facts[-1].step_g == 0


@pytest.mark.parametrize(
    "broken", [{"n": 0}, {"n": -3}, {"spread": float("nan")}, {"spread": -1.0}, {"spread": float("inf")}]
)
def test_a_summary_of_nothing_is_passed_over(kit, broken):
    weight = SpotWeight(SPOT, kit.Bench(1).plans)
    assert [type(fact) for fact in weight.quiet(quiet(1_000_000, 60_000))] == [MassSettled]
    assert weight.quiet(msgspec.structs.replace(quiet(2_000_000, 90_000), **broken)) == []
    assert weight.quiet(quiet(3_000_000, 60_000)) == []
