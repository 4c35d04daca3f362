"""Faults of cells: found soon, told once, and over when they are over."""

import pytest

from tablestation.faults import WELL_LOOKS, Faults
from tablestation.gate import RAIL

SPOT = "seat/1/pad/0"
FOUND_MS = 500


@pytest.fixture
def pad(bench):
    """A pad of two cells that has been at rest for 3 s; its second cell is the one that breaks."""
    bench.spot(SPOT, cells=(10_000, 20_000)).start().run(3_000)
    bench.broken = bench.cells[SPOT][1]
    return bench


def faults(bench):
    return [(fault["what"], fault["on"]) for fault in bench.told("fault")]


def unplug(cell):
    cell.alive = False


def jam(cell):
    cell.ripple = 0


def overload(cell):
    cell.level = lambda _t_us: RAIL - 20


def pull_down(cell):
    cell.level = lambda _t_us: -RAIL - 1 + 20


@pytest.mark.parametrize(
    ("breaks", "word"),
    [(unplug, "no conversions"), (jam, "one value"), (overload, "end of its range"), (pull_down, "end of its range")],
)
def test_a_broken_cell_is_told_within_half_a_second_and_once(pad, breaks, word):
    breaks(pad.broken)
    pad.run(FOUND_MS)
    ((what, on),) = faults(pad)
    assert word in what
    assert what.startswith("cell 1 ")
    assert on
    pad.run(20_000)
    assert len(faults(pad)) == 1, "it stays, and is not told again"


@pytest.mark.parametrize("breaks", [unplug, jam, overload])
def test_a_cell_that_is_well_again_for_half_a_second_is_told_with_the_same_words(pad, breaks):
    level, ripple = pad.broken.level, pad.broken.ripple
    breaks(pad.broken)
    pad.run(2_000)
    pad.broken.level, pad.broken.ripple, pad.broken.alive = level, ripple, True
    pad.run(WELL_LOOKS * 100 + 1_000)
    (begun, ended) = faults(pad)
    assert (begun[1], ended) == (True, (begun[0], False))


def test_a_cell_that_twitches_now_and_then_is_not_well(pad):
    jam(pad.broken)
    level = pad.broken.level
    pad.broken.level = lambda t_us: level(t_us) + (50 if t_us % 500_000 == 0 else 0)
    pad.run(10_000)
    assert [on for _, on in faults(pad)] == [True]


def test_a_cell_ten_times_a_second_has_a_wrong_rate(pad):
    pad.broken.period_us = 100_000
    pad.run(4_000)
    ((what, _),) = faults(pad)
    assert "RATE" in what
    pad.broken.period_us = 12_500
    pad.run(4_000)
    assert faults(pad)[-1] == (what, False)


def test_a_fault_that_turns_into_another_is_over_before_the_other_begins(pad):
    overload(pad.broken)
    pad.run(1_000)
    unplug(pad.broken)
    pad.run(1_000)
    told = faults(pad)
    assert [on for _, on in told] == [True, False, True]
    assert told[0][0] == told[1][0] != told[2][0]


def test_a_cell_that_is_silent_for_longer_than_the_ticks_can_tell_stays_silent(pad):
    unplug(pad.broken)
    pad.run(1_300_000)
    assert [on for _, on in faults(pad)] == [True]


def test_a_tap_on_the_table_is_no_fault(pad):
    level = pad.broken.level
    pad.broken.level = lambda t_us: RAIL if 3_500_000 < t_us < 3_560_000 else level(t_us)
    pad.run(3_000)
    assert faults(pad) == []


def test_a_new_hub_is_told_what_is_wrong(pad):
    pad.hear("hub", type="hub", boot=1, online=True)
    unplug(pad.broken)
    pad.run(1_000)
    pad.ack(pad.told("fault")[0]["event_seq"])
    pad.forget()
    pad.hear("hub", type="hub", boot=2, online=True)
    pad.run(1_000)
    assert [on for _, on in faults(pad)] == [True]


class Clock:
    def now(self):
        return [0, 5]


def test_a_fault_nobody_could_be_told_of_is_told_when_they_can():
    known = Faults(Clock())
    known.report("a", "reader", "silent", True)
    known.send(lambda message: False)
    told = []
    known.send(lambda message: not told.append(message))
    known.send(lambda message: not told.append(message))
    assert [(message["what"], message["on"]) for message in told] == [("silent", True)]


def test_a_fault_that_was_over_before_anybody_heard_of_it_is_not_told():
    known = Faults(Clock())
    known.report("a", "reader", "silent", True)
    known.report("a", "reader", "silent", False)
    told = []
    known.send(lambda message: not told.append(message))
    assert told == []


def test_what_was_never_wrong_is_not_told():
    known = Faults(Clock())
    known.report("a", "reader", "silent", False)
    known.send(lambda message: pytest.fail("told"))
