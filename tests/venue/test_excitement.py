"""Which table is exciting now, and why."""

import pytest

from citytable.venue.evening import evening_of
from citytable.venue.excitement import Lead, exciting, followed, names_at
from citytable.venue.facts import EveningBegun, GamePlayed, PlayerCame, RoundDrawn, Seating, TableOpened
from citytable.venue.messages import TableNow

NAMES = ("Ada", "Ben")


def now(turn=5, points=(10, 5), **more):
    fields = {"game_id": "g2", "game": "toy", "t_us": 1, "seat": 1, "over": False, "names": ("", "")}
    return TableNow(turn=turn, points=points, **{**fields, "fell": False, "waits": False, **more})


def evening():
    return evening_of(
        [
            EveningBegun(2, 4, 2, 1),
            TableOpened("north"),
            *map(PlayerCame, NAMES),
            RoundDrawn(1, (Seating("north", NAMES),), ()),
            GamePlayed("north", "g1", 1, (3, 9)),
            RoundDrawn(2, (Seating("north", NAMES[::-1]),), ()),
        ]
    )


def why(one):
    return [reason.why for reason in one.reasons]


@pytest.mark.parametrize(
    ("table", "reasons"),
    [
        (now(), []),
        (now(fell=True), ["fell"]),
        (now(points=(10, 10)), ["level"]),
        (now(points=(10, 9)), ["close"]),
        (now(points=(100, 91)), ["close"]),
        (now(points=(100, 89)), []),
        (now(points=(0, 0)), []),
        (now(points=None, fell=True), ["fell"]),
        (now(points=(10, 10), fell=True), ["fell", "level"]),
        (now(points=(10, 10), fell=True, over=True), ["over"]),
    ],
)
def test_a_table_has_the_reasons_that_it_shows(table, reasons):
    (one,) = exciting({"north": table}, {}, None)
    assert why(one) == reasons


def test_who_has_just_taken_the_lead_is_news_for_two_turns():
    lead = None
    for turn, points in ((1, (0, 0)), (2, (5, 0)), (3, (5, 5)), (4, (5, 11))):
        lead = followed(lead, now(turn, points))
    assert lead == Lead("g2", 2, 4)  # level meanwhile, and then another than before
    leads = {"north": lead}
    told = [why(exciting({"north": now(turn, (5, 11))}, leads, None)[0]) for turn in (4, 6, 7)]
    assert told == [["lead"], ["lead"], []]
    assert followed(lead, now(1, (1, 0), game_id="g3")) == Lead("g3", 1, None)  # the first leader of a game is no news
    assert exciting({"north": now(4, (5, 11))}, leads, evening())[0].reasons[0].name == "Ada"  # seat 2 in round 2


def test_the_most_exciting_table_comes_first_and_equal_ones_by_name():
    tables = {"west": now(), "south": now(points=(9, 9)), "north": now(fell=True), "east": now()}
    assert [one.table for one in exciting(tables, {}, None)] == ["north", "south", "east", "west"]


def test_the_leader_of_the_evening_makes_a_table_worth_a_look():
    (one,) = exciting({"north": now()}, {}, evening())
    assert [(reason.why, reason.name) for reason in one.reasons] == [("first", "Ben")]


def test_names_are_those_of_the_games_own_round():
    assert names_at("north", now(game_id="g1"), evening()) == NAMES
    assert names_at("north", now(), evening()) == NAMES[::-1]
    assert names_at("south", now(names=("Zoe", "")), evening()) == ("Zoe", "")
    assert names_at("north", now(names=("Zoe", "", ""), points=None), evening()) == ("Zoe", "", "")
