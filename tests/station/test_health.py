"""Health: what a maker reads to see whether the sensors do what they should."""

import random

from tablestation.gate import RAIL

PAD = "seat/1/pad/0"


def newest(bench):
    return bench.told("health")[-1]


def test_every_ten_seconds_it_says_how_each_sensor_does(bench):
    bench.spot(PAD, cells=(10_000, 20_000), reader=True, crane=True).start().run(20_100)
    assert len(bench.told("health")) == 2
    health = newest(bench)
    assert [(cell["spot"], cell["cell"]) for cell in health["cells"]] == [(PAD, 0), (PAD, 1)]
    for cell in health["cells"]:
        assert cell == {**cell, "rate_hz": 80.0, "saturated": 0, "distinct": 2, "lost": 0}
    assert [(reader["spot"], reader["silent"]) for reader in health["readers"]] == [(PAD, 0)]
    assert 240 <= health["readers"][0]["answered"] <= 250, "one in 40 ms"
    assert health["rangers"][0] == {"spot": PAD, "n": health["rangers"][0]["n"], "spread_mm": 0, "bad": 0}
    assert 40 <= health["rangers"][0]["n"] <= 60, "one in 200 ms"
    assert (health["free_bytes"], health["dropped"], health["refused"]) == (100_000, 0, 0)
    assert health["gap_us"] == 20_000
    assert "id" not in health


def test_it_answers_an_inspection_soon_and_counts_from_there(bench):
    bench.spot(PAD, cells=(10_000,)).start().run(4_000)
    bench.cells[PAD][0].lost += 7
    bench.link.dropped = 3
    bench.station.receive("light", b"{")
    bench.run(200)
    bench.hear("command", type="inspect", id=9)
    bench.run(150)
    health = newest(bench)
    assert health["id"] == 9
    assert (health["cells"][0]["lost"], health["dropped"], health["refused"]) == (7, 3, 1)
    bench.run(200)
    bench.hear("command", type="inspect", id=10)
    bench.run(150)
    health = newest(bench)
    assert (health["cells"][0]["lost"], health["dropped"], health["refused"]) == (0, 0, 0)
    assert health["cells"][0]["rate_hz"] > 60, "of two tenths of a second"


def test_the_longest_pause_of_the_sampler_is_told_once(bench):
    bench.spot(PAD, cells=(10_000,)).start().run(1_000)
    bench.board.poll_ms = 70
    bench.run(200)
    bench.board.poll_ms = 20
    bench.run(1_000)
    bench.hear("command", type="inspect", id=1)
    bench.run(150)
    assert newest(bench)["gap_us"] == 70_000
    bench.run(1_000)
    bench.hear("command", type="inspect", id=2)
    bench.run(150)
    assert newest(bench)["gap_us"] == 20_000


def test_noise_is_the_standard_deviation_also_of_a_load_that_drifts(bench):
    noise = random.Random(3)
    bench.spot(PAD, cells=(0,)).start()
    bench.cells[PAD][0].level = lambda t_us: t_us // 1000 + round(noise.gauss(0, 45))
    bench.run(10_100)
    (cell,) = newest(bench)["cells"]
    assert 38 < cell["noise"] < 58
    assert cell["distinct"] > 100


def test_conversions_at_the_end_of_the_range_are_counted(bench):
    bench.spot(PAD, cells=(0,)).start().run(2_000)
    bench.cells[PAD][0].level = lambda t_us: RAIL - 20 if 5_000_000 < t_us <= 5_500_000 else 0
    bench.run(8_100)
    assert newest(bench)["cells"][0]["saturated"] == 20, "every other one of 40, for it ripples"


def test_a_cell_that_never_spoke_has_no_values(bench):
    bench.spot(PAD, cells=(0,)).start()
    bench.cells[PAD][0].alive = False
    bench.run(10_100)
    (cell,) = newest(bench)["cells"]
    assert (cell["rate_hz"], cell["distinct"], cell["noise"]) == (0, 0, 0)
