"""How players stand: points, ties, corrections, and a season."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.venue.evening import after, coming, evening_of
from citytable.venue.facts import (
    EveningBegun,
    GamePlayed,
    PlayerCame,
    PlayerLeft,
    Refused,
    ResultRuled,
    RoundDrawn,
    RoundWithdrawn,
    Seating,
    TableClosed,
    TableOpened,
)
from citytable.venue.season import season
from citytable.venue.standings import Game, standings, table_points
from citytable.venue.wording import round_lines

NAMES = ("Ada", "Ben", "Cleo", "Dev")


def _evening(*facts, players=NAMES, tables=("north",)):
    came = [PlayerCame(name) for name in players]
    return evening_of([EveningBegun(2, 4, 3, 1), *came, *(TableOpened(name) for name in tables), *facts])


def _one_round(points, *facts):
    return _evening(RoundDrawn(1, (Seating("north", NAMES),), ()), GamePlayed("north", "g1", 1, points), *facts)


def _places(evening):
    return [(line.place, line.player) for line in standings(evening)]


@given(st.lists(st.integers(-5, 50), min_size=2, max_size=4))
def test_every_table_gives_each_of_its_players_a_half_on_average_and_more_points_never_less(points):
    gained = table_points(Game(NAMES[: len(points)], tuple(points)))
    assert sum(gained.values()) == Fraction(len(points), 2)
    for one, other in permutations(range(len(points)), 2):
        assert (gained[NAMES[one]] > gained[NAMES[other]]) == (points[one] > points[other])


def test_the_winner_of_two_has_what_the_winner_of_four_has():
    assert table_points(Game(NAMES[:2], (9, 3)))["Ada"] == table_points(Game(NAMES, (9, 3, 3, 3)))["Ada"] == 1


def test_places_follow_the_points_and_level_players_share_one():
    assert _places(_one_round((10, 30, 10, 20))) == [(1, "Ben"), (2, "Dev"), (3, "Ada"), (3, "Cleo")]


def test_of_equal_points_more_won_games_come_first():
    rounds = [RoundDrawn(k, (Seating("north", NAMES[:3]),), ("Dev",)) for k in (1, 2)]
    evening = _evening(
        rounds[0], GamePlayed("north", "a", 1, (9, 5, 1)), rounds[1], GamePlayed("north", "b", 2, (1, 5, 9))
    )
    lines = {line.player: line for line in standings(evening)}
    assert {lines[name].points for name in NAMES} == {Fraction(1)}  # Dev sat out twice, Ben was second twice
    assert [place for place, _ in _places(evening)] == [1, 1, 3, 4]
    assert {name for place, name in _places(evening) if place == 1} == {"Ada", "Cleo"}


def test_of_equal_wins_the_stronger_opposition_comes_first_then_the_share():
    two = (Seating("north", ("Ada", "Ben")), Seating("south", ("Cleo", "Dev")))
    games = (GamePlayed("north", "a", 1, (10, 0)), GamePlayed("south", "b", 1, (10, 9)))
    evening = _evening(RoundDrawn(1, two, ()), *games, tables=("north", "south"))
    assert _places(evening) == [(1, "Ada"), (2, "Cleo"), (3, "Dev"), (4, "Ben")]  # by their shares
    late = (RoundDrawn(2, (Seating("north", ("Dev", "Ben")),), ("Ada", "Cleo")), GamePlayed("north", "c", 2, (9, 0)))
    evening = evening_of([*_facts(RoundDrawn(1, two, ()), *games), *late])
    assert _places(evening)[:2] == [(1, "Cleo"), (2, "Ada")]  # for Dev, whom she met, has won since


def _facts(*facts):
    came = [PlayerCame(name) for name in NAMES]
    return [EveningBegun(2, 4, 3, 1), *came, TableOpened("north"), TableOpened("south"), *facts]


@given(st.permutations(range(4)), st.permutations(range(4)))
def test_a_ruling_stands_before_and_after_what_the_table_reports(reported, ruled):
    drawn, ruling = RoundDrawn(1, (Seating("north", NAMES),), ()), ResultRuled(1, "north", tuple(ruled), "miscounted")
    game = GamePlayed("north", "g", 1, tuple(reported))
    assert standings(_evening(drawn, game, ruling)) == standings(_evening(drawn, ruling, game))
    assert standings(_evening(drawn, ruling)) == standings(_evening(drawn, game, ruling))
    assert standings(_evening(drawn, ruling))[0].player == NAMES[list(ruled).index(3)]


def test_of_several_reports_of_a_game_the_one_that_ended_last_counts_whichever_comes_first():
    drawn = RoundDrawn(1, (Seating("north", NAMES),), ())
    reports = [GamePlayed("north", "g1", 1, (4, 3, 2, 1), 10), GamePlayed("north", "g1", 1, (1, 2, 3, 4), 20)]
    for order in permutations(reports):
        assert _places(_evening(drawn, *order))[0] == (1, "Dev")


def test_a_second_game_of_the_same_round_is_refused():
    with pytest.raises(Refused, match="another game of round 1"):
        _one_round((4, 3, 2, 1), GamePlayed("north", "g2", 1, (1, 2, 3, 4)))


def test_a_game_belongs_to_the_oldest_round_that_lacks_one():
    evening = _evening(RoundDrawn(1, (Seating("north", NAMES),), ()), ResultRuled(1, "north", (4, 3, 2, 1), "by hand"))
    evening = after(evening, RoundDrawn(2, (Seating("north", NAMES),), ()))
    assert evening.round_of_next_game("north", (4, 3, 2, 1)) == 1  # the report of what the host wrote down, late
    assert evening.round_of_next_game("north", (5, 6, 7, 8)) == 2  # round 1 will never be reported
    assert evening.round_of_next_game("north", (5, 6)) is None
    assert evening.round_of_next_game("south", (5, 6, 7, 8)) is None
    evening = after(evening, GamePlayed("north", "g2", 2, (5, 6, 7, 8)))
    assert evening.round_of_next_game("north", (9, 9, 9, 9)) is None


def test_a_game_beside_the_evening_moves_nobody():
    evening = _one_round((4, 3, 2, 1))
    beside = after(evening, GamePlayed("south", "warm-up", None, (1, 2)))
    assert standings(beside) == standings(evening)
    assert round_lines(beside) == (*round_lines(evening), "beside   south: 1 2 (game warm-up)")


def test_who_left_keeps_their_points_and_who_comes_late_begins_with_none():
    evening = after(after(_one_round((4, 3, 2, 1)), PlayerLeft("Ada")), PlayerCame("Eve"))
    assert _places(evening)[0] == (1, "Ada")
    assert standings(evening)[-1].points == 0
    assert evening.present == {"Ben", "Cleo", "Dev", "Eve"}
    assert after(evening, PlayerCame("Ada")).players == evening.players  # she is back, with her points


WRONG = [
    (PlayerCame(" "), "needs a name"),
    (PlayerCame("Ada"), "Ada is here already"),
    (PlayerLeft("Zoe"), "Zoe is not here"),
    (TableOpened("north"), "open already"),
    (TableClosed("east"), "not open"),
    (RoundDrawn(3, (), ()), "the next round is 2"),
    (RoundDrawn(2, (Seating("north", NAMES[:2]),), ()), "exactly once"),
    (RoundDrawn(2, (Seating("east", NAMES),), ()), "not open"),
    (RoundWithdrawn(1), "is over"),
    (RoundWithdrawn(2), "only the last round"),
    (ResultRuled(2, "north", (1, 2, 3, 4), ""), "nobody plays"),
    (ResultRuled(1, "north", (1, 2), ""), "give as many points, not 2"),
    (EveningBegun(2, 4, 3, 1), "has begun already"),
]


@pytest.mark.parametrize(("fact", "why"), WRONG)
def test_what_does_not_fit_is_refused_with_a_reason(fact, why):
    with pytest.raises(Refused, match=why):
        after(_one_round((4, 3, 2, 1)), fact)


@pytest.mark.parametrize("facts", [[], [PlayerCame("Ada")], [EveningBegun(1, 4, 3, 1)], [EveningBegun(4, 3, 3, 1)]])
def test_an_evening_starts_with_its_beginning(facts):
    with pytest.raises(Refused):
        evening_of(facts)


@pytest.mark.parametrize("name", ["cleo", "CLEO", " cLeo "])
def test_another_spelling_of_a_name_makes_no_second_player(name):
    with pytest.raises(Refused, match="Cleo has come already"):
        coming(name)(evening_of([EveningBegun(2, 4, 3, 1), PlayerCame("Cleo")]))


def test_spaces_around_a_name_and_doubled_ones_do_not_count():
    gone = evening_of([EveningBegun(2, 4, 3, 1), PlayerCame("Ada May"), PlayerLeft("Ada May")])
    assert coming("  Ada   May ")(gone) == PlayerCame("Ada May")


def test_an_evening_of_before_keeps_the_spellings_that_it_has():
    kept = evening_of([EveningBegun(2, 4, 3, 1), PlayerCame("Cleo"), PlayerCame(" Cleo ")])
    assert kept.players == ("Cleo", " Cleo ")


def test_a_round_can_be_taken_back_until_a_game_of_it_is_over():
    drawn = RoundDrawn(1, (Seating("north", NAMES),), ())
    evening = _evening(drawn, RoundWithdrawn(1))
    assert evening.rounds == ()
    assert after(after(evening, TableClosed("north")), TableOpened("north")).tables == ("north",)


def test_a_season_adds_the_best_evenings():
    first, second = _one_round((4, 3, 2, 1)), _one_round((1, 3, 2, 4))
    winner = season([first, second])[0]
    assert (winner.player, winner.points) == ("Ben", Fraction(4, 3))
    best = season([first, second], counting=1)
    assert [(line.place, line.player) for line in best] == [(1, "Ada"), (1, "Dev"), (3, "Ben"), (4, "Cleo")]
    assert {line.evenings for line in best} == {2}
