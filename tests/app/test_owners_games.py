"""Whole games of an owner whose cards are all other than the house's: the hub learns each when it comes up.

The truth is the same game, played with all cards listed beforehand. What comes up too late to be asked would be counted
with the house's values, and show.
"""

import random
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from citytable.bots.greedy import Greedy
from citytable.bots.self_play import play_out
from citytable.box_file import load_box, new_box, path_of, write_box
from citytable.games import NAMES, box_of, chance_of
from citytable.hub import Hub, running_hub
from citytable.settings import Settings
from citytable.table.question import Field, Question
from citytable.table.word import Answer, Statement

pytestmark = pytest.mark.long(28)

KEPT = ("type", "zone", "kind", "side", "requirement", "effect", "condition", "helper", "falls", "is", "has", "plus")
"""Fields that stay as the house has them: with counts alone the games are different enough, and can be played."""


def _other(field: Field, rng: random.Random) -> Any:
    """What this owner's copy says there."""
    if field.kind not in {"count", "mm"} or field.name.split("_")[0] in KEPT:
        return field.proposed
    return min(field.high, max(field.low, int(field.proposed or 0) + rng.choice((0, 1, 1, 2))))


def _listed(game: str, rng: random.Random) -> Any:
    """The owner's copy with everything listed."""
    house: Any = box_of(game)
    box = house.entering.unread_copy("listed")
    for thing in house.entering.enterable:
        fields = house.entering.form(thing).fields
        values = {field.name: _other(field, rng) for field in fields}
        if thing.startswith(("building/R", "building/C")):
            values |= {"effect": "other", "effect_points": 2} if rng.random() < 0.5 else {}
        if thing.startswith("bonus/"):
            values |= {"condition": "other_task"} if rng.random() < 0.3 else {}
        if thing.startswith("tile/"):
            values |= {"kind": "other", "population": 3} if values["kind"].startswith("most_") else {}
        box = box.entering.with_values(thing, values)
    return box


async def _answers(hub: Hub, listed: Any, known: set[str]) -> None:
    """Read what is asked off the owner's cards."""
    while asked := [one for one in hub.play.questions if one.prompt == "values"]:
        thing = asked[0].words["thing"]
        values = {field.name: field.proposed for field in listed.entering.form(thing).fields}
        await hub.session.say(Answer(question=asked[0].id, values=values, by="host"))
        assert thing not in known, f"{thing} is asked again"
        known.add(thing)


@pytest.mark.seeds("seed", [3], soak=30)
@pytest.mark.parametrize("game", NAMES)
async def test_a_whole_game_with_a_box_that_nobody_listed_ends_as_with_the_listed_one(
    game: str, seed: int, tmp_path: Path
):
    rng = random.Random(seed)
    listed = _listed(game, rng)
    options = listed.options(listed.players[0])
    truth = listed.begin(options)
    play_out(truth, [Greedy() for _ in range(options.players)], chance_of(game, rng))
    path = path_of("ours", tmp_path)
    write_box(path, new_box("ours", game))
    settings = Settings(
        twin=False, phones=True, speed=1.0, go_on=True, journal_path=tmp_path / "j.sqlite3", box_path=path
    )
    known: set[str] = set()
    done = 0
    while done < len(truth.actions):  # two evenings
        box = load_box(path).box()
        async with running_hub(replace(settings, box=box, options=options)) as hub:
            for action in truth.actions[done : done + len(truth.actions) // 2 + 1]:
                await hub.session.say(Statement(action=str(action), by="host"))
                await _answers(hub, listed, known)
                done += 1
            position, scores = hub.play.umpire.provisional_position, hub.session.view().scene.players
    assert position == replace(truth.position, options=position.options)
    assert {one.seat: one.score for one in scores} == {seat: score.total for seat, score in truth.scores().items()}
    assert known


def _anything(field: Field, rng: random.Random) -> Any:
    """What may be printed there, or is mistyped."""
    match field.kind:
        case "yesno":
            return rng.random() < 0.5
        case "choice":
            return rng.choice(field.choices)
        case _:
            return rng.randint(field.low, min(field.high, field.low + 7))


async def _enters_anything(hub: Hub, path: Path, question: Question, rng: random.Random) -> None:
    """Enter what nobody has looked at, and stand by it; leave the form where the game itself has no such thing."""
    values = {field.name: _anything(field, rng) for field in question.fields}
    before = len(load_box(path).values["unread"])
    for _ in range(2):
        if len(load_box(path).values["unread"]) == before:
            with suppress(ValueError):
                await hub.session.say(Answer(question=question.id, values=values, by="host"))


@pytest.mark.seeds("seed", [3], soak=30)
@pytest.mark.parametrize("game", NAMES)
async def test_whatever_is_entered_and_however_late_the_game_goes_on_now_and_the_next_evening(
    game: str, seed: int, tmp_path: Path
):
    rng = random.Random(seed)
    path = path_of("ours", tmp_path)
    write_box(path, new_box("ours", game))
    settings = Settings(
        twin=False, phones=True, speed=1.0, go_on=True, journal_path=tmp_path / "j.sqlite3", box_path=path
    )
    bot, chance, written = Greedy(), chance_of(game, rng), 0
    notation = import_module(f"citytable.games.{game}.notation")
    for _ in range(3):  # evenings
        box = load_box(path).box()
        async with running_hub(replace(settings, box=box, options=box.options(box.players[0]))) as hub:
            entries = (await hub.journal.entries(hub.game_id)).entries
            assert [one.seq for one in entries] == list(range(1, len(entries) + 1))
            assert len(hub.play.actions) == written
            for _ in range(25):
                kept = hub.play.copy.box
                position = hub.play.umpire.provisional_position
                options = kept.options_in(position)
                played = kept.begin(options)
                if played.position != position:
                    played = kept.at(options, notation.position_to_text(position))
                if played.outcome() is not None:
                    break
                decisions = list(played.legal_actions)
                decision = bot.choose(played, decisions) if played.player else decisions[0]
                await hub.session.say(Statement(action=str(chance.outcome(played, decision)), by="host"))
                for question in hub.play.questions:
                    if question.prompt == "values" and rng.random() < 0.15:
                        await _enters_anything(hub, path, question, rng)
            written = len(hub.play.actions)
    assert written > 40
