"""Bots play whole games, and chance comes from the dealer alone."""

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from citytable.bots.greedy import Greedy
from citytable.bots.random_bot import RandomBot
from citytable.bots.self_play import Unending, play_out
from citytable.games.megacity.actions import SetUp
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import action_from_text, position_from_text
from citytable.games.megacity.position import Options, Rulings

SENSIBLE_ROUNDS = 60


def greedy_game(players, seed, **options):
    game = MegaCity(Options(players=players, **options))
    play_out(game, [Greedy()] * players, Dealer(random.Random(seed)))
    return game


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.seeds("seed", range(6), soak=50)
def test_greedy_players_finish_within_a_sensible_number_of_rounds(players, seed):
    game = greedy_game(players, seed)
    assert game.outcome() is not None
    assert game.position.turn < SENSIBLE_ROUNDS * players


@pytest.mark.parametrize("players", [2, 3, 4])
def test_greedy_players_finish_the_simplified_game_too(players):
    assert greedy_game(players, 1, simplified=True).outcome() is not None


def test_greedy_players_build_place_parks_found_monuments_and_recycle():
    kinds = Counter(type(action).__name__ for seed in range(6) for action in greedy_game(3, seed).actions)
    for kind in ("Deliver", "PlacePark", "PlaceCentralParkMonument", "Recycle", "Rezone", "Refresh"):
        assert kinds[kind] > 0


def test_greedy_beats_a_random_player():
    wins = 0
    for seed in range(5):
        rng = random.Random(seed)
        game = MegaCity(Options(players=2, rulings=Rulings(round_limit=25)))
        play_out(game, [Greedy(), RandomBot(rng)], Dealer(rng))
        wins += game.outcome().winners == (1,)
    assert wins == 5


def test_the_same_seed_gives_the_same_game():
    assert greedy_game(3, 7).actions == greedy_game(3, 7).actions
    assert greedy_game(3, 7).actions != greedy_game(3, 8).actions


def test_random_players_choose_among_what_is_legal():
    game = MegaCity(Options(players=2))
    game.push(Dealer(random.Random(1)).outcome(game, SetUp()))
    decisions = list(game.legal_actions)
    chosen = {RandomBot(random.Random(seed)).choose(game, decisions) for seed in range(60)}
    assert chosen <= set(decisions)
    assert len(chosen) > 5


def test_a_game_that_does_not_end_is_given_up():
    game = MegaCity(Options(players=2))
    rng = random.Random(0)
    with pytest.raises(Unending, match="no end after 9 actions: MegaCity"):
        play_out(game, [RandomBot(rng)] * 2, Dealer(rng), actions_max=9)


def test_the_dealer_draws_what_is_left_and_every_platform_once():
    seen = Counter()
    for seed in range(60):
        game = MegaCity(Options(players=4))
        rng = random.Random(seed)
        game.push(Dealer(rng).outcome(game, SetUp()))
        platforms = [face.platform for face in game.position.supply]
        assert len(set(platforms)) == 3
        seen.update(platforms)
    assert len(seen) == 24


def test_the_dealer_leaves_draws_untold_when_asked_to():
    game = MegaCity(Options(players=2))
    dealer = Dealer(random.Random(3), unknown=1.0)
    game.push(dealer.outcome(game, SetUp()))
    seat = game.position.player
    assert dealer.outcome(game, action_from_text(f"p{seat} take_pieces")).drawn.unknown == 3
    assert dealer.outcome(game, action_from_text(f"p{seat} take_pieces announced=glass")).drawn.glass == 1


def test_the_dealer_lets_every_delivery_fall_or_none():
    game = greedy_game(2, 3)
    while not any(" deliver " in str(action) for action in game.legal_actions):
        game.pop()
    decision = next(action for action in game.legal_actions if " deliver " in str(action))
    assert Dealer(random.Random(1), falls=1.0).outcome(game, decision).stood is False
    assert Dealer(random.Random(1), falls=0.0).outcome(game, decision).stood is True


STUCK = """{"options":{"players":2},"phase":"main","turn":50,"player":1,"bag":129,
"columns":[["PU2"],["IN1","IN2","IN3"],["CO1","CO2","CO3"],["RE1","RE2","RE3"]],"supply":["1/public","2/public","3/public"],
"stack":[null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null],
"players":[{"pieces":"steel:15","contracts":["PU1"],"platforms":["6/commercial"]},{"pieces":"glass:6","contracts":["PU3"]}],
"parks":[{"at":"0/0"}]}"""


@pytest.mark.parametrize(
    ("change", "verb"),
    [
        ({}, "rezone platform=6"),
        ({"player": 2}, "take_platform platform=1"),
    ],
)
def test_greedy_looks_for_the_platform_its_contract_needs(change, verb):
    game = MegaCity.from_position(replace(position_from_text(STUCK), **change))
    assert str(Greedy().choose(game, list(game.legal_actions))).endswith(verb)
