"""Whole games of Dilluvia Project on the virtual table: with all readers, with the seats' alone, and with none."""

import msgspec
import pytest

from citytable import app
from citytable.games import box_of
from citytable.settings import Settings
from citytable.table.plan import Plan

pytestmark = [pytest.mark.broker, pytest.mark.long(24)]
BOX = box_of("dilluvia")


def settings(players, seed, **more):
    return Settings(box=BOX, options=BOX.options(players), seed=seed, **more)


def without_sensors(plan: Plan) -> Plan:
    """The same table, of which no spot senses anything."""
    replace = msgspec.structs.replace
    stations = []
    for station in plan.stations:
        without = {"reader": False, "cells": (), "ring_leds": 0, "crane_zero_mm": None, "crane_beam": False}
        spots = tuple(replace(spot, **without) for spot in station.spots)
        stations.append(replace(station, spots=spots, accelerometer=False))
    return replace(plan, stations=tuple(stations))


async def played(wanted):
    verdict = await app.rehearse(wanted)
    assert verdict.passed
    assert verdict.replay_equal
    assert verdict.counts.wrong_confirmations == 0
    assert verdict.outcome["termination"] == "seven_turns"
    return verdict


@pytest.mark.seeds("players, seed", [(2, 1)], soak=10)
async def test_a_full_table_infers_what_is_laid_out_and_bought(players, seed):
    verdict = await played(settings(players, seed))
    assert verdict.counts.actions_inferred > 20
    assert verdict.counts.questions_asked == 0


@pytest.mark.seeds("players, seed", [(2, 2)], soak=10)
async def test_people_take_from_another_line_and_look_at_tiles_and_nothing_wrong_is_confirmed(players, seed):
    verdict = await played(settings(players, seed, faults=True))
    assert verdict.counts.corrections > 0
    assert verdict.counts.unnoticed == 0


@pytest.mark.seeds("players, seed", [(3, 1)], soak=10)
async def test_the_seats_alone_infer_purchases(players, seed):
    verdict = await played(settings(players, seed, starter=True))
    assert verdict.counts.actions_inferred > 10


@pytest.mark.seeds("players, seed", [(2, 2)], soak=10)
async def test_on_a_table_without_sensors_people_say_everything(tmp_path, players, seed):
    path = tmp_path / "plan.json"
    path.write_bytes(msgspec.json.encode(without_sensors(settings(players, seed).plan())))
    verdict = await played(settings(players, seed, plan_path=path))
    assert verdict.counts.actions_inferred == 0


@pytest.mark.soak
@pytest.mark.parametrize("starter", [False, True], ids=["full", "seats alone"])
async def test_four_play(starter):
    await played(settings(4, 3, starter=starter))
