"""Any table recognises a box by its tags, and the host begins with it: one tap, which holds at the next start, too."""

import signal

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from citytable.box_choice import BoxChoice, as_chosen, playing_with
from citytable.box_desk import BoxDesk
from citytable.box_file import load_box, new_box, path_of, write_box
from citytable.cli import app
from citytable.doctor.plan_file import write_plan
from citytable.games.megacity.box import BOX
from citytable.rules.errors import Unfitting
from citytable.settings import Settings
from citytable.table.plan import Misconfigured, full_plan
from citytable.views.box import BoxWish, OtherBox

pytestmark = pytest.mark.long(7)

TAG, BROUGHT = "04bb000000", "04cc000000"


@pytest.fixture
def settings(tmp_path, monkeypatch):
    """A table for two without a named box; `theirs` of MegaCity and `solo` of Comeback City lie on its computer."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    write_box(path_of("theirs"), replace(new_box("theirs", "megacity"), tags={TAG: "contract/PU1"}))
    write_box(path_of("solo"), replace(new_box("solo", "comeback"), tags={BROUGHT: "building/R01"}))
    plan = tmp_path / "cafe.json"
    write_plan(plan, full_plan("cafe", 2, BOX.shared_spots(), BOX.things(2)))
    return Settings(
        options=BOX.options(2), twin=False, plan_path=plan, journal_path=tmp_path / "cafe.sqlite3", speed=1.0
    )


def choice(settings, lying=None, *, fixed=False):
    return BoxChoice(settings, lambda: lying or {}, fixed=fixed, options=lambda: settings.options)


async def test_a_box_is_recognised_by_what_lies_on_readers_also_one_that_was_brought_after_the_start(settings):
    lying = {
        "city/1/0": frozenset({"box/theirs/contract/PU1"}),
        "city/2/0": frozenset({f"?{BROUGHT}", "?04dd000000", "platform/7/public"}),
        "city/0/1": frozenset({"box/theirs/bag"}),
    }
    assert choice(settings, lying).others() == (OtherBox("theirs", "megacity", 2), OtherBox("solo", "comeback", 1))
    shown = BoxDesk(None, lambda: None, choice(settings, lying)).shown()
    assert (shown.name, shown.readers, shown.choosable) == ("", True, True)


async def test_the_box_that_plays_is_no_other_one(settings):
    ours = playing_with(settings, "theirs")
    assert choice(ours, {"city/1/0": frozenset({"contract/PU1"})}).others() == ()


def test_another_copy_of_the_game_is_played_by_the_same_rulings(settings):
    agreed = replace(settings.options, rulings=replace(settings.options.rulings, round_limit=40))
    assert playing_with(replace(settings, options=agreed), "theirs").options == agreed
    assert playing_with(replace(settings, options=agreed), "solo").options.players == 1


async def test_another_copy_of_the_game_goes_by_what_was_chosen_at_the_table(settings):
    agreed = replace(settings.options, rulings=replace(settings.options.rulings, round_limit=40))
    chosen = BoxChoice(settings, dict, fixed=False, options=lambda: agreed)
    chosen.choose(BoxWish("theirs"))
    assert (await chosen.made()).options == agreed


async def test_what_is_chosen_is_played_with_and_holds_at_the_next_start(settings):
    chosen = choice(settings)
    chosen.choose(BoxWish("theirs"))
    after = await chosen.made()
    assert (chosen.is_made, after.box_path, after.box.deck) == (True, path_of("theirs"), "theirs")
    again, trouble = as_chosen(settings, "")
    assert (again.box_path, trouble) == (path_of("theirs"), "")
    assert as_chosen(settings, "dilluvia")[0] is settings


async def test_a_box_of_another_game_brings_its_own_number_of_players(settings):
    after = playing_with(settings, "solo")
    assert (after.box.name, after.options.players) == ("comeback", 1)


async def test_without_a_box_the_table_plays_with_the_houses_values_again(settings):
    chosen = choice(playing_with(settings, "theirs"))
    chosen.choose(BoxWish(""))
    after = await chosen.made()
    assert (after.box_path, after.box.fingerprint()) == (None, BOX.fingerprint())


@pytest.mark.parametrize("name", ["nobodys", "../theirs"])
async def test_a_box_that_is_not_there_is_a_sentence_and_nothing_is_noted(settings, name):
    with pytest.raises(Misconfigured, match="box"):
        choice(settings).choose(BoxWish(name))
    assert as_chosen(settings, "") == (settings, "")


async def test_a_box_that_was_named_at_the_start_stays(settings):
    with pytest.raises(Unfitting, match="--box") as refused:
        choice(settings, fixed=True).choose(BoxWish("theirs"))
    assert "une autre boîte" in refused.value.text["fr"]


def test_a_note_of_a_box_that_is_gone_is_told_and_the_house_plays(settings):
    settings.journal_path.with_name("cafe.box").write_text("nobodys\n")
    same, trouble = as_chosen(settings, "")
    assert same is settings
    assert "nobodys" in trouble


@pytest.mark.broker
@pytest.mark.parametrize("kept", [True, False], ids=["with a journal", "without one"])
def test_phones_keep_their_seats_when_the_table_begins_with_another_box(started, settings, tmp_path, kept):
    words = ["run", "--no-twin", "--plan", str(settings.plan_path), "--players", "2", "--serial", "", "--no-open"]
    words += ["--port", "0", *(("--journal", str(settings.journal_path)) if kept else ())]
    running = started(*words, XDG_DATA_HOME=str(tmp_path))
    (host,) = running.hosts()
    phone = host.phone(2)
    host.asks("/api/box", {"name": "theirs"})
    running.says(r"(?s)with the box theirs.*\nphones ")
    assert host.asks("/api/box")["name"] == "theirs"
    assert phone.asks("/api/entered") == ["seat/2"]


@pytest.mark.broker
def test_the_host_begins_with_another_box_and_the_hub_goes_on_at_the_same_port(started, settings, tmp_path):
    words = ("run", "--no-twin", "--plan", str(settings.plan_path), "--players", "2", "--serial", "", "--no-open")
    words += ("--port", "0", "--journal", str(settings.journal_path))
    running = started(*words, XDG_DATA_HOME=str(tmp_path))
    (host,) = running.hosts()
    assert host.asks("/api/box")["name"] == ""
    host.asks("/api/box", {"name": "theirs"})
    running.says(r"(?s)with the box theirs.*\nphones ")
    assert host.asks("/api/box")["name"] == "theirs"
    assert running.end(signal.SIGINT) == 0
    again = started(*words, XDG_DATA_HOME=str(tmp_path))
    (host,) = again.hosts()
    assert host.asks("/api/box")["name"] == "theirs"
    assert load_box(path_of("theirs")).tags == {TAG: "contract/PU1"}


def test_a_box_is_brought_and_a_second_one_of_its_name_is_refused(settings, tmp_path):
    stick = tmp_path / "stick"
    stick.mkdir()
    brought = path_of("ours", stick)
    write_box(brought, replace(new_box("ours", "dilluvia"), tags={"04ee000000": "tile/1"}))
    for _ in range(2):  # the same copy again is no other one
        assert CliRunner().invoke(app, ["box", "bring", str(brought)]).exit_code == 0
    assert load_box(path_of("ours")).tags == {"04ee000000": "tile/1"}
    assert path_of("ours").stat().st_mode & 0o077 == 0
    write_box(brought, new_box("ours", "megacity"))
    refused = CliRunner().invoke(app, ["box", "bring", str(brought)])
    assert refused.exit_code == 1
    assert "two copies must not mix" in refused.stderr
    assert load_box(path_of("ours")).game == "dilluvia"
