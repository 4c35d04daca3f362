"""Setting up, the building phase and the rebuild (CR1-CR9, CR20-CR28), as the rulebook tells it."""

import pytest

from citytable.games.comeback.deck import EARLIER
from citytable.games.comeback.game import ComebackCity
from citytable.games.comeback.layout import lights
from citytable.games.comeback.places import Place

FIRST = EARLIER[0]  # the house deck whose cards these tests name

ROW = "R01,C01,I01,G01,R02,C02"
DEAL = f"table set_up bonuses=ZR1,ZC1 redrawn=none row={ROW} hand=I04,G02"
SIX = "R01|C01|I01|G01|R02|C02"


def test_cr1_six_cards_make_the_columns_and_two_more_go_on_any_building(table):
    game = ComebackCity()
    position = table.do(game, DEAL)
    assert [str(building.at) for building in position.city] == [f"{column}/4" for column in range(1, 7)]
    assert position.plant_works
    assert (position.broken_lines, position.broken_roads) == ((), ())
    assert len(position.deck) == 57 - 8
    assert table.refused(game, "p1 flip card=R05") == "CR4"
    assert table.refused(game, "p1 lay card=R09 at=2/5") == "CR1"
    assert table.refused(game, "p1 lay card=I04 at=2/6") == "CR6"
    assert table.do(game, "p1 lay card=I04 at=2/5").phase == "laying"
    assert table.decisions(game, "lay") == {
        f"card=G02 at={place}" for place in ("1/5", "2/6", "3/5", "4/5", "5/5", "6/5")
    }
    legal = {light.spot for light in lights(game.position, game.deck) if light.role == "legal"}
    assert legal == {f"grid/{place}" for place in ("1/5", "2/6", "3/5", "4/5", "5/5", "6/5")}
    assert table.do(game, "p1 lay card=G02 at=2/6").phase == "build"


@pytest.mark.parametrize(
    "deal",
    [
        DEAL.replace("ZC1", "ZR2"),
        DEAL.replace("redrawn=none", "redrawn=ZC2"),
        DEAL.replace("ZC1", "ZR1"),
        DEAL.replace("ZR1,ZC1", "ZR1"),
        DEAL.replace("I04,G02", "I04"),
        DEAL.replace("I04,G02", "I04,R01"),
        DEAL.replace(",C02 ", " "),
    ],
)
def test_cr1_a_deal_that_is_not_the_rulebooks_is_refused(table, deal):
    assert table.refused(ComebackCity(), deal) == "CR1"


def test_cr1_a_second_bonus_of_the_first_zone_is_drawn_again(table):
    position = table.do(ComebackCity(), DEAL.replace("redrawn=none", "redrawn=ZR2,ZR3"))
    assert [bonus.card for bonus in position.bonuses] == ["ZR1", "ZC1"]


def test_cr1_the_game_is_set_up_once_and_for_one_player(table):
    game = ComebackCity()
    table.do(game, DEAL)
    assert table.refused(game, DEAL) == "CR1"
    assert table.refused(game, "p2 lay card=I04 at=1/5") == "CR1"


def test_cr4_a_card_that_the_pool_does_not_pay_adds_its_opportunity_cost_when_the_next_is_flipped(table):
    game = table.game(SIX, phase="build", action_points=0)
    table.do(game, "p1 flip card=R03")  # costs 2 wood, 1 concrete; gives 1 wood, 1 concrete
    assert table.refused(game, "p1 build card=R03 at=1/5") == "CR4"
    assert table.refused(game, "p1 discard card=R03") == "CR4"
    table.do(game, "p1 flip card=R04")  # 2 0 1, gives 1 0 0
    assert table.refused(game, "p1 build card=R03 at=1/5") == "CR4"  # it cannot be built later
    assert table.refused(game, "p1 build card=R04 at=1/5") == "CR4"  # the pool has 1 wood, 1 concrete
    table.do(game, "p1 flip card=R11")  # 2 0 1
    assert table.refused(game, "p1 flip card=R05") == "CR4"
    assert table.decisions(game, "build") == {f"card=R11 at={column}/5" for column in range(1, 7)}
    assert table.at(table.do(game, "p1 build card=R11 at=3/5"), "3/5").card == "R11"


def test_cr5_two_discards_a_building_and_then_the_next_affordable_card_is_built(table):
    game = table.game(SIX, phase="build", action_points=0, passed=("R03", "R04", "R09"))
    table.do(game, "p1 flip card=R11", "p1 discard card=R11", "p1 flip card=G03", "p1 discard card=G03")
    table.do(game, "p1 flip card=G06")
    assert table.refused(game, "p1 discard card=G06") == "CR5"
    assert table.refused(game, "p1 flip card=G02") == "CR5"
    assert not table.decisions(game, "discard")
    position = table.do(game, "p1 build card=G06 at=1/5")
    assert position.discarded == ()  # renewed


def test_cr6_no_column_has_more_than_three_cards_more_than_the_shortest(table):
    game = table.game("R01 R02 R03 R04|C01|I01|G01|R05|C02", phase="build", action_points=0, passed=("I05", "C12"))
    table.do(game, "p1 flip card=C03")
    assert table.refused(game, "p1 build card=C03 at=1/8") == "CR6"
    assert table.refused(game, "p1 build card=C03 at=2/6") == "CR6"
    assert table.decisions(game, "build") == {f"card=C03 at={column}/5" for column in range(2, 7)}


def test_cr6_a_card_goes_on_top_and_over_no_building(table):
    game = table.game("R01 R02|C01|I01|G01|R05|C02", phase="build", action_points=0, passed=("I05",), current="C03")
    assert table.refused(game, "p1 build card=C03 at=1/4") == "CR6"


def test_cr6_a_card_that_the_pool_pays_for_finds_no_place(table, refusal):
    columns = "R01 R02 R03|C01 C02 C04|I01 I02 I03|G01 G02 G03||G04 G05 G06"
    words = {"disaster": "giant_bird", "bird": Place(5, 4), "hunger": 1, "passed": ("I05",), "current": "C03"}
    game = table.game(columns, **words)
    assert table.refused(game, "p1 build card=C03 at=1/7") == "CR6"
    assert table.refused(game, "p1 build card=C03 at=5/4") == "CR17"
    assert table.refused(game, "p1 discard card=C03") == "CR6"
    assert "place" in refusal(game, "p1 discard card=C03").text["en"]
    assert table.decisions(game, "flip") == {""}


def test_cr7_after_a_build_everything_flipped_is_discarded_and_the_pool_is_empty(table):
    game = table.game(SIX, phase="build", action_points=0, passed=("R03", "R04", "R09"))
    table.do(game, "p1 flip card=R11", "p1 discard card=R11", "p1 flip card=G03")
    position = table.do(game, "p1 build card=G03 at=1/5")
    assert position.discard_pile == ("R03", "R04", "R09", "R11")
    assert (position.passed, position.discarded, position.current) == ((), (), "")
    table.do(game, "p1 flip card=G06")
    assert table.refused(game, "p1 build card=G06 at=1/6") == "CR4"


def test_cr8_the_discard_pile_is_the_deck_when_the_deck_is_empty(table):
    rest = tuple(sorted(set(FIRST.cards) - set(SIX.split("|")) - {"R03", "R04"}))
    game = table.game(SIX, phase="build", action_points=0, deck=("R04",), discard_pile=("R03",), gone=rest)
    table.do(game, "p1 flip card=R04")
    assert table.refused(game, "p1 flip card=R04") == "CR8"
    position = table.do(game, "p1 flip card=R03")
    assert (position.deck, position.discard_pile) == ((), ())
    assert table.refused(game, "p1 flip card=R03") == "CR8"
    assert table.do(game, "p1 finish").phase == "end"


def test_cr9_nothing_scores_before_the_disaster(table):
    game = table.game(SIX, phase="build", action_points=0, passed=("R03", "R04"))
    position = table.do(game, "p1 flip card=R11", "p1 build card=R11 at=1/5")
    assert sum(building.counters for building in position.city) == 0


def test_cr9_industry_reduces_nothing_before_the_disaster(table):
    game = table.game("I01|I04|C01|G01|R02|C02", phase="build", action_points=0, passed=("C03",))
    table.do(game, "p1 flip card=R01")  # 2 wood; the pool has one, the sawmill would cut one
    assert table.refused(game, "p1 build card=R01 at=1/5") == "CR4"


def test_cr20_printed_points_lie_on_every_building_that_is_not_rubble_when_the_rebuild_begins(table):
    game = table.game("R03 G01|R08*", phase="disaster", disaster="earthquake", resolved=True, centre=None)
    position = table.do(game, "p1 rebuild")
    assert [building.counters for building in position.city] == [2, 1, 0]  # R03's conditional is ignored


def test_cr20_what_remains_of_the_deck_is_shuffled_without_the_discard_pile(table):
    words = {"phase": "disaster", "disaster": "hurricane", "resolved": True, "discard_pile": ("R03",)}
    assert "R03" not in table.do(table.game("R01", **words), "p1 rebuild").deck


def test_cr21_a_building_rubble_and_a_repair_cost_an_action_point_and_a_flip_costs_none(table):
    game = table.game("R01*|C01|I01|G01|R02|C02", plant_works=False, passed=("R03", "R04", "I03"))
    position = table.do(game, "p1 flip card=R11", "p1 discard card=R11", "p1 flip card=G03")
    assert position.action_points == 5
    assert table.do(game, "p1 build card=G03 at=2/5").action_points == 4
    game = table.game("R01*|C01", plant_works=False, passed=("R03", "R04", "I03"))
    assert table.do(game, "p1 restore at=1/4").action_points == 4
    game = table.game("R01*|C01", plant_works=False, passed=("R03", "R04", "I03"))
    assert table.do(game, "p1 repair part=plant").action_points == 4


def test_cr22_a_building_scores_its_points_and_its_conditional_if_it_has_power(table):
    words = {"passed": ("R04", "R13", "R10", "C12"), "current": "G01"}
    powered = table.do(table.game("C01||||C02|", **words), "p1 build card=G01 at=1/5")
    assert table.at(powered, "1/5").counters == 2  # 1, and 1 for the shop beside it
    dark = table.do(table.game("C01||||C02|", plant_works=False, **words), "p1 build card=G01 at=1/5")
    assert table.at(dark, "1/5").counters == 1


def test_cr22_rubble_does_not_count_for_conditionals(table):
    words = {"passed": ("R04", "R13", "R10", "C12"), "current": "G01"}
    position = table.do(table.game("C01*", **words), "p1 build card=G01 at=1/5")
    assert table.at(position, "1/5").counters == 1


@pytest.mark.parametrize(
    ("column", "broken", "points"),
    [
        (1, {"broken_lines": (1,)}, 1),
        (1, {"broken_lines": (2,)}, 2),
        (2, {"broken_lines": (1,)}, 1),
        (2, {"broken_lines": (2,)}, 1),
        (2, {"broken_lines": (3,)}, 2),
        (6, {"broken_lines": (5,)}, 1),
        (6, {"broken_lines": (4,)}, 2),
        (3, {"broken_roads": (2, 3)}, 2),
    ],
)
def test_cr23_all_lines_at_the_foot_of_the_column_must_work(table, column, broken, points):
    columns = [""] * 6
    columns[column - 1] = "C01"
    game = table.game("|".join(columns), passed=("R04", "R13", "R10", "C12"), current="G01", **broken)
    position = table.do(game, f"p1 build card=G01 at={column}/5")
    assert table.at(position, f"{column}/5").counters == points


def test_cr23_a_gap_below_cuts_the_power_and_the_conditional_is_never_collected(table):
    words = {"passed": ("R04", "R13", "R10", "C12"), "current": "G01"}
    game = table.game("- C01", **words)
    assert table.at(table.do(game, "p1 build card=G01 at=1/6"), "1/6").counters == 1
    table.do(game, "p1 flip card=R03", "p1 flip card=R09", "p1 flip card=R11", "p1 build card=R11 at=1/4")
    assert table.at(game.position, "1/6").counters == 1


def test_cr24_gaps_tops_and_rubble_are_open_in_the_rebuild(table):
    game = table.game("R01 - R02|C01*|I01|G01|R05|C02", passed=("I05", "C12", "R09"), current="C03")
    places = {"1/5", "1/7", "2/4", "2/5", "3/5", "4/5", "5/5", "6/5"}
    assert table.decisions(game, "build") == {f"card=C03 at={place}" for place in places}
    assert table.refused(game, "p1 build card=C03 at=1/4") == "CR24"
    position = table.do(game, "p1 build card=C03 at=2/4")
    assert (table.at(position, "2/4").card, table.at(position, "2/4").under) == ("C03", "C01")


def test_cr24_rubble_is_rebuilt_for_its_cost_and_scores_like_new(table):
    game = table.game("C01 G01*|C02", passed=("R03", "R09"))
    position = table.do(game, "p1 restore at=1/5")
    assert table.at(position, "1/5").counters == 2
    assert not table.at(position, "1/5").rubble
    assert table.refused(game, "p1 restore at=1/5") == "CR24"
    assert table.refused(table.game("C01 G01*"), "p1 restore at=1/5") == "CR24"


@pytest.mark.parametrize(
    ("part", "broken", "pool"),
    [
        ("plant", {"plant_works": False}, ("I03", "R01", "R06")),
        ("line number=3", {"broken_lines": (3,)}, ("R07",)),
        ("road number=5", {"broken_roads": (5,)}, ("R06",)),
    ],
)
def test_cr25_plant_lines_and_roads_are_repaired_for_their_cost(table, part, broken, pool):
    assert table.refused(table.game("C01", **broken), f"p1 repair part={part}") == "CR25"
    game = table.game("C01", passed=pool, **broken)
    position = table.do(game, f"p1 repair part={part}")
    assert position.plant_works
    assert (position.broken_lines, position.broken_roads, position.passed) == ((), (), ())
    assert table.refused(game, f"p1 repair part={part}") == "CR25"


def test_cr25_a_card_that_cannot_be_paid_is_passed_for_a_repair_and_one_that_can_comes_first(table):
    game = table.game("C01", broken_roads=(2,), current="R06")  # gives the concrete that a road costs
    assert table.do(game, "p1 repair part=road number=2").discard_pile == ("R06",)
    game = table.game("C01", broken_roads=(2,), current="R01", passed=("R03", "R04"))
    assert table.refused(game, "p1 repair part=road number=2") == "CR4"


@pytest.mark.parametrize("words", ["part=plant number=1", "part=line", "part=line number=6", "part=road number=2"])
def test_cr25_what_is_not_there_or_works_is_not_repaired(table, words):
    assert table.refused(table.game("C01", passed=("I03", "R06")), f"p1 repair {words}") == "CR25"


def test_cr26_discards_of_a_building_may_leave_the_game_in_the_rebuild(table):
    game = table.game("C01|C02", passed=("R03", "R04", "R09"), current="R11")
    assert table.refused(game, "p1 throw_out") == "CR26"
    table.do(game, "p1 discard card=R11", "p1 flip card=G03", "p1 build card=G03 at=1/5")
    position = table.do(game, "p1 throw_out")
    assert position.gone == ("R11",)
    assert position.discard_pile == ("R03", "R04", "R09")
    assert table.refused(game, "p1 throw_out") == "CR26"


def test_cr26_they_stay_until_the_giant_bird_has_eaten(table):
    words = {"disaster": "giant_bird", "bird": Place(6, 4), "hunger": 1}
    game = table.game("C01|C02", passed=("R03", "R04", "R09"), current="R11", **words)
    table.do(game, "p1 discard card=R11", "p1 flip card=G03", "p1 build card=G03 at=1/5")
    assert table.decisions(game, "throw_out") == set()
    assert table.refused(game, "p1 throw_out") == "CR17"
    assert table.do(game, "p1 trample at=1/5", "p1 throw_out").gone == ("G03", "R11")


def test_cr26_they_join_the_discard_pile_if_they_are_kept(table):
    game = table.game("C01|C02", passed=("R03", "R04", "R09"), current="R11")
    table.do(game, "p1 discard card=R11", "p1 flip card=G03", "p1 build card=G03 at=1/5")
    assert table.do(game, "p1 flip card=R08").discard_pile == ("R03", "R04", "R09", "R11")


@pytest.mark.parametrize(
    ("city", "roads", "points"),
    [("C01|", (), 2), ("C01|", (1,), 1), ("- C01|", (), 2), ("- - C01|", (), 1), ("|R01|C01", (2,), 1)],
)
def test_cr27_adjacent_is_within_one_space_and_across_columns_needs_a_road(table, city, roads, points):
    game = table.game(city, passed=("R04", "R13", "R10", "C12"), current="G01", broken_roads=roads)
    at = "2/5" if city.startswith("|") else "2/4"
    assert table.at(table.do(game, f"p1 build card=G01 at={at}"), at).counters == points


def test_cr28_a_reduction_may_be_used_and_never_forces(table):
    game = table.game("I01|C01", passed=("R02",), current="R01")  # 2 wood, the sawmill cuts one
    assert {"p1 flip", "p1 discard card=R01", "p1 build card=R01 at=2/5"} <= {str(one) for one in game.legal_actions}
    assert (
        table.refused(
            table.game("I01|C01", plant_works=False, passed=("R02",), current="R01"), "p1 build card=R01 at=2/5"
        )
        == "CR4"
    )


def test_ca2_a_cards_own_opportunity_cost_does_not_pay_for_it(table):
    game = table.game("C01|C02", passed=("R02",), current="R01")
    assert table.refused(game, "p1 build card=R01 at=1/5") == "CR4"
    game = table.game("C01|C02", passed=("R02",), current="R01", rulings={"own_opportunity_pays": True})
    assert table.do(game, "p1 build card=R01 at=1/5")


def test_ca3_a_discarded_card_feeds_the_pool(table):
    words = {"passed": ("R03", "R04", "R09"), "discarded": ("R07",), "current": "C03"}
    assert table.decisions(table.game("C01|C02", **words), "build")
    words["rulings"] = {"discards_feed_pool": False}
    assert not table.decisions(table.game("C01|C02", **words), "build")


def test_ca9_the_discard_pile_joins_only_where_a_group_plays_so(table):
    words = {"phase": "disaster", "disaster": "hurricane", "resolved": True, "discard_pile": ("R03",)}
    game = table.game("R01", rulings={"discards_join_reshuffle": True}, **words)
    assert "R03" in table.do(game, "p1 rebuild").deck


def test_ca13_the_limit_counts_cards_and_holds_in_the_rebuild(table):
    city = "- R02 R03 R04|C01|I01|G01|R05|"
    words = {"passed": ("I05", "C12", "R09"), "current": "C03"}
    assert table.refused(table.game(city, **words), "p1 build card=C03 at=1/8") == "CR6"
    assert table.refused(table.game(city, **words), "p1 build card=C03 at=1/4") == "CR6"
    game = table.game(city, rulings={"limit_holds_in_rebuild": False}, **words)
    assert table.do(game, "p1 build card=C03 at=1/8")


def test_ca14_cards_above_a_gap_stay_where_they_are(table):
    game = table.game("R13 C01 R14", phase="disaster", disaster="hurricane", action_points=8)
    assert [str(building.at) for building in table.do(game, "p1 severity level=2").city] == ["1/4", "1/6"]


def test_ca15_the_lowest_column_is_always_open(table):
    game = table.game("R01 R02 R03 R04|C01|I01|G01|R05|C02", passed=("I05", "C12"), current="C03", phase="build")
    assert "card=C03 at=2/5" in table.decisions(game, "build")
