"""A plan file that changes while the hub runs counts at once: the game goes on, and nobody starts the hub again."""

import os
import signal

import pytest
from msgspec.structs import replace

from citytable.doctor.plan_file import write_plan
from citytable.games.megacity.box import BOX
from citytable.plan_watch import PlanWatch
from citytable.table.plan import full_plan, load_plan

TAG = "04bb000000"


@pytest.fixture
def whole():
    return full_plan("cafe", 2, BOX.shared_spots(), BOX.things(2))


@pytest.fixture
def path(tmp_path, whole):
    """A plan file of a table without its second seat."""
    path = tmp_path / "cafe.json"
    write_plan(path, replace(whole, stations=tuple(one for one in whole.stations if one.station != "seat-2")))
    return path


def _looks(watch) -> list[bool]:
    """It looks twice: a file that has just changed may still be written to."""
    return [watch.look(), watch.look()]


def test_a_station_a_figure_and_a_tag_are_news_and_the_same_file_again_is_none(path, whole):
    plan = load_plan(path)
    watch = PlanWatch(path, plan, {TAG}.__contains__)
    assert _looks(watch) == [False, False]
    write_plan(path, whole)
    assert _looks(watch) == [False, True]
    seat = plan.stations[0]
    finer = replace(seat.spots[0], cells=tuple(replace(one, counts_per_g=2000.0) for one in seat.spots[0].cells))
    write_plan(path, replace(plan, stations=(replace(seat, spots=(finer, *seat.spots[1:])), *plan.stations[1:])))
    assert _looks(watch)[1]
    write_plan(path, replace(plan, tags={**plan.tags, TAG: "contract/PU1"}))
    assert not any(_looks(watch)), "a tag that was enrolled at the page counts already"
    write_plan(path, replace(plan, tags={**plan.tags, "04cc000000": "contract/PU1"}))
    assert _looks(watch)[1]


def test_a_file_that_makes_no_sense_or_is_gone_is_no_news(path):
    watch = PlanWatch(path, load_plan(path), lambda _: True)
    path.write_text("{")
    assert not any(_looks(watch))
    path.unlink()
    assert not any(_looks(watch))


def test_a_file_that_does_not_change_is_read_once(path, monkeypatch):
    read = []
    monkeypatch.setattr("citytable.plan_watch.load_plan", lambda file: read.append(file) or load_plan(file))
    watch = PlanWatch(path, load_plan(path), lambda _: True)
    assert not any(watch.look() for _ in range(6))
    assert len(read) == 1


@pytest.mark.broker
def test_a_new_station_plays_in_the_game_that_goes_on_at_the_same_port(started, until, path, whole, tmp_path):
    words = ("run", "--no-twin", "--plan", str(path), "--players", "2", "--serial", "", "--no-open", "--port", "0")
    running = started(*words, XDG_DATA_HOME=str(tmp_path))
    (host,) = running.hosts()
    host.begins(2, same_people=True, names=["Ada", "Bo"])
    phone, game = host.phone(2), host.asks("/api/game")["after"]
    assert host.asks("/api/care")["by_the_file"]
    broker = running.pid_of("mosquitto")
    write_plan(path, whole)
    running.says(r"(?s)going on with game.*\nphones ")
    assert host.asks("/api/game")["after"] == game
    assert [one["name"] for one in host.view()["scene"]["players"]] == ["Ada", "Bo"]
    assert phone.asks("/api/entered") == ["seat/2"]
    assert host.asks("/api/care")["by_the_file"]
    os.kill(broker, 0)  # stations and commands at it stayed connected
    assert running.end(signal.SIGINT) == 0
