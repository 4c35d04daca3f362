"""What stations said, in the order in which it happened: repeats, holes, restarts, late messages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.link.inbox import HOLE_ASK_US, HOLE_LOST_US, Acknowledgement, EventsLost, high_water
from citytable.link.wire_in import BadMessage, Unreadable, read


def born(wired_inbox, *stations):
    for station in stations:
        wired_inbox.hear(station.birth(), 0)
    wired_inbox.released()
    return wired_inbox


@given(st.data())
def test_events_in_any_order_and_repeated_come_out_once_and_in_their_order(wired_inbox, fake_station, data):
    n = data.draw(st.integers(1, 12))
    arrivals = data.draw(st.permutations([*range(1, n + 1), *data.draw(st.lists(st.integers(1, n), max_size=8))]))
    hub, station = wired_inbox(), fake_station()
    born(hub, station)
    seqs = []
    for k, seq in enumerate(arrivals):
        hub.hear(station.tag(seq, clock_us=1_000 * seq), 50_000 + k)
        if data.draw(st.booleans()):
            seqs += hub.event_seqs()
    assert seqs + hub.event_seqs() == list(range(1, n + 1))


@given(st.lists(st.tuples(st.sampled_from(["park", "seat-1"]), st.integers(0, 90_000)), min_size=1, max_size=15))
def test_messages_of_several_stations_come_out_by_time_and_never_ahead_of_it(wired_inbox, fake_station, said):
    hub, stations = wired_inbox(), {name: fake_station(name) for name in ("park", "seat-1")}
    born(hub, *stations.values())
    seqs = dict.fromkeys(stations, 0)
    for name, clock_us in said:
        seqs[name] += 1
        hub.hear(stations[name].samples(seqs[name], clock_us, n=1), 100_000)
    half = hub.released(45_000)
    rest = hub.released(100_000)
    assert all(received.t_us <= 45_000 for received in half)
    assert len(half) + len(rest) == len(said)
    for batch in (half, rest):
        assert [(r.t_us, r.station, r.seq) for r in batch] == sorted((r.t_us, r.station, r.seq) for r in batch)
    assert [r.t_us for r in half + rest] == sorted(clock_us for _, clock_us in said)


def test_samples_are_released_with_their_last_sample(wired_inbox, fake_station):
    hub, station = wired_inbox(), fake_station()
    born(hub, station)
    hub.hear(station.samples(1, clock_us=10_000, n=3), 60_000)
    assert hub.released(34_999) == []
    (received,) = hub.released(35_000)
    assert (received.start_us, received.t_us) == (10_000, 35_000)


def test_knocks_are_released_before_the_samples_of_the_same_time(wired_inbox, fake_station):
    hub, station = wired_inbox(), fake_station()
    born(hub, station)
    hub.hear(station.knocks(1, clock_us=15_000, peaks=(50, 80, 20)), 60_000)
    hub.hear(station.samples(2, clock_us=10_000, n=3), 60_000)
    knocks, samples = hub.released(60_000)
    assert (knocks.seq, knocks.start_us, samples.seq, samples.t_us) == (1, 15_000, 2, 35_000)
    assert hub.registry.station("park").samples_lost == 0


def test_a_station_whose_clock_runs_ahead_holds_nothing_back(wired_inbox, fake_station):
    hub, station = wired_inbox(), fake_station()
    born(hub, station)
    hub.hear(station.tag(1, clock_us=3_600_000_000), 1_000)
    assert hub.event_seqs(1_000) == [1]


def test_a_new_start_begins_its_numbers_anew(wired_inbox, fake_station):
    hub, old, new = wired_inbox(), fake_station(boot=1), fake_station(boot=2)
    born(hub, old)
    hub.hear(old.tag(1), 10)
    hub.hear(old.tag(2), 20)
    hub.hear(new.birth(), 30)
    hub.hear(new.tag(1), 40)
    assert [(received.boot, received.seq) for received in hub.released()] == [(1, 1), (1, 2), (2, 0), (2, 1)]


def test_after_a_restart_of_the_hub_the_marks_of_the_journal_make_repeats_harmless(wired_inbox, fake_station):
    hub, station = wired_inbox({("park", 7): 2}), fake_station(boot=7)
    hub.hear(station.birth(), 0, retained=True)
    for seq in (1, 2, 3):
        hub.hear(station.tag(seq), 10)
    assert hub.event_seqs() == [3]


def test_an_event_is_acknowledged_when_its_batch_is_committed_and_again_when_it_comes_again(wired_inbox, fake_station):
    hub, station = wired_inbox(), fake_station()
    born(hub, station)
    hub.hear(station.tag(1), 10)
    hub.hear(station.tag(2), 20)
    assert hub.inbox.committed([]) == []
    batch = hub.released()
    assert high_water(batch) == {("park", 7): 2}
    assert hub.inbox.committed(batch) == [Acknowledgement("park", 7, 2)]
    assert hub.inbox.committed([]) == []
    hub.hear(station.tag(1), 30)
    assert hub.released() == []
    assert hub.inbox.committed([]) == [Acknowledgement("park", 7, 2)]


def test_a_repeat_of_what_is_not_committed_yet_is_not_acknowledged(wired_inbox, fake_station):
    hub, station = wired_inbox(), fake_station()
    born(hub, station)
    hub.hear(station.tag(1), 10)
    hub.released()
    hub.hear(station.tag(1), 20)
    assert hub.inbox.committed([]) == []


def test_an_open_hole_asks_for_a_replay_once_and_the_replay_fills_it(wired_inbox, fake_station):
    hub, station = wired_inbox(), fake_station()
    born(hub, station)
    hub.hear(station.tag(2), 10)
    hub.tend(HOLE_ASK_US)
    assert not hub.inbox.wants_replay()
    hub.tend(10 + HOLE_ASK_US)
    assert hub.inbox.wants_replay()
    hub.tend(20 + HOLE_ASK_US)
    assert not hub.inbox.wants_replay()
    hub.hear(station.tag(1), 30 + HOLE_ASK_US)
    assert hub.event_seqs() == [1, 2]
    hub.tend(10 + HOLE_LOST_US)
    assert hub.released() == []


def test_a_hole_that_stays_open_is_given_up_counted_and_told(wired_inbox, fake_station):
    hub, station = wired_inbox(), fake_station()
    born(hub, station)
    for seq in (3, 4, 6):
        hub.hear(station.tag(seq), 10)
    hub.tend(10 + HOLE_LOST_US)
    received = hub.released()
    assert [one.seq for one in received] == [2, 3, 4]
    assert received[0].message == EventsLost(7, 2, 2)
    assert hub.registry.health()[0].events_lost == 2
    assert hub.inbox.committed(received) == [Acknowledgement("park", 7, 4)]


def test_an_event_that_cannot_be_read_leaves_no_hole(wired_inbox, fake_station, changed):
    hub, station = wired_inbox(), fake_station()
    born(hub, station)
    topic, payload = station.tag(1)
    note = read(topic, changed(payload, here="perhaps"))
    assert isinstance(note, BadMessage)
    hub.inbox.take_unreadable(note, 10)
    hub.hear(station.tag(2), 20)
    received = hub.released()
    assert isinstance(received[0].message, Unreadable)
    assert [one.seq for one in received] == [1, 2]
    assert hub.registry.health()[0].events_lost == 1


@given(st.sets(st.integers(1, 20), min_size=1))
def test_every_missing_message_of_samples_is_counted(wired_inbox, fake_station, arrived):
    hub, station = wired_inbox(), fake_station()
    born(hub, station)
    for seq in sorted(arrived):
        hub.hear(station.samples(seq), 10)
    assert hub.registry.health()[0].samples_lost == max(arrived) - len(arrived)


def test_conversions_a_station_says_it_lost_are_counted_too(wired_inbox, fake_station):
    hub, station = wired_inbox(), fake_station()
    born(hub, station)
    hub.hear(station.samples(1, lost=4), 10)
    hub.hear(station.quiet(2), 20)
    assert hub.registry.health()[0].samples_lost == 4


def test_a_restarted_hub_does_not_count_what_came_before_it_as_lost(wired_inbox, fake_station):
    hub, station = wired_inbox(), fake_station()
    hub.hear(station.birth(), 0, retained=True)
    hub.hear(station.samples(5_000), 10)
    hub.hear(station.samples(5_002), 20)
    assert hub.registry.health()[0].samples_lost == 1


@given(st.lists(st.integers(0, 1_000_000), min_size=2, max_size=10))
def test_events_of_one_start_never_go_back_in_time(wired_inbox, fake_station, clocks_us):
    hub, station = wired_inbox(), fake_station()
    born(hub, station)
    for seq, clock_us in enumerate(clocks_us, start=1):
        hub.hear(station.tag(seq, clock_us), 2_000_000)
    received = hub.released()
    assert [one.seq for one in received] == list(range(1, len(clocks_us) + 1))
    assert [one.t_us for one in received] == sorted(one.t_us for one in received)


def test_a_station_that_comes_back_at_once_is_there_at_the_end(wired_inbox, fake_station):
    hub, station = wired_inbox(), fake_station()
    hub.hear(station.birth(clock_us=0), 1_000)
    hub.hear(station.tag(1, clock_us=500), 10_000)
    hub.hear(station.death(), 20_000)
    hub.hear(station.birth(clock_us=18_900), 20_000)  # by its clock before the broker told of its death
    hub.hear(station.tag(2, clock_us=19_000), 20_000)
    told = [type(received.message).__name__ for received in hub.released()]
    assert told == ["Birth", "TagSeen", "Death", "Birth", "TagSeen"]


def test_a_new_start_comes_after_the_death_of_the_one_before(wired_inbox, fake_station):
    hub, old, new = wired_inbox(), fake_station(boot=1), fake_station(boot=2)
    hub.hear(old.birth(), 1_000)
    hub.hear(old.death(), 20_000)
    hub.hear(new.birth(clock_us=0), 20_000)
    told = [(type(received.message).__name__, received.boot) for received in hub.released()]
    assert told == [("Birth", 1), ("Death", 1), ("Birth", 2)]


def test_the_inbox_tells_when_the_first_of_what_it_holds_happened(fake_station, wired_inbox):
    station, hub = fake_station(), wired_inbox()
    assert hub.inbox.oldest_us is None
    hub.hear(station.birth(clock_us=0), arrived_us=1_000)
    hub.hear(station.tag(1, clock_us=500), arrived_us=2_000)
    assert hub.inbox.oldest_us == 1_000
    hub.released(until_us=1_000)
    assert hub.inbox.oldest_us == 1_500
    hub.released()
    assert hub.inbox.oldest_us is None


@pytest.mark.parametrize("leap_us", [3_600_000_000, -3_600_000_000])
def test_a_station_whose_clock_jumps_loses_nothing_holds_nothing_back_and_is_set_right(
    wired_inbox, fake_station, leap_us
):
    hub, station = wired_inbox(), fake_station()
    was_us, now_us = 4_000_000_000, 4_000_000_000 + leap_us  # on its clock, when the hub begins to count

    def compare(at_us, clock_us):
        hub.registry.station("park").pinged_us = None
        (question,) = dict(hub.registry.pings_due(at_us)).values()
        hub.hear(station.pong(question, clock_us, clock_us), at_us)

    hub.hear(station.birth(clock_us=was_us), 0)
    compare(10_000, was_us + 10_000)
    hub.hear(station.tag(1, clock_us=was_us + 20_000), 21_000)
    hub.hear(station.tag(2, clock_us=now_us + 30_000), 31_000)
    told = [(one.seq, one.t_us) for one in hub.released(31_000)]
    assert [seq for seq, _ in told] == [0, 1, 2]
    assert 20_000 <= told[2][1] <= 31_000
    compare(40_000, now_us + 40_000)
    hub.hear(station.tag(3, clock_us=now_us + 50_000), 51_000)
    assert [(one.seq, one.t_us) for one in hub.released(51_000)] == [(3, 50_000)]


def test_what_has_come_is_fresh_once_and_in_order_until_it_is_released(fake_station, wired_inbox):
    park, seat, hub = fake_station("park"), fake_station("seat-1", boot=8), wired_inbox()
    for station in (park, seat):
        hub.hear(station.birth(clock_us=0), arrived_us=0)
    assert [one.station for one in hub.inbox.fresh()] == ["park", "seat-1"]
    hub.hear(seat.tag(1, clock_us=2_000), arrived_us=2_500)
    hub.hear(park.tag(1, clock_us=1_000), arrived_us=3_000)
    assert [(one.station, one.t_us) for one in hub.inbox.fresh()] == [("park", 1_000), ("seat-1", 2_000)]
    assert hub.inbox.fresh() == []
    hub.hear(park.tag(2, clock_us=3_500), arrived_us=4_000)
    assert hub.event_seqs(until_us=4_000) == [1, 1, 2]
    assert hub.inbox.fresh() == []


def test_what_scales_said_before_they_were_given_up_and_came_later_counts_from_their_return(wired_inbox, fake_station):
    """A hub that slept gave its stations up, and then read what had lain there: rest, and after it the silence."""
    hub, station = wired_inbox(), fake_station()
    born(hub, station)
    hub.hear(station.quiet(1, clock_us=1_000_000), 1_000_000)
    hub.released()
    hub.tend(40_000_000)
    hub.hear(station.quiet(2, clock_us=2_000_000), 40_000_000)
    hub.hear(station.samples(3, clock_us=2_100_000, n=3), 40_000_000)
    told = hub.released()
    assert [type(one.message).__name__ for one in told] == ["WentSilent", "SpokeAgain", "Quiet", "Samples"]
    assert {one.t_us for one in told} == {40_000_000}
    assert told[-1].start_us == 2_100_000


def told(hub, until_us, patience_us=3_000_000):
    return [type(one.message).__name__ for one in hub.inbox.release(until_us, patience_us)]


def test_what_scales_still_owe_comes_before_what_happened_after_it(wired_inbox, fake_station):
    """The connection that carries all samples may be seconds behind those that carry events."""
    hub, station = wired_inbox(), fake_station()
    born(hub, station)
    hub.hear(station.samples(1, clock_us=1_000_000), 1_100_000)
    assert told(hub, 1_200_000) == ["Samples"]
    hub.hear(station.tag(1, clock_us=5_000_000), 5_010_000)
    assert told(hub, 5_100_000) == []
    assert hub.inbox.oldest_us is None, "nothing is due as long as it waits"
    hub.hear(station.samples(2, clock_us=3_000_000), 5_200_000)
    hub.hear(station.samples(3, clock_us=4_900_000), 5_300_000)
    assert told(hub, 5_300_000) == ["Samples", "Samples", "TagSeen"]


def test_nobody_waits_long_for_scales(wired_inbox, fake_station):
    hub, station = wired_inbox(), fake_station()
    born(hub, station)
    hub.hear(station.samples(1, clock_us=1_000_000), 1_100_000)
    hub.hear(station.tag(1, clock_us=5_000_000), 5_010_000)
    assert told(hub, 5_100_000) == ["Samples"]
    assert told(hub, 7_999_999) == []
    assert told(hub, 8_000_000) == ["TagSeen"]


def test_nobody_waits_for_scales_that_rest_speak_or_are_known_to_be_gone(wired_inbox, fake_station):
    hub, station, other = wired_inbox(), fake_station("park"), fake_station("seat-1", boot=8)
    born(hub, station, other)
    hub.hear(station.samples(1, clock_us=4_000_000), 4_100_000)
    hub.hear(other.samples(1, clock_us=1_000_000), 1_100_000)
    hub.hear(other.death(), 2_000_000)
    hub.hear(station.tag(1, clock_us=5_000_000), 5_010_000)
    assert told(hub, 5_100_000) == ["Samples", "Death", "Samples", "TagSeen"]


def test_scales_of_a_start_that_is_over_are_not_waited_for(wired_inbox, fake_station):
    hub, old, new = wired_inbox(), fake_station(boot=1), fake_station(boot=2)
    born(hub, old)
    hub.hear(old.samples(1, clock_us=1_000_000), 1_100_000)
    hub.hear(new.birth(), 5_000_000)
    assert told(hub, 5_000_000) == ["Samples", "Birth"]
