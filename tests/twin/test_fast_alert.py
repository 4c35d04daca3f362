"""The watch on the virtual table: how soon it alerts, by the models of chips that convert at their own time."""

import json

import pytest

from tabletwin.forces import Push, Step

pytestmark = pytest.mark.long(6)

PROMISED_US = 75_000
SLOWEST_US = 13_500
SPOTS = ("city/1/0", "city/-2/3", "seat/1/pad/0", "seat/2/pad/2")
LIMIT_G = 8.0


def alerts(game, spot):
    return [alert for alert in game.told("alert") if alert["spot"] == spot]


def virtual_us(game, message):
    """When an alert was raised, by the clock of its station."""
    for station in game.table.stations.values():
        if station.program.boot == message["boot"]:
            ticks = message["at"][1]
            now_us = game.table.now_us
            return now_us - (station._port.ticks_at(now_us) - ticks) % (1 << 30)
    raise AssertionError("an alert of nobody")


@pytest.mark.parametrize("spot", SPOTS)
@pytest.mark.parametrize("lost_g", [LIMIT_G * 4 / 3, 20.0, 60.0, 250.0])
def test_an_alert_is_raised_within_75_ms_of_the_first_conversion_that_shows_the_drop(new_game, spot, lost_g):
    game = new_game(seed=int(lost_g))
    game.world.press(spot, Step(0, 300.0))
    game.wait(4)
    delays = []
    for k in range(8):
        game.table.scheduler.advance(game.table.now_us + 13_337 * k)
        at_us = game.table.now_us
        game.world.press(spot, Step(at_us, -lost_g))
        game.wait(0.5)
        delays.append(virtual_us(game, alerts(game, spot)[k]) - at_us)
        game.world.press(spot, Step(game.table.now_us, lost_g))
        game.wait(3)
    assert len(alerts(game, spot)) == 8, "one for each"
    assert min(delays) > 0
    assert max(delays) <= SLOWEST_US + PROMISED_US, "a conversion passes before anything can be seen"


def test_a_cell_mounted_upside_down_alerts_as_well_and_in_its_own_counts(new_game, upside_down_plan):
    game = new_game(plan=upside_down_plan)
    game.world.press("city/1/0", Step(0, 300.0))
    game.wait(4)
    game.world.press("city/1/0", Step(game.table.now_us, -50.0))
    game.wait(2)
    (alert,) = alerts(game, "city/1/0")
    scale = json.loads(upside_down_plan)["stations"][0]["spots"][0]["cells"][0]["counts_per_g"]
    assert scale < 0
    assert 8 < alert["drop"] / scale < 60
    game.world.press("city/1/0", Step(game.table.now_us, 50.0))
    game.wait(4)
    assert len(alerts(game, "city/1/0")) == 1, "a load is no drop"


@pytest.fixture
def upside_down_plan(starter_plan):
    """A plan whose only cell shows less when it carries more."""
    plan = json.loads(starter_plan)
    cell = {"counts_per_g": -2147.0, "zero_counts": 0, "capacity_g": 1000}
    spot = {"spot": "city/1/0", "cells": [cell], "reader": False, "ring_leds": 0, "crane_zero_mm": None}
    plan["stations"] = [{"station": "sector-1", "kind": "sector", "spots": [spot], "button_seat": None}]
    return json.dumps(plan)


def test_leaning_bumping_and_putting_things_down_alert_never(new_game):
    game = new_game()
    game.wait(3)
    for k, spot in enumerate(SPOTS * 3):
        game.world.press(spot, Push(game.table.now_us, 900_000, 300.0 + 40 * k, 0.2))
        game.wait(2)
        game.world.press(spot, Step(game.table.now_us, 4.0 + 9 * k))
        game.wait(1.3)
        game.world.press(spot, Push(game.table.now_us, 30_000, 60.0, 0.0))
        game.wait(1.1)
    assert game.told("alert") == []
    assert len(game.told("samples")) > 100
