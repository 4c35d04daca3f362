"""Every rule and every ruling of the reference page has at least one test that carries its number."""

import re
from pathlib import Path

from citytable.games.megacity.position import Rulings

HERE = Path(__file__).parent
REFERENCE = Path(__file__).parents[2] / "docs/reference/megacity-rules.md"


def named():
    names = [name for path in HERE.glob("test_*.py") for name in re.findall(r"def test_([ra]\d+)_", path.read_text())]
    return {name.upper() for name in names}


def numbers():
    return {f"R{k}" for k in range(1, 53)} | {f"A{k}" for k in range(1, 51)}


def test_every_number_stands_in_the_name_of_a_test():
    assert numbers() - named() == set()


def test_every_number_stands_on_the_reference_page():
    there = set(re.findall(r"\*\*([RA]\d+)\*\*", REFERENCE.read_text(encoding="utf-8")))
    assert numbers() - there == set()


def test_every_switch_stands_on_the_reference_page():
    text = REFERENCE.read_text(encoding="utf-8")
    assert [name for name in Rulings.__struct_fields__ if f"`{name}`" not in text] == []
