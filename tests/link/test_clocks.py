"""A station's clock becomes hub time, wrong by at most half the round trip."""

from hypothesis import given
from hypothesis import strategies as st

from citytable.link.clocks import PingBook, StationClock
from citytable.link.wire_in import Clock
from tablewire.messages import TICKS_PERIOD

delays = st.integers(0, 200_000)


def wrapped(total_us: int) -> Clock:
    return Clock(*divmod(total_us, TICKS_PERIOD))


@given(
    true_offset_us=st.integers(0, 1 << 45),
    began_us=st.integers(0, 1 << 40),
    out_us=delays,
    held_us=delays,
    back_us=delays,
)
def test_an_exchange_recovers_the_offset_within_half_the_round_trip(true_offset_us, began_us, out_us, held_us, back_us):
    clock = StationClock()
    asked_us = began_us + true_offset_us
    received_us = began_us + out_us
    arrived_us = asked_us + out_us + held_us + back_us
    assert clock.exchange(asked_us, wrapped(received_us), wrapped(received_us + held_us), arrived_us)
    assert abs(clock.offset_us - true_offset_us) <= (out_us + back_us) / 2 + 1


@given(st.lists(st.tuples(delays, delays), min_size=2, max_size=8))
def test_the_quickest_of_recent_exchanges_counts(trips):
    clock = StationClock()
    for n, (out_us, back_us) in enumerate(trips):
        asked_us = 1_000 * n
        clock.exchange(asked_us, wrapped(asked_us + out_us), wrapped(asked_us + out_us), asked_us + out_us + back_us)
    best_us = min(out_us + back_us for out_us, back_us in trips)
    assert abs(clock.offset_us) <= best_us / 2 + 200  # true offset 0; half the trip, and 2 s of drift at the most


def test_an_old_exchange_gives_way_when_drift_has_outgrown_it():
    clock = StationClock()
    clock.exchange(0, wrapped(1_000), wrapped(1_000), 2_000)
    assert clock.offset_us == 0
    later_us = 100_000_000  # 100 s at 100 us/s: the old one may be 10 ms off, the new one 3 ms
    clock.exchange(later_us, wrapped(later_us + 5_000 + 3_000), wrapped(later_us + 5_000 + 3_000), later_us + 6_000)
    assert clock.offset_us == -5_000


@given(leap_us=st.integers(20_000, 1 << 40).flatmap(lambda far: st.sampled_from([far, -far])))
def test_a_clock_that_was_set_is_believed_at_once_though_earlier_exchanges_were_quicker(leap_us):
    clock, began_us = StationClock(), 1 << 41
    clock.exchange(began_us, wrapped(began_us), wrapped(began_us), began_us + 10)
    later_us = began_us + 10_000_000
    clock.exchange(later_us, wrapped(later_us - leap_us), wrapped(later_us - leap_us), later_us + 4_000)
    assert abs(clock.offset_us - leap_us) <= 2_000


def test_an_answer_that_took_less_than_no_time_is_refused():
    clock = StationClock()
    assert not clock.exchange(1_000_000, wrapped(10), wrapped(900_000), 1_000_020)
    assert not clock.exchange(1_000_000, wrapped(900_000), wrapped(10), 1_000_020)
    assert clock.offset_us is None


def test_before_the_first_exchange_the_births_arrival_stands_in():
    clock = StationClock()
    clock.born(Clock(0, 400), 10_400)
    assert clock.offset_us is None
    assert clock.hub_us(Clock(0, 900), arrived_us=99_999) == 10_900


def test_without_a_birth_heard_live_the_arrival_is_the_time():
    assert StationClock().hub_us(Clock(5, 5), arrived_us=77) == 77


def test_time_goes_on_when_the_ticks_wrap():
    clock = StationClock()
    clock.born(wrapped(TICKS_PERIOD - 100), 1_000)
    assert clock.hub_us(Clock(1, 50), arrived_us=9_999) == 1_150


@given(st.integers(-1, 1 << 31), st.integers(0, TICKS_PERIOD - 1), st.integers(0, 1 << 50))
def test_nothing_happens_after_the_message_that_tells_of_it(wraps, ticks_us, arrived_us):
    clock = StationClock()
    clock.born(Clock(0, 0), 0)
    assert clock.hub_us(Clock(wraps, ticks_us), arrived_us) <= arrived_us


def test_only_the_open_question_can_be_answered_and_only_once():
    pings = PingBook()
    first = pings.ask("park", 10)
    second = pings.ask("park", 20)
    assert pings.asked_us("park", first) is None
    assert pings.asked_us("seat-1", second) is None
    assert pings.asked_us("park", second) == 20
    assert pings.asked_us("park", second) is None
