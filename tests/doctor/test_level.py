"""The level check: what is heard of a table, and the answers in two languages."""

import re
from typing import get_args

import pytest

from citytable.doctor.level import listen, sentence_of
from citytable.doctor.line import StationMessage
from citytable.games.megacity.spots import shared_spots
from citytable.link.wire_in import Clock, Quiet, QuietCell, Samples
from citytable.sensing.level import Answer, Level, judged
from citytable.table.plan import full_plan

PLAN = full_plan("table-1", 2, shared_spots(("red",)), ())
HEX = "city/1/0"


class Said:
    """A line on which this is said."""

    def __init__(self, *told):
        self._told = told

    async def hear(self, seconds):
        for station, message in self._told:
            yield StationMessage(station, message, 0, retained=False)


def second(t_s, mean, spot=HEX, cell=0, n=80):
    cells = (QuietCell(spot=spot, cell=cell, n=n, mean=mean, spread=40.0, min=-200, max=900_000, lost=0),)
    return Quiet(boot=1, sample_seq=t_s, at=Clock(0, t_s * 1_000_000), cells=cells)


def samples(t_s, *counts, spot=HEX):
    times = (12_500,) * (len(counts) - 1)
    return Samples(
        boot=1, sample_seq=9, spot=spot, cell=0, at=Clock(0, t_s * 1_000_000), dt_us=times, counts=counts, lost=0
    )


async def heard(*told):
    return {one.spot: one for one in await listen(Said(*told), PLAN, 5.0)}


async def test_seconds_at_rest_and_samples_are_heard_in_their_order():
    station = PLAN.station_of()[HEX]
    (stretches,) = (await heard((station, second(1, 10.0)), (station, samples(2, 5, 7, 9))))[HEX].cells
    assert [(one.t_us, one.n, one.mean, one.low, one.high) for one in stretches] == [
        (1_000_000, 80, 10.0, -200, 900_000),
        (2_000_000, 3, 7.0, 5, 9),
    ]


async def test_only_the_spots_own_station_is_believed_and_an_empty_second_is_passed_over():
    station = PLAN.station_of()[HEX]
    spots = await heard(("seat-1", second(1, 10.0)), (station, second(2, 10.0, n=0)), (station, second(3, 1.0, cell=5)))
    assert spots[HEX].cells == ((),)


async def test_every_spot_with_cells_gets_an_answer_even_if_nothing_was_heard():
    spots = await heard()
    assert set(spots) == {spot for spot, plan in PLAN.spot_plans().items() if plan.cells}
    assert {one.answer for one in judged(tuple(spots.values()))} == {"silent"}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_answer_has_words_without_a_gap(language):
    for answer in get_args(Answer):
        text = sentence_of(Level(HEX, answer, 2, -3.14), "sector-1", language)
        assert text
        assert not re.search(r"[{}]|None", text)


def test_an_amount_is_told_without_its_sign():
    assert "drifts by 6.0 g" in sentence_of(Level(HEX, "drifts", None, -6.0), "sector-1", "en")
