"""Which game a table plays: the one that is named, or the last one of its journal, with its players and its box."""

import pytest
import typer

from citytable.box_file import load_box, new_box, path_of, write_box
from citytable.chosen_game import LastPlayed, chosen_game, last_played
from citytable.cli_options import options_of
from citytable.doctor.plan_file import write_plan
from citytable.games import box_of
from citytable.hub import running_hub
from citytable.journal.entry import Draft, GameStarted
from citytable.journal.store import Commit, Store
from citytable.settings import Settings
from citytable.table.plan import starter_plan


@pytest.fixture
def journal(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "table.sqlite3"


async def _played(journal, players=1, box=None):
    """Play at a table of phones: Comeback City unless a box is given, with that box."""
    cards = box_of("comeback") if box is None else load_box(path_of(box)).box()
    settings = Settings(
        box=cards,
        box_path=None if box is None else path_of(box),
        options=options_of(cards, players),
        twin=False,
        phones=True,
        speed=1.0,
        journal_path=journal,
    )
    async with running_hub(settings) as hub:
        return settings, hub.game_id


def _chosen(journal, game="megacity", box=None, *, named=False, twin=False):
    return chosen_game(game, box, None, journal, named=named, twin=twin)


def _plan(tmp_path, seats, table="table"):
    path = tmp_path / "plan.json"
    write_plan(path, starter_plan(table, seats, ()))
    return path


async def test_the_first_station_joins_the_game_of_the_phones_without_a_word_about_it(journal, tmp_path):
    _, game = await _played(journal)
    found = _chosen(journal)
    assert (found.box.name, found.box_path) == ("comeback", None)
    plan = _plan(tmp_path, 2)
    options = options_of(found.box, None, usual=found.usual_players(plan))
    mine = Settings(
        box=found.box, options=options, twin=False, plan_path=plan, speed=1.0, go_on=True, journal_path=journal
    )
    async with running_hub(mine) as hub:
        assert hub.game_id == game


async def test_the_box_that_was_played_with_is_found_again(journal):
    write_box(path_of("ours"), new_box("ours", "dilluvia"))
    await _played(journal, 3, "ours")
    found = _chosen(journal)
    assert (found.box.name, found.box.deck, found.box_path) == ("dilluvia", "ours", path_of("ours"))
    assert found.usual_players(None) == 3
    path_of("ours").unlink()
    assert (_chosen(journal).box.name, _chosen(journal).box_path) == ("dilluvia", None)


async def test_a_table_with_fewer_seats_than_the_usual_players_is_no_reason_to_refuse(journal, tmp_path):
    assert _chosen(journal).usual_players(_plan(tmp_path, 2)) == 2
    assert _chosen(journal).usual_players(None) == 3


async def test_a_game_that_somebody_names_is_played(journal):
    await _played(journal)
    assert _chosen(journal, named=True).box.name == "megacity"
    assert _chosen(journal, "dilluvia", named=True).usual_players(None) == 3
    assert _chosen(journal, box="mine").box.deck == "mine"
    assert _chosen(journal, twin=True).box.name == "megacity"


def test_a_journal_that_cannot_be_read_is_left_to_the_hub(journal):
    assert last_played(journal) is None
    journal.write_bytes(b"no journal at all" * 100)
    assert last_played(journal) is None
    assert _chosen(journal).box.name == "megacity"


def test_a_plan_that_cannot_be_read_ends_the_command(journal, tmp_path, capsys):
    with pytest.raises(typer.Exit):
        _chosen(journal).usual_players(tmp_path / "none.json")
    assert "none.json" in capsys.readouterr().err


def test_options_that_make_no_sense_say_nothing_of_players(journal):
    with Store.open(journal) as store:
        started = GameStarted(game="comeback", options={"players": "many"}, deck="house", deck_sha256="0" * 64)
        store.append(Commit("evening", (Draft(1, "system", started),)))
    assert last_played(journal) == LastPlayed("comeback", "house", None)
    assert _chosen(journal).usual_players(None) == 1
