"""A virtual board: it looks at its cells as a real one does, and more rarely only where nothing can be missed."""

import itertools
import json
from errno import ETIMEDOUT

import pytest

from tabletwin.board import POLL_US, REST_US
from tabletwin.forces import Step
from tabletwin.scheduler import Scheduler, sleep_us, within_us
from tabletwin.shocks import ON_BASE
from tablewire.messages import KNOCK_MG

pytestmark = pytest.mark.long(4)

SPOT = "seat/1/pad/0"


@pytest.fixture
def looks(game, monkeypatch):
    """When the seat's station looked at its cells."""
    weigh = game.table.stations["seat-1"].program._weigh
    moments = []
    look = weigh.look
    monkeypatch.setattr(weigh, "look", lambda: (moments.append(game.table.now_us), look()))
    return moments


def gaps(moments):
    return {later - earlier for earlier, later in itertools.pairwise(moments)}


def test_a_table_at_rest_is_looked_at_ten_times_a_second(game, looks):
    game.wait(3)
    looks.clear()
    game.wait(3)
    assert gaps(looks) == {REST_US}


def test_a_cell_that_is_pressed_is_looked_at_at_once_and_often(game, looks):
    game.wait(3)
    game.table.scheduler.advance(game.table.now_us + 33_000)
    looks.clear()
    pressed_us = game.table.now_us
    game.world.press(SPOT, Step(pressed_us, 50.0, 700_000))
    game.wait(0.6)
    assert 0 < looks[0] - pressed_us <= POLL_US
    assert gaps(looks) == {POLL_US}
    game.wait(1)
    looks.clear()
    game.wait(2)
    assert gaps(looks) == {REST_US}


def cell_of(game, spot, number=0):
    return game.world._cells[spot][number]


def fault_words(game):
    return [(fault["spot"], fault["what"].split(":")[0], fault["on"]) for fault in game.told("fault")]


def test_cells_that_break_are_told_and_cells_that_heal_too(game):
    game.wait(3)
    cell_of(game, SPOT, 1).unplug()
    cell_of(game, "city/1/0").stick(5)
    cell_of(game, "seat/2/bag").slow_down()
    game.world.press("city/2/0", Step(game.table.now_us, 90_000.0))
    game.wait(0.6)
    assert sorted(fault_words(game)) == [
        ("city/1/0", "cell 0 repeats one value", True),
        ("city/2/0", "cell 0 is at the end of its range", True),
        (SPOT, "cell 1 gives no conversions", True),
    ]
    game.wait(4)
    assert ("seat/2/bag", "cell 0 does not convert 60 to 110 times a second", True) in fault_words(game)
    cell_of(game, SPOT, 1).plug_in()
    cell_of(game, "city/1/0").stick(None)
    game.wait(3)
    told = fault_words(game)
    assert (SPOT, "cell 1 gives no conversions", False) in told
    assert ("city/1/0", "cell 0 repeats one value", False) in told
    assert len(told) == 6


def test_every_station_tells_its_health(game):
    game.wait(11)
    told = {health["boot"]: health for health in game.told("health")}
    assert len(told) == len(game.table.stations)
    for health in told.values():
        for cell in health["cells"]:
            assert 74 <= cell["rate_hz"] <= 93
            assert 30 <= cell["noise"] <= 60
            assert cell["distinct"] > 80
        for reader in health["readers"]:
            assert reader["silent"] == 0 < reader["answered"]
        for ranger in health["rangers"]:
            assert ranger["bad"] == 0 < ranger["n"]


def test_no_task_of_any_station_is_found_without_life(game):
    game.wait(30)
    assert game.told("log") == []


async def answer(after_us):
    await sleep_us(after_us)
    return "answer"


def test_what_ends_in_time_is_returned_and_what_does_not_is_given_up():
    async def ask(after_us):
        return await within_us(100, answer(after_us))

    scheduler = Scheduler()
    soon, late = scheduler.spawn(ask(100)), scheduler.spawn(give_up_on(ask(101)))
    scheduler.advance(100)
    assert (soon.result, late.result) == ("answer", ETIMEDOUT)


def test_many_short_waits_are_as_long_as_one():
    async def wander():
        for _ in range(11):
            await sleep_us(10)

    scheduler = Scheduler()
    late = scheduler.spawn(give_up_on(within_us(100, wander())))
    scheduler.advance(99)
    assert not late.done
    scheduler.advance(100)
    assert late.result == ETIMEDOUT


async def give_up_on(work):
    try:
        await work
    except OSError as error:
        return error.errno


def test_a_sleep_is_ended_early_once_and_never_made_longer():
    log = []

    async def sleeper():
        for _ in range(3):
            await sleep_us(100)
            log.append(scheduler.now_us)

    scheduler = Scheduler()
    task = scheduler.spawn(sleeper())
    scheduler.advance(10)
    scheduler.wake(task, 30)
    scheduler.wake(task, 70)
    scheduler.advance(400)
    assert log == [30, 130, 230]
    scheduler.wake(task, 500)
    scheduler.advance(1000)
    assert log == [30, 130, 230]


def test_every_station_that_weighs_says_once_a_second_that_it_listens(game):
    heard = {birth["kind"]: birth.get("accelerometer") for birth in game.told("birth")}
    assert heard == {"sector": True, "park": True, "seat": True, "supply": None}
    game.wait(2)
    game.forget()
    game.wait(10)
    samples = [message for message in game.published if message.channel == "samples"]
    told = [message.station for message in samples if json.loads(message.payload)["type"] == "knocks"]
    assert {told.count(name) for name in game.table.stations} - {0} <= {9, 10, 11}
    assert set(told) == set(game.table.stations) - {"supply"}


def test_what_falls_beside_a_platform_is_told_before_the_conversions_of_that_moment(game):
    game.wait(3)
    game.forget()
    now_us = game.table.now_us
    game.world.press(SPOT, Step(now_us, -5.0, 700_000))
    game.world.shocks.strike(SPOT, now_us + 10_000, 900.0, ON_BASE)
    game.wait(0.5)
    (knocks, *_) = [one for one in game.told("knocks") if one["peak_mg"]]
    assert min(knocks["peak_mg"]) >= KNOCK_MG
    after = [one for one in game.told("samples") if one["spot"] == SPOT and _end_us(one) >= _us(knocks["at"])]
    assert after
    assert all(one["sample_seq"] > knocks["sample_seq"] for one in after)


def test_a_table_without_accelerometers_tells_of_no_knocks(new_game, starter_plan):
    plan = json.loads(starter_plan)
    for station in plan["stations"]:
        station["accelerometer"] = False
    game = new_game(seats=2, plan=json.dumps(plan))
    game.wait(3)
    assert game.told("knocks") == []
    assert [birth.get("accelerometer") for birth in game.told("birth")] == [None, None]


def _us(clock):
    return (clock[0] << 30) + clock[1]


def _end_us(samples):
    return _us(samples["at"]) + sum(samples["dt_us"])
