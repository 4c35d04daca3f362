"""The alarms of a rehearsal are counted as the screens show them."""

import pytest

from citytable.journal.entry import ActionConfirmed, Entry, FactNoted
from citytable.rehearsal.alarms import Alarms, causes
from citytable.rehearsal.fuss import Fuss
from citytable.table.fact import TagLeft
from citytable.table.scene import Scene
from citytable.table.status import Disagreement, Status
from citytable.views.collapse import Collapse
from citytable.views.state import Happened, Held, View

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


def fallen(at_s, no=None, *lines):
    """A view in which entry `no` has confirmed a fall; None: nothing fell."""
    scene = Scene(game="megacity", turn=1, seat=1, phase="main", players=())
    collapse = None if no is None else Collapse(no=no, spot="city/1/0", cause="unknown", before=scene)
    return View(t_us=at_s * 1_000_000, table="salon", scene=scene, collapse=collapse, happened=lines)


@pytest.mark.parametrize(("at_ms", "late"), [(10_100, 0), (10_300, 0), (10_301, 1)])
def test_a_lift_is_late_when_it_is_shown_over_300_ms_after_its_tag_left(at_ms, late):
    alarms, tower = Alarms(), "platform/3/public"
    held = Held(tower, 1, 40, 44, 6, pieces_unsure=False)
    for at_us, carried in ((9_000_000, ()), (1000 * at_ms, (held,)), (1000 * at_ms + 1, (held,)), (13_000_000, ())):
        alarms.show(View(t_us=at_us, table="salon", held=carried))
    left = [TagLeft(t_us=t_us, spot="seat/1/pad/0", uid="04", thing=tower) for t_us in (2_000_000, 10_000_000)]
    entries = [Entry(k, 0, "sensor", FactNoted(fact=fact)) for k, fact in enumerate(left)]
    counts = alarms.counts(entries, ())
    assert (counts["lifts_shown"], counts["lifts_late"]) == (1, late)


@pytest.mark.parametrize(("at_s", "late"), [(10, 0), (11, 0), (12, 1)])
def test_a_fall_is_late_when_it_is_shown_over_a_second_after_it_was_confirmed(at_s, late):
    alarms = Alarms()
    for view in (fallen(9), fallen(at_s, 7), fallen(at_s + 5, 7), fallen(at_s + 6)):
        alarms.show(view)
    assert alarms.collapses == 1
    assert alarms.late([Entry(7, 10_000_000, "sensor", ActionConfirmed(action="x"))]) == late


def test_a_confirmed_fall_is_filmed_and_told_once_and_a_suspected_one_lets_lamps_flash():
    suspected = Happened(no=1, t_us=1, key="sensed.fell", words={"spot": "city/1/0", "lost_g": "40"}, provisional=True)
    gone = Happened(no=2, t_us=1, key="sensed.station_went")
    fuss = Fuss()
    counted = []
    fuss.show(fallen(0))
    for view in (fallen(1, None, suspected), fallen(2), fallen(3, None, gone), fallen(4, 7), fallen(5, 7)):
        fuss.show(view)
        counted.append((fuss.clips, fuss.spoken, fuss.lamps))
    assert counted == [(0, 0, 1), (0, 0, 1), (0, 0, 1), (1, 1, 1), (1, 1, 1)]
