"""The language files have words for everything that a game of Comeback City says."""

import json
from pathlib import Path
from typing import get_args

import pytest

from citytable.games.comeback.actions import Action
from citytable.games.comeback.box import BOX
from citytable.games.comeback.deck import DISASTERS, HOUSE, ZONES, BonusCard, Helper
from citytable.games.comeback.forms import Forms
from citytable.games.comeback.layout import shared_spots
from citytable.games.comeback.position import Options, Phase
from citytable.games.comeback.printed import named
from citytable.games.comeback.refusals import REFUSALS
from citytable.umpire.whole_game import whole

WORDS = Path(__file__).resolve().parents[2] / "dashboard/src"
LANGUAGES = Path(__file__).resolve().parents[2] / "hub/citytable/languages"
VERBS = [kind.__struct_config__.tag for kind in get_args(Action)]
OPEN = [kind.__struct_config__.tag for kind in get_args(Action) if kind.OUTCOME]
CONDITIONS = get_args(BonusCard.__annotations__["condition"])


@pytest.fixture
def words():
    files = ("words/en.json", "games/comeback/words/en.json")
    core, game = (json.loads((WORDS / name).read_text("utf-8")) for name in files)
    return core | game


def fields_asked():
    """The fields of the set-up's form."""
    table = whole(BOX.table())
    start = BOX.begin(Options()).position
    return [field.name for field in table.questions(start, table.action("table set_up"), {})]


@pytest.mark.parametrize(
    ("prefix", "names"),
    [
        ("action", VERBS),
        ("say.do", VERBS),
        ("ask", [*OPEN, "where"]),
        ("phase", get_args(Phase)),
        ("zone", ZONES),
        ("disaster", DISASTERS),
        ("choice", DISASTERS),
        ("goal.more", DISASTERS),
        ("helper", get_args(Helper)),
        ("resource", HOUSE.resources),
        ("condition", CONDITIONS),
        ("field", fields_asked()),
        ("field", [field.name for blank in Forms(HOUSE).blanks() for field in blank.fields]),
        ("spot", sorted({spot.split("/")[0] for spot in shared_spots().spots})),
        ("ended", ("goal", "points", "lost")),
        ("score", ("zone", "saved")),
        ("reason", ("zone", "saved")),
    ],
)
def test_everything_that_can_be_said_has_words(words, prefix, names):
    assert len(names) > 1
    assert [name for name in names if not words.get(f"{prefix}.{name}")] == []


def test_the_log_calls_the_cards_of_the_house_deck_by_what_is_printed_on_them(words):
    french = json.loads((LANGUAGES / "fr.json").read_text("utf-8"))["texts"]["screens.games.comeback"]
    for language, texts in (("en", words), ("fr", french)):
        called = {name[5:]: text for name, text in texts.items() if name.startswith("card.")}
        assert called == {card.id: named(card)[language] for card in HOUSE.cards.values()}


def test_every_refusal_names_a_rule():
    for key, refusal in REFUSALS.items():
        assert refusal.rule == "outcome" or refusal.rule.startswith("CR"), key
