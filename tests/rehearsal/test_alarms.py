"""The alarms of a rehearsal are counted as the screens show them."""

import pytest

from citytable.rehearsal.alarms import Alarms, causes
from citytable.table.status import Disagreement, Status
from citytable.views.state import View

HEXES = ("city/0/0", "city/1/0")
SILENT = Disagreement("station_silent", HEXES, "park")
FAILED = tuple(Disagreement("sensor_fault", (spot,), "cell") for spot in HEXES)
RESTS = Disagreement("refused", ("city/-2/2",), "platform/11/residential", state="settling")
CARD = Disagreement("unexpected", ("seat/2/card/0",), "contract/IN1")


def shown(*views):
    """What was counted in views (time in seconds, disagreements)."""
    alarms = Alarms()
    for at_s, *wrong in views:
        alarms.show(View(t_us=at_s * 1_000_000, table="salon", status=Status(tuple(wrong))))
    return alarms


def test_a_silent_station_is_one_alarm_and_so_are_failed_sensors():
    assert len(causes(Status((SILENT, *FAILED)))) == 1
    assert len(causes(Status(FAILED))) == 1
    assert len(causes(Status((*FAILED, CARD)))) == 2


def test_an_alarm_counts_once_while_it_lasts_and_again_when_it_comes_again():
    assert shown((1, CARD), (2, CARD, SILENT), (3, SILENT)).shown == 2
    assert shown((1, CARD), (2,), (3, CARD)).shown == 2
    assert shown((1, RESTS)).shown == 0


@pytest.mark.parametrize(("at_s", "unshown"), [(7, 0), (13, 0), (14, 1)])
def test_a_fault_is_shown_when_its_thing_is_named_within_three_seconds(at_s, unshown):
    assert shown((0,), (at_s, RESTS)).unshown([(10_000_000, "platform/11/")]) == unshown
    assert shown((0,), (at_s, RESTS)).unshown([(10_000_000, "platform/1/")]) == 1
