"""Positions of the games without a map on paper: what is written down reads back, and what cannot be is named."""

import json
import random

import pytest

from citytable.bots.random_bot import RandomBot
from citytable.games import box_of, chance_of
from citytable.rules.errors import IllegalPosition
from citytable.umpire.whole_game import whole

GAMES = [("comeback", 1), ("dilluvia", 2), ("dilluvia", 4)]


def walked(name, players, seed):
    """Every position of a random game in which a player decides, with the game at the table."""
    box, rng = box_of(name), random.Random(seed)
    game, chance, bot = box.begin(box.options(players)), chance_of(name, rng), RandomBot(rng)
    table = whole(box.table())
    while game.outcome() is None:
        decisions = list(game.legal_actions)
        game.push(chance.outcome(game, bot.choose(game, decisions) if game.player else decisions[0]))
        yield game, table, box


def filled(form):
    return {line["name"]: line["value"] for line in form["lines"]}


@pytest.mark.parametrize(("name", "players"), GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_written_down_reads_back(name, players, seed):
    for game, table, box in walked(name, players, seed):
        position = game.position
        text = table.from_paper(position, filled(json.loads(json.dumps(table.paper(position, {})))))
        assert box.at(position.options, text).position == position


@pytest.mark.parametrize(
    ("name", "line", "value"),
    [
        ("comeback", "city", "1/4,C01 1/5"),
        ("comeback", "city", "1/4,C01 1/5,C01"),
        ("comeback", "broken_roads", "one"),
        ("comeback", "action_points", "many"),
        ("dilluvia", "1.tiles", "28 28"),
        ("dilluvia", "city.buildings", "1,a,3/5"),
        ("dilluvia", "order", "1 1"),
        ("dilluvia", "nothing", 1),
    ],
)
def test_what_cannot_be_is_refused(name, line, value):
    *_, (game, table, _) = (one for _, one in zip(range(20), walked(name, box_of(name).players[0], 3), strict=False))
    form = filled(table.paper(game.position, {})) | {line: value}
    with pytest.raises(IllegalPosition):
        table.from_paper(game.position, form)


@pytest.mark.parametrize("name", ["comeback", "dilluvia"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_line_has_a_name(root, name, language):
    words = json.loads((root / f"dashboard/src/games/{name}/paper/{language}.json").read_text("utf-8"))
    box = box_of(name)
    game = next(game for game, _, _ in walked(name, box.players[0], 1))
    lines = whole(box.table()).paper(game.position, {})["lines"]
    names = {line["name"].partition(".")[2] if line["seat"] else line["name"] for line in lines}
    assert {f"paper.{one}" for one in names} == words.keys()
