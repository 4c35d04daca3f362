from hypothesis import given
from hypothesis import strategies as st

from citytable.views.tries import TRIES_OF_ALL, TRIES_OF_ONE, WINDOW_S, Tries


class Clock:
    now_s = 0.0


def test_who_was_wrong_too_often_waits_and_nobody_else_does():
    clock = Clock()
    tries = Tries(lambda: clock.now_s)
    for _ in range(TRIES_OF_ONE):
        assert tries.wait_s("mallory") == 0
        tries.wrong("mallory")
        clock.now_s += 1
    assert tries.wait_s("mallory") == WINDOW_S - TRIES_OF_ONE
    assert tries.wait_s("alice") == 0
    clock.now_s = WINDOW_S
    assert tries.wait_s("mallory") == 0


def test_many_addresses_are_no_way_round_it():
    tries = Tries(lambda: 0.0)
    for number in range(TRIES_OF_ALL):
        tries.wrong(f"10.0.0.{number}")
    assert tries.wait_s("10.0.1.1") == WINDOW_S


@given(st.lists(st.tuples(st.floats(0, 100), st.sampled_from("abcdefgh")), max_size=300))
def test_no_window_ever_holds_more_wrong_ones_than_are_let_through(steps):
    clock, taken = Clock(), []
    tries = Tries(lambda: clock.now_s)
    for later_s, who in steps:
        clock.now_s += later_s
        if not tries.wait_s(who):
            tries.wrong(who)
            taken.append((clock.now_s, who))
            window = [one for at_s, one in taken if at_s + WINDOW_S > clock.now_s]
            assert len(window) <= TRIES_OF_ALL
            assert window.count(who) <= TRIES_OF_ONE
