"""The supervisor: the watchdog is fed while every task lives, and a dead one is named."""

import pytest


def complaints(bench):
    return [(line["level"], line["text"]) for line in bench.told("log")]


def test_while_all_tasks_live_the_watchdog_is_fed(bench):
    bench.spot("seat/1/pad/0", cells=(0,), reader=True, ring=12, crane=True).start().run(60_000)
    assert bench.port.now_us - bench.port.fed_us <= 500_000
    assert complaints(bench) == []


def test_a_task_that_hangs_is_named_and_the_watchdog_is_fed_no_more(bench):
    bench.spot("seat/1/pad/0", cells=(0,)).start().run(5_000)
    bench.board.poll_ms = 3_600_000
    bench.run(60_000)
    assert bench.port.fed_us <= 7_000_000
    ((level, text),) = complaints(bench)
    assert level == "error"
    assert "weigh" in text


def test_a_task_that_is_slow_once_is_forgiven(bench):
    bench.spot("seat/1/pad/0", cells=(0,)).start().run(5_000)
    bench.board.poll_ms = 2_000
    bench.run(100)
    bench.board.poll_ms = 20
    bench.run(10_000)
    assert bench.port.now_us - bench.port.fed_us <= 500_000


class Broken:
    def take(self):
        raise ValueError("button of clay")


def test_a_task_that_raises_is_told_with_what_it_raised_and_nobody_catches_it(bench):
    bench.button = Broken()
    bench.start()
    with pytest.raises(ValueError, match="button of clay"):
        bench.run(2_000)
    fed_us = bench.port.fed_us
    bench.run(20_000)
    assert bench.port.fed_us == fed_us or bench.port.fed_us <= 500_000
    told = complaints(bench)
    assert told[0] == ("error", "task button: ValueError: button of clay")
    assert "button does not respond" in told[1][1]


def test_a_task_of_the_board_is_watched_like_the_others(bench):
    bench.start()

    async def once(pulse):
        await bench.port.sleep_ms(100)

    async def never(pulse):
        await bench.port.sleep_ms(10**9)

    bench.station.spawn("done soon", 1_000, once)
    bench.station.spawn("quiet by right", 0, never)
    bench.run(10_000)
    assert complaints(bench) == []
    bench.station.spawn("stuck", 1_000, never)
    bench.run(10_000)
    assert "stuck" in complaints(bench)[0][1]


def test_lines_of_the_time_without_a_link_are_told_when_it_is_there(bench):
    bench.start(connected=False).run(100)
    for k in range(20):
        bench.station.log("info", f"line {k}")
    bench.link.up = True
    bench.station.connected()
    assert [text for _, text in complaints(bench)] == [f"line {k}" for k in range(12, 20)]


def test_a_long_line_is_cut(bench):
    bench.start()
    bench.station.log("warning", "x" * 1000)
    assert len(complaints(bench)[0][1]) == 200
