"""A turn that is taken back in a rehearsal: said in one of three ways, and put back by hand, the last act first."""

import random
from types import SimpleNamespace

import msgspec
import pytest

from citytable.bots.greedy import Greedy
from citytable.games.megacity.actions import (
    EndTurn,
    MonumentFell,
    PlaceCentralParkMonument,
    SetUp,
    TakeContract,
    TakePieces,
)
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.position import Options, Park, Pieces
from citytable.rehearsal.megacity.acts import public
from citytable.rehearsal.megacity.building import Tower, Workshop
from citytable.rehearsal.megacity.second_thoughts import NotPutBack, SecondThoughts
from citytable.rehearsal.megacity.undone import undone
from citytable.table.hexes import CENTRE
from citytable.table.status import Disagreement, Status
from citytable.table.word import TakeBack, UndoReply, UndoRequest

BACK = Status((Disagreement(kind="station_silent", spots=(), thing="sector-2"),))  # no hands can put that right
WRONG = Status((Disagreement(kind="missing", spots=(), thing="bag"),))


class People:
    """Hands, and a door behind which the display agrees after so many acts; what they did and said."""

    def __init__(self, agrees_after=99):
        self.acts, self.said, self._agrees_after = [], [], agrees_after

    async def act(self, *acts):
        self.acts += acts

    async def wait(self, ms):
        return

    async def entries(self):
        return tuple(SimpleNamespace(seq=seq) for seq in (11, 12, 13, 17))

    async def say(self, word):
        self.said.append(word)

    def status(self):
        return BACK if len(self.acts) >= self._agrees_after else WRONG


@pytest.fixture
def turn():
    """`turn(people, seed)`: player 1 of 3 has taken a contract, a platform and pieces, and the bag is passed."""

    def played(people, seed=1):
        exact, told = MegaCity(Options(players=3)), MegaCity(Options(players=3))
        thoughts = SecondThoughts(exact, told, Workshop(exact, random.Random(1)), people, people, random.Random(seed))
        dealer = Dealer(random.Random(3))
        for kind in (SetUp, TakeContract, TakePieces, EndTurn):
            decision = next(one for one in exact.legal_actions if isinstance(one, kind))
            action = dealer.outcome(exact, decision)
            if kind is TakeContract:
                thoughts.begin()
            exact.push(action)
            told.push(public(action))
        return thoughts, exact, told

    return played


async def test_hands_put_back_the_last_act_first_and_the_games_are_as_they_were(turn):
    people = People(agrees_after=3)
    thoughts, exact, told = turn(people)
    taken, drawn, passed = exact.actions[1:]
    assert thoughts.may()
    await thoughts.take_back(passed.player)
    assert [act["act"] for act in people.acts] == ["pass_bag", "return_pieces", "give_back_contract"]
    assert people.acts[0] | {"to": passed.player} == people.acts[0]
    assert Pieces(**people.acts[1]["pieces"]) == drawn.drawn
    assert people.acts[2]["contract"] == taken.contract
    assert (len(exact.actions), len(told.actions)) == (1, 1)
    assert (thoughts.taken_back, thoughts.unnoticed) == (1, 0)


async def test_it_is_said_by_him_by_the_next_player_with_his_consent_or_by_the_host(turn):
    said = set()
    for seed in range(12):
        people = People(agrees_after=3)
        thoughts, exact, _ = turn(people, seed)
        seat = exact.actions[-1].player
        await thoughts.take_back(seat)
        said.add(tuple(people.said))
    following = seat % 3 + 1
    assert said == {
        (TakeBack(entry=12, by="host"),),
        (UndoRequest(by=f"seat {seat}", to=11),),
        (UndoRequest(by=f"seat {following}", to=11), UndoReply(by=f"seat {seat}", agrees=True)),
    }


async def test_a_display_that_asks_for_nothing_or_never_agrees_is_told(turn):
    thoughts, exact, _ = turn(people := People(agrees_after=0))
    await thoughts.take_back(exact.actions[-1].player)
    assert (thoughts.unnoticed, len(people.acts)) == (1, 3)
    thoughts, exact, _ = turn(People())
    with pytest.raises(NotPutBack, match="was taken back"):
        await thoughts.take_back(exact.actions[-1].player)


TURN = {
    "Deliver": ["put_right", "reopen_contract"],
    "PlacePark": ["take_back_park"],
    "PlaceMonument": ["take_back_monument"],
    "PlaceCentralParkMonument": ["take_back_monument"],
    "Refresh": ["refresh_back"],
    "Reorganise": ["reorganise_back"],
    "Rezone": ["rezone"],
    "ReturnPieces": ["take_out_pieces"],
    "Recycle": ["take_out_pieces"],
    "TakeContract": ["give_back_contract"],
    "TakePlatform": ["give_back_platform"],
    "TakePieces": ["return_pieces"],
    "EndTurn": ["pass_bag"],
}


@pytest.mark.parametrize("seed", [1, 5])
def test_for_every_act_of_a_game_hands_know_how_to_put_it_back(seed):
    """Without pieces from an empty bag or to recycle there is nothing to be put back."""
    game, dealer, rng, told = MegaCity(Options(players=3)), Dealer(random.Random(seed)), random.Random(seed), set()
    while game.outcome() is None:
        before, possible = game.position, list(game.legal_actions)
        decision = Greedy().choose(game, possible) if rng.random() < 0.8 else rng.choice(possible)
        action = dealer.outcome(game, decision)
        game.push(action)
        kind = type(action).__name__
        if kind in TURN and before.player:
            acts = [act["act"] for act in undone(before, action, before.player, game.deck)]
            landmark = kind == "TakeContract" and game.deck.contracts[action.contract].landmark
            expected = ["give_back_landmark"] if landmark else TURN[kind]
            assert acts == expected or (acts == [] and kind in {"TakePieces", "Recycle"})
            told.add(kind)
    assert told >= {"TakeContract", "TakePlatform", "TakePieces", "EndTurn", "Refresh", "Rezone", "Deliver"}


def test_what_stood_on_central_park_before_comes_out_of_the_bag():
    park = Park(at=CENTRE, monument=Pieces(steel=1))
    before = msgspec.structs.replace(MegaCity(Options(players=3)).position, parks=(park,))
    action = PlaceCentralParkMonument(player=2, piece=Pieces(glass=1))
    (act,) = undone(before, action, 2, MegaCity(Options(players=3)).deck)
    assert act == {"act": "take_back_monument", "seat": 2, "at": [0, 0], "older": {"steel": 1}}


@pytest.mark.parametrize("why", ["fell", "built"])
def test_a_turn_in_which_something_fell_or_was_built_is_not_taken_back(turn, monkeypatch, why):
    thoughts, exact, _ = turn(People())
    assert thoughts.may()
    if why == "fell":
        monkeypatch.setattr(type(exact), "actions", (*exact.actions, MonumentFell(at=CENTRE)))
    else:
        tower = Tower(1, "PU1", 3, Pieces(steel=2), 60, height_mm=60)
        monkeypatch.setattr(Workshop, "standing", lambda _: {3: tower})
    assert not thoughts.may()
