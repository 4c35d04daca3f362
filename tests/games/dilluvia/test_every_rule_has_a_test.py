"""Every rule and every ruling of the reference page has at least one test that carries its number."""

import re
from pathlib import Path

from citytable.games.dilluvia.position import Rulings
from citytable.games.dilluvia.refusals import REFUSALS
from citytable.games.dilluvia.values import KINDS

HERE = Path(__file__).parent
PAGE = (Path(__file__).parents[3] / "docs/reference/dilluvia-rules.md").read_text(encoding="utf-8")
NUMBERS = {f"DR{k}" for k in range(1, 30)} | {f"DA{k}" for k in range(1, 25)}


def test_every_number_stands_in_the_name_of_a_test():
    names = [name for path in HERE.glob("test_*.py") for name in re.findall(r"def test_(d[ra]\d+)_", path.read_text())]
    assert NUMBERS - {name.upper() for name in names} == set()


def test_every_number_switch_and_tile_stands_on_the_reference_page():
    assert NUMBERS - set(re.findall(r"\*\*(D[RA]\d+)\*\*", PAGE)) == set()
    assert [name for name in (*Rulings.__struct_fields__, *KINDS) if f"`{name}`" not in PAGE] == []


def test_every_refusal_names_a_rule_of_the_page():
    assert {refusal.rule for refusal in REFUSALS.values()} <= NUMBERS
