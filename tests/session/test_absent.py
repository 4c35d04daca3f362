"""A station of the plan that never spoke: after a while its spots are unknown, and the game can go on without it."""

from citytable.session.absent import START_US, Absent
from citytable.table.fact import StationCame, StationWent


def silent(play):
    return set(play.umpire.observed.silent)


def test_who_has_not_spoken_by_then_is_silent(table):
    here = table()
    here.hear("sector-1", here.birth(), t_us=0)
    here.play.hear([], START_US - 1)
    assert not silent(here.play)
    here.play.hear([], START_US)
    assert silent(here.play) == {station.station for station in here.play.plan.stations} - {"sector-1"}
    said = [wrong for wrong in here.play.umpire.status().disagreements if wrong.kind == "station_silent"]
    assert {wrong.thing for wrong in said} == silent(here.play)
    assert here.play.umpire.observed.unread("city/0/0")


def test_who_comes_late_is_there(table):
    here = table()
    here.play.hear([], 0)
    here.play.hear([], START_US)
    here.hear("park", here.birth(), t_us=START_US + 1)
    assert "park" not in silent(here.play)
    assert not here.play.umpire.observed.unread("city/0/0")


def test_it_is_told_once_and_not_of_who_was_heard_before_a_restart(table):
    absent = Absent(table().play.plan)
    absent.mind(
        [StationCame(t_us=0, station="park", boot=7, spots=()), StationWent(t_us=1, station="supply", spots=())]
    )
    told = [*absent.advance(0), *absent.advance(START_US), *absent.advance(2 * START_US)]
    names = [fact.station for fact in told]
    assert len(names) == len(set(names))
    assert not {"park", "supply"} & set(names)
    assert {"sector-1", "seat-1"} <= set(names)
