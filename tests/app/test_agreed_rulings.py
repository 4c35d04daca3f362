"""Rulings that a group agreed on: given at the start, kept by the game, its restart and the next game."""

import pytest
import typer
from msgspec.structs import replace

from citytable.cli_options import options_of
from citytable.games import NAMES, box_of
from citytable.hub import running_hub
from citytable.rules.errors import Unfitting
from citytable.session.agreeing import agreed, rulings_of, rulings_to_choose
from citytable.settings import Settings
from citytable.table.word import NextGame


@pytest.mark.parametrize(
    ("game", "given", "name", "value"),
    [
        ("megacity", "round_limit=40", "round_limit", 40),
        ("megacity", "must_slide_in=yes", "must_slide_in", True),
        ("comeback", "goal_and_points=yes", "goal_and_points", True),
        ("dilluvia", "below_zero=no", "below_zero", False),
    ],
)
def test_a_ruling_is_set_by_its_name_and_the_others_stay(game, given, name, value):
    box = box_of(game)
    usual, agreed = options_of(box, None), options_of(box, None, rulings=[given])
    assert getattr(usual.rulings, name) != value
    assert agreed == replace(usual, rulings=replace(usual.rulings, **{name: value}))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("joker=yes", "comeback has no ruling 'joker': give one of goal_and_points"),
        ("goal_and_points=perhaps", "saw 'perhaps', give goal_and_points=yes or goal_and_points=no"),
        ("goal_and_points", "saw '', give goal_and_points=yes"),
    ],
)
def test_what_is_no_ruling_is_quoted(given, said, capsys):
    with pytest.raises(typer.Exit):
        options_of(box_of("comeback"), None, rulings=[given])
    assert said in " ".join(capsys.readouterr().err.split())


def test_a_ruling_that_counts_says_what_was_seen(capsys):
    with pytest.raises(typer.Exit):
        options_of(box_of("megacity"), None, rulings=["round_limit=-1"])
    assert "saw '-1', give round_limit= and a whole number, 0 or more" in " ".join(capsys.readouterr().err.split())


async def test_a_game_goes_on_with_its_rulings_and_another_begins_where_other_ones_are_given(tmp_path):
    box = box_of("dilluvia")
    agreed = options_of(box, 2, rulings=["below_zero=no"])
    usual = Settings(
        box=box,
        options=options_of(box, None),
        twin=False,
        phones=True,
        speed=1.0,
        go_on=True,
        journal_path=tmp_path / "j.sqlite3",
    )
    async with running_hub(replace(usual, options=agreed, ruled=True)) as hub:
        await hub.session.say(NextGame(by="host", after=hub.game_id, players=3))
        game, position = hub.game_id, hub.play.umpire.position
        assert position.options == replace(agreed, players=3)
    async with running_hub(usual) as hub:
        assert (hub.game_id, hub.play.umpire.position) == (game, position)
    async with running_hub(replace(usual, options=options_of(box, 2, rulings=["empty_pool=no"]), ruled=True)) as hub:
        assert hub.game_id != game
        assert "it is played by other rulings" in " ".join(hub.notices)


@pytest.mark.parametrize("game", NAMES)
def test_every_ruling_of_a_game_can_be_chosen_by_a_sentence_in_both_languages(game):
    box = box_of(game)
    options = options_of(box, None)
    choices = rulings_to_choose(box, options)
    assert [choice.name for choice in choices] == list(rulings_of(box, options)) == list(box.rulings)
    for choice in choices:
        assert choice.value == choice.usual
        assert choice.text.keys() == {"en", "fr"}
        assert choice.text["en"] != choice.text["fr"]


def test_what_is_usual_stays_known_when_a_game_is_played_otherwise():
    box = box_of("comeback")
    options = agreed(box, options_of(box, None), {"goal_and_points": True})
    (choice,) = (one for one in rulings_to_choose(box, options) if one.name == "goal_and_points")
    assert (choice.value, choice.usual) == (True, False)


@pytest.mark.parametrize("rulings", [{"joker": True}, {"goal_and_points": 1}])
def test_a_page_that_names_no_ruling_of_the_game_is_answered(rulings):
    box = box_of("comeback")
    with pytest.raises(Unfitting, match="check the page again"):
        agreed(box, options_of(box, None), rulings)


async def test_the_host_chooses_the_rulings_of_the_next_game_and_they_stay(tmp_path):
    box = box_of("megacity")
    settings = Settings(
        box=box,
        options=options_of(box, 2),
        twin=False,
        phones=True,
        speed=1.0,
        go_on=True,
        journal_path=tmp_path / "j.sqlite3",
    )
    async with running_hub(settings) as hub:
        wish = NextGame(by="host", after=hub.game_id, players=2, rulings={"round_limit": 40, "must_slide_in": True})
        await hub.session.say(wish)
        rulings = hub.play.umpire.position.options.rulings
        assert (rulings.round_limit, rulings.must_slide_in) == (40, True)
        await hub.session.say(NextGame(by="host", after=hub.game_id, players=2, rulings={"must_slide_in": False}))
        assert hub.play.umpire.position.options.rulings == replace(rulings, must_slide_in=False)
        position = hub.play.umpire.position
    async with running_hub(settings) as hub:
        assert hub.play.umpire.position == position


async def test_rulings_chosen_at_the_table_outlast_a_restart_of_the_command_that_names_others(tmp_path):
    box = box_of("comeback")
    settings = Settings(
        box=box,
        options=options_of(box, None, rulings=["own_opportunity_pays=yes"]),
        twin=False,
        phones=True,
        speed=1.0,
        go_on=True,
        ruled=True,
        journal_path=tmp_path / "j.sqlite3",
    )
    async with running_hub(settings) as hub:
        wish = NextGame(by="host", after=hub.game_id, players=1, rulings={"goal_and_points": True})
        await hub.session.say(wish)
        await hub.session.say(NextGame(by="host", after=hub.game_id, players=1))
        game, options = hub.game_id, hub.play.umpire.position.options
        assert options == agreed(box, settings.options, {"goal_and_points": True})
    async with running_hub(settings) as hub:
        assert (hub.game_id, hub.play.umpire.position.options) == (game, options)
