"""An exported journal tells the game again: the whole of it, what is left of it, or why it cannot."""

import json
import random
import re

import msgspec
import pytest

from citytable import cli
from citytable.bots.greedy import Greedy
from citytable.bots.self_play import play_out
from citytable.games.megacity.box import BOX
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.journal.entry import ActionConfirmed, Entry, GameStarted
from citytable.journal.export import write_export
from citytable.rehearsal.judge import Counts, Verdict, judged

DECK = "hub/citytable/games/megacity/house_deck.json"
COUNTS = Counts(9, 8, 7, 6, 0, 4, 3, 2, 0)


@pytest.fixture(scope="module")
def game() -> MegaCity:
    """A whole game of bots."""
    whole = MegaCity(Options(players=2))
    play_out(whole, (Greedy(), Greedy()), Dealer(random.Random(1)))
    return whole


@pytest.fixture
def export(game, tmp_path):
    """Its journal as a file."""
    started = GameStarted(
        game="megacity",
        options=msgspec.to_builtins(game.position.options),
        deck=HOUSE.name,
        deck_sha256=BOX.fingerprint(),
    )
    bodies = [started, *(ActionConfirmed(action=str(action)) for action in game.actions)]
    path = tmp_path / "game.jsonl"
    write_export(path, "table-1", [Entry(no, no, "system", body) for no, body in enumerate(bodies, start=1)])
    return path


def test_the_outcome_is_told_again(citytable, export, game):
    done = citytable("replay", export)
    outcome = game.outcome()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"ended by {outcome.termination}; won by seat {outcome.winners[0]}")
    totals = dict(re.findall(r"^seat (\d): (-?\d+)", done.stdout, re.MULTILINE))
    assert totals == {str(seat): str(points) for seat, points in outcome.scores.items()}
    assert not re.search(r"[a-z]_[a-z]", done.stdout), "a key of the language files instead of words"


def test_a_file_that_was_cut_says_so_and_tells_what_is_left(citytable, export):
    text = export.read_bytes()
    export.write_bytes(text[: len(text) // 2])
    done = citytable("replay", export)
    assert done.returncode == 1
    assert "are sound; line" in done.stderr
    assert done.stdout.startswith("not over yet; the points if it ended here:")


def test_a_file_of_which_nothing_is_sound_says_where_it_breaks(citytable, export):
    header, first, rest = export.read_bytes().split(b"\n", 2)
    export.write_bytes(header + b"\n" + first[:-9] + b"\n" + rest)
    done = citytable("replay", export)
    assert (done.returncode, done.stdout) == (1, "")
    assert "entries 1 to 0 are sound; line 2 is not sound" in done.stderr


def test_an_action_that_cannot_be_is_named(citytable, export, game):
    entries = [GameStarted(game="megacity", options={"players": 2}), ActionConfirmed(action="p2 end_turn")]
    write_export(export, "table-1", [Entry(no, no, "system", body) for no, body in enumerate(entries, start=1)])
    done = citytable("replay", export)
    assert done.returncode == 1
    assert "entry 2, 'p2 end_turn'" in done.stderr


@pytest.mark.parametrize(
    ("started", "why"),
    [
        (GameStarted(game="chess"), "a game of 'chess'"),
        (GameStarted(game="megacity", options={"players": "two"}), "make no sense"),
    ],
)
def test_a_game_nobody_knows_is_refused(citytable, export, started, why):
    write_export(export, "table-1", [Entry(1, 1, "system", started)])
    done = citytable("replay", export)
    assert done.returncode == 1
    assert why in done.stderr


def test_another_deck_is_not_taken_for_the_one_that_was_played(citytable, root, export, tmp_path):
    deck = json.loads((root / DECK).read_text())
    deck["contracts"][0]["height_mm"] += 5
    (tmp_path / "other.json").write_text(json.dumps(deck))
    done = citytable("replay", export, "--deck", tmp_path / "other.json")
    assert (done.returncode, done.stdout) == (0, citytable("replay", export).stdout), "the hash says which it was"
    export.write_text(export.read_text().replace(BOX.fingerprint(), "0" * 64))
    assert "is not sound" in citytable("replay", export).stderr


def test_what_is_no_export_is_refused(citytable, tmp_path):
    (tmp_path / "letter.txt").write_text("dear diary")
    for name in ("letter.txt", "nowhere.jsonl"):
        done = citytable("replay", tmp_path / name)
        assert done.returncode == 1
        assert len(done.stderr.splitlines()) == 1
        assert name in done.stderr


@pytest.fixture
def rehearses(monkeypatch, capsys):
    """`rehearses(verdict, *words)`: the exit code of `rehearse` when this was the verdict, and what it printed."""

    def run(verdict: Verdict, *words: str) -> tuple[int, str]:
        async def rehearsed(*_: object) -> Verdict:
            return verdict

        monkeypatch.setattr(cli.wiring, "rehearse", rehearsed)
        with pytest.raises(SystemExit) as ended:
            cli.app(["rehearse", *words])
        return ended.value.code, capsys.readouterr().out

    return run


@pytest.mark.parametrize(
    ("equal", "replay_equal", "wrong", "code"),
    [(True, True, 0, 0), (False, True, 0, 1), (True, False, 0, 1), (False, False, 0, 1), (True, True, 1, 1)],
)
def test_only_a_rehearsal_in_which_all_is_equal_succeeds(rehearses, game, equal, replay_equal, wrong, code):
    counts = msgspec.structs.replace(COUNTS, wrong_confirmations=wrong)
    other = MegaCity(Options(players=2)).position
    hub = game.position if equal else other
    verdict = judged(game, hub, hub if replay_equal else MegaCity(Options(players=3)).position, counts)
    assert rehearses(verdict, "--json")[0] == code
    told = json.loads(rehearses(verdict, "--json")[1])
    assert (told["equal"], told["replay_equal"], told["counts"]["wrong_confirmations"]) == (equal, replay_equal, wrong)


def test_a_verdict_for_people_has_every_count(rehearses, game):
    code, told = rehearses(judged(game, game.position, game.position, COUNTS))
    assert code == 0
    for line in ("physical acts  9", "actions inferred  7", "questions asked  6", "equal  True", "replay equal  True"):
        assert line in told
