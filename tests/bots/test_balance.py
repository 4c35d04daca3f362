"""What many games say about a game, and why random games of MegaCity may have no end."""

import random
from functools import partial

import pytest

from citytable.bots.balance import Record, games, record, report
from citytable.bots.greedy import Greedy
from citytable.bots.random_bot import RandomBot
from citytable.bots.self_play import Unending, play_out
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.hands import PIECES_MAX
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.games.megacity.turn import allowance
from citytable.rules.game import Outcome


def test_what_is_offered_and_what_is_taken_is_counted_by_move():
    rng = random.Random(3)
    one = record(MegaCity(Options(players=2)), [Greedy(), Greedy()], Dealer(rng))
    assert one.outcome is not None
    assert sum(one.points) == sum(one.outcome.scores.values())
    assert sorted(one.order) == [1, 2]
    assert all(one.offered[use] >= times for use, times in one.taken.items())
    assert {use[:2] for use in one.taken} >= {("deliver", "contract"), ("take_contract", "contract")}


def test_a_report_has_lengths_leads_orders_and_what_nobody_wants():
    use, other = ("take", "card", "A"), ("take", "card", "B")
    found = report(
        [
            Record(Outcome("end", (1,)), (5, 2), 10, (2, 1), {use: 30, other: 5}, {use: 1}, {}),
            Record(Outcome("end", (1, 2)), (4, 4), 20, (1, 2), {use: 10}, {use: 1}, {}),
            Record(None, (9, 0), 6000, (1, 2), {}, {}, {"pass": 1000}),
        ]
    )
    assert (found.games, found.endings) == (3, {"end": 2, "did not end": 1})
    assert (found.actions.mean, found.points.mean, found.margin.mean) == (15, 3.75, 1.5)
    assert [one.mean for one in found.order] == [0.25, 0.75]
    assert found.rare == ((use, 40, 2),)
    assert found.last == {"pass": 1000}


def test_a_report_on_no_games_is_refused():
    with pytest.raises(ValueError, match="play at least one"):
        report([])


def test_the_same_seeds_give_the_same_records():
    begin = partial(MegaCity, Options(players=3))
    twice = [list(games(begin, lambda rng: Greedy(), Dealer, 3, [7])) for _ in range(2)]
    assert twice[0] == twice[1]


def _may_still_deliver(position, player):
    """Whether a player has a place for a platform, or a platform with a side that some contract of theirs needs."""
    contracts = [*player.contracts]
    if len(contracts) < allowance(position.options):
        contracts += [name for column in position.columns for name in column]
    if not player.contracts:  # R40: only then a landmark
        contracts += position.landmarks
    kinds = {HOUSE.contracts[name].type for name in contracts}
    sides = {side for face in player.platforms for side in HOUSE.platforms[face.platform]}
    return bool(kinds) and (len(player.platforms) < allowance(position.options) or bool(kinds & sides))


@pytest.mark.parametrize("seed", [6, 11])
def test_a_game_that_locks_up_has_full_hands_that_fit_nothing(seed):
    """No rule takes back a platform or a contract; and who has more than 15 pieces returns the rest to the bag."""
    rng = random.Random(seed)
    game = MegaCity(Options(players=3))
    with pytest.raises(Unending):
        play_out(game, [RandomBot(rng)] * 3, Dealer(rng), 6_000)
    position = game.position
    assert not any(_may_still_deliver(position, player) for player in position.players)
    built = sum(building.pieces.total for building in position.buildings)
    assert built + PIECES_MAX * len(position.players) < HOUSE.all_pieces  # the bag is not empty at the end of a turn
