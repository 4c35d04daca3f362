"""The language files have words for everything that the other rooms may say."""

import json
from pathlib import Path
from typing import get_args

import pytest

from citytable.games.megacity import actions
from citytable.games.megacity.fall_form import ALL, NOTHING, SOME
from citytable.games.megacity.position import TYPES, Phase
from citytable.games.megacity.scoring import REASONS
from citytable.session.excerpt_recorder import Happening
from citytable.table.fact import Fell, MassMoving
from citytable.table.fact import Stage as FallStage
from citytable.table.mode import Mode
from citytable.table.status import Kind
from citytable.umpire.asking import WHICH
from citytable.views.state import Trouble

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ("en", "fr")
VERBS = [kind.__struct_config__.tag for kind in get_args(actions.Action)]
OPEN = [kind.__struct_config__.tag for kind in get_args(actions.Action) if kind.OUTCOME]
REQUIREMENTS = {
    requirement
    for contract in json.loads((ROOT / "hub/citytable/games/megacity/house_deck.json").read_text())["contracts"]
    for requirement in contract["requirements"]
}
MARKED = [
    name
    for kind in get_args(Happening)
    for name in ([f"fell.{stage}" for stage in get_args(FallStage)] if kind is Fell else [kind.__struct_config__.tag])
    if kind is not MassMoving
]


@pytest.fixture
def words() -> dict[str, str]:
    """The core's words, the host's and MegaCity's, which come first where both have some."""
    folders = ("words", "host/words", "games/megacity/words")
    files = (ROOT / "dashboard/src" / folder / "en.json" for folder in folders)
    core, host, game = (json.loads(file.read_text("utf-8")) for file in files)
    return core | host | game


@pytest.mark.parametrize(
    ("prefix", "names"),
    [
        ("action", VERBS),
        ("ask", [*OPEN, WHICH]),
        ("phase", [*get_args(Phase), "decision", "final_turn"]),
        ("type", TYPES),
        ("requirement", sorted(REQUIREMENTS)),
        ("score", REASONS),
        ("reason", REASONS),
        ("sensed", ["fell", "station_went", "station_came", "hub_came", "game_began"]),
        ("mode", [name for mode in get_args(Mode) for name in (mode, f"{mode}.means")]),
        ("choice", (ALL, SOME, NOTHING)),
        ("say.do", [verb for verb in VERBS if verb not in {"set_up", "pieces_lost"}]),
        ("say.ask", ["key", "contract", "platform", "at", "park", "column", "announced", "stood", "seat"]),
        ("fact", MARKED),
        # what is unclear is told by the hub's own sentence
        ("wrong", [name for kind in get_args(Kind) if kind != "unclear" for name in (kind, f"{kind}.to")]),
    ],
)
def test_everything_that_can_be_said_has_words(words: dict[str, str], prefix: str, names: list[str]) -> None:
    assert len(names) > 2
    assert [name for name in names if not words.get(f"{prefix}.{name}")] == []


def test_every_trouble_of_the_hub_has_words(words: dict[str, str]) -> None:
    assert [name for name in get_args(Trouble) if not words.get(f"trouble.{name}")] == []
