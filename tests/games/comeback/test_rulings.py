"""Rulings that the rulebook leaves open, and that every number has its test and its line."""

import re
from pathlib import Path

from citytable.games.comeback.places import Place
from citytable.games.comeback.position import Bonus, Rulings

HERE = Path(__file__).parent
REFERENCE = Path(__file__).parents[3] / "docs/reference/comeback-rules.md"
NUMBERS = {f"CR{k}" for k in range(1, 32)} | {f"CA{k}" for k in range(1, 27)}
PAID = {"passed": ("R04", "R13", "R10", "C12"), "current": "G01"}


def test_ca20_the_bird_is_a_gap_for_power(table):
    game = table.game("- C01", disaster="giant_bird", bird=Place(1, 4), hunger=3, **PAID)
    assert "card=G01 at=1/4" not in table.decisions(game, "build")
    assert table.at(table.do(game, "p1 build card=G01 at=1/6"), "1/6").counters == 1  # its conditional would be 2


def test_ca21_rubble_lies_open_again_when_the_building_over_it_is_demolished(table):
    game = table.game("R13:4^C01", helpers=["engineering_corps"])
    position = table.do(game, "p1 demolish at=1/4")
    assert (table.at(position, "1/4").card, table.at(position, "1/4").rubble) == ("C01", True)


def test_ca22_a_bonus_stays_completed_when_its_buildings_are_gone(table):
    bonus = Bonus(card="ZG5", completed=True)
    game = table.game("C01", bonuses=(bonus,))
    assert "bonus=ZG5 reward=point" in table.decisions(game, "claim")


def test_ca23_without_a_card_the_player_may_end_the_game(table):
    deck = table.deck.cards
    game = table.game("C01", deck=(), gone=tuple(sorted(set(deck) - {"C01"})))
    assert table.refused(game, "p1 flip card=R01") == "CR8"
    assert table.do(game, "p1 finish").phase == "end"


def test_ca24_what_is_destroyed_and_ruined_at_once_is_destroyed(table):
    words = {"phase": "disaster", "disaster": "meteors", "meteors": (Place(1, 4), Place(2, 4))}
    game = table.game("C01|C02", **words)
    position = table.do(game, "p1 turn_up meteors=M9,M8")  # rubble on 1/4, and all around 2/4
    assert position.city == ()
    assert position.gone == ("C01", "C02")


def test_ca25_meteors_that_share_a_line_target_the_same_card(table):
    words = {"phase": "disaster", "disaster": "meteors", "meteors": (Place(2, 2),)}
    game = table.game("C01|C02", **words)
    table.do(game, "p1 roll blue=3 white=2")
    assert table.decisions(game, "target") == {"at=2/3"}


def test_ca26_of_two_tallest_buildings_each_has_the_most_stories(table):
    game = table.game("R15", passed=("C13", "R14", "G14", "R13"), current="C14")
    assert table.at(table.do(game, "p1 build card=C14 at=2/4"), "2/4").counters == 6


def test_every_number_stands_in_the_name_of_a_test():
    named = {name for path in HERE.glob("test_*.py") for name in re.findall(r"def test_(c[ra]\d+)_", path.read_text())}
    assert NUMBERS - {name.upper() for name in named} == set()


def test_every_number_and_every_switch_stands_on_the_reference_page():
    text = REFERENCE.read_text(encoding="utf-8")
    assert NUMBERS - set(re.findall(r"\*\*(C[RA]\d+)\*\*", text)) == set()
    assert [name for name in Rulings.__struct_fields__ if f"`{name}`" not in text] == []
