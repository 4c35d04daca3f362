"""The table outranks the rules: what happened is taken, what cannot have happened is not."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citytable.games.megacity.actions import Deliver, EndTurn, PlacePark, TakeContract, TakePieces
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.effects import check
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import action_from_text
from citytable.games.megacity.position import Face, Options, Pieces, Player
from citytable.games.megacity.spots import CITY
from citytable.games.megacity.validity import unconserved
from citytable.rules.errors import IllegalAction, OutcomeOpen, broken_rule
from citytable.table.hexes import hex_from_text


def accept(game, line):
    """Play a line that is against the rules; gives the rule."""
    action = action_from_text(line)
    rule = broken_rule(check, game.position, action, game.deck)
    with pytest.raises(IllegalAction, match=f"^{rule}:"):
        game.push(action)
    game.accept(action)
    return rule


def test_a_third_contract_is_taken_all_the_same(table):
    game = table.game(hands={1: Player(contracts=("CO1", "CO2"))})
    top = game.position.columns[0][0]
    assert accept(game, f"p1 take_contract contract={top}") == "R8"
    assert top in game.position.players[0].contracts
    assert game.position.actions_used == 1


@pytest.mark.parametrize("line", ["p9 end_turn", "p0 end_turn", "p0 take_pieces drawn=steel:1"])
def test_nobody_acts_who_does_not_sit_there(table, line):
    game = table.game()
    before = game.position
    with pytest.raises(IllegalAction, match=r"There is no seat [09] in this game"):
        game.accept(action_from_text(line))
    assert game.position == before


def test_a_card_from_below_the_top_leaves_its_column(table):
    game = table.game()
    top, below = game.position.columns[1][:2]
    assert accept(game, f"p1 take_contract contract={below}") == "R8"
    assert below not in game.position.columns[1]
    assert game.position.columns[1][0] == top


def test_what_a_player_does_outside_his_turn_is_his_and_costs_the_other_nothing(table):
    game = table.game()
    top = game.position.columns[2][0]
    assert accept(game, f"p2 take_contract contract={top}") == "R7"
    assert top in game.position.players[1].contracts
    assert (game.position.player, game.position.actions_used, game.position.phase) == (1, 0, "main")


@pytest.mark.parametrize(
    ("change", "rule"),
    [("height=1mm", "R18"), ("at=3/0", "R25"), ("pieces=glass:6", "R17"), ("judged=no", "A14")],
)
def test_a_delivery_against_a_rule_stands_if_the_table_takes_it(table, change, rule):
    words = {"at": "1/0", "stood": "yes", "height": "45mm", "pieces": "concrete:3,glass:4", "judged": "yes"}
    words |= dict([change.split("=")])
    hand = Player(contracts=("CO5",), platforms=(Face(14, "commercial"),), pieces=Pieces(concrete=7, glass=8))
    game = table.game(hands={1: hand})
    told = " ".join(f"{name}={value}" for name, value in words.items())
    assert accept(game, f"p1 deliver contract=CO5 platform=14 {told}") == rule
    assert game.position.buildings[-1].at == hex_from_text(words["at"])
    assert game.position.players[0].completed == ("CO5",)
    assert game.scores()[1].total > 0


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("p1 take_contract contract=ZZ9", "ZZ9"),
        ("p1 deliver contract=CO1 platform=14 at=1/0 stood=yes height=45mm pieces=glass:4 judged=yes", "platform"),
        ("p1 take_pieces drawn=steel:99", "steel"),
        ("p1 place_park at=0/0", "there is already a tile on that hex"),
        ("table building_fell at=1/0 to_box=0 left=0", "^R35: This cannot have happened: no building"),
    ],
)
def test_what_cannot_have_happened_is_refused_and_changes_nothing(table, line, seen):
    game = table.game()
    before = game.position
    with pytest.raises(IllegalAction, match=seen):
        game.accept(action_from_text(line))
    assert game.position is before
    assert game.actions == ()


def test_an_open_outcome_cannot_be_accepted(table):
    game = table.game()
    with pytest.raises(OutcomeOpen):
        game.accept(action_from_text("p1 take_pieces"))


def test_before_the_deal_nothing_else_is_accepted():
    game = MegaCity(Options(players=2))
    with pytest.raises(IllegalAction, match="R2"):
        game.accept(action_from_text("p1 end_turn"))


def wild(rng, position):
    """Anything anybody might do, mostly against the rules."""
    seat = rng.randint(1, len(position.players))
    contract = rng.choice([f"{kind}{n}" for kind in ("PU", "IN", "CO", "RE") for n in range(1, 9)])
    at = rng.choice(sorted(CITY))
    return rng.choice(
        [
            TakeContract(player=seat, contract=contract),
            TakePieces(player=seat, drawn=Pieces(unknown=rng.randint(0, 3))),
            EndTurn(player=seat),
            PlacePark(player=seat, at=at),
            Deliver(
                player=seat,
                contract=contract,
                platform=rng.randint(1, 32),
                at=at,
                stood=True,
                height_mm=rng.randint(1, 400),
                pieces=Pieces(steel=rng.randint(0, 3), glass=rng.randint(0, 3)),
                judged=True,
            ),
        ]
    )


@settings(max_examples=settings().max_examples // 2)
@given(st.integers(0, 10**6), st.integers(2, 4))
def test_whatever_is_accepted_nothing_is_lost_or_doubled_and_the_game_goes_on(seed, players):
    rng = random.Random(seed)
    game, dealer = MegaCity(Options(players=players)), Dealer(rng)
    game.push(dealer.outcome(game, next(iter(game.legal_actions))))
    for _ in range(60):
        if rng.random() < 0.5:
            before = game.position
            try:
                game.accept(wild(rng, before))
            except IllegalAction:
                assert game.position is before
        decisions = list(game.legal_actions)
        if decisions and rng.random() < 0.7:
            game.push(dealer.outcome(game, rng.choice(decisions)))
        assert list(unconserved(game.position, game.deck)) == []
    game.scores()
    game.outcome()
