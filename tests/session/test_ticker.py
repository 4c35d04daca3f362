"""The ticker tells what everybody may know, first as a suspicion where it is one."""

import pytest

from citytable.session.ticker import LINES_KEPT, Ticker
from citytable.table.fact import Fell, StationCame, StationWent, TagLeft

ALERT = Fell(t_us=1, spot="city/1/0", lost_g=140.2, stage="alert")
CONFIRMED = Fell(t_us=2, spot="city/1/0", lost_g=150.4, stage="confirmed")
WITHDRAWN = Fell(t_us=2, spot="city/1/0", lost_g=0, stage="withdrawn")
WENT = StationWent(t_us=1, station="sector-1", spots=())
CAME = StationCame(t_us=2, station="sector-1", boot=3, spots=())


@pytest.fixture
def told():
    """`told(*facts)`: key, grams and whether it is provisional, of each line."""

    def lines(*facts):
        ticker = Ticker()
        for fact in facts:
            ticker.notice([fact])
        return [(line.key, line.words.get("lost_g"), line.provisional) for line in ticker.lines]

    return lines


def test_a_suspected_fall_is_provisional_and_then_confirmed_in_its_place(told):
    assert told(ALERT) == [("sensed.fell", "140", True)]
    assert told(ALERT, CONFIRMED) == [("sensed.fell", "150", False)]


def test_a_suspicion_that_was_wrong_goes_away(told):
    assert told(ALERT, WITHDRAWN) == []
    assert told(WITHDRAWN) == []


def test_a_second_fall_at_the_same_spot_is_another_line(told):
    assert len(told(ALERT, CONFIRMED, ALERT, CONFIRMED)) == 2


def test_a_confirmed_line_keeps_its_number():
    ticker = Ticker()
    ticker.notice([ALERT])
    ticker.act("p1 end_turn", 2, 7)
    ticker.notice([CONFIRMED])
    assert [(line.no, line.key) for line in ticker.lines] == [(1, "sensed.fell"), (2, "action.end_turn")]


def test_what_falls_on_a_players_own_pad_is_his_until_he_delivers(told):
    assert told(Fell(t_us=1, spot="seat/1/pad/0", lost_g=20, stage="confirmed")) == []


def test_an_alert_is_a_line_only_where_it_is_likely(told):
    unlikely, likely = (Fell(t_us=1, spot="city/1/0", lost_g=9, stage="alert", confidence=sure) for sure in (0.4, 0.8))
    assert told(unlikely) == []
    assert len(told(unlikely, likely)) == 1
    assert told(unlikely, WITHDRAWN) == []


def test_only_a_station_that_went_comes_back(told):
    assert told(CAME) == []
    assert [key for key, _, _ in told(CAME, WENT, CAME)] == ["sensed.station_went", "sensed.station_came"]


def test_what_is_no_news_for_everybody_makes_no_line(told):
    assert told(TagLeft(t_us=1, spot="city/1/0", uid="04", thing=None)) == []


def test_old_lines_make_room():
    ticker = Ticker()
    ticker.notice([ALERT])
    for no in range(LINES_KEPT):
        ticker.act("p1 end_turn", no, no)
    ticker.notice([CONFIRMED])
    assert len(ticker.lines) == LINES_KEPT
    assert ticker.lines[-1].key == "sensed.fell"
    assert not ticker.lines[-1].provisional


@pytest.fixture
def acted():
    """A ticker with three actions, which stand as entries 2, 3 and 5, and a station's line between them."""
    ticker = Ticker()
    ticker.act("p1 take_pieces drawn=steel:1", 1, 2)
    ticker.act("p1 end_turn", 1, 3)
    ticker.notice([WENT])
    ticker.act("p2 end_turn", 2, 5)
    return ticker


def test_a_line_that_was_put_right_is_the_same_line(acted):
    before = acted.lines
    acted.put_right({2: "p1 take_pieces drawn=steel:2", 3: "p1 end_turn", 5: "p2 end_turn"})
    assert [line.no for line in acted.lines] == [1, 2, 3, 4]
    assert acted.lines[0].words == {"drawn": "steel:2"}
    assert acted.lines[1:] == before[1:]


def test_what_never_happened_has_no_line_and_what_was_forgotten_gets_none(acted):
    acted.put_right({2: "p1 take_pieces drawn=steel:1", 7: "p1 take_platform platform=3"})
    assert [line.key for line in acted.lines] == ["action.take_pieces", "sensed.station_went"]
    acted.act("p1 end_turn", 3, 9)
    assert (acted.lines[-1].no, acted.lines[-1].key) == (5, "action.end_turn")
