"""A turn that is taken back in a rehearsal: said in one of three ways, and put back by hand, the last act first."""

import random
from types import SimpleNamespace

import pytest

from citytable.bots.greedy import Greedy
from citytable.games.megacity.actions import EndTurn, SetUp, TakeContract, TakePieces, TakePlatform
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.position import Options, Pieces
from citytable.rehearsal.building import Workshop
from citytable.rehearsal.megacity_acts import public
from citytable.rehearsal.second_thoughts import NotPutBack, SecondThoughts
from citytable.rehearsal.selfplay import Dealer
from citytable.table.status import Disagreement, Status
from citytable.views.undo import TakingBack, UndoWish, UndoWord

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

    async def correct(self, wish):
        self.said.append(wish)

    async def undo(self, said):
        self.said.append(said)

    def status(self):
        return Status(()) if len(self.acts) >= self._agrees_after else WRONG


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
        (TakingBack(entry=12, by="host"),),
        (UndoWish(seat=seat, to=11),),
        (UndoWish(seat=following, to=11), UndoWord(seat=seat, agrees=True)),
    }


async def test_a_display_that_asks_for_nothing_or_never_agrees_is_told(turn):
    thoughts, exact, _ = turn(people := People(agrees_after=0))
    await thoughts.take_back(exact.actions[-1].player)
    assert (thoughts.unnoticed, len(people.acts)) == (1, 3)
    thoughts, exact, _ = turn(People())
    with pytest.raises(NotPutBack, match="was taken back"):
        await thoughts.take_back(exact.actions[-1].player)


def test_a_turn_in_which_something_was_delivered_is_not_taken_back(turn):
    thoughts, exact, _ = turn(People())
    dealer, bot = Dealer(random.Random(5)), Greedy()
    told = set()
    while exact.outcome() is None and len(told) < 2:
        start = len(exact.actions)
        thoughts.begin()
        while not exact.actions[start:] or not isinstance(exact.actions[-1], EndTurn):
            exact.push(dealer.outcome(exact, bot.choose(exact, list(exact.legal_actions))))
        kinds = {type(one) for one in exact.actions[start:]}
        plain = kinds <= {TakeContract, TakePieces, TakePlatform, EndTurn}
        assert thoughts.may() == plain or "Rezone" in {kind.__name__ for kind in kinds}
        told.add(plain)
    assert told == {True, False}
