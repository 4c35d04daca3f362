"""Whole games on virtual tables that do not sense everything: more is said and asked, and it is the same game."""

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from citytable.games.megacity.pieces import HOUSE, things
from citytable.games.megacity.spots import shared_spots
from citytable.table.plan import full_plan, starter_plan

pytestmark = [pytest.mark.broker, pytest.mark.long(14)]

CITYTABLE = Path(sys.executable).parent / "citytable"
FULL = full_plan("salon", 2, shared_spots(), things(HOUSE, 2))


def without_cells(*kinds):
    """The full plan, its stations of these kinds without load cells."""
    unweighed = [tuple(replace(spot, cells=()) for spot in one.spots) for one in FULL.stations]
    bare = (replace(one, spots=spots, accelerometer=False) for one, spots in zip(FULL.stations, unweighed, strict=True))
    stations = (new if new.kind in kinds else old for new, old in zip(bare, FULL.stations, strict=True))
    return replace(FULL, stations=tuple(stations))


PLANS = {
    "seats": None,
    "readers only": without_cells("sector", "park", "seat", "supply"),
    "seats without tags": replace(starter_plan("cafe", 4, ()), stations=starter_plan("cafe", 2, ()).stations),
    "park only": replace(FULL, stations=tuple(one for one in FULL.stations if one.kind == "park")),
    "city without cells": without_cells("sector", "park"),
}


SAMPLE = "readers only"
"""The plan that every run plays; the others are for `make soak-tests`."""

GAMES = [name if name == SAMPLE else pytest.param(name, marks=pytest.mark.soak) for name in PLANS]


@pytest.mark.parametrize("name", GAMES)
def test_a_game_comes_out_as_people_meant_it(tmp_path, name):
    plan, file = PLANS[name], tmp_path / "plan.json"
    file.write_bytes(msgspec.json.encode(plan))
    table = ("--starter",) if plan is None else ("--plan", file)
    words = ("--players", "2", "--seed", "2", "--simplified", "--json")
    done = subprocess.run([CITYTABLE, "rehearse", *words, *table], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    verdict = json.loads(done.stdout)
    assert (verdict["equal"], verdict["replay_equal"], done.returncode) == (True, True, 0)
    counts = verdict["counts"]
    assert counts["wrong_confirmations"] == 0
    assert counts["questions_asked"] > 0
    assert counts["actions"] > counts["actions_inferred"]
    assert (counts["actions_inferred"] > 0) is (name != "park only")


def test_a_plan_and_a_starter_table_are_not_both(tmp_path):
    words = ("--starter", "--plan", tmp_path / "plan.json")
    done = subprocess.run([CITYTABLE, "rehearse", *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "leave out --starter" in done.stderr
