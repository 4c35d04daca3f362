"""Who plays whom: rounds that are drawn, and a judge of small evenings that tries every division."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citytable.venue.division import Looks, Pairs, divide
from citytable.venue.draw import draw, fair_seats, meetings, seats_had
from citytable.venue.evening import after
from citytable.venue.facts import PlayerCame, PlayerLeft, Refused, RoundDrawn, TableOpened
from citytable.venue.sizes import table_sizes
from citytable.venue.standings import standings

pytestmark = pytest.mark.long(4)

small = st.tuples(st.integers(2, 9), st.integers(1, 4), st.integers(1, 3), st.integers(0, 999))


def _every_division(players: frozenset[str], sizes: tuple[int, ...]) -> Iterator[tuple[frozenset[str], ...]]:
    if not sizes:
        yield ()
        return
    for table in combinations(sorted(players), sizes[0]):
        for rest in _every_division(players - set(table), sizes[1:]):
            yield (frozenset(table), *rest)


def _cost(tables, met, places) -> tuple[int, int]:
    pairs = [pair for table in tables for pair in combinations(sorted(table), 2)]
    return sum(met[frozenset(pair)] for pair in pairs), sum((places[one] - places[two]) ** 2 for one, two in pairs)


@given(small)
@settings(max_examples=settings().max_examples // 2)
def test_no_other_division_repeats_less_and_of_those_that_repeat_as_little_none_is_nearer(opened, play_round, small):
    players, tables, rounds, seed = small
    evening, rng = opened(players, tables, seed=seed), random.Random(seed)
    for _ in range(rounds):
        evening = play_round(evening, rng)
    sizes = table_sizes(players, tables, 2, 4)
    names = evening.players[: sum(sizes)]
    places, met = {line.player: line.place for line in standings(evening)}, meetings(evening)
    found = divide(Pairs(names, places, met), sizes, Looks())
    judged = min(_cost(division, met, places) for division in _every_division(frozenset(names), sizes))
    assert (found.repeats, found.spread, found.proven) == (*judged, True)
    groups = [[names[k] for k in group] for group in found.tables]
    assert _cost(groups, met, places) == judged
    assert sorted(name for group in groups for name in group) == sorted(names)


@given(small)
def test_a_drawn_round_repeats_no_more_than_it_must_in_spite_of_its_foresight(opened, play_round, small):
    players, tables, rounds, seed = small
    evening, rng = opened(players, tables, seed=seed), random.Random(seed)
    for _ in range(rounds):
        evening = play_round(evening, rng)
    drawn, met = draw(evening), meetings(evening)
    playing = frozenset(name for seating in drawn.seatings for name in seating.players)
    level = dict.fromkeys(playing, 1)
    sizes = tuple(len(seating.players) for seating in drawn.seatings)
    least = min(_cost(division, met, level) for division in _every_division(playing, sizes))
    assert _cost([seating.players for seating in drawn.seatings], met, level) == least


@given(small, st.data())
def test_everybody_who_is_here_is_in_a_round_once_and_who_sits_out_did_so_least(opened, play_round, small, data):
    players, tables, rounds, seed = small
    evening, rng = opened(players, tables, seed=seed), random.Random(seed)
    for k in range(rounds):
        if len(evening.present) > 2 and data.draw(st.booleans(), label="somebody leaves"):
            evening = after(evening, PlayerLeft(data.draw(st.sampled_from(sorted(evening.present)))))
        if data.draw(st.booleans(), label="somebody comes late"):
            evening = after(evening, PlayerCame(f"late {k}"))
        byes = {line.player: line.byes for line in standings(evening)}
        evening = play_round(evening, rng)
        drawn = evening.rounds[-1]
        playing = [name for seating in drawn.seatings for name in seating.players]
        assert sorted([*playing, *drawn.sitting_out]) == sorted(evening.present)
        assert len(playing) == min(
            len(evening.present), 4 * tables
        )  # 2 to 4 at a table: everybody for whom it has seats
        if drawn.sitting_out:
            assert max(byes[name] for name in drawn.sitting_out) <= min(byes[name] for name in playing)


@given(
    st.permutations("abcd"), st.dictionaries(st.tuples(st.sampled_from("abcd"), st.integers(0, 3)), st.integers(0, 3))
)
def test_no_other_order_of_seats_is_fairer(players, sat):
    def had(order) -> int:
        return sum(sat.get((name, seat), 0) for seat, name in enumerate(order))

    assert had(fair_seats(players, sat)) == min(map(had, permutations(players)))


@pytest.mark.seeds("seed", [1, 2, 3], soak=30)
def test_sixteen_at_four_tables_meet_twelve_others_in_four_rounds(opened, play_round, seed):
    evening, rng = opened(16, 4, seed=seed), random.Random(seed)
    for _ in range(4):
        evening = play_round(evening, rng)
    assert set(meetings(evening).values()) == {1}
    assert max(seats_had(evening).values()) <= 2
    assert len(meetings(evening)) == 16 * 12 / 2


def test_like_plays_like_once_games_are_played(opened, play_round):
    evening = play_round(opened(16, 4, rounds=2), random.Random(5))
    winners = {line.player for line in standings(evening) if line.wins}
    assert len(winners) == 4
    assert (
        set(draw(evening).seatings[0].players) == winners
    )  # they cannot have met, and the best play at the first table


@pytest.mark.parametrize(
    ("players", "tables", "sizes"),
    [(16, 4, (4, 4, 4, 4)), (17, 4, (4, 4, 4, 4)), (14, 4, (4, 4, 3, 3)), (5, 2, (3, 2)), (6, 1, (4,)), (2, 3, (2,))],
)
def test_as_many_play_as_have_seats_at_tables_of_like_size(players, tables, sizes):
    assert table_sizes(players, tables, 2, 4) == sizes


@pytest.mark.parametrize(("players", "tables"), [(1, 3), (4, 0), (0, 0)])
def test_without_a_table_or_a_second_player_there_is_no_round(opened, players, tables):
    with pytest.raises(Refused, match="a round needs a table"):
        draw(opened(players, tables))


def test_forty_players_are_drawn_within_the_looks_and_nobody_meets_twice(opened, play_round):
    evening, rng = opened(40, 10), random.Random(3)
    for _ in range(3):
        evening = play_round(evening, rng)
    assert max(meetings(evening).values()) == 1


def test_the_lot_is_the_seeds(opened):
    assert draw(opened(8, 2, seed=1)) == draw(opened(8, 2, seed=1)) != draw(opened(8, 2, seed=2))


def test_a_new_table_is_used_from_the_next_round_on(opened, play_round):
    evening = play_round(opened(8, 1), random.Random(1))
    assert len(evening.rounds[0].sitting_out) == 4
    evening = play_round(after(evening, TableOpened("another")), random.Random(1))
    assert [seating.table for seating in evening.rounds[1].seatings] == ["table-0", "another"]
    assert evening.rounds[1].sitting_out == ()


def test_no_round_is_drawn_while_one_is_played(opened):
    evening = opened(8, 2)
    drawn = draw(evening)
    evening = after(evening, drawn)
    with pytest.raises(Refused, match="still played at table-0, table-1"):
        draw(evening)
    with pytest.raises(Refused, match="still played"):
        after(evening, RoundDrawn(2, drawn.seatings, ()))


def test_meetings_count_every_round(opened, play_round):
    evening = opened(4, 1)
    for _ in range(3):
        evening = play_round(evening, random.Random(1))
    assert Counter(meetings(evening).values()) == {3: 6}
    assert set(seats_had(evening).values()) == {1}  # each on three of the four seats
