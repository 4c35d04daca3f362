"""After a start of the hub nobody is believed before everybody has told."""

import pytest

from citytable.link.inbox import Inbox
from citytable.link.roll_call import RollCall

BACK_US, PATIENCE_US = 10_000_000, 5_000_000
OFFSET_US = 4_000_000
"""Hub time minus station time, of every station here."""
KNOWN = 4
"""The last event that the hub had committed of each station."""


@pytest.fixture
def hub(wired_inbox):
    """`hub(station, ...)`: a hub that has just come back, knew these stations, and waits for them."""

    def came_back(*stations):
        one = wired_inbox()
        known = {(station.station, station.boot): KNOWN for station in stations}
        names = {station.station for station in stations}
        one.inbox = Inbox(one.registry, known, RollCall(names, BACK_US, BACK_US + PATIENCE_US))
        return one

    return came_back


def lay_at_the_broker(hub, *stations):
    for station in stations:
        hub.hear(station.birth(), BACK_US, retained=True)


def repeats(hub, station, *t_us):
    """What the station saw at these times."""
    for seq, seen_us in enumerate(t_us, start=KNOWN + 1):
        hub.hear(station.tag(seq, clock_us=seen_us - OFFSET_US), BACK_US + 1)


def takes_stock(hub, station, seq, t_us):
    at = station.at(t_us - OFFSET_US)
    hub.hear(station.say(type="inventory", event_seq=seq, at=at, tags=[]), BACK_US + 2)


def answer(hub, *stations):
    """To a question for their clocks that is put now."""
    questions = dict(hub.registry.pings_due(BACK_US + 10))
    for station in stations:
        clock_us = BACK_US + 20 - OFFSET_US
        hub.hear(station.pong(questions[station.station], clock_us, clock_us), BACK_US + 30)


def told(hub, now_us=BACK_US + 100):
    hub.inbox.tend(now_us)
    return [(received.t_us, received.station) for received in hub.released(now_us) if received.seq]


def test_what_several_stations_saw_meanwhile_comes_in_the_order_in_which_it_happened(hub, fake_station):
    park, seat = fake_station("park"), fake_station("seat-1", boot=8)
    back = hub(park, seat)
    lay_at_the_broker(back, park, seat)
    repeats(back, seat, 7_000_000, 9_000_000)
    takes_stock(back, seat, 7, BACK_US)
    assert told(back) == []
    repeats(back, park, 6_000_000, 8_000_000)
    takes_stock(back, park, 7, BACK_US)
    assert told(back) == []
    answer(back, seat, park)
    seen = [(6_000_000, "park"), (7_000_000, "seat-1"), (8_000_000, "park"), (9_000_000, "seat-1")]
    assert told(back) == [*seen, (BACK_US, "park"), (BACK_US, "seat-1")]
    assert not back.inbox.calls_the_roll


def test_what_was_kept_is_given_out_once_and_acknowledged(hub, fake_station):
    park = fake_station("park")
    back = hub(park)
    lay_at_the_broker(back, park)
    for _ in range(2):
        repeats(back, park, 6_000_000, 8_000_000)
        takes_stock(back, park, 7, BACK_US)
    answer(back, park)
    back.inbox.tend(BACK_US + 100)
    batch = back.released()
    assert [received.seq for received in batch] == [5, 6, 0, 7]  # the birth has no number, and is news as of now
    assert [(one.boot, one.event_seq) for one in back.inbox.committed(batch)] == [(7, 7)]


def test_an_inventory_from_before_the_hub_came_is_not_the_last_word(hub, fake_station):
    park = fake_station("park")
    back = hub(park)
    lay_at_the_broker(back, park)
    takes_stock(back, park, 5, BACK_US - 1_000_000)
    answer(back, park)
    assert told(back) == []
    takes_stock(back, park, 6, BACK_US)
    assert told(back) == [(BACK_US - 1_000_000, "park"), (BACK_US, "park")]


def test_a_station_that_started_meanwhile_begins_with_its_inventory_and_sends_no_other(hub, fake_station):
    park, again = fake_station("park"), fake_station("park", boot=9)
    back = hub(park)
    lay_at_the_broker(back, again)
    takes_stock(back, again, 1, BACK_US - 1_000_000)
    assert told(back) == []
    answer(back, again)
    assert told(back) == [(BACK_US - 1_000_000, "park")]


def test_who_does_not_come_is_waited_for_no_longer_than_patience_lasts(hub, fake_station):
    park, seat = fake_station("park"), fake_station("seat-1", boot=8)
    back = hub(park, seat)
    lay_at_the_broker(back, park)
    repeats(back, park, 6_000_000)
    takes_stock(back, park, 6, BACK_US)
    answer(back, park)
    assert told(back, BACK_US + PATIENCE_US - 1) == []
    assert told(back, BACK_US + PATIENCE_US) == [(6_000_000, "park"), (BACK_US, "park")]


def test_who_has_said_goodbye_is_not_waited_for(hub, fake_station):
    park, seat = fake_station("park"), fake_station("seat-1", boot=8)
    back = hub(park, seat)
    lay_at_the_broker(back, park, seat)
    takes_stock(back, park, 5, BACK_US)
    answer(back, park)
    assert told(back) == []
    back.hear(seat.death(), BACK_US + 40)
    assert told(back) == [(BACK_US, "park")]


def test_a_station_the_journal_does_not_know_of_but_the_broker_does_is_waited_for_too(hub, fake_station):
    park, stranger = fake_station("park"), fake_station("sector-1", boot=8)
    back = hub(park)
    lay_at_the_broker(back, park, stranger)
    takes_stock(back, park, 5, BACK_US)
    answer(back, park)
    assert told(back) == []
    takes_stock(back, stranger, 1, BACK_US)
    answer(back)
    assert told(back, BACK_US + PATIENCE_US) == [(BACK_US, "park"), (BACK_US + 2, "sector-1")]


def test_after_an_outage_of_the_broker_what_one_station_saw_waits_for_the_others(wired_inbox, fake_station):
    hub, park, seat = wired_inbox(), fake_station("park"), fake_station("seat-1", boot=8)
    for station in (park, seat):
        hub.hear(station.birth(clock_us=0), OFFSET_US)
    answer(hub, park, seat)
    told(hub)
    hub.inbox.call_the_roll(["park", "seat-1"], BACK_US, BACK_US + PATIENCE_US)
    hub.hear(seat.tag(1, clock_us=9_000_000 - OFFSET_US), BACK_US + 1)
    takes_stock(hub, seat, 2, BACK_US + 1)
    assert told(hub) == []
    hub.inbox.call_the_roll(["park", "seat-1"], BACK_US + 50, BACK_US + PATIENCE_US)
    hub.hear(park.tag(1, clock_us=8_000_000 - OFFSET_US), BACK_US + 60)
    takes_stock(hub, park, 2, BACK_US + 50)
    assert [station for _, station in told(hub)] == ["park", "seat-1", "seat-1", "park"]


def test_a_question_that_lay_about_does_not_make_the_last_word_seem_old(hub, fake_station):
    """The clock is then known to half the time the answer took, and no better."""
    park = fake_station("park")
    back = hub(park)
    lay_at_the_broker(back, park)
    takes_stock(back, park, 5, BACK_US + 1_000)
    (question,) = dict(back.registry.pings_due(BACK_US)).values()
    clock_us = BACK_US + 2_000_000 - OFFSET_US  # asked at once, heard two seconds later
    back.hear(park.pong(question, clock_us, clock_us), BACK_US + 2_000_000)
    assert len(told(back, BACK_US + 2_000_001)) == 1
