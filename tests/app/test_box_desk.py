"""Entering a whole box: on the command line, thing by thing, and what is said of a box that is not whole."""

import errno
import json

import pytest
from click.testing import Result
from msgspec.structs import replace
from typer.testing import CliRunner

from citytable import box_file
from citytable.box_desk import checked, missing, rows_of
from citytable.box_file import BoxFile, enter_values, entering_of, load_box, new_box, path_of, write_box
from citytable.cli import app
from citytable.games import NAMES
from citytable.table.plan import Misconfigured

pytestmark = pytest.mark.long(12)


def _values(file: BoxFile, thing: str) -> dict[str, object]:
    """What can be printed on a thing: what is proposed, or the least."""
    fields = entering_of(file).form(thing).fields
    return {
        one.name: _least(one.kind, one.choices, one.low) if one.proposed is None else one.proposed for one in fields
    }


def _least(kind: str, choices: tuple[str, ...], low: int) -> object:
    return choices[0] if kind == "choice" else low


@pytest.fixture
def box(tmp_path):
    """`box("comeback")`: the path of a new box."""

    def made(game: str, name: str = "ours", **tags: str):
        path = path_of(name, tmp_path)
        write_box(path, replace(new_box(name, game), tags={f"04{uid}": thing for uid, thing in tags.items()}))
        return path

    return made


@pytest.mark.parametrize("game", NAMES)
def test_every_form_of_a_box_has_its_words_in_both_languages(box, game):
    values = entering_of(load_box(box(game)))
    for thing in values.enterable:
        form = values.form(thing)
        keys = {"", *(one.name for one in form.fields), *(f"={one}" for field in form.fields for one in field.choices)}
        assert form.texts.keys() == keys
        assert all(text["en"] and text["fr"] for text in form.texts.values()), thing


@pytest.mark.parametrize("game", NAMES)
def test_going_through_a_box_ends_with_nothing_missing_and_the_file_reads_back(box, game):
    path = box(game)
    for row in missing(load_box(path), with_tags=False):
        values = _values(load_box(path), row.thing)
        if row.thing.startswith("platform/"):
            values["side_2"] = "residential"
        if row.thing.startswith("spots/") and "spot_1" in values:
            values["spot_1"] = "spot_any_2"
        if row.thing.startswith("contract/L-"):
            values["requirement_2"] = "no_glass"
        if row.thing == "bonus/ZC1":
            values["zone"] = "commercial"
        enter_values(path, row.thing, values)
    file = load_box(path)
    assert list(missing(file, with_tags=False)) == []
    assert entering_of(file).unread == frozenset()


def test_a_platform_has_a_tag_on_each_side_and_a_park_has_nothing_printed_on_it(box):
    rows = {row.thing: row for row in rows_of(load_box(box("megacity", aa="platform/7/public")))}
    assert rows["platform/7"].without_tag == ("platform/7/commercial",)
    assert (rows["park/1"].entered, rows["park/1"].places) == (None, ("park/1",))


def test_a_box_that_is_not_whole_is_told_what_is_amiss(box):
    path, other = box("comeback", aa="building/R01", bb="building/X9"), box("comeback", "theirs", aa="building/R02")
    for thing in ("building/R01", "building/R02"):
        enter_values(path, thing, _values(load_box(path), thing))
    told = [one["en"] for one in checked(load_box(path), {"theirs": load_box(other)})]
    assert "100 of 102 things have not been entered yet" in told
    assert "the tag 04aa is also in the box theirs: remove it from one of the files" in told
    assert "the tag 04bb is on building/X9, which is not in this box: enrol the tag again" in told
    assert "building/R01 and building/R02 are the same: did you enter one card twice?" in told


def test_what_cannot_be_printed_is_refused_and_nothing_is_written(box):
    path = box("megacity")
    before = path.read_bytes()
    for thing, values in (
        ("platform/1", {"side_1": "public", "side_2": "public"}),
        ("contract/L-PU", _values(load_box(path), "contract/L-PU")),
        ("contract/none", {}),
    ):
        with pytest.raises(ValueError, match=r"different|contract/none"):
            enter_values(path, thing, values)
    assert path.read_bytes() == before


def test_what_makes_a_box_that_cannot_be_read_back_is_refused_and_nothing_is_written(box):
    path = box("comeback")
    *all_but_one, last = [row.thing for row in rows_of(load_box(path)) if row.thing.startswith("bonus/")]
    for thing in all_but_one:
        enter_values(path, thing, {**_values(load_box(path), thing), "zone": "industrial"})
    before = path.read_bytes()
    with pytest.raises(Misconfigured, match="all are of one zone"):
        enter_values(path, last, {**_values(load_box(path), last), "zone": "industrial"})
    assert path.read_bytes() == before


def test_a_box_file_is_for_its_owners_eyes_alone(box):
    assert box("dilluvia").stat().st_mode & 0o077 == 0


def test_a_name_that_leads_out_of_the_folder_is_none():
    with pytest.raises(Misconfigured, match="is no name of a box"):
        path_of("../plan")


R01 = ("3", "1", "5", "b", "0", "2", "0", "1", "0", "7", "4", "n", "7", "3")  # b: the cost of 5 was a mistake


@pytest.fixture
def run(tmp_path):
    """`run(*words, typed="")` is `citytable box ...` with what somebody types."""

    def command(*words: str, typed: str = "") -> Result:
        return CliRunner().invoke(app, ["box", *words], input=typed, env={"XDG_DATA_HOME": str(tmp_path)})

    return command


def test_the_command_line_keeps_each_thing_and_goes_on_where_somebody_stopped(run, tmp_path):
    assert run("new", "ours", "--game", "comeback").exit_code == 0
    done = run("enter", "ours", typed="\n".join([*R01, "s", "q"]) + "\n")
    assert "101 things are left; run the same command to continue" in done.stdout
    done = run("enter", "ours", "--lang", "fr", typed="99\nq\n")
    assert "Que dit la carte de bâtiment que le hub appelle R02" in done.stdout
    assert "'99' : tapez un nombre de 1 à 4" in done.stderr
    assert "Il reste 101 objets" in done.stdout
    cards = json.loads((tmp_path / "citytable/boxes/ours.box.json").read_text())["values"]["buildings"]
    assert (cards[0]["zone"], cards[0]["conditional"]) == ("industrial", {"kind": "other", "points": 3})
    assert cards[0]["cost"] == {"wood": 1, "concrete": 2}
    assert "1 of 102 entered" in run("list").stdout
    assert run("check", "ours").exit_code == 1
    assert "there is a box 'ours' already" in " ".join(run("new", "ours").stderr.split())


def test_a_long_list_is_shown_once_and_what_does_not_matter_is_not_asked(run, tmp_path):
    run("new", "ours", "--game", "dilluvia")
    done = run("enter", "ours", typed="1\nn\nn\n?\n?\n36\nn\nn\n7\nq\n")
    assert done.stdout.count("5 Aeros") == 3, "for the first tile, and twice for the second"
    assert done.stdout.count("Population at the end") == 1
    tiles = json.loads((tmp_path / "citytable/boxes/ours.box.json").read_text())["values"]["tiles"]
    assert [tile.get("population", 0) for tile in tiles[:2]] == [0, 7]


def test_what_cannot_be_kept_is_said_before_anything_is_asked(run, tmp_path, monkeypatch):
    run("new", "ours", "--game", "dilluvia")

    def full(path, text):
        raise OSError(errno.EROFS, "Read-only file system", f"{path}.123")

    monkeypatch.setattr(box_file, "write_whole", full)
    done = run("enter", "ours", typed="1\n")
    assert done.exit_code == 1
    assert "market tile" not in done.stdout
    said = " ".join(done.stderr.split())
    assert "ours.box.json: it cannot be written there (Read-only file system): free the folder" in said
    assert ".123" not in said


def test_a_box_without_tags_that_is_brought_is_named_at_the_start(run, tmp_path):
    run("new", "ours", "--game", "dilluvia")
    brought = run("bring", str(tmp_path / "citytable/boxes/ours.box.json"))
    assert "`citytable run --box ours` plays with it. It has no tags yet." in brought.stdout


@pytest.mark.parametrize("game", NAMES)
def test_a_list_names_every_thing_and_says_what_is_not_entered(box, game):
    for row in rows_of(load_box(box(game))):
        if row.entered is False and not row.thing.startswith(("platform/", "meteor/")):
            assert row.label["en"].endswith(": not entered yet"), row
            assert "pas encore saisi" in row.label["fr"], row
