"""Lines that are no requests, and a plan that is none: one sentence each."""

import json
import sys
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletwin.hands import games
from tabletwin.hands.games import GAMES, acts_of
from tabletwin.hands.requests import BadRequest, parse
from tabletwin.plan import UnreadablePlan, load_plan, plan_from_json


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("take the card", "no request: 'take the card'"),
        ('{"id": 1}', "no request"),
        ('{"id": 1, "acts": []}', "no acts"),
        ('{"id": 1, "acts": ["wait"]}', "no acts"),
        ('{"id": 1, "acts": [{"act": "teleport"}]}', "hands know no act 'teleport'"),
        ('{"id": 1, "acts": [{"act": ["wait"]}]}', "hands know no act"),
        ('{"id": 1, "acts": [{"act": "wait"}]}', "act 'wait': missing a required argument: 'ms'"),
        ('{"id": 1, "acts": [{"act": "wait", "ms": "long"}]}', "act 'wait': ms cannot be 'long'"),
        ('{"id": 1, "acts": [{"act": "wait", "ms": 1, "why": 2}]}', "unexpected keyword argument 'why'"),
        (
            '{"id": 1, "acts": [{"act": "deliver", "seat": 1, "platform": 2, "at": [1, "x"], "outcome": "s"}]}',
            "at cannot",
        ),
        ('{"id": 1, "acts": [{"act": "press_button", "seat": true}]}', "seat cannot be True"),
    ],
)
def test_a_line_that_is_no_request_is_refused_with_what_was_seen(new_game, line, why):
    with pytest.raises(BadRequest, match=why):
        new_game().hands.begin(line)


def test_a_refused_line_keeps_its_id_and_starts_nothing(new_game):
    game = new_game()
    with pytest.raises(BadRequest) as refused:
        game.hands.begin('{"id": 17, "acts": [{"act": "press_button", "seat": 1}, {"act": "teleport"}]}')
    assert refused.value.identity == 17
    game.wait(3)
    assert game.told("button") == []


@given(st.text(max_size=40), st.recursive(st.none() | st.integers() | st.text(max_size=5), st.lists, max_leaves=4))
def test_no_line_whatever_breaks_the_hands(text, value):
    for line in (text, json.dumps(value), json.dumps({"id": 1, "acts": value})):
        try:
            _, acts = parse(line)
        except BadRequest:
            continue
        assert all(isinstance(one, dict) for one in acts)


def test_every_act_is_in_the_reference_and_every_act_of_the_reference_exists(root):
    told = (root / "docs/reference/hands.md").read_text()
    listed = {line.split("`")[1] for line in told.splitlines() if line.startswith("| `")}
    assert listed == {name for game in GAMES for name in acts_of(game)}


def test_a_game_with_an_empty_folder_has_the_acts_of_every_game(monkeypatch):
    monkeypatch.setitem(sys.modules, "tabletwin.hands.empty", ModuleType("tabletwin.hands.empty"))
    monkeypatch.setattr(games, "GAMES", (*GAMES, "empty"))
    assert acts_of("empty") == acts_of("toy")


def test_a_game_without_a_folder_has_the_acts_of_every_game():
    assert {"bring", "press_button", "wait"} <= set(acts_of("toy")) < set(acts_of(GAMES[0]))
    assert "set_up" not in acts_of("toy")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"table": "t", "seats": 1, "stations": [{}], "tags": {}}'])
def test_what_is_no_plan_is_refused(text):
    with pytest.raises(UnreadablePlan, match="not a plan of a table"):
        plan_from_json(text)


def test_a_plan_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(UnreadablePlan, match=r"nowhere\.json"):
        load_plan(tmp_path / "nowhere.json")
