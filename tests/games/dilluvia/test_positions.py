"""Positions that no game can reach are refused, with their place."""

import re

import pytest
from msgspec.structs import replace

from citytable.games.dilluvia import game as module
from citytable.games.dilluvia.position import Due, Placed
from citytable.rules.errors import IllegalPosition


def wrong(change):
    with pytest.raises(IllegalPosition) as refused:
        change()
    return str(refused.value)


def test_a_building_covers_the_spaces_of_its_number(table):
    assert "building at 4/4" in wrong(lambda: table.built(table.at(turn=3), 1, 3, "4/4"))
    assert "building at 4/4" in wrong(lambda: table.built(table.at(turn=3), 1, 6, "4/4", "row"))
    table.built(table.at(turn=3), 1, 3, "4/4", "column")


def test_nobody_has_more_workers_than_the_box(table):
    assert "p1: 6 workers are left" in wrong(lambda: table.changed(table.at(), p1={"left": 6}))
    assert "and 1 placed" in wrong(lambda: table.changed(table.at(), placed=(Placed("white", 1, 1),)))
    table.changed(table.at(), p1={"left": 6, "extra": 1})


def test_the_special_worker_is_in_one_place(table):
    placed = (Placed("income", 1, 1, special=True),)
    assert "p1: the special worker" in wrong(lambda: table.changed(table.at(), placed=placed))
    twice = (*placed, Placed("white", 1, 1, special=True))
    assert "2 places" in wrong(lambda: table.changed(table.at(), placed=twice, p1={"special": False}))
    table.changed(table.at(), placed=placed, p1={"special": False})


def test_what_is_due_has_somebody_who_does_it(table):
    game = table.at(phase="zeppelins")
    due = (Due("convert"),)
    assert "dues" in wrong(lambda: table.changed(game, dues=due, player=0))
    assert "dues" in wrong(lambda: table.changed(game, dues=(replace(due[0], count=0),)))


def test_the_module_says_how_a_game_begins(table):
    said = iter(re.findall(r'action_from_text\("(.*)"\)', str(module.__doc__)))
    game = table.game(3)
    market = ",".join(map(str, game.position.white[2:16]))
    table.play(game, next(said).replace("1,2,...", f"1,2,{market}"), next(said))
    assert game.player == 2
