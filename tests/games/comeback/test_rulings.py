"""Rulings that the rulebook leaves open, and that every number has its test and its line."""

import re
from pathlib import Path

from citytable.games.comeback.places import Place
from citytable.games.comeback.position import Bonus, Rulings

HERE = Path(__file__).parent
REFERENCE = Path(__file__).parents[3] / "docs/reference/comeback-rules.md"
NUMBERS = {f"CR{k}" for k in range(1, 32)} | {f"CA{k}" for k in range(1, 33)}
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


def test_ca19_roads_lead_to_no_rubble(table):
    words = {"phase": "end", "disaster": "meteors", "action_points": 0}
    assert table.game("G01:25|R01|R02*", broken_roads=(2,), **words).outcome().termination == "goal"
    assert table.game("G01:25|R01|R02", broken_roads=(2,), **words).outcome().termination == "lost"


def test_ca19_a_city_without_buildings_is_not_connected(table):
    words = {"phase": "end", "disaster": "meteors", "action_points": 0, "saved": (0, 0, 0, 25)}
    assert table.game("R01*", **words).outcome().termination == "lost"


def test_ca27_a_demolished_building_pays_for_a_new_one_only(table):
    game = table.game("I02|G01*", helpers=["engineering_corps"], passed=("R01",), broken_roads=(1,))
    table.do(game, "p1 demolish at=1/4")
    assert table.refused(game, "p1 repair part=road number=1") == "CR25"
    assert table.refused(game, "p1 restore at=2/4") == "CR24"
    position = table.do(game, "p1 flip card=R06", "p1 build card=R06 at=1/4")  # one unit of R01, two of I02
    assert table.at(position, "1/4").card == "R06"


def test_ca28_a_building_freed_again_brings_no_more_points(table):
    words = {"disaster": "aliens", "helpers": ["defense_agency"], "passed": ("R03", "R04"), "current": "G03"}
    game = table.game("R13!:4 R15!:5|C01", built=True, **words)
    assert table.at(table.do(game, "p1 free at=1/4"), "1/4").counters == 8
    assert table.at(table.do(game, "p1 build card=G03 at=2/5"), "1/4").occupied
    position = table.do(game, "p1 free at=1/4")
    assert (table.at(position, "1/4").occupied, table.at(position, "1/4").counters) == (False, 8)


def test_ca29_guards_come_with_the_rebuild(table):
    game = table.game("R13|R15", phase="disaster", disaster="aliens", helpers=["national_guard"])
    assert table.decisions(game, "guard") == set()
    assert table.refused(game, "p1 guard at=1/4") == "CR21"


def test_ca30_discards_leave_the_game_after_rubble_is_rebuilt(table):
    game = table.game("I04*", passed=("I05",), current="C03")
    assert table.do(game, "p1 discard card=C03", "p1 restore at=1/4", "p1 throw_out").gone == ("C03",)


def test_ca31_a_card_that_a_reduction_pays_for_may_be_discarded(table):
    game = table.game("I01", passed=("G04",), current="C03")
    assert table.decisions(game, "discard") == {"card=C03"}
    assert table.decisions(game, "flip") == {""}


def test_ca32_nothing_else_is_done_before_the_giant_bird_has_eaten(table):
    bonus = Bonus(card="ZG8", completed=True)
    words = {"disaster": "giant_bird", "bird": Place(6, 4), "hunger": 1, "due": 1}
    game = table.game("R01", bonuses=(bonus,), **words)
    assert [str(action) for action in game.legal_actions] == ["p1 trample at=1/4"]
    assert table.refused(game, "p1 claim bonus=ZG8 reward=point") == "CR17"


def test_every_number_stands_in_the_name_of_a_test():
    named = {name for path in HERE.glob("test_*.py") for name in re.findall(r"def test_(c[ra]\d+)_", path.read_text())}
    assert NUMBERS - {name.upper() for name in named} == set()


def test_every_number_and_every_switch_stands_on_the_reference_page():
    text = REFERENCE.read_text(encoding="utf-8")
    assert NUMBERS - set(re.findall(r"\*\*(C[RA]\d+)\*\*", text)) == set()
    assert [name for name in Rulings.__struct_fields__ if f"`{name}`" not in text] == []
