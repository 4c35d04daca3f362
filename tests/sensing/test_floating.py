"""Inputs that hang in the air quietly: told as faults and as nothing else, and no load is taken for one."""

import random

import msgspec
import pytest

from citytable.sensing import detector
from citytable.sensing.spot_weight import SpotWeight
from citytable.table.fact import Fell, SensorFault

TILE_G = 30.0
SCALE = 900.0


def unplugged(rows, cell, size_g, *, walks=False, from_us=4_000_000, to_us=9_000_000, middle_g=0.0):
    """The rows with one cell that jumps about by `size_g`, around a middle or on and on."""
    noise, out, at_g = random.Random(5), [], middle_g
    for t_us, counts in rows:
        step_g = noise.gauss(0, size_g)
        at_g = at_g + step_g if walks else middle_g + step_g
        mine = from_us < t_us < to_us
        out.append((t_us, [round(at_g * SCALE) if mine and k == cell else c for k, c in enumerate(counts)]))
    return out


@pytest.fixture
def run(kit):
    def run(rows, cells=3):
        watch = detector(kit.cal(cells, SCALE, TILE_G))
        told = [event for t_us, counts in rows for event in watch.update(t_us, counts)]
        return [event for event in told if event.kind != "disturbance"]

    return run


@pytest.mark.parametrize(("size_g", "walks"), [(12, False), (40, False), (250, False), (9, True), (60, True)], ids=str)
def test_one_of_several_cells_that_floats_is_a_fault_once_and_nothing_else(kit, run, size_g, walks):
    events = run(unplugged(kit.rows(kit.Loads(TILE_G + 80), 11), 1, size_g, walks=walks))
    assert [(event.kind, event.cell, event.sub) for event in events] == [("fault", 1, "disconnect")]
    assert 4_000_000 < events[0].t_us < 4_500_000


@pytest.mark.parametrize(("size_g", "middle_g"), [(25, 0), (60, 40), (180, 60)], ids=str)
def test_the_only_cell_floats_when_it_reads_less_than_nothing_or_jumps_beyond_measure(kit, run, size_g, middle_g):
    events = run(unplugged(kit.rows(kit.Loads(TILE_G + 80), 11, cells=1), 0, size_g, middle_g=middle_g), cells=1)
    assert [event.kind for event in events] == ["fault"]
    assert 4_000_000 < events[0].t_us < 4_500_000


@pytest.mark.parametrize("value", [-1, 0, 41_000])
@pytest.mark.parametrize("cells", [1, 3])
def test_a_converter_that_stands_still_is_never_a_load(kit, run, cells, value):
    rows = kit.rows(kit.Loads(TILE_G + 80), 9, cells=cells)
    events = run([(t, [value, *counts[1:]] if 4e6 < t < 7e6 else counts) for t, counts in rows], cells=cells)
    assert [(event.kind, event.sub) for event in events] == [("fault", "stuck")]


def test_loads_that_waited_for_a_suspicion_are_judged_as_they_came(kit, run):
    """A fall while one cell is misread twice in a tenth of a second."""
    rows = kit.rows(kit.Loads(TILE_G + 80).fall(4.0, 50), 9)
    spoilt = unplugged(rows, 2, 30, from_us=4_050_000, to_us=4_120_000, middle_g=25)
    falls = [event for event in run(spoilt) if event.stage == "confirmed" and event.kind != "fault"]
    assert [event.kind for event in falls] == ["collapse"]
    assert falls[0].t_us < 5_000_000


def test_what_shakes_all_cells_of_a_spot_is_no_fault(kit, run):
    loads = kit.Loads(TILE_G + 80).tremble(2, 60, 3).bump(6, 200).lean(8, 900, 2).set_down(12, 9)
    assert [event.kind for event in run(kit.rows(loads, 15)) if event.stage == "confirmed"] == ["piece_added"]


def test_a_cell_of_a_table_that_floats_is_a_fault_and_comes_back(kit):
    bench, floats = kit.Bench(), random.Random(3)
    cells = bench.convert(kit.Loads(110), 9)
    cells[0][:] = [(t, round(floats.gauss(0, 30) * SCALE) if 3e6 < t < 5e6 else c) for t, c in cells[0]]
    weight, facts = SpotWeight("hex", bench.plans), []
    for reading in kit.full_stream("hex", cells):
        facts += weight.samples(reading)
    on, off = kit.told(facts, SensorFault)
    assert (on.what, on.on, off.on) == ("cell 0: input hangs in the air", True, False)
    assert 3e6 < on.t_us < 3.6e6
    assert 5e6 < off.t_us < 5.6e6
    assert [fact.stage for fact in kit.told(facts, Fell) if fact.stage == "confirmed"] == []
    assert facts[-1].mass_g == pytest.approx(110, abs=0.3)


def unfed(rows, cells, from_us=4_000_000, to_us=9_000_000):
    """The rows with cells whose bridges have lost their supply: what is left is the converter's own noise around 0."""
    noise = random.Random(7)
    return [
        (t, [noise.randrange(-30, 31) if k in cells and from_us < t < to_us else c for k, c in enumerate(counts)])
        for t, counts in rows
    ]


@pytest.mark.parametrize("cell", [0, 1, 2])
def test_a_bridge_that_loses_its_supply_is_a_fault_and_no_collapse(kit, run, cell):
    events = run(unfed(kit.rows(kit.Loads(TILE_G + 80), 11), {cell}))
    assert [(event.kind, event.cell, event.sub) for event in events] == [("fault", cell, "disconnect")]
    assert 4_000_000 < events[0].t_us < 4_500_000


@pytest.mark.parametrize("cells", [1, 3])
def test_bridges_that_lose_their_supply_together_are_faults_and_no_lift(kit, cells):
    rows = [(t, [c + 60_000 for c in counts]) for t, counts in kit.rows(kit.Loads(TILE_G + 80), 11, cells=cells)]
    cal = kit.cal(cells, SCALE, TILE_G)
    cal = msgspec.structs.replace(cal, zero_counts=tuple(zero + 60_000 for zero in cal.zero_counts))
    watch = detector(cal)
    told = [event for t, counts in unfed(rows, set(range(cells))) for event in watch.update(t, counts)]
    assert {event.kind for event in told if event.kind != "disturbance"} == {"fault"}


def test_a_platform_that_is_lifted_where_an_empty_cell_reads_raw_nothing_is_lifted(kit):
    cal = kit.cal(3, SCALE, TILE_G)
    rows = kit.rows(kit.Loads(TILE_G + 80).snatch(4.0, TILE_G + 80), 9)
    raw = [(t, [round(c - zero) for c, zero in zip(counts, cal.zero_counts, strict=True)]) for t, counts in rows]
    watch = detector(msgspec.structs.replace(cal, zero_counts=(0.0, 0.0, 0.0)))
    told = [event for t, counts in raw for event in watch.update(t, counts)]
    assert "platform_lifted" in [event.kind for event in told]
    assert "fault" not in [event.kind for event in told]
