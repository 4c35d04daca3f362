"""The host begins another game than the hub was started with: the process, the port and the journal stay."""

import json
import re
import signal
from pathlib import Path

import pytest
from msgspec.structs import replace

from citytable.box_choice import BoxChoice
from citytable.box_file import new_box, path_of, write_box
from citytable.chosen_game import gone_on
from citytable.doctor.plan_file import write_plan
from citytable.games import box_of
from citytable.journal.store import Store
from citytable.other_games import TableGames
from citytable.rules.errors import Unfitting
from citytable.settings import Settings
from citytable.table.plan import full_plan, starter_plan
from citytable.table.word import NextGame

pytestmark = pytest.mark.long(7)

PHONES = ("run", "--phones", "--no-open", "--port", "0")


def _again(running):
    """The hub has begun anew and its pages are there."""
    running.says(r"(?s)is played from now on.*\nphones ")


def test_a_table_of_phones_plays_another_game_and_a_killed_hub_comes_back_with_it(started, citytable, tmp_path):
    data = {"XDG_DATA_HOME": str(tmp_path)}
    running = started(*PHONES, "--players", "2", "--mode", "advise", **data)
    (host,) = running.hosts()
    offered = {one["game"]: one for one in host.asks("/api/game")["others"]}
    assert [(name, one["players_min"], one["players_max"]) for name, one in offered.items()] == [
        ("comeback", 1, 1),
        ("dilluvia", 2, 4),
    ]
    assert host.asks("/api/game")["title"] == "MegaCity: Oceania"
    phone = host.phone(2)
    first = host.begins(3, game="dilluvia", same_people=True, names=["Ada", "Bo", "Cy"])
    _again(running)
    seen = host.view()
    assert (seen["scene"]["game"], seen["mode"]) == ("dilluvia", "advise")
    assert [one["name"] for one in seen["scene"]["players"]] == ["Ada", "Bo", "Cy"]
    assert phone.asks("/api/entered") == ["seat/2"]
    assert {one["game"] for one in host.asks("/api/game")["others"]} == {"megacity", "comeback"}
    running.end(signal.SIGKILL)
    journal = tmp_path / "citytable/phones/megacity.sqlite3"
    with Store.read(journal) as store:
        assert next((row.id, row.game, row.over) for row in store.games()) == (first, "megacity", True)
        assert [(row.game, row.over) for row in store.games()][1:] == [("dilluvia", False)]
        second = store.latest().id
    again = started(*PHONES, **data)
    assert again.says(r"going on with game (\S+) after 0 actions")[1] == second
    (host,) = again.hosts()
    host.begins(2, game="megacity")
    _again(again)
    assert host.view()["scene"]["game"] == "megacity"
    assert again.end(signal.SIGINT) == 0
    out = tmp_path / "evening.jsonl"
    assert citytable("export", second, "--to", out, "--journal", journal).returncode == 0
    assert json.loads(out.read_text().splitlines()[0])["game"] == "dilluvia"
    assert citytable("replay", out).returncode == 0
    named = started(*PHONES, "--game", "comeback", **data)
    assert named.hosts()[0].view()["scene"]["game"] == "comeback", "a game that somebody names has a file of its own"
    assert named.end(signal.SIGINT) == 0


@pytest.mark.broker
def test_the_bots_of_a_virtual_table_play_the_other_game(started, until):
    running = started("run", "--no-open", "--port", "0", "--players", "2", "--seed", "4", "--speed", "20", "--hold")
    (host,) = running.hosts()
    until(lambda: host.view()["scene"]["turn"] >= 1)
    host.begins(1, game="comeback")
    _again(running)
    until(lambda: host.view()["scene"]["turn"] >= 1)
    assert host.view()["scene"]["game"] == "comeback"
    assert running.end(signal.SIGINT) == 0
    assert not re.search(r"stopped|Traceback", running.said)


@pytest.fixture
def settings(tmp_path, monkeypatch) -> Settings:
    """A table with its own plan, on whose computer a copy of MegaCity lies."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    write_box(path_of("theirs"), new_box("theirs", "megacity"))
    return _own(tmp_path, full_plan("cafe", 3, box_of("megacity").shared_spots(), ()))


def _own(tmp_path: Path, plan) -> Settings:
    write_plan(tmp_path / "cafe.json", plan)
    return Settings(
        twin=False,
        plan_path=tmp_path / "cafe.json",
        journal_path=tmp_path / "cafe.sqlite3",
        speed=1.0,
        asked_for="megacity",
    )


def _games(settings: Settings, here: Settings | None = None) -> TableGames:
    here = here or settings
    return TableGames(settings, here, BoxChoice(here, dict, fixed=False, options=lambda: here.options))


def _wish(**words) -> NextGame:
    return NextGame(**{"after": "g", "players": 2, "by": "host"} | words)


async def test_only_games_are_offered_for_which_the_table_has_spots_and_seats(settings, tmp_path):
    found = {(one.game, one.box): one.players_max for one in _games(settings).choices()}
    spots = set(settings.plan().spot_plans())
    fitting = {name for name in ("comeback", "dilluvia") if spots >= set(box_of(name).shared_spots().spots)}
    assert set(found) == {("megacity", "theirs"), *((name, "") for name in fitting)}
    assert found["megacity", "theirs"] == 3
    comeback = box_of("comeback")
    alone = replace(_own(tmp_path, starter_plan("cafe", 1, ())), box=comeback, options=comeback.options(1))
    assert _games(settings, alone).choices() == ()


async def test_what_cannot_be_played_is_refused_and_the_table_stays(settings):
    for wish, text in ((_wish(game="chess"), "chess"), (_wish(game="megacity", box="theirs", players=4), "4 players")):
        with pytest.raises(Unfitting, match=text):
            _games(settings).leaves(wish, "")


async def test_the_wish_brings_its_copy_its_rulings_and_its_people(settings):
    choice = BoxChoice(settings, dict, fixed=False, options=lambda: settings.options)
    games = TableGames(settings, settings, choice)
    games.leaves(_wish(game="megacity", box="theirs", names=("Ada",), rulings={"round_limit": 40}), "g")()
    found = await choice.made()
    assert (found.box_path, found.options.rulings.round_limit) == (path_of("theirs"), 40)
    assert (found.sitting.people, found.sitting.by, found.sitting.agreed) == ("g", "host", True)


def test_a_table_that_never_played_another_game_starts_as_the_command_line_says(settings):
    assert gone_on(settings) is settings
    assert gone_on(replace(settings, twin=True)).twin
