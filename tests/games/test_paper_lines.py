"""Positions of the games without a map on paper: what is written down reads back, and what cannot be is named."""

import json
import random
from unittest.mock import ANY

import pytest

from citytable.bots.random_bot import RandomBot
from citytable.games import box_of, chance_of
from citytable.rules.errors import IllegalPosition
from citytable.umpire.whole_game import whole

pytestmark = pytest.mark.long(4)

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


def lines_of(name):
    game, table, _ = next(walked(name, box_of(name).players[0], 1))
    return game.position, table, table.paper(game.position, {})["lines"]


def test_a_space_of_the_market_is_a_tile_or_empty():
    """Nobody could go on from a tile that came up and that nobody has named."""
    position, table, lines = lines_of("dilluvia")
    form = {one["name"]: one["value"] for one in lines} | {"market": " ".join(["-1"] * 16)}
    with pytest.raises(IllegalPosition, match="0 for an empty space"):
        table.from_paper(position, form)


def test_the_buildings_of_a_city_are_written_in_any_order():
    *_, (game, table, box) = (one for _, one in zip(range(20), walked("comeback", 1, 3), strict=False))
    form = filled(table.paper(game.position, {}))
    turned = form | {"city": " ".join(reversed(form["city"].split()))}
    assert turned != form
    assert box.at(game.position.options, table.from_paper(game.position, turned)).position == game.position


def refusal_of(table, position, form):
    try:
        table.from_paper(position, form)
    except IllegalPosition as error:
        return str(error)
    return ""


def without_seat(line):
    return line["name"].partition(".")[2] if line["seat"] else line["name"]


@pytest.mark.parametrize("name", ["comeback", "dilluvia"])
def test_every_line_and_no_other_is_called_something(root, name):
    _, _, lines = lines_of(name)
    texts = json.loads((root / f"hub/citytable/games/{name}/paper.json").read_text("utf-8"))
    assert {without_seat(line): line["called"] for line in lines} == {
        field: {"text": {"en": text["en"], "fr": ANY}, "example": text.get("example", "")}
        for field, text in texts.items()
    }


@pytest.mark.parametrize("name", ["comeback", "dilluvia"])
def test_every_line_of_text_shows_an_example_that_can_be_read(name):
    position, table, lines = lines_of(name)
    for line in lines:
        assert bool(line["called"]["example"]) == (line["kind"] == "text"), line
        if line["kind"] == "text":
            form = {one["name"]: one["value"] for one in lines} | {line["name"]: line["called"]["example"]}
            assert "cannot be read" not in refusal_of(table, position, form)  # a rule may forbid it here


@pytest.mark.parametrize(
    ("name", "line", "value", "en", "fr"),
    [
        ("comeback", "city", "1/4", "Write it like this: 1/4,R13,counters=3,occupied", "« Ville » est illisible"),
        ("comeback", "city", "here,C01", "'here' is no", "« Ville » est illisible"),
        ("comeback", "city", "1/4,C01,rubble=so", "Write one of: yes, no", "l'un de ces mots : yes, no"),
        ("comeback", "bonuses", "ZR8,used=joker", "Write one of: point, helper", "« Bonus"),
        (
            "comeback",
            "action_points",
            "many",
            "“Action points” cannot be read: 'many'. Write a whole",
            "un nombre entier",
        ),
        ("dilluvia", "city.buildings", "0,a,8/7,L,1,first", "Write one of: single, row, column, square", "« Bâtiments"),
        ("dilluvia", "1.cubes", "pink:2", "white:2,purple:1", "none"),
        ("dilluvia", "nothing", 1, "Open the form again", "Ouvrez de nouveau"),
    ],
)
def test_what_cannot_be_read_is_said_by_the_name_of_its_line(name, line, value, en, fr):
    position, table, lines = lines_of(name)
    form = {one["name"]: one["value"] for one in lines} | {line: value}
    with pytest.raises(IllegalPosition) as refused:
        table.from_paper(position, form)
    assert en in refused.value.text["en"]
    assert fr in refused.value.text["fr"]
