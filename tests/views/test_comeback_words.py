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
from citytable.games.comeback.refusals import REFUSALS
from citytable.umpire.whole_game import whole

WORDS = Path(__file__).resolve().parents[2] / "dashboard/src"
VERBS = [kind.__struct_config__.tag for kind in get_args(Action)]
OPEN = [kind.__struct_config__.tag for kind in get_args(Action) if kind.OUTCOME]
CONDITIONS = get_args(BonusCard.__annotations__["condition"])


@pytest.fixture(params=("en", "fr"))
def words(request):
    files = (f"words/{request.param}.json", f"games/comeback/words/{request.param}.json")
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


def test_both_languages_have_the_same_keys():
    keys = [
        json.loads((WORDS / f"games/comeback/words/{language}.json").read_text()).keys() for language in ("en", "fr")
    ]
    assert keys[0] == keys[1]


def _filled_in(text):
    """The words that a sentence leaves open; some choose between singular and plural."""
    return {part.split("}")[0].split(":")[0] for part in text.split("{")[1:]}


def test_every_refusal_names_a_rule_and_has_the_same_words_in_both_languages():
    for key, refusal in REFUSALS.items():
        assert refusal.rule == "outcome" or refusal.rule.startswith("CR"), key
        assert _filled_in(refusal.en) == _filled_in(refusal.fr), key
