"""A play believes a station about its own spots, and says when a station speaks of others."""

from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from citytable.games.megacity.position import Building, Face, Pieces
from citytable.journal.entry import Entry
from citytable.link.inbox import Received
from citytable.link.wire_in import Clock, Fault
from citytable.rules.errors import Unfitting
from citytable.sensing.table_sense import TableSense
from citytable.session.history import History
from citytable.table.fact import MassSettled, PiecesCounted, TagCame
from citytable.table.hexes import Hex
from citytable.table.plan import tag_uid
from citytable.table.word import ClearUp, PiecesSaid, Strike

BOOT, AT = 7, Clock(0, 0)
PLATFORM = tag_uid("platform/7/public")
NO_HISTORY = History((), None)


def test_a_station_is_believed_about_its_spots(table):
    there = table()
    there.hear("sector-1", there.birth(), there.tag("city/1/0", PLATFORM))
    assert there.lying() == {"city/1/0": frozenset({"platform/7/public"})}
    assert there.play.senses.foreign == {}


def test_nobody_is_believed_about_others_spots(table):
    there = table()
    there.hear("sector-2", there.birth(), there.tag("city/1/0", PLATFORM))
    there.hear("visitor", there.birth(), there.inventory(city_1_0=PLATFORM))
    assert there.lying() == {}
    assert there.play.senses.foreign == {"sector-2": {"city/1/0"}, "visitor": {"city/1/0"}}


def test_what_a_station_tells_of_its_own_spots_counts_beside_what_it_tells_of_others(table):
    there = table()
    there.hear("sector-1", there.birth(), there.inventory(city_1_0=PLATFORM, seat_1_bag=tag_uid("bag")))
    assert there.lying() == {"city/1/0": frozenset({"platform/7/public"})}
    assert there.play.senses.foreign == {"sector-1": {"seat/1/bag"}}


def test_an_inventory_of_a_stranger_takes_nothing_away(table):
    there = table()
    there.hear("sector-1", there.birth(), there.tag("city/1/0", PLATFORM))
    there.hear("visitor", there.birth(), there.inventory())
    assert there.lying() == {"city/1/0": frozenset({"platform/7/public"})}


def test_news_are_told_once(table):
    there = table()
    assert there.play.take_news()
    assert not there.play.take_news()
    there.hear("sector-1", there.birth())
    assert there.play.take_news()
    assert [fact.station for fact in there.play.take_noticed()] == ["sector-1"]
    assert there.play.take_noticed() == ()


def test_the_umpire_looks_again_when_it_wants_to_though_no_station_speaks(table, monkeypatch):
    there, told_us = table(), []
    umpire = type(there.play.umpire)
    monkeypatch.setattr(umpire, "looks_again_us", property(lambda _: 0 if 6_000_000 in told_us else 5_000_000))
    monkeypatch.setattr(umpire, "feed", lambda _, facts, until_us: told_us.append(until_us))
    there.play.take_news()
    news = []
    for now_us in (4_000_000, 6_000_000, 8_000_000):
        there.play.hear((), now_us)
        news.append(there.play.take_news())
    assert told_us == [4_000_000, 6_000_000, 8_000_000]
    assert news == [False, True, False]


@pytest.mark.parametrize(
    ("told", "believed"), [("cell", "cell"), ("reader", "reader"), ("ranger", "range"), ("bus", "range")]
)
def test_a_fault_that_a_station_tells_is_a_disagreement_until_it_is_over(table, told, believed):
    there, spot = table(), "seat/1/pad/0"
    there.hear("seat-1", there.birth())
    there.hear("seat-1", Fault(boot=BOOT, event_seq=2, at=AT, spot=spot, sensor=told, what="silent", on=True))
    wrong = [one for one in there.play.umpire.status().disagreements if one.kind == "sensor_fault"]
    assert [(one.spots, one.thing) for one in wrong] == [((spot,), believed)]
    there.hear("seat-1", Fault(boot=BOOT, event_seq=3, at=AT, spot=spot, sensor=told, what="silent", on=False))
    assert there.play.umpire.status().agrees


def test_a_ranger_whose_bus_was_stuck_may_be_silent_itself(table):
    there, spot = table(), "seat/1/pad/0"
    there.hear("seat-1", there.birth())
    for seq, (sensor, on) in enumerate([("bus", True), ("bus", False), ("ranger", True)], start=2):
        there.hear("seat-1", Fault(boot=BOOT, event_seq=seq, at=AT, spot=spot, sensor=sensor, what="silent", on=on))
    (wrong,) = there.play.umpire.status().disagreements
    assert (wrong.kind, wrong.spots, wrong.thing) == ("sensor_fault", (spot,), "range")


def test_what_a_station_complains_of_in_words_of_its_own_says_nothing_of_a_spot(table):
    there = table()
    there.hear("seat-1", there.birth())
    there.hear("seat-1", Fault(boot=BOOT, event_seq=2, at=AT, spot="seat/1/pad/0", sensor="bell", what="dull", on=True))
    assert there.play.umpire.status().agrees


def test_what_has_just_come_is_seen_at_once_and_counts_when_its_turn_comes(table):
    there = table()
    there.hear("sector-1", there.birth())
    there.play.take_facts()
    fresh = Received("sector-1", BOOT, there.tag("city/1/0", PLATFORM), 100, 100)
    assert there.play.glimpse([fresh])
    assert there.play.seen.observed.at("city/1/0") == {"platform/7/public"}
    assert there.lying() == {}
    assert there.play.take_facts() == ()
    there.play.hear([], 150)
    assert there.play.seen.observed.at("city/1/0") == {"platform/7/public"}  # nobody sees it flicker
    there.play.hear([fresh], 200)
    assert there.lying() == {"city/1/0": frozenset({"platform/7/public"})}
    assert len(there.play.take_facts()) == 1
    assert there.play.seen is there.play.umpire


def test_a_glimpse_of_nothing_new_is_none(table):
    there = table()
    there.hear("sector-1", there.birth(), there.tag("city/1/0", PLATFORM))
    assert not there.play.glimpse([Received("sector-1", BOOT, there.tag("city/1/0", PLATFORM), 100, 100)])
    assert there.play.seen is there.play.umpire


def test_while_the_table_is_cleared_there_are_no_glimpses(table):
    there = table()
    there.hear("sector-1", there.birth())
    there.play.say(ClearUp(do="begin", by="host"), NO_HISTORY)
    assert not there.play.glimpse([Received("sector-1", BOOT, there.tag("city/1/0", PLATFORM), 100, 100)])
    assert there.play.seen is there.play.umpire


def standing(there, steel):
    """The game with a building of so many pieces on 1/0."""
    pieces, face = Pieces(steel=steel), Face(7, "public")
    building = Building(at=Hex(1, 0), face=face, owner=1, contract="PU1", pieces=pieces, height_mm=40)
    position = replace(there.play.umpire.position, buildings=(building,))
    return SimpleNamespace(position=position, start=None, actions=())


def test_counting_goes_on_from_the_pieces_that_people_told_also_when_they_put_them_right(table, monkeypatch):
    told = []
    monkeypatch.setattr(TableSense, "said", lambda _, thing, n: told.append((thing, n)))
    there = table()
    for steel in (4, 4, 6):
        strike = Strike(entry=1, by="host")
        entry = Entry(2, 0, "referee", strike)
        there.play.say(strike, History((entry,), lambda _, steel=steel: standing(there, steel)))
    assert told == [("platform/7/public", 4), ("platform/7/public", 6)]


def test_pieces_are_counted_on_from_what_was_told_by_the_tag_of_their_platform(table):
    sense = TableSense(table().play.plan)
    sense.recall(TagCame(t_us=0, spot="city/1/0", uid=PLATFORM, thing="platform/7/public"))
    for mass_g, step_g in ((35.0, 35.0), (44.0, 9.0)):
        sense.recall(MassSettled(t_us=0, spot="city/1/0", mass_g=mass_g, step_g=step_g, error_g=0.1))
    sense.said("platform/7/public", 4)
    assert sense._towers._towers[PLATFORM].count.n == 4


PAD = "seat/2/pad/0"


def test_a_player_corrects_how_many_pieces_the_table_believes_to_stand_there(table, monkeypatch):
    told = []
    monkeypatch.setattr(TableSense, "said", lambda _, thing, n: told.append((thing, n)))
    there = table()
    word = PiecesSaid(spot=PAD, n=6, by="seat 2")
    history = History((Entry(2, 9, "player", word),), lambda _: None)
    with pytest.raises(Unfitting, match="there is nothing on seat/2/pad/0"):
        there.play.say(word, history)
    there.play.umpire.feed((TagCame(t_us=1, spot=PAD, uid=PLATFORM, thing="platform/7/public"),))
    there.play.umpire.feed((PiecesCounted(t_us=2, spot=PAD, n=3, unsure=True),))
    there.play.say(word, history)
    count = there.play.seen.observed.counts["platform/7/public"]
    assert (count.n, count.unsure) == (6, False)
    assert told == [("platform/7/public", 6)]
