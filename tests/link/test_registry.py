"""Stations by name: boots decide, not the order of arrival."""

import pytest

from citytable.link.registry import LINES_KEPT, PING_US, SILENT_US, STRAGGLER_US, STRANGERS_MAX


def health(wired_inbox, name="park"):
    return next(health for health in wired_inbox.registry.health() if health.station == name)


def test_a_birth_puts_a_station_online_with_its_firmware(wired_inbox, fake_station):
    hub = wired_inbox()
    hub.hear(fake_station(boot=7).birth(), arrived_us=500)
    seen = health(hub)
    assert (seen.online, seen.boot, seen.firmware, seen.last_seen_us) == (True, 7, "0.1.0", 500)


def test_the_death_of_an_older_start_cannot_kill_a_new_birth(wired_inbox, fake_station):
    hub, old, new = wired_inbox(), fake_station(boot=1), fake_station(boot=2)
    hub.hear(old.birth())
    hub.hear(new.birth(), 10)
    hub.hear(old.death(), 20)
    assert health(hub).online
    hub.hear(new.death(), 30)
    assert not health(hub).online


def test_a_death_is_told_once_and_a_retained_one_of_before_our_start_not_at_all(wired_inbox, fake_station):
    hub, station = wired_inbox(), fake_station()
    hub.hear(station.death(), retained=True)
    assert hub.released() == []
    hub.hear(station.birth(), 5)
    hub.hear(station.death(), 10)
    hub.hear(station.death(), 11)
    assert [type(received.message).__name__ for received in hub.released()] == ["Birth", "Death"]


def test_a_retained_birth_heard_again_is_no_news(wired_inbox, fake_station):
    hub, station = wired_inbox(), fake_station()
    hub.hear(station.birth(), retained=True)
    hub.hear(station.birth(), 5, retained=True)
    assert len(hub.released()) == 1


def test_a_message_of_a_start_nobody_announced_is_not_taken(wired_inbox, fake_station):
    hub = wired_inbox()
    hub.hear(fake_station().tag(1))
    assert hub.released() == []
    assert hub.registry.station("park").unheard == 1


def test_stragglers_of_the_start_before_are_dropped_without_a_word(wired_inbox, fake_station):
    hub, old, new = wired_inbox(), fake_station(boot=1), fake_station(boot=2)
    hub.hear(old.birth())
    hub.hear(new.birth(), 10)
    hub.released()
    hub.hear(old.tag(1), 10 + STRAGGLER_US)
    assert hub.released() == []
    assert health(hub).faults == ()


def test_two_stations_with_one_name_are_told_and_the_one_accepted_last_is_heard(wired_inbox, fake_station):
    hub, one, other = wired_inbox(), fake_station(boot=1), fake_station(boot=2)
    hub.hear(one.birth())
    hub.hear(other.birth(), 10)
    hub.released()
    for n in range(1, 30):
        now_us = 1_000_000 * n
        hub.hear(one.tag(n), now_us)
        hub.hear(other.tag(n), now_us)
    assert {received.boot for received in hub.released()} == {2}
    (fault,) = health(hub).faults
    assert fault["en"] == (
        "two stations have the name 'park' (boots 2 and 1 are both sending): give one of them another name"
    )


def test_two_stations_that_throw_each_other_off_the_broker_do_not_alternate(wired_inbox, fake_station):
    hub, one, other = wired_inbox(), fake_station(boot=1), fake_station(boot=2)
    for n in range(10):
        hub.hear(one.birth(), 20_000 * n)
        hub.hear(other.birth(), 20_000 * n + 10_000)
    assert health(hub).boot == 2
    assert {received.boot for received in hub.released()[1:]} == {2}
    assert "two stations have the name" in health(hub).faults[0]["en"]


@pytest.mark.parametrize("how", ["silent", "dead"])
def test_the_other_one_is_heard_again_when_the_first_is_gone_and_loses_nothing(wired_inbox, fake_station, how):
    hub, one, other = wired_inbox(), fake_station(boot=1), fake_station(boot=2)
    hub.hear(one.birth())
    hub.hear(one.tag(1), 5)
    hub.hear(other.birth(), 10)
    hub.released()
    hub.hear(one.tag(2), 5_000_000)
    assert hub.event_seqs() == []
    if how == "dead":
        hub.hear(other.death(), 5_000_001)
    later_us = 10 + SILENT_US + 1 if how == "silent" else 5_000_002
    hub.tend(later_us)
    hub.hear(one.tag(2), later_us + 1)  # repeated, since it was not acknowledged
    told = hub.released()
    assert [type(one.message).__name__ for one in told if one.boot == 1] == ["SpokeAgain", "TagSeen"]
    assert told[-1].seq == 2
    assert hub.inbox.wants_replay()  # what lies at its spots it told when nobody listened to it
    assert (health(hub).boot, health(hub).faults) == (1, ())


def test_a_silent_station_is_told_once_and_again_when_it_speaks(wired_inbox, fake_station):
    hub, station = wired_inbox(), fake_station()
    hub.hear(station.birth(), 0)
    hub.tend(SILENT_US)
    assert health(hub).online
    hub.tend(SILENT_US + 1)
    hub.tend(SILENT_US + 2)
    assert not health(hub).online
    assert not hub.inbox.wants_replay()
    hub.hear(station.tag(1), SILENT_US + 3)
    assert hub.inbox.wants_replay()  # so that it tells what lies at its spots
    assert health(hub).online
    told = [type(received.message).__name__ for received in hub.released()]
    assert told == ["Birth", "WentSilent", "SpokeAgain", "TagSeen"]


def test_faults_are_listed_until_they_end(wired_inbox, fake_station):
    hub, station = wired_inbox(), fake_station()
    hub.hear(station.birth())
    hub.hear(station.fault(1, on=True))
    (fault,) = health(hub).faults
    assert fault["en"] == "The centre of the city (cell): cell 0 gives no conversions"
    hub.hear(station.fault(2, on=False))
    assert health(hub).faults == ()


def test_two_cells_of_one_spot_break_and_heal_each_for_itself(wired_inbox, fake_station):
    hub, station = wired_inbox(), fake_station()
    hub.hear(station.birth())
    hub.hear(station.fault(1, on=True, cell=0))
    hub.hear(station.fault(2, on=True, cell=1))
    assert len(health(hub).faults) == 2
    hub.hear(station.fault(3, on=False, cell=0))
    (fault,) = health(hub).faults
    assert fault["en"] == "The centre of the city (cell): cell 1 gives no conversions"


def test_a_station_is_asked_for_its_clock_at_birth_and_every_ten_seconds_but_not_when_dead(wired_inbox, fake_station):
    hub, station = wired_inbox(), fake_station()
    hub.hear(station.birth(), 0)
    assert [name for name, _ in hub.registry.pings_due(0)] == ["park"]
    assert hub.registry.pings_due(PING_US - 1) == []
    ((_, question),) = hub.registry.pings_due(PING_US)
    hub.hear(station.pong(question, received_us=2_000, sent_us=2_000), PING_US + 100)
    assert health(hub).offset_us == PING_US + 50 - 2_000
    hub.hear(station.death(), PING_US + 200)
    assert hub.registry.pings_due(PING_US * 3) == []


def test_a_station_that_was_silent_is_asked_for_its_clock_as_soon_as_it_speaks(wired_inbox, fake_station):
    hub, station = wired_inbox(), fake_station()
    hub.hear(station.birth(), 0)
    back_us = SILENT_US + 2
    assert len(hub.registry.pings_due(back_us - 1)) == 1
    hub.tend(back_us - 1)
    assert hub.registry.pings_due(back_us) == []
    hub.hear(station.tag(1), back_us)
    assert [name for name, _ in hub.registry.pings_due(back_us)] == ["park"]


def test_more_names_than_a_table_can_have_are_turned_away(wired_inbox, fake_station):
    hub = wired_inbox()
    for n in range(STRANGERS_MAX + 3):
        hub.hear(fake_station(f"station-{n}").birth())
    assert len(hub.registry.health()) == STRANGERS_MAX
    assert hub.registry.refused.due(0.0) == ", ".join(repr(f"station-{STRANGERS_MAX + n}") for n in range(3))


@pytest.mark.parametrize("retained", [True, False])
def test_a_station_of_the_plan_has_a_place_however_many_names_somebody_invents(wired_inbox, fake_station, retained):
    hub = wired_inbox(plan=["park", "seat-1"])
    hub.hear(fake_station("park").birth(), retained=retained)
    for n in range(STRANGERS_MAX + 1):
        hub.hear(fake_station(f"junk-{n}").birth(), retained=retained)
    hub.hear(fake_station("seat-1").birth(), retained=retained)
    assert health(hub, "seat-1").online
    assert len(hub.registry.health()) == 2 + STRANGERS_MAX
    assert hub.registry.refused.due(0.0) == f"'junk-{STRANGERS_MAX}'"


def test_the_last_report_and_the_last_lines_of_the_log_are_kept_until_the_next_start(wired_inbox, fake_station):
    hub, station = wired_inbox(), fake_station()
    hub.hear(station.birth(), 0)
    cell = {"spot": "city/0/0", "cell": 0, "rate_hz": 80.5, "saturated": 0, "distinct": 90, "noise": 41.0, "lost": 2}
    report = {"gap_us": 20_000, "dropped": 1, "refused": 0, "cells": [cell], "readers": [], "rangers": []}
    hub.hear(station.say(type="health", at=station.at(5), **report), 10)
    for n in range(LINES_KEPT + 1):
        hub.hear(station.say(type="log", at=station.at(n), level="warning", text=f"line {n}"), 20 + n)
    seen = health(hub)
    assert (seen.report.at_us, seen.report.gap_us, seen.report.cells[0].rate_hz) == (10, 20_000, 80.5)
    assert [line.text for line in seen.said] == [f"line {n}" for n in range(1, LINES_KEPT + 1)]
    hub.hear(fake_station(boot=8).birth(), 100)
    assert health(hub).report is None
    assert health(hub).said[-1].text == f"line {LINES_KEPT}"  # what it said before it fell tells why it fell
