"""Whoever puts the record right fills in a form for any action, and its fields have names in both languages."""

import json
import random

import pytest

from citytable.bots.random_bot import RandomBot
from citytable.games.dilluvia.actions import ACTIONS, NOTATION
from citytable.games.dilluvia.box import BOX
from citytable.games.dilluvia.dealer import Dealer
from citytable.games.dilluvia.forms import Forms
from citytable.games.dilluvia.values import HOUSE
from citytable.umpire.whole_game import whole

BLANKS = {blank.do: blank for blank in Forms(HOUSE).blanks()}


def filled_in(line):
    """Read an action back from what a form would hold: every field has to be one of it, with a value it allows."""
    who, do, *words = line.split(" ")
    blank = BLANKS[do]
    fields = {field.name: field for field in blank.fields}
    for word in words:
        name, _, value = word.partition("=")
        if fields[name].kind == "choice":
            assert value in fields[name].choices
        if fields[name].kind == "list":
            assert set(value.split(",")) <= set(fields[name].choices)
            assert len(value.split(",")) <= fields[name].most
    assert blank.player == (who != "table")
    assert {field.name for field in blank.fields if field.needed} <= {word.partition("=")[0] for word in words}
    return NOTATION.from_text(line)


@pytest.mark.parametrize("players", [2, 4])
def test_every_action_of_a_game_can_be_filled_in(players):
    rng = random.Random(players)
    game, dealer, bot = BOX.begin(BOX.options(players)), Dealer(rng), RandomBot(rng)
    while game.outcome() is None:
        game.push(dealer.outcome(game, bot.choose(game, list(game.legal_actions))))
        assert filled_in(str(game.actions[-1])) == game.actions[-1]
    assert len({type(action) for action in game.actions}) > 10


def test_there_is_a_form_for_every_action_at_the_table():
    assert len(BLANKS) == len(ACTIONS)
    assert whole(BOX.table()).blanks() == tuple(BLANKS.values())


def test_every_field_has_a_name(root):
    words = json.loads((root / "dashboard/src/games/dilluvia/words/en.json").read_text("utf-8"))
    assert [one.name for blank in BLANKS.values() for one in blank.fields if f"field.{one.name}" not in words] == []
