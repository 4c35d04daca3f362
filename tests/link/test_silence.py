"""A station that is silent is asked, shown as silent soon, and given up much later; nobody else's fault is its own."""

import pytest

from citytable.link.mqtt import Listening
from citytable.link.registry import ASK_US, GONE_US, LATE_US, SILENT_US

S = 1_000_000


class Hub:
    """Looks ten times a second; stations that live answer at once, and tell that they rest once a second."""

    def __init__(self, wired_inbox):
        self.wired_inbox = wired_inbox()
        self.now_us = 0
        self.living, self.resting, self.shown, self.asked = set(), set(), [], 0
        self._seq = 0

    def born(self, *stations, resting=False):
        for station in stations:
            self.wired_inbox.hear(station.birth(), self.now_us)
        self.living.update(stations)
        self.resting.update(stations if resting else ())
        return self.until(self.now_us)

    def until(self, t_us, step_us=S // 10):
        while self.now_us < t_us:
            self.now_us += step_us
            self.wired_inbox.registry.listen(self.now_us)
            self._rest()
            self.look()
        return self

    def look(self):
        self.wired_inbox.inbox.tend(self.now_us)
        questions = dict(self.wired_inbox.registry.pings_due(self.now_us))
        self.asked += len(questions)
        for station in self.living:
            if station.station in questions:
                said = station.pong(questions[station.station], self.now_us, self.now_us)
                self.wired_inbox.hear(said, self.now_us)
        offline = {one.station for one in self.wired_inbox.registry.health() if not one.online}
        if not self.shown or self.shown[-1][1] != offline:
            self.shown.append((self.now_us, offline))

    def _rest(self):
        if self.now_us % S == 0:
            self._seq += 1
            for station in self.living & self.resting:
                self.wired_inbox.hear(station.quiet(self._seq, clock_us=self.now_us), self.now_us)

    def told(self):
        return [type(received.message).__name__ for received in self.wired_inbox.released()]


@pytest.fixture
def hub(wired_inbox):
    return Hub(wired_inbox)


@pytest.mark.parametrize("resting", [True, False])
def test_who_lives_is_never_shown_as_silent(hub, fake_station, resting):
    hub.born(fake_station("park"), fake_station("seat-1"), resting=resting).until(60 * S)
    assert [offline for _, offline in hub.shown] == [set()]


def test_who_tells_that_it_rests_is_asked_for_nothing_but_its_clock(hub, fake_station):
    hub.born(fake_station(), resting=True).until(60 * S)
    assert hub.asked == 60 // 10


@pytest.mark.parametrize("resting", [True, False])
@pytest.mark.parametrize("pulled_us", [10 * S, 10 * S + 50_000, 10 * S + 900_000])
def test_a_board_whose_plug_is_pulled_is_shown_within_two_seconds(hub, fake_station, resting, pulled_us):
    park, seat = fake_station("park"), fake_station("seat-1")
    hub.born(park, seat, resting=resting).until(pulled_us)
    hub.living.discard(seat)
    hub.until(20 * S)
    (_, before), (shown_us, offline), *later = hub.shown
    assert (before, offline, later) == (set(), {"seat-1"}, [])
    assert shown_us - pulled_us <= 2 * S
    hub.until(pulled_us + GONE_US + S)
    assert [name for name in hub.told() if name not in {"Quiet", "SaidNoWeight"}] == ["Birth", "Birth", "WentSilent"]


def test_who_comes_back_soon_has_lost_nothing_and_nobody_asks_for_a_replay(hub, fake_station):
    seat = fake_station("seat-1")
    hub.born(seat, resting=True).until(10 * S)
    hub.living.discard(seat)
    hub.until(15 * S)
    assert hub.shown[-1][1] == {"seat-1"}
    hub.living.add(seat)
    hub.until(20 * S)
    assert hub.shown[-1][1] == set()
    assert {"WentSilent", "SpokeAgain"}.isdisjoint(hub.told())
    assert not hub.wired_inbox.inbox.wants_replay()


def test_who_was_given_up_and_comes_back_tells_everything_again(hub, fake_station):
    seat = fake_station("seat-1")
    hub.born(seat, resting=True).until(10 * S)
    hub.living.discard(seat)
    hub.until(30 * S)
    hub.living.add(seat)
    hub.until(45 * S)
    assert hub.shown[-1][1] == set()
    assert [name for name in hub.told() if name != "Quiet"] == ["Birth", "WentSilent", "SpokeAgain"]
    assert hub.wired_inbox.inbox.wants_replay()


def test_who_never_answered_anything_is_not_expected_to(hub, fake_station):
    """As the firmware of a stranger, of which nothing is known."""
    hub.wired_inbox.hear(fake_station().birth())
    hub.until(SILENT_US)
    assert hub.shown == [(S // 10, set())]
    hub.until(SILENT_US + S)
    assert hub.shown[-1][1] == {"park"}


def test_who_answers_and_says_nothing_of_its_scales_is_noticed_and_stays_there(hub, fake_station):
    hub.born(fake_station()).until(30 * S)
    assert hub.told() == ["Birth", "SaidNoWeight", "SaidNoWeight"]
    assert hub.shown == [(S // 10, set())]


@pytest.mark.parametrize("late_s", [1, 40])
def test_a_hub_that_is_late_hears_scales_and_answers_in_the_order_in_which_they_were_said(hub, fake_station, late_s):
    park = fake_station()
    hub.born(park).until(S)
    said = [park.quiet(seq, clock_us=seq * S) for seq in range(1, 30)]
    hub.until(30 * S + late_s * S, step_us=S * 100)
    for quiet in said:
        hub.wired_inbox.hear(quiet, hub.now_us)
        hub.look()
    assert "SaidNoWeight" not in hub.told()


def test_the_will_of_a_board_that_is_late_counts(hub, fake_station):
    seat = fake_station("seat-1")
    hub.born(seat).until(10 * S)
    hub.living.discard(seat)
    hub.until(13 * S)
    hub.wired_inbox.hear(seat.death(), hub.now_us)
    hub.until(30 * S)
    assert hub.told() == ["Birth", "Death"]


def test_a_hub_that_is_late_itself_blames_nobody(hub, fake_station):
    """It was held up for twenty seconds, then looks before it reads what came meanwhile."""
    listening = Listening()
    listening.sign(0)
    hub.born(fake_station(), resting=True).until(10 * S)
    listening.sign(hub.now_us)
    before_us = listening.total_us
    hub.now_us += 20 * S
    listening.sign(hub.now_us)
    hub.wired_inbox.registry.listen(10 * S + listening.total_us - before_us)
    hub.look()
    assert hub.shown[-1][1] == set()


def test_after_an_outage_of_the_broker_everybody_has_time_to_come_back(hub, fake_station):
    seat = fake_station("seat-1")
    hub.born(seat).until(10 * S)
    hub.living.discard(seat)
    hub.until(11 * S)
    hub.wired_inbox.registry.listen_anew()
    hub.until(11 * S + LATE_US - S // 10)
    assert hub.shown[-1][1] == set()
    hub.until(14 * S)
    assert hub.shown[-1][1] == {"seat-1"}


def test_who_is_late_is_asked_again_and_again_until_it_is_given_up(hub, fake_station):
    hub.born(fake_station())
    hub.until(S)
    hub.living.clear()
    hub.asked = 0
    hub.until(S + GONE_US)
    assert hub.asked >= GONE_US // (2 * ASK_US)


@pytest.mark.parametrize("jump_us", [-60 * S, -7 * S, S // 2, 7 * S])
def test_a_clock_that_has_jumped_is_asked_for_at_once_and_known_again(wired_inbox, fake_station, jump_us):
    hub, station = wired_inbox(), fake_station()
    hub.hear(station.birth(clock_us=100 * S), 0)
    ((_, question),) = hub.registry.pings_due(0)
    hub.hear(station.pong(question, 100 * S, 100 * S), 0)
    hub.hear(station.quiet(1, clock_us=102 * S), 2 * S)
    assert hub.registry.pings_due(2 * S) == []
    hub.hear(station.quiet(2, clock_us=103 * S + jump_us), 3 * S)
    ((_, question),) = hub.registry.pings_due(3 * S)
    hub.hear(station.pong(question, 103 * S + jump_us, 103 * S + jump_us), 3 * S)
    hub.hear(station.tag(1, clock_us=104 * S + jump_us), 4 * S)
    assert hub.registry.pings_due(4 * S) == []
    assert [received.t_us for received in hub.released() if received.message.__class__.__name__ == "TagSeen"] == [4 * S]


def test_a_clock_in_doubt_is_not_asked_for_more_often_than_once_a_second(wired_inbox, fake_station):
    """As while a station says again what it saw during an outage."""
    hub, station = wired_inbox(), fake_station()
    hub.hear(station.birth(clock_us=100 * S), 0)
    ((_, question),) = hub.registry.pings_due(0)
    hub.hear(station.pong(question, 100 * S, 100 * S), 0)
    asked = 0
    for n in range(40):
        hub.hear(station.tag(n + 1, clock_us=80 * S), 2 * S + n * S // 20)
        asked += len(hub.registry.pings_due(2 * S + n * S // 20))
    assert asked == 2


def test_after_a_long_outage_what_was_done_meanwhile_was_seen_by_nobody(hub, fake_station):
    """The broker was away for as long: nobody is to blame, and all the same nothing is known."""
    hub.born(fake_station("park"), fake_station("seat-1")).until(10 * S)
    hub.wired_inbox.inbox.tend(10 * S + SILENT_US + 1)
    assert hub.told() == ["Birth", "Birth", "WentSilent", "WentSilent"]
