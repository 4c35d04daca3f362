"""The soak: it must not call a game good that is not."""

import importlib.util
import json
import sys

import pytest

GOOD = {"equal": True, "replay_equal": True, "counts": {"physical_acts": 41, "collapses": 1}}


@pytest.fixture(scope="module")
def soak(root):
    spec = importlib.util.spec_from_file_location("soak", root / "tools/soak.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["soak"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["soak"]


def test_seats_go_round_and_seeds_count_up(soak):
    games = list(soak.rehearsals(7, first_seed=5, faults=False))
    assert [(game.players, game.seed) for game in games] == [(2, 5), (3, 5), (4, 5), (2, 6), (3, 6), (4, 6), (2, 7)]
    assert games[1].command[1:] == ("rehearse", "--game", "megacity", "--players", "3", "--seed", "5", "--json")


def test_faults_are_passed_on(soak):
    assert next(soak.rehearsals(1, 1, faults=True)).command[-1] == "--faults"


def test_an_equal_game_is_good(soak):
    assert soak.judge(0, json.dumps(GOOD), "") == (GOOD["counts"], "")


@pytest.mark.parametrize(
    ("code", "told", "complaint", "wrong"),
    [
        (0, json.dumps(GOOD | {"equal": False}), "", "equal not true"),
        (0, json.dumps(GOOD | {"replay_equal": False}), "", "replay_equal not true"),
        (0, json.dumps({"counts": {}}), "", "equal and replay_equal not true"),
        (1, json.dumps(GOOD), "", "exit code 1 though all is equal"),
        (2, "", "no broker here\n", "exit code 2, no JSON: no broker here"),
        (-9, "", "", "exit code -9, no JSON: it said nothing"),
    ],
)
def test_a_game_that_is_not_equal_is_wrong(soak, code, told, complaint, wrong):
    assert soak.judge(code, told, complaint)[1] == wrong


def test_a_soak_with_one_wrong_game_fails_and_names_its_command(soak, monkeypatch, capsys):
    def play(rehearsal):
        return soak.Played(rehearsal, GOOD["counts"], "equal not true" if rehearsal.players == 3 else "")

    monkeypatch.setattr(soak, "play", play)
    monkeypatch.setattr(sys, "argv", ["soak.py", "--games", "3"])
    assert soak.main() == 1
    told = capsys.readouterr().out
    assert "--players 3 --seed 1 --json" in told
    assert "3 games, 1 wrong" in told


def test_a_soak_of_no_games_proves_nothing(soak, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["soak.py", "--games", "0"])
    assert soak.main() == 1
    assert "0 games" in capsys.readouterr().out
