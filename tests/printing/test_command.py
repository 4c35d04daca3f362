"""`citytable print`: what it writes, and what it says when something is wrong."""

import importlib.util
import json

import pytest
from typer.testing import CliRunner

from citytable import cli_print
from citytable.cli import app

pytestmark = pytest.mark.long(3)


def _run(*words):
    return CliRunner().invoke(app, ["print", *map(str, words)])


def test_a_house_deck_becomes_a_file_that_says_what_it_is(tmp_path, read_back):
    file = tmp_path / "cards.pdf"
    done = _run("--game", "comeback", "--language", "fr", "--paper", "letter", "-o", file)
    assert done.exit_code == 0, done.output
    assert "wrote 142 cards and tiles on 16 sheets" in done.output
    words = [text.words for text in read_back(file.read_bytes(), 1)[0].texts]
    assert any(word.startswith("comeback: house 2, ") and word.endswith("recto") for word in words)


def test_the_file_is_named_by_the_game_and_the_paper(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert _run("--game", "dilluvia").exit_code == 0
    assert (tmp_path / "dilluvia-a4.pdf").read_bytes().startswith(b"%PDF")


def test_an_owners_deck_is_printed_for_its_owner(tmp_path, root, read_back):
    deck = json.loads((root / "hub/citytable/games/megacity/house_deck.json").read_text("utf-8"))
    deck |= {"origin": "owner", "name": "my copy"}
    deck["contracts"][0] |= {"id": "MINE", "prestige": 17}
    own, file = tmp_path / "own.json", tmp_path / "own.pdf"
    own.write_text(json.dumps(deck), "utf-8")
    done = _run("--deck", own, "-o", file)
    assert done.exit_code == 0, done.output
    words = [text.words for text in read_back(file.read_bytes(), 1)[0].texts]
    assert {"contract/MINE", "17"} <= set(words)
    assert "Unofficial, printed by the owner of a copy for themselves. Do not pass it on." in words
    assert not any("citytable's own" in word for word in words)


def test_resources_and_names_of_an_owners_own_are_printed_as_words(tmp_path, root, read_back):
    text = (root / "hub/citytable/games/comeback/house_deck.json").read_text("utf-8")
    own, file = tmp_path / "own.json", tmp_path / "own.pdf"
    text = text.replace('"concrete"', '"brick"').replace("Cottage Row", "A Name That Nobody Translated Yet")
    own.write_text(text.replace('"cost": {"wood": 2}', '"cost": {"wood": 9}', 1), "utf-8")
    done = _run("--game", "comeback", "--deck", own, "--language", "fr", "-o", file)
    assert done.exit_code == 0, done.output
    words = " ".join(text.words for text in read_back(file.read_bytes(), 1)[0].texts)
    assert "1 brick" in words
    assert "9 bois" in words
    assert "Nobody" in words


@pytest.mark.parametrize("game", ["megacity", "comeback", "dilluvia"])
def test_a_broken_deck_is_refused_with_its_place(tmp_path, game):
    deck = tmp_path / "broken.json"
    deck.write_text('{"name": "x",\n  "origin": 5', "utf-8")
    done = _run("--game", game, "--deck", deck, "-o", tmp_path / "x.pdf")
    assert done.exit_code == 1
    assert "broken.json" in done.output
    assert not (tmp_path / "x.pdf").exists()


def test_a_deck_that_is_not_there_is_named(tmp_path):
    done = _run("--deck", tmp_path / "none.json")
    assert done.exit_code == 1
    assert "none.json" in done.output


def test_an_unknown_game_is_answered_with_the_games_there_are():
    done = _run("--game", "chess")
    assert done.exit_code == 2
    assert "there is no game 'chess' here: --game megacity, comeback, dilluvia" in done.output


def test_a_game_without_cards_says_so(monkeypatch):
    class Dice:
        name = "dice"

    monkeypatch.setattr(cli_print, "box_of", lambda _name: Dice())
    done = _run("--game", "dice")
    assert done.exit_code == 2
    assert "dice has no cards or tiles to print" in done.output


@pytest.mark.parametrize(("option", "value", "known"), [("--paper", "a3", "letter"), ("--language", "de", "fr")])
def test_an_unknown_paper_or_language_is_answered_with_those_there_are(option, value, known):
    done = _run(option, value)
    assert done.exit_code == 2
    assert value in done.output
    assert known in done.output


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    done = _run("-o", tmp_path / "no" / "such" / "folder.pdf")
    assert done.exit_code == 1
    assert "No such file or directory: give another file with -o" in done.output


def test_without_the_extra_the_command_says_what_to_install(monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name == "reportlab" else found(name, *more)
    )
    done = _run()
    assert done.exit_code == 1
    assert "install citytable with its extra `print`" in done.output
