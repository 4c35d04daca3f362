"""Virtual time: tasks run in one fixed order, and two runs of one seed are equal."""

import pytest

from tabletwin.scheduler import Impossible, Scheduler, sleep_us

pytestmark = pytest.mark.long(4)


async def ticking(log, name, period_us, times):
    for _ in range(times):
        await sleep_us(period_us)
        log.append(name)
    return name


def test_tasks_wake_in_the_order_of_their_times():
    scheduler, log = Scheduler(), []
    scheduler.spawn(ticking(log, "slow", 30, 2))
    scheduler.spawn(ticking(log, "fast", 20, 3))
    scheduler.advance(60)
    assert log == ["fast", "slow", "fast", "slow", "fast"]
    assert scheduler.now_us == 60


def test_what_is_due_later_does_not_happen():
    scheduler, log = Scheduler(), []
    task = scheduler.spawn(ticking(log, "a", 100, 2))
    scheduler.advance(199)
    assert (log, task.done) == (["a"], False)
    scheduler.advance(200)
    assert (task.done, task.result) == (True, "a")


def test_a_task_told_to_do_the_impossible_ends_with_the_reason():
    async def reach():
        await sleep_us(5)
        raise Impossible("no such card")

    scheduler = Scheduler()
    task = scheduler.spawn(reach())
    scheduler.advance(10)
    assert task.done
    assert str(task.error) == "no such card"


def test_an_error_of_ours_is_not_swallowed():
    async def stumble():
        await sleep_us(1)
        raise ZeroDivisionError

    scheduler = Scheduler()
    scheduler.spawn(stumble())
    with pytest.raises(ZeroDivisionError):
        scheduler.advance(1)


def test_a_cancelled_task_never_runs_again():
    scheduler, log = Scheduler(), []
    task = scheduler.spawn(ticking(log, "a", 10, 5))
    scheduler.advance(25)
    task.cancel()
    scheduler.advance(100)
    assert log == ["a", "a"]


def played(game):
    """An hour at the table, shortened."""
    game.wait(2)
    supply = game.set_up()["supply"]
    game.answer(
        {"act": "take_pieces", "seat": 1, "announced": None},
        {"act": "take_contract", "seat": 1, "column": "public"},
        {"act": "take_platform", "seat": 1, "platform": supply[0][0]},
        {"act": "lean", "spot": "city/1/0"},
    )
    chosen = {}
    for piece in game.world.seat(1).pieces:
        chosen[piece.material] = chosen.get(piece.material, 0) + 1
    game.act("build", seat=1, platform=supply[0][0], pieces=chosen, at_least_mm=20, cube=True)
    game.act("deliver", seat=1, platform=supply[0][0], at=[0, 1], outcome="stands")
    game.answer({"act": "reboot", "station": "sector-2"}, {"act": "pass_bag", "from": 1, "to": 2})
    return game.published


def test_two_runs_of_one_seed_publish_the_same_messages(new_game):
    assert played(new_game(seed=11)) == played(new_game(seed=11))


def test_another_seed_is_another_evening(new_game):
    assert played(new_game(seed=11)) != played(new_game(seed=12))


def test_stations_have_clocks_of_their_own(new_game):
    game = new_game()
    game.wait(1)
    readings = {message["at"][1] for message in game.told("birth")}
    assert len(readings) == len(game.table.stations)
