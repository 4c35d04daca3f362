"""What may have been done instead of a confirmed act: the table as it lies says which way is the likeliest."""

import random

import pytest
from msgspec.structs import replace

from citytable.games.megacity.actions import EndTurn, MonumentFell, SetUp, TakeContract, TakePieces, TakePlatform
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options, Park, Pieces
from citytable.games.megacity.spots import shared_spots
from citytable.games.megacity.table_side import MegaCityTable
from citytable.rehearsal.megacity.acts import public
from citytable.table.fact import TagCame
from citytable.table.hexes import Hex
from citytable.table.plan import full_plan
from citytable.umpire.otherwise import Otherwise, otherwise
from citytable.umpire.umpire import Umpire
from citytable.umpire.whole_game import whole

pytestmark = pytest.mark.long(5)

GAME = whole(MegaCityTable(HOUSE))
PLAN = full_plan("salon", 2, shared_spots(), ())
SEEDS = range(12)


def laid(position):
    """The table on which everything lies as in a position."""
    umpire = Umpire(GAME, position, PLAN)
    for region in GAME.layout(position).regions:
        for spot, thing in zip(region.spots, region.things, strict=False):
            umpire.feed([TagCame(t_us=0, spot=spot, uid=thing, thing=thing)])
    return umpire.observed


def played(seed, *kinds):
    """A game of which the first acts are of these kinds, as the table could know them; its positions and its acts."""
    game, rng = MegaCity(Options(players=2), HOUSE), random.Random(seed)
    dealer = Dealer(rng)
    positions, acts = [], []
    for kind in (SetUp, *kinds):
        decision = rng.choice([one for one in game.legal_actions if isinstance(one, kind)])
        act = public(dealer.outcome(game, decision))
        positions.append(game.position)
        game.push(act)
        acts.append(act)
    return [*positions, game.position], acts


def others(before, act):
    """Other acts of the same kind, with all that came up in them."""
    return [one for one in GAME.decisions(before) if isinstance(one, type(act)) and one != act]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_card_that_lies_in_the_slot_is_the_one_that_was_taken(seed):
    positions, acts = played(seed, TakeContract, TakePieces, EndTurn)
    wrong = others(positions[1], acts[1])[0]
    ways = otherwise(GAME, positions[1], wrong, acts[2:], laid(positions[-1]))
    assert ways[0] == Otherwise("amend", acts[1])


@pytest.mark.parametrize("seed", SEEDS)
def test_an_act_that_never_was_is_struck(seed):
    positions, acts = played(seed, TakePieces, TakeContract, EndTurn)
    wrong = others(positions[1], acts[2])[0]
    ways = otherwise(GAME, positions[1], wrong, acts[1:], laid(positions[-1]))
    assert ways[0].how == "strike"


@pytest.mark.parametrize("seed", SEEDS)
def test_an_act_that_is_missing_is_put_in_before_the_turn_ends(seed):
    positions, acts = played(seed, TakePieces, TakePlatform, EndTurn)
    ways = otherwise(GAME, positions[2], acts[3], acts[4:], laid(positions[-1]))
    assert ways[0] == Otherwise("insert", acts[2])


def test_a_draw_may_have_been_any_draw_that_the_rules_know():
    positions, acts = played(1, TakePieces, TakeContract, EndTurn)
    ways = otherwise(GAME, positions[1], acts[1], acts[2:], laid(positions[-1]))
    drawn = {way.action.drawn for way in ways if way.how == "amend" and isinstance(way.action, TakePieces)}
    every = {Pieces(unknown=3), Pieces(steel=1), Pieces(concrete=1), Pieces(glass=1)}
    assert drawn == every - {acts[1].drawn}


def test_a_turn_that_ended_was_no_fall_and_one_before_it_comes_late():
    """A park with a monument: it may have fallen, as at any time."""
    positions, acts = played(3, TakePieces, TakePieces, EndTurn)
    park = Park(owner=2, at=Hex(1, 0), monument=Pieces(steel=1))
    positions = [replace(one, parks=(*one.parks, park), bag=one.bag - 1) for one in positions]
    ways = otherwise(GAME, positions[3], acts[3], acts[4:], laid(positions[-1]))
    fell = [k for k, way in enumerate(ways) if isinstance(way.action, MonumentFell)]
    assert [ways[k].how for k in fell] == ["insert"]
    drawn = [k for k, way in enumerate(ways) if way.how == "insert" and isinstance(way.action, TakePieces)]
    assert fell[0] > max(drawn)


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_offered_after_which_the_rest_cannot_have_happened(seed):
    positions, acts = played(seed, TakePlatform, TakeContract, EndTurn, TakePieces, TakePlatform, EndTurn)
    for k in range(1, len(acts)):
        ways = otherwise(GAME, positions[k], acts[k], acts[k + 1 :], laid(positions[-1]))
        assert len(set(ways)) == len(ways)
        for way in ways:
            after = positions[k]
            for act in (*way.instead_of(acts[k]), *acts[k + 1 :]):
                after = GAME.accepting().applied(after, act)


@pytest.mark.parametrize("seed", range(30))
def test_whatever_went_wrong_the_truth_is_offered(seed):
    kinds = (TakePieces, TakeContract, EndTurn, TakePlatform, TakePieces, EndTurn)
    positions, acts = played(seed, *kinds)
    rng = random.Random(seed)
    k = rng.randrange(1, len(acts))
    decision = rng.choice(list(GAME.decisions(positions[k])))
    wrong = next(case.action for case in GAME.cases(positions[k], decision))
    ways = otherwise(GAME, positions[k], wrong, acts[k + 1 :], laid(positions[-1]))
    assert wrong == acts[k] or Otherwise("amend", acts[k]) in ways
