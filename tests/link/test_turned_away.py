"""Who is not let in is told of now and then, and shown while he goes on trying."""

from citytable.link.turned_away import (
    AGAIN_S,
    IDLE_MAX,
    IDLE_WINDOW_S,
    KEPT,
    NAMED,
    SHOWN_S,
    Idle,
    RefusedNames,
    TurnedAway,
)

STATION, STRANGER = "192.168.50.31", "192.168.50.7"


def test_one_that_tries_every_few_seconds_is_told_of_every_ten_minutes_and_shown_all_the_time():
    away, told = TurnedAway(), []
    for second in range(0, int(2 * AGAIN_S), 5):
        if away.heed(STATION, second):
            told.append(second)
        assert away.trying(second) == (STATION,)
    assert told == [0, AGAIN_S]


def test_who_gave_up_or_was_let_in_is_shown_no_more():
    away = TurnedAway()
    away.heed(STATION, 0)
    away.heed(STRANGER, 60)
    assert away.trying(60) == (STATION, STRANGER)
    assert away.trying(SHOWN_S) == (STRANGER,)
    assert away.trying(SHOWN_S + 60) == ()


def test_a_crowd_of_addresses_takes_no_memory():
    away = TurnedAway()
    for number in range(3 * KEPT):
        assert away.heed(f"10.0.{number // 250}.{number % 250}", number / 10)
    assert len(away.trying(3 * KEPT / 10)) <= KEPT


def test_names_that_find_no_place_are_reported_together_every_ten_minutes():
    refused, reported = RefusedNames(), []
    for second in range(int(2 * AGAIN_S)):
        refused.add(f"junk-{second % 3}")
        if names := refused.due(second):
            reported.append((second, names))
    assert reported == [(0, "'junk-0'"), (AGAIN_S, "'junk-1', 'junk-2', 'junk-0'")]


def test_of_very_many_names_a_few_are_reported():
    refused = RefusedNames()
    for number in range(1000):
        refused.add(f"junk-{number}")
    assert refused.due(0.0) == ", ".join(repr(f"junk-{number}") for number in range(NAMED)) + " and more"
    assert refused.due(AGAIN_S) == ""


def test_an_address_that_opens_many_connections_without_a_login_is_noticed_and_a_busy_table_is_not():
    idle = Idle()
    for n in range(10 * IDLE_MAX):  # stations that come and go
        assert not idle.opened(f"192.168.1.5:{n}", n * 0.01)
        idle.logged_in(f"192.168.1.5:{n}")
    noticed = [idle.opened(f"192.168.1.6:{n}", n * 0.01) for n in range(IDLE_MAX)]
    assert noticed == [False] * (IDLE_MAX - 1) + [True]


def test_idle_connections_that_come_slowly_are_no_flood():
    idle = Idle()
    assert not any(idle.opened(f"192.168.1.6:{n}", n * IDLE_WINDOW_S / IDLE_MAX * 1.1) for n in range(5 * IDLE_MAX))
