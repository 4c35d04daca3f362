"""How many taps lead to an action among all that a player may say, and what the form of a delivery begins with."""

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from citytable.bots.greedy import Greedy
from citytable.bots.random_bot import RandomBot
from citytable.games import box_of, chance_of
from citytable.games.megacity.actions import Deliver
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.hands import PIECES_MAX, can_give
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options, Pieces
from citytable.games.megacity.questions import Questions
from citytable.table.spot import Hex
from citytable.umpire.whole_game import WholeGame
from citytable.views.wording import wording

SCREEN = (Path(__file__).parents[2] / "dashboard/src/parts/May.svelte").read_text(encoding="utf-8")
FEW, AT_ONCE = (int(n) for n in re.search(r"FEW = (\d+);.*?AT_ONCE = (\d+);", SCREEN, re.DOTALL).groups())
Words = dict[str, str]


def steps(left: Sequence[Words]) -> list[tuple[str, list[str]]]:
    """The choices in which actions differ (`saying.ts`)."""
    names = dict.fromkeys(name for one in left for name in one)
    choices = [(name, list(dict.fromkeys(one.get(name, "") for one in left))) for name in names]
    return [(name, values) for name, values in choices if len(values) > 1]


def branches(left: Sequence[Words], name: str, values: Sequence[str]) -> list[list[Words]]:
    """The actions that are left after each choice."""
    return [[one for one in left if one.get(name, "") == value] for value in values]


def below(left: Sequence[Words]) -> int:
    """Return how many taps it takes at most among actions that have opened (`Steps.svelte`)."""
    if len(left) <= AT_ONCE:
        return int(len(left) > 1)
    (name, values), *_ = steps(left)
    return 1 + max(map(below, branches(left, name, values)))


def taps(left: Sequence[Words]) -> int:
    """Return how many taps it takes at most to report one of these actions of one kind (`May.svelte`)."""
    few = [branches(left, name, values) for name, values in steps(left) if len(values) <= FEW]
    if not few:
        return 1 + below(left)
    return 1 + max(map(below, next((one for one in few if max(map(len, one)) <= AT_ONCE), few[0])))


def button_of(key: str, words: Words) -> str:
    """Return what tells one button of an action from another (`variant` in the games' `naming.ts`)."""
    apart = [name for name in ("announced", "free") if name in words]
    number = words.get("number", "") if key == "action.build" else ""
    return " ".join((key, words.get("stood", ""), number, *apart)).strip()


def most_taps(name: str, players: int, bot: Greedy | RandomBot, seed: int, actions: int) -> dict[str, int]:
    """Return what each kind of action costs at most in a game."""
    box, most = box_of(name), defaultdict[str, int](int)
    table = WholeGame(box.table())
    game, chance = box.begin(box.options(players)), chance_of(name, random.Random(seed))
    for _ in range(actions):
        if game.outcome() is not None:
            break
        kinds = defaultdict[str, list[Words]](list)
        for action in table.sayable(game.position):
            key, words, seat = wording(table.text(action))
            if seat == game.player:
                kinds[button_of(key, words)].append(words)
        for kind, left in kinds.items():
            most[kind] = max(most[kind], taps(left))
        decisions = list(game.legal_actions)
        game.push(chance.outcome(game, bot.choose(game, decisions) if game.player else decisions[0]))
    return most


@pytest.mark.seeds("players, seed", [(2, 8), (3, 2)], soak=30)
def test_no_action_of_megacity_is_more_than_two_taps_away(players, seed):
    for bot in (Greedy(), RandomBot(random.Random(seed))):
        most = most_taps("megacity", players, bot, seed, 400)
        assert max(most.values()) <= 2, most


@pytest.mark.seeds("seed", [1, 2, 3], soak=30)
def test_no_action_of_comeback_city_is_more_than_two_taps_away(seed):
    for bot in (Greedy(), RandomBot(random.Random(seed))):
        most = most_taps("comeback", 1, bot, seed, 400)
        assert max(most.values()) <= 2, most


@pytest.mark.seeds("players, seed", [(2, 1), (3, 2), (4, 3)], soak=30)
def test_no_action_of_dilluvia_project_is_more_than_two_taps_away(players, seed):
    for bot in (Greedy(), RandomBot(random.Random(seed))):
        most = most_taps("dilluvia", players, bot, seed, 400)
        assert max(most.values()) <= 2, most


@pytest.mark.parametrize("contract", HOUSE.contracts.values(), ids=lambda one: one.id)
def test_the_form_of_a_delivery_takes_more_pieces_where_the_contract_does_and_nobody_counted_them(contract):
    """R11, R17. `delivery_taps.test.ts` counts the taps from here."""
    form, position = Questions(HOUSE, lambda *_: None), MegaCity(Options(players=2), HOUSE).position
    delivery = Deliver(player=1, contract=contract.id, platform=1, at=Hex(1, 0), stood=True)
    allowed = [one for one in form.questions(position, delivery, {}) if one.kind == "share" and one.high]
    assert sum(one.proposed for one in allowed) == contract.pieces
    assert {one.over for one in allowed} == {PIECES_MAX - contract.pieces if contract.plus else 0}
    assert not any(one.over for one in form.questions(position, delivery, {"pieces": contract.pieces}))


@pytest.mark.parametrize(
    ("hand", "contract", "count", "shares"),
    [
        (Pieces(unknown=9), "RE4", 6, (2, 2, 2)),
        (Pieces(steel=3, concrete=2, glass=1), "RE4", 6, (3, 2, 1)),  # all that they have
        (Pieces(steel=4, unknown=3), "RE4", 6, (4, 1, 1)),
        (Pieces(steel=1, glass=1, unknown=3), "RE4", 5, (2, 1, 2)),
        (Pieces(concrete=5, glass=4), "RE4", 5, (0, 3, 2)),
        (Pieces(), "RE4", 3, (1, 1, 1)),  # they built with more than they were believed to hold
    ],
)
def test_the_form_of_a_delivery_begins_with_what_its_player_is_believed_to_hold(hand, contract, count, shares):
    form, position = Questions(HOUSE, lambda *_: None), MegaCity(Options(players=2), HOUSE).position
    position = replace(position, players=(replace(position.players[0], pieces=hand), *position.players[1:]))
    delivery = Deliver(player=1, contract=contract, platform=1, at=Hex(1, 0), stood=True)
    asked = form.questions(position, delivery, {"pieces": count})
    proposed = {one.name: one.proposed for one in asked if one.kind == "share"}
    assert tuple(proposed[name] for name in ("steel", "concrete", "glass")) == shares
    assert not hand.total or can_give(hand, Pieces(*shares))
