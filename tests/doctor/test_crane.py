"""A crane's zero and scale, from lowerings of its paddle."""

import pytest

from citytable.bench import Voice
from citytable.cli_calibrate import AtTerminal
from citytable.doctor.calibrating import Ask
from citytable.doctor.calibration import BadCalibration
from citytable.doctor.crane import crane_figures, lowered_ranges
from citytable.doctor.line import NoAnswer, StationMessage
from citytable.doctor.plan_file import with_crane
from citytable.games.megacity.spots import shared_spots
from citytable.link.wire_in import Clock, Height
from citytable.table.plan import full_plan

SPOT = "seat/1/pad/0"
BARE_MM = (301.1, 301.4, 301.0)


def told(range_mm, spot=SPOT, station="seat-1", contact=None):
    height = Height(
        boot=1, event_seq=1, at=Clock(0, 0), spot=spot, range_mm=range_mm, spread_mm=0.7, n=12, contact=contact
    )
    return StationMessage(station, height, 0, retained=False)


class Said:
    """A line on which this is said."""

    def __init__(self, *messages):
        self._messages = messages

    async def hear(self, seconds):
        for message in self._messages:
            yield message


async def test_three_lowerings_of_this_crane_make_a_reading():
    line = Said(told(301.1), told(80.0, spot="seat/1/pad/1"), told(99.0, station="seat-2"), told(301.4), told(301.0))
    assert await lowered_ranges(line, "seat-1", SPOT) == BARE_MM


async def test_a_lowering_that_hung_free_is_refused_where_there_is_a_beam():
    heard = (told(301.1, contact=True), told(280.0, contact=False), told(301.4, contact=True))
    with pytest.raises(BadCalibration, match="the beam saw the paddle hang free: let go of the carriage"):
        await lowered_ranges(Said(*heard), "seat-1", SPOT, beam=True)
    assert len(await lowered_ranges(Said(*heard), "seat-1", SPOT)) == 3


async def test_a_paddle_that_is_not_lowered_is_said():
    with pytest.raises(NoAnswer, match=r"seat/1/pad/0: the hub noticed only 1 of 3 lowerings.*citytable doctor seat-1"):
        await lowered_ranges(Said(told(301.0)), "seat-1", SPOT)


def test_zero_and_scale_are_what_the_block_says():
    figures = crane_figures(BARE_MM, (150.0, 150.4, 149.9), 150.0)
    assert figures.zero_mm == 301.2
    assert figures.scale == pytest.approx(150.0 / (301.1667 - 150.1), abs=1e-4)


def test_without_a_block_the_scale_stays_unknown():
    assert crane_figures(BARE_MM, (), 0.0) == (301.2, None)


@pytest.mark.parametrize(
    ("bare_mm", "block_mm", "height_mm", "because"),
    [
        ((301.0, 305.0, 301.0), (), 0.0, "differ by 4.0 mm"),
        (BARE_MM, (150.0, 180.0, 150.0), 150.0, "differ by 30.0 mm"),
        (BARE_MM, (271.0,) * 3, 30.0, "is too low to measure with"),
        (BARE_MM, (250.0,) * 3, 150.0, "check the heights that you gave"),
        (BARE_MM, (320.0,) * 3, 150.0, "check the heights that you gave"),
    ],
)
def test_what_cannot_be_is_refused(bare_mm, block_mm, height_mm, because):
    with pytest.raises(BadCalibration, match=because):
        crane_figures(bare_mm, block_mm, height_mm)


def test_the_plan_has_them_and_nothing_else_changed():
    plan = full_plan("table-1", 2, shared_spots(("red",)), ())
    made = with_crane(plan, SPOT, 301.2, 0.993)
    assert (made.spot_plans()[SPOT].crane_zero_mm, made.spot_plans()[SPOT].crane_scale) == (301.2, 0.993)
    assert with_crane(made, SPOT, 300.0, None) == plan


async def test_whoever_is_asked_to_lower_a_paddle_is_told_how_before_it_fails(capsys):
    """How long it has to rest, and how high it has to be raised, was said after two minutes without a lowering."""
    for ask in (Ask("lower", "seat/1/pad/0"), Ask("lower", "seat/1/pad/0", block_mm=50)):
        await AtTerminal(Voice()).ask(ask)
        said = " ".join(capsys.readouterr().out.split())
        assert "3 times: let it rest for a second each time, and raise it by the width of a hand in between" in said
