"""Weighing: quiet cells are summed up, moving ones told sample by sample, with what came before."""

import itertools
from math import sqrt

import pytest

PERIOD_US = 12_500
RIPPLES = 60  # of three cells, 20 counts each


def step(at_us, before, after):
    return lambda t_us: before if t_us < at_us else after


def times(message):
    """Wrapped ticks of each sample, unwrapped with the message's own wraps."""
    wraps, ticks = message["at"]
    t_us = (wraps << 30) + ticks
    moments = [t_us]
    for gap in message["dt_us"]:
        moments.append(moments[-1] + gap)
    return moments


def test_a_quiet_station_tells_all_its_cells_in_one_summary_a_second(bench):
    bench.spot("seat/1/pad/0", cells=(10_000, 20_000, 30_000)).spot("seat/1/bag", cells=(500,)).start().run(5_100)
    assert len(bench.told("quiet")) == 5
    assert not bench.told("samples")
    last = bench.told("quiet")[-1]
    assert [(cell["spot"], cell["cell"]) for cell in last["cells"]] == [
        ("seat/1/pad/0", 0),
        ("seat/1/pad/0", 1),
        ("seat/1/pad/0", 2),
        ("seat/1/bag", 0),
    ]
    assert [cell["mean"] for cell in last["cells"]] == [10_000, 20_000, 30_000, 500]
    assert next((cell["n"], cell["min"], cell["max"]) for cell in last["cells"]) == (80, 9_980, 10_020)


def test_the_spread_of_a_summary_is_about_the_standard_deviation(bench):
    bench.spot("city/1/0", cells=(0,)).start()
    noise = [round(30 * sqrt(2) * v) for v in (0.3, -1.1, 0.9, 0.1, -0.4, 1.3, -0.8, -0.3)]
    bench.cells["city/1/0"][0].level = lambda t_us: noise[t_us // PERIOD_US % 8]
    bench.run(4000)
    told = bench.told("quiet")[-1]["cells"][0]["spread"]
    mean = sum(noise) / 8
    assert abs(told - sqrt(sum((v - mean) ** 2 for v in noise) / 8)) < 12


def test_a_cell_that_moves_sends_two_seconds_of_history_first_and_goes_on_for_two_seconds(bench):
    bench.spot("city/1/0", cells=(0,)).start()
    bench.cells["city/1/0"][0].level = step(5_000_000, 10_000, 40_000)
    bench.run(12_000)
    samples = bench.told("samples")
    moments = [t_us for message in samples for t_us in times(message)]
    assert all(later - earlier == PERIOD_US for earlier, later in itertools.pairwise(moments))
    onset = moments[[count for message in samples for count in message["counts"]].index(40_020)]
    assert 1_900_000 <= onset - moments[0] <= 2_100_000
    assert 1_900_000 <= moments[-1] - onset <= 2_400_000
    assert [message["sample_seq"] for message in bench.told("samples", "quiet")] == list(
        range(1, len(bench.told("samples", "quiet")) + 1)
    )


def test_no_sample_is_told_twice_and_none_is_held_back_when_a_cell_moves_again(bench):
    bench.spot("city/1/0", cells=(0,)).start()
    bench.cells["city/1/0"][0].level = lambda t_us: 10_000 + 5_000 * (t_us // 4_000_000)
    bench.run(15_000)
    moments = [t_us for message in bench.told("samples") for t_us in times(message)]
    assert len(moments) == len(set(moments))
    assert moments == sorted(moments)
    assert len(moments) > 3 * 250


def test_while_it_moves_batches_are_about_100_ms_long(bench):
    bench.spot("city/1/0", cells=(0,)).start()
    bench.cells["city/1/0"][0].level = step(3_000_000, 0, 9_000)
    bench.run(3_200).forget()
    bench.run(1_000)
    batches = [len(message["counts"]) for message in bench.told("samples")]
    assert 9 <= len(batches) <= 10
    assert {7, 8, 9} >= set(batches)


def test_what_is_told_while_it_moves_is_fresh_whenever_blocks_end(bench):
    bench.spot("city/1/0", cells=(0,)).start()
    bench.board.poll_ms = 23
    bench.cells["city/1/0"][0].level = step(3_000_000, 0, 9_000)
    bench.run(3_400).forget()
    bench.link.times_us.clear()
    bench.run(1_500)
    said_us = [t_us for t_us, _ in bench.link.times_us]
    offset_us = bench.port.ticks_us() - bench.port.now_us
    for message, t_us in zip(bench.told(), said_us, strict=True):
        assert t_us + offset_us - times(message)[-1] <= 40_000


def test_a_bump_of_the_whole_table_is_told_in_turns_and_loses_nothing(bench):
    pads = [f"seat/1/pad/{k}" for k in range(3)]
    for pad in pads:
        bench.spot(pad, cells=(0, 0, 0))
        for cell in bench.cells[pad]:
            cell.level = step(3_000_000, 0, 9_000)
    bench.start().run(2_900).forget()
    bench.link.times_us = []
    bench.run(3_000)
    told = bench.told("samples")
    assert sum(message["lost"] for message in told) == 0
    for pad in pads:
        for cell in range(3):
            moments = [t for m in told if (m["spot"], m["cell"]) == (pad, cell) for t in times(m)]
            assert all(later - earlier == PERIOD_US for earlier, later in itertools.pairwise(moments))
            assert len(moments) > 4.1 * 80
    big = [t_us for t_us, size in bench.link.times_us if size > 400]
    assert len(big) >= 9 * 4, "history"
    assert len(set(big)) == len(big), "never two of them at a time: the sampler and the link have their turns"


def test_when_one_cell_of_a_pad_moves_all_its_cells_are_told(bench):
    bench.spot("seat/1/pad/0", cells=(0, 0, 0)).spot("seat/1/pad/1", cells=(0,)).start()
    bench.cells["seat/1/pad/0"][1].level = step(3_000_000, 0, 9_000)
    bench.run(3_500)
    assert {(message["spot"], message["cell"]) for message in bench.told("samples")} == {
        ("seat/1/pad/0", 0),
        ("seat/1/pad/0", 1),
        ("seat/1/pad/0", 2),
    }


def test_a_spot_that_moves_is_in_no_summary_until_it_rests_again(bench):
    bench.spot("city/1/0", cells=(0,)).start()
    bench.cells["city/1/0"][0].level = step(3_500_000, 10_000, 40_000)
    bench.run(9_100)
    quiet = [message["cells"][0] for message in bench.told("quiet")]
    assert {cell["mean"] for cell in quiet} == {10_000, 40_000}
    assert [cell["mean"] for cell in quiet] == [10_000] * 3 + [40_000] * (len(quiet) - 3)
    rested = [cell["n"] for cell in quiet]
    assert rested[:3] == [80] * 3, "the half second before the movement is told sample by sample only"


def test_a_slow_drift_stays_quiet(bench):
    bench.spot("city/1/0", cells=(0,)).start()
    bench.cells["city/1/0"][0].level = lambda t_us: t_us // 50_000  # 20 counts a second
    bench.run(60_000)
    assert not bench.told("samples")


def test_lost_conversions_are_counted_with_the_next_message_of_the_cell(bench):
    bench.spot("city/1/0", cells=(0,)).start().run(1_050)
    bench.cells["city/1/0"][0].lost += 3
    bench.run(3_050)
    assert [message["cells"][0]["lost"] for message in bench.told("quiet")] == [0, 3, 0, 0]


def test_ticks_that_wrap_are_told_with_how_often(make_bench):
    bench = make_bench(wraps_in_us=3_000_000)
    bench.spot("city/1/0", cells=(0,)).start()
    bench.cells["city/1/0"][0].level = step(2_950_000, 0, 9_000)
    bench.run(7_000)
    moments = [t_us for message in bench.told("samples") for t_us in times(message)]
    assert all(later - earlier == PERIOD_US for earlier, later in itertools.pairwise(moments))
    assert bench.told("quiet")[-1]["at"][0] == 1
    assert bench.told("samples")[0]["at"][0] == 0


def test_a_cell_without_conversions_is_a_fault_until_it_speaks_again(bench):
    bench.spot("seat/1/pad/0", cells=(0, 0)).start().run(1_000)
    bench.cells["seat/1/pad/0"][1].alive = False
    bench.run(2_000)
    bench.cells["seat/1/pad/0"][1].alive = True
    bench.run(2_000)
    faults = bench.told("fault")
    assert [(fault["spot"], fault["sensor"], fault["on"]) for fault in faults] == [
        ("seat/1/pad/0", "cell", True),
        ("seat/1/pad/0", "cell", False),
    ]
    assert "cell 1" in faults[0]["what"]


def test_a_drop_of_the_whole_spot_raises_one_alert(bench):
    bench.spot("seat/1/pad/0", cells=(0, 0, 0), alert_g=8).start()
    cells = bench.cells["seat/1/pad/0"]
    cells[0].level = step(3_000_000, 50_000, 48_000)
    cells[2].level = step(3_000_000, 50_000, 40_000)
    bench.run(6_000)
    (alert,) = bench.told("alert")
    assert (alert["spot"], alert["cell"]) == ("seat/1/pad/0", 2)
    assert abs(alert["drop"] - 12_000) <= RIPPLES


def test_alerts_are_in_grams_of_the_calibration(bench):
    """A drop of 9 g at the nominal scale is 6 g at the plan's: no alert. Two more grams are one."""
    bench.spot("city/1/0", cells=(0,), alert_g=8).start()
    bench.hear("command", type="scales", scales=[{"spot": "city/1/0", "counts_per_g": [-1500]}])
    bench.cells["city/1/0"][0].level = lambda t_us: 9_000 * (t_us > 3_000_000) + 13_000 * (t_us > 6_000_000)
    bench.run(9_000)
    (alert,) = bench.told("alert")
    assert abs(alert["drop"] + 13_000) <= RIPPLES


@pytest.mark.parametrize("scales", [[2000, 2000], [], [0]])
def test_a_calibration_of_other_cells_is_logged_and_changes_nothing(bench, scales):
    bench.spot("city/1/0", cells=(0,), alert_g=8).start()
    bench.hear("command", type="scales", scales=[{"spot": "city/1/0", "counts_per_g": scales}])
    bench.run(500)
    (line,) = bench.told("log")
    assert line["text"] == "the plan's cells at city/1/0 are not this board's"


def test_load_that_moves_from_one_cell_to_another_is_no_drop(bench):
    bench.spot("seat/1/pad/0", cells=(0, 0), alert_g=8).start()
    cells = bench.cells["seat/1/pad/0"]
    cells[0].level = step(3_000_000, 50_000, 30_000)
    cells[1].level = step(3_000_000, 50_000, 70_000)
    bench.run(6_000)
    assert not bench.told("alert")


def test_after_a_rest_the_next_drop_alerts_again(bench):
    bench.spot("city/1/0", cells=(0,), alert_g=8).start()
    bench.cells["city/1/0"][0].level = lambda t_us: 60_000 - 20_000 * (t_us // 4_000_000)
    bench.run(9_000)
    drops = [alert["drop"] for alert in bench.told("alert")]
    assert len(drops) == 2
    assert all(abs(drop - 20_000) <= RIPPLES for drop in drops)


def test_half_a_second_of_rest_is_enough_for_the_next_alert(bench):
    bench.spot("city/1/0", cells=(0,), alert_g=8).start()
    bench.cells["city/1/0"][0].level = lambda t_us: 90_000 - 20_000 * max(0, (t_us - 3_000_000) // 600_000)
    bench.run(4_700)
    assert len(bench.told("alert")) == 2


def test_a_spot_that_watches_nothing_never_alerts(bench):
    bench.spot("seat/1/bag", cells=(0,), alert_g=0).start()
    bench.cells["seat/1/bag"][0].level = step(3_000_000, 50_000, 0)
    bench.run(6_000)
    assert not bench.told("alert")


def test_a_cell_that_is_plugged_in_late_or_again_has_not_fallen(bench):
    bench.spot("seat/1/pad/0", cells=(-200_000, 0), alert_g=8)
    late, again = bench.cells["seat/1/pad/0"]
    late.alive = False
    bench.start().run(4_000)
    late.alive = True
    bench.run(4_000)
    again.alive = False
    again.level = step(0, 0, -90_000)
    bench.run(3_000)
    again.alive = True
    bench.run(4_000)
    assert bench.told("alert") == []
    again.level = step(0, 0, -110_000)
    bench.run(1_000)
    assert len(bench.told("alert")) == 1, "and then it can fall"
    summaries = [cell for message in bench.told("quiet") for cell in message["cells"] if cell["cell"] == 1]
    assert {cell["mean"] for cell in summaries if cell["n"] == 80} <= {0, -90_000, -110_000}
