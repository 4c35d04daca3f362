"""An owner's file of values: what cannot be printed is refused with its place."""

import json

import pytest

from citytable.games.dilluvia.box import DilluviaBox
from citytable.games.dilluvia.values import HOUSE, USES, values_from_text
from citytable.table.plan import Misconfigured

TEXT = DilluviaBox().deck_text()


def refused(change):
    values = json.loads(TEXT)
    change(values)
    with pytest.raises(Misconfigured) as error:
        values_from_text(json.dumps(values), "mine.json")
    return str(error.value)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("buildings", 0, "cost"), [-1, 0, 0, 0]),
        (("buildings", 1, "squares"), [{"money": -5}, {}]),
        (("buildings", 0, "copies"), -1),
        (("buildings", 0, "number"), 7),
        (("propellers", 0, "price"), -4),
        (("propellers", 0, "prestige"), -4),
        (("track",), [-3]),
        (("tiles", 0, "players"), 5),
        (("spots", "income"), [{"players": 9}]),
    ],
)
def test_numbers_that_no_component_shows_are_refused(path, value):
    def change(values):
        *way, last = path
        for step in way:
            values = values[step]
        values[last] = value

    assert path[0] in refused(change)


@pytest.mark.parametrize("at", [[7, 7], [0, 40], [7, 3]])
def test_each_propeller_has_a_space_of_its_own_in_the_city(at):
    said = refused(lambda values: values["propellers"][0].update(at=at))
    assert f"propellers: one at {at[0]}/{at[1]}" in said


@pytest.mark.parametrize("rows", [[11, 3], [-5, 30], [8, 11]])
def test_the_city_lies_around_its_centre_on_the_board(rows):
    said = refused(lambda values: values["grid"].update({"2": rows}))
    assert f"grid.2: {rows[0]} to {rows[1]}" in said


def test_each_action_space_has_a_spot():
    assert "spots.income: write at least one spot" in refused(lambda values: values["spots"].update(income=[]))


def test_the_market_of_two_players_needs_sixteen_white_tiles():
    said = refused(lambda values: [tile.update(back="grey") for tile in values["tiles"][:25]])
    assert "white backs for two players" in said


@pytest.mark.parametrize(
    ("kind", "use"), [("toll", "now"), ("discount_23", "once"), ("sets", "turn"), ("aeros5", "end")]
)
def test_a_tile_is_used_when_its_effect_can_be(kind, use):
    said = refused(lambda values: values["uses"].update({kind: use}))
    assert f"uses.{kind}: '{use}': write {USES[kind][0]}" in said


def test_everything_that_cannot_be_is_named_at_once():
    def change(values):
        values["spots"]["income"] = []
        values["propellers"][0]["at"] = [7, 7]

    assert len(refused(change).splitlines()) == 2


def test_the_house_keeps_to_it():
    assert values_from_text(TEXT, "ours") == HOUSE
