"""A plan file with a slip of the pen is refused, and all slips are named."""

import msgspec
import pytest

from citytable.games.megacity.spots import shared_spots
from citytable.table.plan import Misconfigured, full_plan, load_plan, starter_plan
from tablestation.seam import NOMINAL_COUNTS_PER_G
from tabletwin.chips.hx711 import Bridge

CELL = {"counts_per_g": 2147.0, "zero_counts": 0, "capacity_g": 1000}


@pytest.fixture
def loaded(tmp_path):
    """`loaded(plan)`: the plan of a file that holds this."""

    def load(plan):
        (tmp_path / "plan.json").write_bytes(msgspec.json.encode(plan))
        return load_plan(tmp_path / "plan.json")

    return load


def test_plan_station_and_desk_count_the_same_for_a_gram_by_the_data_sheets():
    whole = full_plan("salon", 2, shared_spots(("public", "commercial")), ())
    cells = {cell.capacity_g: cell.counts_per_g for spot in whole.spot_plans().values() for cell in spot.cells}
    assert cells == {1000: 2147.0, 3000: 716.0}
    assert cells[1000] == NOMINAL_COUNTS_PER_G == Bridge(None).counts_per_g


def plan_of(*spots, **fields):
    station = {"station": "corner", "kind": "park", "spots": list(spots)} | fields.pop("station", {})
    return {"table": "salon", "seats": 2, "stations": [station], "tags": {}} | fields


@pytest.mark.parametrize(
    "plan", [full_plan("salon", 4, shared_spots(("public", "commercial")), ()), starter_plan("salon", 2, ())]
)
def test_a_plan_of_ours_is_read_as_it_was_written(loaded, plan):
    assert loaded(plan) == plan


@pytest.mark.parametrize(
    ("plan", "slip"),
    [
        (plan_of(table="salon/2"), "'salon/2' is not a name"),
        (plan_of(station={"station": "a corner"}), "'a corner' is not a name"),
        (plan_of(stations=plan_of()["stations"] * 2), "2 stations are called 'corner'"),
        (plan_of({"spot": "city/1/0"}, {"spot": "city/1/0"}), "'city/1/0' is there 2 times"),
        (plan_of({"spot": "city/1/-l"}), "'city/1/-l' is no spot of a table"),
        (plan_of({"spot": "city/1"}), "'city/1' is no spot of a table"),
        (plan_of({"spot": "Market/row/1"}), "'Market/row/1' is no spot of a table"),
        (plan_of({"spot": "seat/0/bag"}), "'seat/0/bag' is no spot of a table"),
        (plan_of({"spot": "city/1/0", "cells": [CELL] * 4}), "city/1/0 has 4 cells, of at most 3"),
        (plan_of({"spot": "city/1/0", "cells": [CELL | {"capacity_g": 0}]}), "a cell that may carry nothing"),
        (plan_of({"spot": "city/1/0", "ring_leds": -1}), "city/1/0 has -1 LEDs"),
        (plan_of({"spot": "city/1/0", "readers": True}), "unknown field `readers`"),
        (plan_of({"spot": "city/1/0", "cells": [CELL | {"scale": 2}]}), "unknown field `scale`"),
        (
            plan_of({"spot": "city/1/0"}, station={"accelerometer": True}),
            "corner has an accelerometer and no load cell",
        ),
        (plan_of(station={"button_seat": 3}), "corner has the button of seat 3, of 2"),
    ],
)
def test_a_slip_is_named(loaded, plan, slip):
    with pytest.raises(Misconfigured, match="correct the file") as refusal:
        loaded(plan)
    assert slip in str(refusal.value)


@pytest.mark.parametrize("spot", ["city/4/0", "market/row/11", "seat/3/park", "supply/contract/public", "track/7"])
def test_which_spots_a_table_has_its_plan_says(loaded, spot):
    assert list(loaded(plan_of({"spot": spot})).spot_plans()) == [spot]


def test_a_full_table_hears_wherever_it_weighs_and_a_starter_table_nowhere():
    full, starter = full_plan("salon", 4, shared_spots(("public",)), ()), starter_plan("salon", 2, ())
    weighing = {one.station for one in full.stations if any(there.cells for there in one.spots)}
    assert {one.station for one in full.stations if one.accelerometer} == weighing
    assert not any(one.accelerometer for one in starter.stations)


def test_all_slips_are_named_at_once(loaded):
    with pytest.raises(Misconfigured) as refusal:
        loaded(plan_of({"spot": "moon"}, {"spot": "city/0/0", "ring_leds": -3}, table=""))
    assert "'' is not a name" in str(refusal.value)
    assert "'moon' is no spot of a table; city/0/0 has -3 LEDs: correct the file" in str(refusal.value)
