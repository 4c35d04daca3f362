"""A game keeps the options it was begun with, whatever the defaults have become since."""

import json

import msgspec
import pytest

from citytable.games.megacity import old_options
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import position_to_text
from citytable.games.megacity.old_options import WHERE_LEFT_OUT, as_once_meant, in_full, options_of, position_of
from citytable.games.megacity.position import Options, Rulings
from citytable.rules.errors import IllegalPosition


@pytest.fixture
def other_times(monkeypatch):
    """Tiles had to slide in once where nothing was said, and there were four players."""
    rulings = {**WHERE_LEFT_OUT["rulings"], "must_slide_in": True}
    monkeypatch.setattr(old_options, "WHERE_LEFT_OUT", {**WHERE_LEFT_OUT, "players": 4, "rulings": rulings})


def test_every_option_says_what_it_was_where_it_is_left_out():
    """Who adds a ruling says here how games went before it."""
    assert set(WHERE_LEFT_OUT) == set(Options.__struct_fields__)
    assert set(WHERE_LEFT_OUT["rulings"]) == set(Rulings.__struct_fields__)


@pytest.mark.parametrize("written", [{}, {"rulings": {}}])
def test_what_a_game_of_version_1_left_out_is_as_it_was_then(written, root):
    known = json.loads((root / "tests/journal/golden/version-1.json").read_text())
    then = known["games"]["starter-seed-3"]["game"]["options"]  # for three, and nothing was said of rulings
    now = in_full(options_of(written))
    rulings = {name: now["rulings"][name] for name in then["rulings"]}
    assert {**now, "rulings": rulings} == then


@pytest.mark.usefixtures("other_times")
def test_another_default_changes_no_game_that_was_begun_before():
    rulings = Rulings(must_slide_in=True, marker_breaks_ties=True, round_limit=7)
    assert options_of({"rulings": {"round_limit": 7}}) == Options(players=4, rulings=rulings)
    assert options_of(in_full(Options())) == Options(), "a game that wrote all its options keeps them"
    then = Rulings(must_slide_in=True, marker_breaks_ties=True)
    assert as_once_meant(Options(players=2)) == Options(players=2, rulings=then)


@pytest.mark.usefixtures("other_times")
def test_what_a_position_leaves_out_is_as_in_its_game():
    options = options_of({"players": 2})
    position = MegaCity(options).position
    today = msgspec.structs.replace(position, options=Options(players=2))
    assert position_of(position_to_text(position), options) == position
    assert position_of(position_to_text(today), options) == position


@pytest.mark.parametrize("options", [Options(players=2), Options(rulings=Rulings(round_limit=9))])
def test_a_position_with_other_options_is_none_of_the_game(options):
    text = position_to_text(MegaCity(options).position)
    with pytest.raises(IllegalPosition, match="other options"):
        position_of(text, Options(players=4))


def test_options_that_make_no_sense_are_refused():
    for written in ({"players": "many"}, {"rulings": 7}, {"rulings": {"no_such": True}}, {"no_such": 1}):
        with pytest.raises(msgspec.ValidationError):
            options_of(written)


def test_a_tie_that_the_marker_broke_stays_broken_and_a_new_one_is_shared():
    """A42 was given another default: a game that was begun before keeps its winner."""
    assert options_of({"players": 2}).rulings.marker_breaks_ties
    assert options_of(in_full(Options())) == Options()
    assert not Options().rulings.marker_breaks_ties
