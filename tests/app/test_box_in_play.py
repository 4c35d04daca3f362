"""Values that were entered in a game stay what is printed: through undo, the next game, a restart and a replay."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from citytable.box_file import enter_values, load_box, new_box, path_of, write_box
from citytable.cli import app
from citytable.hub import Hub, replayed, running_hub
from citytable.journal.decks import cards_of, deck_of
from citytable.journal.entry import ValuesEntered
from citytable.rules.errors import GameError, Unfitting
from citytable.settings import Settings
from citytable.table.word import Answer, GoBack, NextGame, PaperPosition, Statement

pytestmark = pytest.mark.long(4)

SET_UP = "table set_up bonuses=ZC1,ZG1 redrawn=none row=C01,C02,C03,C04,C05,C06 hand=C07,C08"
LAID = (SET_UP, "p1 lay card=C07 at=1/5", "p1 lay card=C08 at=2/5", "p1 flip card=R01")
R01 = {
    "zone": "government",
    **{f"{name}_{k}": 0 for name in ("cost", "opportunity") for k in (1, 2, 3)},
    "stories": 7,
    "points": 9,
    "is_restaurant": False,
    "effect": "none",
    "effect_points": 0,
    "effect_zone": "residential",
    "effect_most": 1,
    "effect_resource": "wood",
}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A table of phones with the box `ours`, of which nothing is entered."""
    path = path_of("ours", tmp_path)
    write_box(path, new_box("ours", "comeback"))
    return _with_box(
        Settings(twin=False, phones=True, speed=1.0, go_on=True, journal_path=tmp_path / "j.sqlite3"), path
    )


def _with_box(settings: Settings, path: Path) -> Settings:
    """The settings of the next start: the box is as its file has it by now."""
    box = load_box(path).box()
    return replace(settings, box=box, box_path=path, options=box.options(1))


async def _does(hub: Hub, *actions: str) -> None:
    for action in actions:
        await hub.session.say(Statement(action=action, by="host"))


async def _enters(hub: Hub, thing: str, values: dict[str, Any]) -> None:
    await hub.session.say(Answer(question=f"values {thing}", values=values, by="host"))


def _flipped(hub: Hub) -> Any:
    return hub.session.view().scene.board.flipped


async def test_an_undo_takes_back_acts_and_not_what_is_printed(settings):
    async with running_hub(settings) as hub:
        await _does(hub, *LAID)
        before = len(await hub.session.entries())
        await _enters(hub, "building/R01", R01)
        assert _flipped(hub).points == 9
        await hub.session.say(GoBack(to=2, by="host"))
        assert len(hub.play.actions) < before
        assert "building/R01" not in hub.play.copy.enters.unread
        await _does(hub, *LAID[len(hub.play.actions) :])
        assert (_flipped(hub).points, _flipped(hub).zone) == (9, "government")


async def test_the_next_game_knows_what_was_entered_in_the_one_before(settings):
    async with running_hub(settings) as hub:
        await _does(hub, *LAID)
        await _enters(hub, "building/R01", R01)
        await hub.session.say(NextGame(by="host", after=hub.game_id, players=1))
        await _does(hub, *LAID)
        assert _flipped(hub).points == 9
        assert "values building/R01" not in {question.id for question in hub.play.questions}
        first = (await hub.journal.entries(hub.game_id)).entries[0].body
        assert first.deck_sha256 == hub.play.copy.box.fingerprint()


async def test_what_is_entered_elsewhere_between_two_evenings_counts_in_the_game_that_goes_on(settings):
    async with running_hub(settings) as hub:
        await _does(hub, *LAID)
        assert _flipped(hub).points == 0
    enter_values(settings.box_path, "building/R01", R01)
    async with running_hub(_with_box(settings, settings.box_path)) as hub:
        assert "going on with game" in " ".join(hub.notices)
        assert _flipped(hub).points == 9
        (noted,) = [
            one.body for one in (await hub.journal.entries(hub.game_id)).entries if isinstance(one.body, ValuesEntered)
        ]
        assert (noted.thing, noted.deck_sha256) == ("", hub.play.copy.box.fingerprint())


async def test_what_somebody_enters_at_the_command_line_meanwhile_is_not_lost(settings):
    async with running_hub(settings) as hub:
        await _does(hub, *LAID)
        enter_values(settings.box_path, "repair/road", {"cost_1": 5, "cost_2": 0, "cost_3": 0})
        await _enters(hub, "building/R01", R01)
        assert hub.play.copy.box.entering.form("repair/road").fields[0].proposed == 5
        assert {"repair/road", "building/R01"}.isdisjoint(load_box(settings.box_path).values["unread"])


async def test_a_game_with_entered_values_replays_from_its_journal_and_its_entries_hold_none_of_them(settings):
    async with running_hub(settings) as hub:
        await _does(hub, *LAID)
        await _enters(hub, "building/R01", R01)
        entries, decks = (await hub.journal.entries(hub.game_id)).entries, await hub.journal.decks()
        assert replayed(entries, settings.box, decks).position == hub.play.umpire.position
        assert json.loads(deck_of(cards_of(entries), decks).content)["buildings"][0]["points"] == 9
        (said,) = [one.body for one in entries if isinstance(one.body, ValuesEntered)]
        assert (said.thing, said.by) == ("building/R01", "host")
        assert not hasattr(said, "values")


async def test_an_act_that_turns_out_to_have_been_against_the_rules_stays(settings):
    async with running_hub(settings) as hub:
        await _does(hub, *LAID)
        await _enters(hub, "building/R01", R01)
        build = next(one for one in hub.play.sayable() if one.startswith("p1 build card=R01"))
        await _does(hub, build)
        actions = tuple(map(str, hub.play.actions))
        await _enters(hub, "building/R01", {**R01, "cost_2": 20})
        assert tuple(map(str, hub.play.actions)) == actions
        assert any(cell.card == "R01" and cell.stories == 7 for cell in hub.session.view().scene.board.cells)
    async with running_hub(_with_box(settings, settings.box_path)) as hub:
        assert tuple(map(str, hub.play.actions)) == actions


async def test_a_box_file_that_cannot_be_written_is_a_sentence_and_changes_nothing(settings):
    async with running_hub(settings) as hub:
        await _does(hub, *LAID)
        count = len((await hub.journal.entries(hub.game_id)).entries)
        settings.box_path.unlink()
        settings.box_path.mkdir()
        with pytest.raises((Unfitting, ValueError)):
            await _enters(hub, "building/R01", R01)
        assert _flipped(hub).points == 0
        assert len((await hub.journal.entries(hub.game_id)).entries) == count


async def test_without_a_box_nothing_is_asked_and_nothing_can_be_entered(settings):
    house = Settings(twin=False, phones=True, speed=1.0, box=settings.box, options=settings.options)
    async with running_hub(house) as hub:
        await _does(hub, *LAID)
        assert [one.prompt for one in hub.play.questions] == []
        with pytest.raises(Unfitting, match="start the hub with --box"):
            await _enters(hub, "building/R01", R01)


async def test_an_export_has_none_of_the_values_and_is_told_again_with_the_box_file(settings, tmp_path):
    async with running_hub(settings) as hub:
        await _does(hub, *LAID)
        await _enters(hub, "building/R01", R01)
        game = hub.game_id
    file = tmp_path / "game.jsonl"
    run = CliRunner().invoke
    assert run(app, ["export", game, "--journal", str(settings.journal_path), "--to", str(file)]).exit_code == 0
    assert "stories" not in file.read_text()
    assert run(app, ["replay", str(file)]).exit_code == 1
    told = run(app, ["replay", str(file), "--deck", str(settings.box_path)])
    assert told.exit_code == 0, told.stderr
    wrong = run(app, ["run", "--phones", "--game", "megacity", "--deck", str(settings.box_path)])
    assert "it is a box of comeback, not of megacity: give --game comeback" in " ".join(wrong.stderr.split())


def _bonus(zone: str, helper: str) -> dict[str, Any]:
    return {"zone": zone, "condition": "buildings", "number": 3, "helper": helper}


async def _are_of_one_zone(hub: Hub) -> None:
    """Set up, and enter both zoning bonuses as residential: of these CR1 lets nobody draw two."""
    await _does(hub, *LAID)
    await _enters(hub, "bonus/ZC1", _bonus("residential", "defense_agency"))
    await _enters(hub, "bonus/ZG1", _bonus("residential", "national_guard"))


async def test_a_bonus_that_nobody_has_entered_yet_has_no_zone(settings):
    async with running_hub(settings) as hub:
        await _does(hub, *LAID)
        await _enters(hub, "bonus/ZC1", _bonus("government", "defense_agency"))  # as the house's ZG1
        await _enters(hub, "bonus/ZG1", _bonus("commercial", "national_guard"))
        entries, decks = (await hub.journal.entries(hub.game_id)).entries, await hub.journal.decks()
        assert replayed(entries, settings.box, decks).position == hub.play.umpire.position


async def test_values_with_which_the_game_cannot_have_been_are_not_kept_at_first(settings):
    async with running_hub(settings) as hub:
        with pytest.raises(Unfitting, match=r"CR1: Both zoning bonuses.*Check what you entered") as refused:
            await _are_of_one_zone(hub)
        assert "CR1" in refused.value.text["fr"]
        assert "bonus/ZG1" in load_box(settings.box_path).values["unread"]
        await _enters(hub, "bonus/ZG1", _bonus("government", "national_guard"))
        assert "bonus/ZG1" not in hub.play.copy.box.entering.unread
    async with running_hub(_with_box(settings, settings.box_path)) as hub:
        assert len(hub.play.actions) == len(LAID)


async def test_values_that_people_stand_by_count_from_the_next_game_on(settings):
    async with running_hub(settings) as hub:
        with pytest.raises(Unfitting):
            await _are_of_one_zone(hub)
        await _enters(hub, "bonus/ZG1", _bonus("residential", "national_guard"))
        assert "bonus/ZG1" not in load_box(settings.box_path).values["unread"]
        assert "values bonus/ZG1" not in {question.id for question in hub.play.questions}
        last = (await hub.journal.entries(hub.game_id)).entries[-1].body
        assert (last.deck_sha256, last.thing) == (hub.play.copy.box.fingerprint(), "bonus/ZG1")
        assert last.later_sha256 == load_box(settings.box_path).box().fingerprint()
        await _enters(hub, "building/R01", R01)
        assert _flipped(hub).points == 9
    async with running_hub(_with_box(settings, settings.box_path)) as hub:
        assert "it counts with the values it had" in " ".join(hub.notices)
        assert _flipped(hub).points == 9
        assert "values bonus/ZG1" not in {question.id for question in hub.play.questions}
        await hub.session.say(NextGame(by="host", after=hub.game_id, players=1))
        assert hub.play.copy.box.entering.form("bonus/ZG1").fields[0].proposed == "residential"
        with pytest.raises(GameError, match="same zone"):
            await _does(hub, SET_UP)


@pytest.mark.parametrize("besides", ["", "table building_fell at=1/0", "p1 take_platform platform=9"])
async def test_what_an_unconfirmed_act_forbids_counts_from_the_next_game_on_after_a_restart_too(tmp_path, besides):
    """Also while a question about something else is open."""
    path = path_of("theirs", tmp_path)
    write_box(path, new_box("theirs", "megacity"))
    box = load_box(path).box()
    settings = Settings(twin=False, phones=True, speed=1.0, go_on=True, journal_path=tmp_path / "j.sqlite3")
    settings = replace(settings, box=box, box_path=path, options=box.options(2))
    columns = "PU3,PU2,PU1|IN1,IN2,IN3|CO1,CO2,CO3|RE1,RE2,RE3"
    taken = "p1 take_platform platform=2 revealed=16/commercial"
    async with running_hub(settings) as hub:
        supply = "supply=1/public,2/public,9/public start=1 drawn=none|unknown:1"
        await _does(hub, f"table set_up columns={columns} {supply}")
        if "fell" in besides:
            form = hub.play.paper()
            city = {"columns": ("PU2 PU1", *form["columns"][1:])}
            stands = {"at": "1/0", "platform": "3p", "owner": 1, "contract": "PU3", "height_mm": 60, "pieces": 6}
            await hub.session.say(PaperPosition(paper=form | city | {"buildings": [stands]}, by="host"))
        await hub.session.say(Statement(action=taken, by="seat 1"))
        if besides:
            await hub.session.say(Statement(action=besides, by="seat 2" if "fell" in besides else "seat 1"))
        under_way = [one.action for one in hub.play.umpire.provisional]
        sides = {"side_1": "public", "side_2": "residential"}
        with pytest.raises(Unfitting):
            await _enters(hub, "platform/16", sides)
        await _enters(hub, "platform/16", sides)
        assert [one.action for one in hub.play.umpire.provisional] == under_way
    async with running_hub(replace(settings, box=load_box(path).box())) as hub:
        assert "count from the next game on" in " ".join(hub.notices)
        assert [one.action for one in hub.play.umpire.provisional] == under_way
        assert taken in under_way


async def test_what_was_undone_holds_no_hub_up_when_later_values_forbid_it(settings):
    async with running_hub(settings) as hub:
        await _does(hub, SET_UP)
        await hub.session.say(GoBack(to=1, by="host"))
        other = SET_UP.replace("ZC1,ZG1", "ZC1,ZR1")
        await _does(hub, other, *LAID[1:])
        await _enters(hub, "bonus/ZC1", _bonus("government", "defense_agency"))
        await hub.session.say(
            Answer(question="values bonus/ZG1", values=_bonus("government", "national_guard"), by="host")
        )
    async with running_hub(_with_box(settings, settings.box_path)) as hub:
        assert [str(one) for one in hub.play.actions] == [other, *LAID[1:]]
