"""A whole table's readings become facts."""

import random
from itertools import chain, pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from citytable.games.megacity.spots import shared_spots
from citytable.sensing import second_look
from citytable.sensing.reading import (
    Button,
    CellAlert,
    CellQuiet,
    CellSamples,
    HeightReading,
    Inventory,
    Knocks,
    NoWeight,
    SensorFaultReading,
    StationDown,
    StationUp,
    TagRead,
)
from citytable.sensing.second_look import KEPT_NAMES
from citytable.sensing.spot_weight import SpotWeight
from citytable.sensing.table_sense import TableSense
from citytable.table.fact import (
    ButtonPressed,
    Fell,
    HeightMeasured,
    MassMoving,
    MassSettled,
    SensorFault,
    StationCame,
    StationWent,
    TagCame,
    TagLeft,
)
from citytable.table.plan import Plan, SpotPlan, StationPlan, full_plan, tag_uid

pytestmark = pytest.mark.long(12)

PADS = ("seat/1/pad/0", "seat/1/pad/1")
PLATFORM = tag_uid("platform-1/up")


@pytest.fixture
def sense(plan):
    return TableSense(plan)


def fed(sense, *readings):
    return [fact for reading in readings for fact in sense.feed(reading)]


def plan_of(bench, cells_by_spot):
    """A table of one station whose spots have the bench's cells."""
    spots = tuple(SpotPlan(spot=spot, cells=bench.plans) for spot in cells_by_spot)
    plan = full_plan("table-1", 2, shared_spots(()), ())
    return type(plan)(
        table="t",
        seats=2,
        stations=(StationPlan(station="seat-1", kind="seat", spots=spots),),
        tags={PLATFORM: "platform-1/up"},
    )


def test_tags_are_told_as_things(sense):
    (came,) = fed(sense, TagRead(t_us=1, spot="city/1/0", uid=PLATFORM, here=True))
    assert came == TagCame(t_us=1, spot="city/1/0", uid=PLATFORM, thing="platform-1/up")


def test_buttons_and_heights_are_told(sense):
    facts = fed(
        sense,
        Button(t_us=1, seat=2),
        HeightReading(t_us=2, spot=PADS[0], range_mm=200.0, spread_mm=0.4, n=10),
    )
    assert [type(fact) for fact in facts] == [ButtonPressed, HeightMeasured]


def test_a_station_comes_once_goes_once_and_its_spots_with_it(sense, plan):
    spots = next(tuple(s.spot for s in station.spots) for station in plan.stations if station.station == "seat-1")
    up = StationUp(t_us=1, station="seat-1", boot=5)
    assert fed(sense, up, up) == [StationCame(t_us=1, station="seat-1", boot=5, spots=spots)]
    down = StationDown(t_us=2, station="seat-1")
    assert fed(sense, down, down) == [StationWent(t_us=2, station="seat-1", spots=spots)]


def test_a_station_that_started_anew_without_a_word_went_and_came(sense):
    facts = fed(sense, StationUp(t_us=1, station="park", boot=5), StationUp(t_us=9, station="park", boot=6))
    assert [type(fact) for fact in facts] == [StationCame, StationWent, StationCame]


def test_after_a_restart_the_inventory_tells_what_changed_meanwhile(sense):
    spot = "city/0/0"
    facts = fed(
        sense,
        StationUp(t_us=1, station="park", boot=5),
        Inventory(t_us=2, station="park", spots=(spot,), tags=((spot, PLATFORM),)),
        StationDown(t_us=3, station="park"),
        StationUp(t_us=4, station="park", boot=6),
        Inventory(t_us=5, station="park", spots=(spot,), tags=()),
    )
    assert [type(fact) for fact in facts] == [StationCame, TagCame, StationWent, StationCame, TagLeft]
    assert facts[-1].confidence < 1


def test_a_silent_station_is_no_cell_fault_and_no_fall(kit, sense):
    bench = kit.Bench(1, scale=2147.0)
    samples = kit.full_stream("city/0/0", bench.convert(kit.Loads(50).fall(2.7, 30), 3))
    facts = fed(sense, StationUp(t_us=1, station="park", boot=5), *samples, StationDown(t_us=3_100_000, station="park"))
    assert [type(f) for f in facts[:3]] == [StationCame, MassSettled, MassMoving]
    assert "confirmed" not in [f.stage for f in facts if isinstance(f, Fell)]
    assert sense.advance(60_000_000) == ()


def bag_at_rest(t_us):
    return CellQuiet(spot="seat/1/bag", cell=0, t_us=t_us, n=80, mean=9e4, spread=40.0, low=89_900, high=90_100)


def pad_at_rest(cell, t_us):
    return CellQuiet(spot=PADS[0], cell=cell, t_us=t_us, n=80, mean=9e4, spread=40.0, low=89_900, high=90_100)


def test_a_cell_that_never_speaks_while_its_station_does_is_a_fault(sense):
    fed(sense, StationUp(t_us=1, station="seat-1", boot=5))
    assert fed(sense, *map(bag_at_rest, (1_000_000, 2_000_000))) != []
    assert sense.advance(2_500_000) == ()
    fed(sense, *map(bag_at_rest, (3_000_000, 4_000_000)))
    facts = sense.advance(4_100_000)
    assert [(f.what, f.on) for f in facts if f.spot == PADS[0]] == [(f"cell {k}: silent", True) for k in range(3)]
    assert "seat/1/bag" not in {fact.spot for fact in facts}


def test_a_hub_that_is_late_makes_no_cell_faults_however_late_it_is(sense):
    """A starved evening wrote 11,799 faults in 100 s: by a clock every scale was silent, time and again."""
    fed(sense, StationUp(t_us=1, station="park", boot=5))
    quiet = CellQuiet(spot="city/0/0", cell=0, t_us=1_000_000, n=80, mean=9e4, spread=40.0, low=89_900, high=90_100)
    fed(sense, quiet)
    assert sense.advance(3_600_000_000) == ()


def test_a_station_whose_clock_was_set_back_has_no_silent_cells(sense):
    """Of a table that was late by minutes, every scale was silent between any two of its words."""
    fed(sense, StationUp(t_us=900_000_000, station="seat-1", boot=5))
    facts = []
    for t_us in range(1_000_000, 10_000_000, 1_000_000):
        facts += [*fed(sense, bag_at_rest(t_us), *map(pad_at_rest, range(3), [t_us] * 3)), *sense.advance(t_us)]
    assert [fact for fact in facts if isinstance(fact, SensorFault)] == []


def test_a_cell_that_is_heard_later_than_another_after_a_pause_is_not_silent(sense):
    fed(sense, StationUp(t_us=1, station="seat-1", boot=5))
    facts = []
    for t_us in (1_000_000, 7_000_000, 15_000_000):  # a station that stands still for seconds, again and again
        facts += [*fed(sense, bag_at_rest(t_us)), *sense.advance(t_us)]
        facts += [*fed(sense, *map(pad_at_rest, range(3), [t_us] * 3)), *sense.advance(t_us)]
    assert [fact for fact in facts if isinstance(fact, SensorFault) and fact.spot == PADS[0]] == []


def test_the_cells_of_a_station_that_lives_without_them_are_faults(sense):
    fed(sense, StationUp(t_us=1, station="park", boot=5))
    quiet = CellQuiet(spot="city/0/0", cell=0, t_us=1_000_000, n=80, mean=9e4, spread=40.0, low=89_900, high=90_100)
    fed(sense, quiet)
    assert fed(sense, NoWeight(t_us=20_000_000, station="park")) == []
    fault, moving = sense.advance(20_000_000)
    assert (fault.what, fault.on) == ("cell 0: silent", True)
    assert isinstance(moving, MassMoving)


def test_what_a_station_finds_faulty_is_told_once_and_forgotten_when_it_goes(sense):
    fault = SensorFaultReading(t_us=2, spot="city/0/0", sensor="reader", what="no answer", on=True)
    facts = fed(sense, StationUp(t_us=1, station="park", boot=5), fault, fault, StationDown(t_us=3, station="park"))
    assert [type(fact) for fact in facts] == [StationCame, SensorFault, StationWent, SensorFault]
    assert [fact.on for fact in facts if isinstance(fact, SensorFault)] == [True, False]


def test_a_fault_that_ends_is_told(sense):
    on = SensorFaultReading(t_us=2, spot="city/0/0", sensor="cell", what="unplugged", on=True)
    off = SensorFaultReading(t_us=3, spot="city/0/0", sensor="cell", what="unplugged", on=False)
    assert [fact.on for fact in fed(sense, on, off, off)] == [True, False]


def test_sensors_the_plan_does_not_have_are_told_once(sense):
    strays = [
        CellSamples(spot="city/0/0", cell=3, t_us=(1,), counts=(5,)),
        CellSamples(spot="nowhere", cell=0, t_us=(), counts=()),
        CellAlert(t_us=2, spot="seat/1/card/0", cell=0, drop=4),
        HeightReading(t_us=3, spot="city/0/0", range_mm=100.0, spread_mm=0.1, n=3),
    ]
    facts = fed(sense, *strays, *strays)
    assert [(fact.spot, fact.sensor) for fact in facts] == [
        ("city/0/0", "cell"),
        ("nowhere", "cell"),
        ("seat/1/card/0", "cell"),
        ("city/0/0", "range"),
    ]


@pytest.mark.parametrize("left", [False, True])
def test_a_platform_whose_tag_left_was_lifted_and_did_not_fall(kit, left):
    bench = kit.Bench(3)
    sense = TableSense(plan_of(bench, PADS))
    facts = fed(sense, TagRead(t_us=1, spot=PADS[0], uid=PLATFORM, here=True))
    for reading in kit.full_stream(PADS[0], bench.convert(kit.Loads(110).fall(3, 60), 6)):
        facts += sense.feed(reading)
        if left and reading.cell == 2 and reading.t_us[0] // 100_000 == 32:
            facts += sense.feed(TagRead(t_us=3_200_000, spot=PADS[0], uid=PLATFORM, here=False))
    assert ("confirmed" in [f.stage for f in facts if isinstance(f, Fell)]) is not left


def unplugged(conversions, from_us, reach):
    """A cell's conversions with its input hanging in the air from then on, around the load it had."""
    rng = random.Random(3)
    return [(t_us, 80_000 + rng.randrange(-reach, reach) if t_us > from_us else n) for t_us, n in conversions]


@pytest.mark.parametrize("cells", [1, 3])
@pytest.mark.parametrize("from_us", [1_900_000, 2_150_000, 2_600_000], ids=["before", "while it lands", "just after"])
@pytest.mark.parametrize("what", ["rail", "floats", "silent"])
def test_a_hex_unplugged_during_a_delivery_is_a_fault_and_no_fall(kit, cells, from_us, what):
    """The platform leaves its pad at 1 s and is set down on the hex at 2 s."""
    pad, city = kit.Bench(3), kit.Bench(cells)
    stations = (
        StationPlan(station="seat-1", kind="seat", spots=(SpotPlan(spot=PADS[0], cells=pad.plans),)),
        StationPlan(station="city-1", kind="sector", spots=(SpotPlan(spot="city/1/0", cells=city.plans),)),
    )
    sense = TableSense(Plan(table="t", seats=2, stations=stations, tags={PLATFORM: "platform-1/up"}))
    on_hex = city.convert(kit.Loads(0).set_down(2, 110), 8)
    broken = {
        "rail": [(t_us, 8388607 if t_us > from_us else n) for t_us, n in on_hex[-1]],
        "floats": unplugged(on_hex[-1], from_us, 400_000 if cells == 1 else 60_000),
        "silent": [(t_us, n) for t_us, n in on_hex[-1] if t_us <= from_us],
    }
    readings = [
        *(
            (reading.t_us[-1], reading)
            for reading in kit.full_stream(PADS[0], pad.convert(kit.Loads(110).take(1, 110), 8))
        ),
        *((reading.t_us[-1], reading) for reading in kit.full_stream("city/1/0", [*on_hex[:-1], broken[what]])),
        (1_150_000, TagRead(t_us=1_150_000, spot=PADS[0], uid=PLATFORM, here=False)),
        (2_300_000, TagRead(t_us=2_300_000, spot="city/1/0", uid=PLATFORM, here=True)),
        *((t_us, StationUp(t_us=t_us, station=name, boot=1)) for t_us, name in ((0, "seat-1"), (1, "city-1"))),
    ]
    facts = [TagCame(t_us=0, spot=PADS[0], uid=PLATFORM, thing="platform-1/up")]
    sense.recall(facts[0])
    for t_us, reading in sorted(readings, key=lambda one: one[0]):
        facts += [*sense.feed(reading), *sense.advance(t_us)]
    assert [fact for fact in facts if isinstance(fact, Fell) and fact.stage == "confirmed"] == []
    assert [fact.spot for fact in facts if isinstance(fact, TagCame | TagLeft)] == [PADS[0], PADS[0], "city/1/0"]
    faults = [fact for fact in facts if isinstance(fact, SensorFault)]
    if what == "silent" and cells == 1:
        assert faults == []  # the whole station says nothing: whether it is gone the link decides
    else:
        assert [(fact.spot, fact.on) for fact in faults] == [("city/1/0", True)]
        assert what == "silent" or faults[0].t_us < from_us + 500_000
    settled = [fact for fact in facts if isinstance(fact, MassSettled) and fact.spot == "city/1/0"]
    assert not [fact for fact in settled if faults and fact.t_us > faults[0].t_us]


# properties

few = settings(max_examples=settings().max_examples // 2)
many = settings(max_examples=settings().max_examples * 3)

acts = st.lists(
    st.tuples(st.sampled_from(("set_down", "take", "lean", "bump", "fall")), st.floats(1.0, 40.0)),
    min_size=1,
    max_size=5,
)


def play(kit, drawn, start_g=150.0):
    """The loads of some acts, three seconds apart, and how long they take. Nobody takes more than lies there."""
    loads, left_g = kit.Loads(start_g), start_g
    for n, (act, wanted_g) in enumerate(drawn):
        grams = min(wanted_g, left_g) if act in {"take", "fall"} else wanted_g
        left_g += {"set_down": grams, "take": -grams, "fall": -grams}.get(act, 0.0)
        args = (2 + 3 * n, grams, 1.2) if act == "lean" else (2 + 3 * n, grams)
        if grams:
            getattr(loads, act)(*args)
    return loads, 3 * len(drawn) + 3


@few
@given(drawn=acts, seed=st.integers(0, 1000), cells=st.integers(1, 3))
@example(drawn=[("fall", 40.0)] * 4, seed=0, cells=1)  # the last of them takes what is left
def test_motion_and_rest_take_turns_and_masses_add_up(kit, drawn, seed, cells):
    bench = kit.Bench(cells, seed=seed)
    loads, seconds = play(kit, drawn)
    facts = fed(TableSense(plan_of(bench, PADS[:1])), *kit.full_stream(PADS[0], bench.convert(loads, seconds)))
    motion = kit.told(facts, MassMoving, MassSettled)
    assert all(type(one) is not type(other) for one, other in pairwise(motion))
    settled = kit.told(facts, MassSettled)
    assert settled[-1].mass_g == pytest.approx(loads.at(seconds), abs=0.5)
    for before, after in pairwise(settled):
        assert after.mass_g - before.mass_g == pytest.approx(after.step_g, abs=0.5)


@pytest.mark.parametrize("kept", [(), ("city/1/0",), ("city/2/0",)])
def test_what_is_gone_from_where_nobody_takes_pieces_fell(kit, kept, monkeypatch):
    monkeypatch.setattr(second_look, "kept_forest", lambda: kit.ALWAYS)
    monkeypatch.setattr(second_look, "rest_forest", lambda: kit.NEVER)
    bench = kit.Bench(1, seed=4)
    sense = TableSense(plan_of(bench, ("city/1/0",)))
    loads = kit.Loads(120.0).take(4, 6.0)
    sense.keep(frozenset({"city/1/0"}))
    sense.keep(frozenset(kept))
    facts = fed(sense, *kit.full_stream("city/1/0", bench.convert(loads, 8)))
    fell = [fact for fact in kit.told(facts, Fell) if fact.stage == "confirmed"]
    assert [fact.spot for fact in fell] == (["city/1/0"] if "city/1/0" in kept else [])


class Alone:
    """Trees that take for a fall what happens while all that lies beside is known to rest."""

    @staticmethod
    def chance(x):
        return float(x[KEPT_NAMES.index("beside")] == 0)


@pytest.mark.parametrize(
    ("there", "does", "fell"),
    [
        ("city/2/0", "rests", True),
        ("city/2/0", "moves", False),
        ("city/3/0", "moves", True),
        ("city/2/0", "is silent", False),
    ],
)
def test_a_hex_knows_whether_a_load_on_a_hex_beside_it_moved(kit, there, does, fell, monkeypatch):
    monkeypatch.setattr(second_look, "kept_forest", lambda: Alone)
    spots = ("city/1/0", "city/2/0", "city/3/0")
    sense = TableSense(plan_of(kit.Bench(1), spots))
    sense.keep(frozenset({"city/1/0"}))
    loads = {spot: kit.Loads(120.0) for spot in spots}
    loads["city/1/0"].take(4, 6.0)
    if does == "moves":
        loads[there].lean(3.4, 60, 1.0)
    if does == "is silent":
        del loads[there]
    streams = [kit.full_stream(spot, kit.Bench(1).convert(loads[spot], 8)) for spot in loads]
    facts = fed(sense, *sorted(chain.from_iterable(streams), key=lambda reading: reading.t_us[-1]))
    assert [fact.spot for fact in kit.told(facts, Fell) if fact.stage == "confirmed"] == ["city/1/0"] * fell


@few
@given(drawn=acts, seed=st.integers(0, 1000))
@example(drawn=[("take", 5.0), ("fall", 21.0)], seed=0)
def test_nothing_falls_without_losing_mass_and_every_alert_is_decided(kit, drawn, seed):
    bench = kit.Bench(3, seed=seed)
    loads, seconds = play(kit, drawn)
    facts = fed(TableSense(plan_of(bench, PADS[:1])), *kit.full_stream(PADS[0], bench.convert(loads, seconds)))
    alerted, rested_us = False, {fact.t_us for fact in kit.told(facts, MassSettled)}
    for fact in kit.told(facts, Fell):
        if fact.stage == "alert":
            assert not alerted
        else:
            assert alerted or (fact.stage == "confirmed" and fact.t_us in rested_us), "only the look at rest needs none"
        assert fact.lost_g >= 0
        alerted = fact.stage == "alert"
    assert not alerted


@few
@given(seed=st.integers(0, 10_000))
def test_how_the_spots_of_a_table_interleave_does_not_matter(kit, seed):
    bench = kit.Bench(3, seed=3)
    plan = plan_of(bench, PADS)
    streams = [
        kit.full_stream(PADS[0], bench.convert(kit.Loads(80).set_down(2, 9).fall(5, 40), 8)),
        kit.gated_stream(PADS[1], bench, bench.convert(kit.Loads(60).take(3, 9), 8)),
    ]
    alone = [fed(TableSense(plan), *stream) for stream in streams]
    order = random.Random(seed)
    sense, facts, left = TableSense(plan), [], [list(stream) for stream in streams]
    while any(left):
        stream = order.choice([stream for stream in left if stream])
        facts += sense.feed(stream.pop(0))
    assert [[fact for fact in facts if fact.spot == pad] for pad in PADS] == alone


spots = st.sampled_from((*PADS, "seat/1/bag", "city/0/0", "nowhere", ""))
times = st.integers(-(2**40), 2**50)
numbers = st.floats(allow_nan=True, allow_infinity=True) | st.integers(-(2**31), 2**31)
counts = st.sampled_from((0, -1, 2**23 - 1, -(2**23), 4095, 50_000)) | st.integers(-(2**31), 2**31)
garbage = st.one_of(
    st.builds(
        CellSamples,
        spot=spots,
        cell=st.integers(-1, 4),
        t_us=st.lists(times, max_size=6).map(tuple),
        counts=st.lists(counts, max_size=6).map(tuple),
        lost=st.integers(0, 9),
    ),
    st.builds(
        CellQuiet,
        spot=spots,
        cell=st.integers(-1, 4),
        t_us=times,
        n=st.integers(-1, 100),
        mean=numbers,
        spread=numbers,
        low=counts,
        high=counts,
        lost=st.integers(0, 9),
    ),
    st.builds(TagRead, t_us=times, spot=spots, uid=st.sampled_from((PLATFORM, "", "zz")), here=st.booleans()),
    st.builds(
        Inventory,
        t_us=times,
        station=st.sampled_from(("seat-1", "x")),
        spots=st.lists(spots, max_size=3).map(tuple),
        tags=st.lists(st.tuples(spots, st.sampled_from((PLATFORM, "04"))), max_size=3).map(tuple),
    ),
    st.builds(HeightReading, t_us=times, spot=spots, range_mm=numbers, spread_mm=numbers, n=st.integers(-1, 5)),
    st.builds(CellAlert, t_us=times, spot=spots, cell=st.integers(-1, 4), drop=counts),
    st.builds(
        SensorFaultReading,
        t_us=times,
        spot=spots,
        sensor=st.sampled_from(("cell", "reader", "range")),
        what=st.sampled_from(("", "a")),
        on=st.booleans(),
    ),
    st.builds(StationUp, t_us=times, station=st.sampled_from(("seat-1", "x")), boot=st.integers(0, 3)),
    st.builds(StationDown, t_us=times, station=st.sampled_from(("seat-1", "x"))),
    st.builds(NoWeight, t_us=times, station=st.sampled_from(("seat-1", "x"))),
    st.builds(Button, t_us=times, seat=st.integers(-1, 9)),
)


@many
@given(readings=st.lists(garbage, max_size=40), t_us=times)
def test_garbage_never_raises_and_tags_still_come_and_leave_in_turn(plan, readings, t_us):
    sense = TableSense(plan)
    facts = fed(sense, *readings)
    sense.advance(t_us)
    lying = set()
    for fact in facts:
        if isinstance(fact, TagCame):
            assert fact.uid not in {uid for _, uid in lying}
            lying.add((fact.spot, fact.uid))
        if isinstance(fact, TagLeft):
            lying.remove((fact.spot, fact.uid))


@few
@given(drawn=st.lists(counts, min_size=50, max_size=300), seed=st.integers(0, 9))
def test_a_cell_that_speaks_nonsense_never_makes_a_confirmed_fall_out_of_a_fault(kit, drawn, seed):
    bench = kit.Bench(1, seed=seed)
    sense = TableSense(plan_of(bench, PADS[:1]))
    facts = []
    for reading in kit.full_stream(PADS[0], bench.convert(kit.Loads(90), 2)):
        facts += sense.feed(reading)
    for n, value in enumerate(drawn):
        facts += sense.feed(CellSamples(spot=PADS[0], cell=0, t_us=(2_000_000 + 12_500 * n,), counts=(value,)))
    on = [fact.on for fact in facts if isinstance(fact, SensorFault)]
    assert on == [n % 2 == 0 for n in range(len(on))]
    if on and on[-1]:
        assert not isinstance(facts[-1], MassSettled)


@pytest.mark.parametrize(("planned", "told"), [(True, {*PADS, "seat/1/pad/2", "seat/1/bag"}), (False, set())])
def test_knocks_are_heard_at_every_scale_of_a_station_with_an_accelerometer(plan, monkeypatch, planned, told):
    stations = tuple(replace(station, accelerometer=planned) for station in plan.stations)
    sense, heard = TableSense(replace(plan, stations=stations)), []
    monkeypatch.setattr(SpotWeight, "knocks", lambda weight, reading: heard.append((weight, reading)))
    knocks = Knocks("seat-1", (5,), (80.0,), 5)
    assert fed(sense, knocks, Knocks("visitor", (5,), (80.0,), 5)) == []
    assert {(weight._spot, reading) for weight, reading in heard} == {(spot, knocks) for spot in told}


def test_a_tag_at_a_spot_that_the_plan_does_not_have_is_a_fault_once_and_no_fact(sense):
    tag = TagRead(t_us=1, spot="city/9/9", uid=PLATFORM, here=True)
    listed = Inventory(t_us=2, station="park", spots=("city/9/9", "city/0/0"), tags=(("city/9/9", PLATFORM),))
    (fault,) = fed(sense, tag, tag, listed)
    assert fault == SensorFault(t_us=1, spot="city/9/9", sensor="reader", what="not in the plan", on=True)


def test_a_station_that_makes_up_spots_without_end_is_not_remembered_without_end(sense):
    tags = [TagRead(t_us=k, spot=f"market/row/{k}", uid=PLATFORM, here=True) for k in range(90)]
    cells = [CellSamples(t_us=(k,), spot=f"track/{k}", cell=0, counts=(1,), lost=0) for k in range(90)]
    facts = fed(sense, *tags, *cells)
    assert [fact.spot for fact in facts] == [f"market/row/{k}" for k in range(16)]
