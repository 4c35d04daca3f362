"""Virtual time beside the clock on the wall."""

import pytest

from tabletwin import pace
from tabletwin.pace import BEHIND_US, LEAP_US, RealPace
from tablewire.messages import decode, encode

SPEED = 4.0


class Wall:
    """The clock on the wall, and a network that lets it go on while it waits for messages."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.inbox = []
        self.published = []
        self.waited = []

    def monotonic(self):
        return self.now_s

    def serve(self, timeout_s, others=()):
        self.waited.append(timeout_s)
        self.now_s += timeout_s
        return []

    def publish(self, message):
        self.published.append(message)


@pytest.fixture
def wall(monkeypatch):
    wall = Wall()
    monkeypatch.setattr(pace, "time", wall)
    return wall


@pytest.fixture
def table(new_game):
    return new_game().table


def test_virtual_time_is_the_time_on_the_wall_times_the_speed(table, wall):
    real = RealPace(table, wall, SPEED)
    for _ in range(50):
        real.step()
    assert table.now_us == pytest.approx((wall.now_s - 100.0) * SPEED * 1e6, abs=1)
    assert [message.channel for message in wall.published].count("event") >= len(table.stations), "inventories"


def test_a_station_answers_the_clock_question_with_the_time_of_its_arrival(table, wall):
    """Not with the time of the step before: at 4 times the speed that would be 120 ms ago."""
    real = RealPace(table, wall, SPEED)
    real.step()
    wall.published.clear()
    wall.now_s += 0.020
    wall.inbox.append(("park", "ping", encode({"type": "ping", "id": 3})))
    real.step()
    (pong,) = [decode("pong", message.payload) for message in wall.published if message.channel == "pong"]
    now = table.stations["park"]._port.ticks_us()
    assert (pong["received"][1], pong["sent"][1]) == (now, now)


def test_what_was_missed_is_caught_up_with_in_steps_and_without_waiting(table, wall):
    real = RealPace(table, wall, SPEED)
    wall.now_s += 1.0
    wall.waited.clear()
    before_us, steps = table.now_us, 0
    while table.now_us < (wall.now_s - 100.0) * SPEED * 1e6 - 1:
        real.step()
        steps += 1
        assert table.now_us - before_us <= LEAP_US
        before_us = table.now_us
    assert steps == 5
    assert wall.waited[1:] == [0.0] * 4


def test_after_a_long_sleep_of_the_machine_time_goes_on_from_where_it_was(table, wall):
    real = RealPace(table, wall, SPEED)
    real.step()
    before_us = table.now_us
    wall.now_s += 3600.0
    real.step()
    assert table.now_us == before_us + LEAP_US
    assert LEAP_US < BEHIND_US
    asleep_us = (wall.now_s - 100.0) * SPEED * 1e6 - table.now_us
    for _ in range(10):
        real.step()
    assert (wall.now_s - 100.0) * SPEED * 1e6 - table.now_us == pytest.approx(asleep_us, abs=2), "neither lost nor won"
