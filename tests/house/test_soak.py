"""The soak: it must not call a game good that is not."""

import json
import sys

import pytest

from citytable.journal.entry import ActionConfirmed, Asked, Entry
from citytable.table.question import Question
from citytable.table.word import Undo

GOOD = {"equal": True, "replay_equal": True, "counts": {"physical_acts": 41, "collapses": 1}}


@pytest.fixture(scope="module")
def soak(load_tool):
    return load_tool("soak")


def test_seats_go_round_and_seeds_count_up(soak):
    games = list(soak.rehearsals(7, 5))
    assert [(game.players, game.seed) for game in games] == [(2, 5), (3, 5), (4, 5), (2, 6), (3, 6), (4, 6), (2, 7)]
    assert games[1].command[1:] == ("rehearse", "--game", "megacity", "--players", "3", "--seed", "5", "--json")


@pytest.mark.parametrize(
    ("options", "passed"),
    [(["--faults"], "--faults"), (["--lose-sector"], "--lose-sector"), (["--plan", "starter"], "--starter")],
)
def test_what_is_missing_or_goes_wrong_is_passed_on(soak, monkeypatch, options, passed):
    commands = []
    monkeypatch.setattr(soak, "play", lambda game: commands.append(game.command) or soak.Played(game, {}, ""))
    monkeypatch.setattr(sys, "argv", ["soak.py", "--games", "1", *options])
    assert soak.main() == 0
    assert commands[0][-1] == passed


def told(*lines):
    """Entries, numbered: a question is told by what it is about, an action by its cause and its text."""
    bodies = [
        ("system", Asked(question=Question(id="q", seat=None, prompt="which", words={}, fields=(), about=line[1:])))
        if line.startswith("?")
        else (line.partition(": ")[0], ActionConfirmed(action=line.partition(": ")[2]))
        for line in lines
    ]
    return [Entry(seq, 0, cause, body) for seq, (cause, body) in enumerate(bodies, start=1)]


def test_a_turn_that_was_taken_back_is_no_turn_of_the_round(soak):
    first, last = told("sensor: p1 end_turn"), told("sensor: p1 end_turn", "?table which", "sensor: p2 end_turn")
    undone = Entry(2, 0, "player", Undo(to=1, by="seat 1", why=""))
    assert soak.asking([*first, undone, *last], 2).in_rounds == (1, 0)


def test_questions_are_counted_by_delivery_and_by_the_rest_of_a_turn_round(soak):
    entries = told(
        "?p1 deliver contract=CO1 platform=3 at=1/0 stood=yes",
        "?p1 deliver contract=CO1 platform=3 at=1/0 stood=yes",
        "sensor: p1 deliver contract=CO1 platform=3 at=1/0 stood=yes height=30mm",
        "?table building_fell at=1/0",
        "sensor: p1 end_turn",
        "?p2 deliver contract=CO2 platform=4 at=1/1 stood=yes",
        "player: p2 take_pieces announced=steel drawn=steel:1",
        "sensor: p2 end_turn",
        "sensor: p1 deliver contract=RE1 platform=4 at=1/1 stood=no",
    )
    assert soak.asking(entries, 2) == soak.Asking((2, 0), (1, 1), inferred=4, stated=1)


def test_the_most_and_the_mean_are_told_or_that_there_were_none(soak):
    assert soak.most_and_mean([0, 1, 2, 1]) == "2 / 1.00"
    assert soak.most_and_mean([]) == "-"


def test_a_game_without_a_journal_tells_nothing_of_its_questions(soak, tmp_path):
    assert soak.asked_in(tmp_path / "none.jsonl", 2) == soak.Asking()
    (tmp_path / "torn.jsonl").write_text("{")
    assert soak.asked_in(tmp_path / "torn.jsonl", 2) == soak.Asking()


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
        (1, "", "why" * 1000, f"exit code 1, no JSON: {'why' * 133}w"),
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


@pytest.mark.parametrize(
    ("deliveries", "rounds", "wrong"),
    [
        ((2, 1), (2, 0), ""),
        ((), (), ""),
        ((1, 3), (0,), "3 questions about one delivery"),
        ((1,), (0, 4), "4 questions in the rest of one turn round"),
    ],
)
def test_a_table_that_sees_all_and_asks_too_much_is_wrong(soak, deliveries, rounds, wrong):
    assert soak.asked_too_much(soak.Asking(deliveries, rounds)) == wrong


def test_only_of_a_table_that_sees_all_so_little_is_expected(soak):
    assert [game.sees_all for game in soak.rehearsals(1, 1)] == [True]
    assert [game.sees_all for game in soak.rehearsals(1, 1, "--faults")] == [False]


@pytest.mark.parametrize(("sees_all", "wrong"), [(True, "3 questions about one delivery"), (False, "")])
def test_questions_are_judged_by_the_journal_of_the_game(soak, monkeypatch, sees_all, wrong):
    script = f"print({json.dumps(GOOD)!r})"
    monkeypatch.setattr(soak, "asked_in", lambda *_: soak.Asking((3,)))
    game = soak.play(soak.Rehearsal(2, 1, (sys.executable, "-c", script), sees_all))
    assert (game.wrong, game.asking.at_deliveries) == (wrong, (3,))


@pytest.mark.parametrize("name", ["alarms_shown", "collapses_shown", "clips_asked", "falls_spoken", "fall_lights"])
def test_a_game_in_which_nothing_goes_wrong_tells_its_room_of_no_alarm_and_no_fall(soak, name):
    quiet = {"physical_acts": 41, name: 0}
    assert soak.cried_wolf(quiet) == ""
    assert soak.cried_wolf({**quiet, name: 2}) == f"{name} 2 though nothing went wrong"
