"""Refusals: every sentence is used, in both languages, with the same words filled in."""

import re
from pathlib import Path

import pytest

from citytable.games.megacity import refusals
from citytable.rules.errors import IllegalAction

FOLDER = Path(refusals.__file__).parent
SOURCE = "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.py")))


def blanks(text):
    return set(re.findall(r"{(\w+)}", text))


@pytest.mark.parametrize("key", refusals.REFUSALS)
def test_a_refusal_names_its_rule_and_fills_the_same_words_into_both_languages(key):
    refusal = refusals.REFUSALS[key]
    assert re.fullmatch(r"[RA]\d+|outcome", refusal.rule)
    assert blanks(refusal.en) == blanks(refusal.fr)
    assert refusal.en != refusal.fr
    assert refusal.en.endswith((".", "}."))
    assert f'"{key}"' in SOURCE


def test_types_and_materials_are_said_in_the_language_of_the_sentence(table):
    game = table.game(columns=COLUMNS, city=city(table))
    table.do(game, "p1 take_contract contract=RE3")
    with pytest.raises(IllegalAction, match="residential column is empty") as refusal:
        table.do(game, "p1 reorganise column=residential")
    assert refusal.value.text["fr"] == "La colonne du type résidentiel est vide."


COLUMNS = (("PU3", "PU4"), ("IN1", "IN2", "IN3", "IN4"), ("CO1", "CO2", "CO3"), ("RE3",))


def city(table):
    return [table.built(1, name, at) for name, at in (("RE1", "1/0"), ("RE2", "0/1"), ("PU1", "1/1"), ("PU2", "2/0"))]


def test_a_refusal_quotes_the_action(table):
    with pytest.raises(IllegalAction, match=r"^R12: Platform 5 is not among .* \(p1 rezone platform=5\)$"):
        table.do(table.game(), "p1 rezone platform=5")
