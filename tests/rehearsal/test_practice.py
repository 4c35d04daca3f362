"""The other games in the terminal: a person reads what may be done, does it, and sees which rule an act breaks."""

import io
import random
import re
from types import SimpleNamespace

import pytest
from rich.console import Console

from citytable.games import box_of
from citytable.rehearsal.people import people_of
from citytable.rehearsal.practice import Room
from citytable.rehearsal.words import Words, spoken_here

pytestmark = pytest.mark.long(6)

GAMES = ("comeback", "dilluvia")
FRENCH = ["conseil", "aide", "tout", "ville", "score", "quitter"]
ENGLISH = ["hint", "help", "all", "city", "score", "quit"]


@pytest.fixture
def typed():
    """`typed(game, lines)`: play with these lines, then leave; a function answers each prompt."""

    def play(game, answer, seed=1, language="en"):
        lines = iter(answer) if isinstance(answer, list) else None
        screen, box = io.StringIO(), box_of(game)
        ask = answer if lines is None else lambda _: next(lines, "quit")
        console = Console(file=screen, width=200)
        options = box.options(box.players[0])
        played = people_of(game).in_terminal(options, random.Random(seed), 1, Room(console, ask, language))
        return SimpleNamespace(game=played, said=screen.getvalue())

    return play


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_whole_game_is_played_by_numbers(typed, game, seed):
    rng = random.Random(seed)
    played = typed(game, lambda _: str(rng.randint(1, 6)), seed)
    assert played.game.outcome() is not None
    assert "the game is over" in played.said
    assert "Traceback" not in played.said


@pytest.mark.parametrize("game", ["megacity", *GAMES])
def test_a_game_in_french_has_no_english_text(typed, game, monkeypatch):
    missing, call = set(), Words.__call__

    def said(words, text, /, **values):
        if text not in words._texts:
            missing.add(text)
        return call(words, text, **values)

    monkeypatch.setattr(Words, "__call__", said)
    rng = random.Random(4)
    lines = [rng.choice([str(rng.randint(1, 12)), "city", "score", "99"]) for _ in range(150)]
    played = typed(game, ["nonsense", *lines], language="fr")
    assert "Vous gagnez avec" in played.said
    assert "place 1" in played.said
    assert missing == set()


@pytest.mark.parametrize("game", ["megacity", *GAMES])
def test_commands_have_french_words_too(typed, game):
    french, english = (typed(game, words, language="fr").said for words in (FRENCH, ENGLISH))
    assert french == english
    assert "un robot jouerait" in french
    assert "tout : toutes les décisions" in french


@pytest.mark.parametrize(
    ("environment", "language"),
    [({"LANG": "fr_FR.UTF-8"}, "fr"), ({"LANG": "fr_FR", "LC_ALL": "en_GB"}, "en"), ({}, "en")],
)
def test_the_language_is_that_of_the_terminal(monkeypatch, environment, language):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert spoken_here() == language


def test_a_language_that_nobody_has_written_is_english(typed):
    assert "You win with" in typed("megacity", [], language="xx").said


def test_a_market_that_comes_to_light_tile_by_tile_is_one_act_all_along():
    known = people_of("dilluvia").settled
    assert known("table refill tiles=5,?") == known("table refill tiles=5,24") == "table refill"
    assert known("p1 buy space=3") == "p1 buy space=3"


@pytest.mark.parametrize("game", GAMES)
def test_it_begins_with_the_goal_and_every_turn_says_what_is_left(typed, game):
    said = typed(game, ["1"]).said
    assert "You win with" in said
    assert re.search(r"cards in the deck|workers left", said)
    assert "row 4" in said


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_names_a_decision_and_changes_nothing(typed, game, monkeypatch):
    monkeypatch.setattr("citytable.bots.planner.Planner.choose", lambda _self, _game, decisions: decisions[1])
    played = typed(game, ["hint", "all", "city", "score"])
    assert "a bot would play 2: " in played.said
    assert [action for action in played.game.actions if getattr(action, "player", 0) == 1] == []


@pytest.mark.parametrize(
    ("game", "text", "rule"),
    [
        ("comeback", "p1 flip", r"\bCR\d+\b"),
        ("dilluvia", "p1 buy space=1", r"\bDR\d+\b"),
        ("comeback", "fly", "fly"),
        ("dilluvia", "99", "99"),
        ("dilluvia", "p1 place space=roof", "roof"),
    ],
)
def test_what_breaks_a_rule_is_refused_with_its_number_and_nonsense_is_quoted(typed, game, text, rule):
    played = typed(game, [text])
    assert re.search(rule, played.said.split("refused with the rule's number", 1)[1])
    assert [action for action in played.game.actions if getattr(action, "player", 0) == 1] == []
