"""The disasters, bonuses, helpers and the end (CR2, CR3, CR10-CR19, CR29-CR31), as the rulebook tells it."""

import pytest

from citytable.games.comeback.entering import form, label, with_values
from citytable.games.comeback.game import ComebackCity
from citytable.games.comeback.layout import lights
from citytable.games.comeback.places import Place
from citytable.games.comeback.position import Bonus

QUAKE = {"phase": "disaster", "disaster": "earthquake", "action_points": 8}
METEORS = {"phase": "disaster", "disaster": "meteors", "action_points": 8}
ALIENS = {"phase": "disaster", "disaster": "aliens", "action_points": 8}
BIRD = {"phase": "disaster", "disaster": "giant_bird", "action_points": 8}
STORM = {"phase": "disaster", "disaster": "hurricane", "action_points": 8}
CITY = "R03 G01 R06|C08 G06 C10|I08 I12|G12 R13|C14 C13|R08 I14"


def rubble(position):
    return {str(building.at) for building in position.city if building.rubble}


def test_cr2_only_rows_one_to_six_can_be_rolled(table):
    game = table.game("R01 R02 R03 R04|C01", **QUAKE)
    assert table.refused(game, "p1 roll blue=1 white=7") == "CR18"
    assert table.refused(game, "p1 roll blue=0 white=4") == "CR18"


@pytest.mark.parametrize(
    ("at", "plant", "lines", "roads"),
    [
        ("4/1", False, (), ()),
        ("1/2", True, (1,), ()),
        ("3/2", True, (2, 3), ()),
        ("6/2", True, (5,), ()),
        ("1/3", True, (), (1,)),
        ("4/3", True, (), (3, 4)),
        ("6/3", True, (), (5,)),
    ],
)
def test_cr3_rows_one_to_three_are_the_plant_and_the_neighbouring_lines_and_roads(table, at, plant, lines, roads):
    column, row = at.split("/")
    position = table.do(table.game(CITY, **QUAKE), f"p1 roll blue={column} white={row}", f"p1 target at={at}")
    assert (position.plant_works, position.broken_lines, position.broken_roads) == (plant, lines, roads)


def test_cr10_nothing_strikes_before_the_disaster_is_drawn(table, refusal):
    game = table.game(CITY, phase="disaster", action_points=8)
    for line in ("p1 roll blue=1 white=4", "p1 occupy at=1/4", "p1 severity level=3"):
        refused = refusal(game, line)
        assert refused.rule == "CR10"
        assert "drawn yet" in refused.text["en"]


def test_cr10_sixteen_buildings_bring_eight_action_points_and_a_disaster(table):
    game = table.game(
        "R01 R02 R03|R04 R05 R06|R07 R08 R09|C01 C02|C03 C04|C05 C06",
        phase="build",
        action_points=0,
        passed=("R11", "R12"),
        current="G03",
    )
    assert table.refused(game, "p1 strike disaster=aliens") == "CR10"
    position = table.do(game, "p1 build card=G03 at=4/6")
    assert (position.phase, position.action_points) == ("disaster", 8)
    assert table.refused(game, "p1 flip card=G01") == "CR4"
    assert table.refused(game, "p1 rebuild") == "CR20"
    table.do(game, "p1 strike disaster=aliens")
    assert table.refused(game, "p1 strike disaster=aliens") == "CR10"
    assert table.refused(game, "p1 roll blue=1 white=1") == "CR10"


@pytest.mark.parametrize(
    ("start", "lines", "points"),
    [
        (ALIENS, ["occupy at=4/5"], 8),
        (ALIENS, ["occupy at=4/5", "occupy at=1/6", "occupy at=6/4"], 10),
        (QUAKE, ["roll blue=1 white=4", "target at=1/4", "shake", "shake"], 10),
        (METEORS, ["roll blue=1 white=4", "target at=1/4", "roll blue=2 white=2", "target at=2/2"], 9),
        (STORM, ["severity level=5"], 13),
        (BIRD, ["trample at=5/4", "severity level=7"], 15),
    ],
)
def test_cr11_severity_adds_action_points(table, start, lines, points):
    game = table.game(CITY, **start)
    assert table.do(game, *(f"p1 {line}" for line in lines)).action_points == points


def test_cr12_a_completed_bonus_is_a_point_or_its_helper(table):
    game = table.game(CITY, bonuses=(Bonus(card="ZR1"), Bonus(card="ZG8")), **QUAKE)
    table.do(game, "p1 roll blue=1 white=4")
    assert table.refused(game, "p1 claim bonus=ZR1 reward=point") == "CR18"
    table.do(game, "p1 target at=1/4")
    assert table.decisions(game, "claim") == {"bonus=ZR1 reward=point", "bonus=ZR1 reward=helper"}
    assert table.refused(game, "p1 claim bonus=ZG8 reward=point") == "CR12"
    position = table.do(game, "p1 claim bonus=ZR1 reward=point")
    assert position.action_points == 9
    assert table.refused(game, "p1 claim bonus=ZR1 reward=point") == "CR12"


def test_cr12_it_can_be_completed_in_the_rebuild_and_stays_completed(table):
    game = table.game("G01|G02|C01", bonuses=(Bonus(card="ZG1"),), passed=("R03", "R04"), current="G03")
    assert table.refused(game, "p1 claim bonus=ZG1 reward=point") == "CR12"
    assert table.do(game, "p1 build card=G03 at=3/5").bonuses[0].completed
    assert table.do(game, "p1 claim bonus=ZG1 reward=point").action_points == 5


def test_cr12_bonuses_wait_for_the_disaster(table):
    game = table.game("R01|R02|R03", phase="build", action_points=0, bonuses=(Bonus(card="ZR1", completed=True),))
    assert table.refused(game, "p1 claim bonus=ZR1 reward=point") == "CR12"


@pytest.mark.parametrize(
    ("bonus", "city", "met"),
    [
        ("ZG3", "G01 G02", True),
        ("ZG3", "G01 C01 G02", False),
        ("ZG3", "G01|- G02", True),
        ("ZG4", "G01 G02|G03", True),
        ("ZG4", "G01 G02 G03", False),
        ("ZG5", "G09", True),
        ("ZG5", "G08", False),
        ("ZG7", "G01|G02|G03", True),
        ("ZG7", "G01 G02|G03", False),
        ("ZG1", "G01 G02 G03*", False),
    ],
)
def test_cr12_conditions_of_bonuses(table, bonus, city, met):
    game = table.game(city, bonuses=(Bonus(card=bonus),), passed=("R03", "R04"), current="R11")
    assert table.do(game, "p1 build card=R11 at=6/4").bonuses[0].completed == met


@pytest.fixture
def of_its_own(table):
    """A game of an owner whose bonus ZG1 has a task for which there is no word."""

    def game(*columns, **words):
        values = {"zone": "government", "condition": "other_task", "number": 1, "helper": "national_guard"}
        cards = with_values(table.deck, "bonus/ZG1", values)
        return ComebackCity.from_position(table.position(*columns, **words), cards)

    return game


def test_cr12_a_task_of_its_own_is_completed_when_its_reward_is_taken(table, of_its_own):
    game = of_its_own("G01|G02|C01", bonuses=(Bonus(card="ZG1"),), passed=("R03", "R04"), current="G03")
    position = table.do(game, "p1 build card=G03 at=3/5")
    assert not position.bonuses[0].completed
    assert {"p1 claim bonus=ZG1 reward=point", "p1 claim bonus=ZG1 reward=helper"} <= {*map(str, game.legal_actions)}
    position = table.do(game, "p1 claim bonus=ZG1 reward=helper")
    assert (position.bonuses[0].completed, position.bonuses[0].used) == (True, "helper")
    assert table.refused(game, "p1 claim bonus=ZG1 reward=point") == "CR12"


def test_cr12_nobody_has_to_say_that_a_task_of_its_own_is_completed(table, of_its_own):
    game = of_its_own("G01|G02|C01", bonuses=(Bonus(card="ZG1"),), action_points=0)
    assert {"p1 finish", "p1 claim bonus=ZG1 reward=point"} <= {*map(str, game.legal_actions)}
    assert table.do(game, "p1 finish").phase == "end"
    game = of_its_own("R01|R02", phase="build", action_points=0, bonuses=(Bonus(card="ZG1"),))
    assert table.refused(game, "p1 claim bonus=ZG1 reward=point") == "CR12"


def test_cr12_a_point_at_the_last_moment_goes_on(table):
    game = table.game(
        "G01|G02|C01", bonuses=(Bonus(card="ZG1"),), action_points=1, passed=("R03", "R04"), current="G03"
    )
    position = table.do(game, "p1 build card=G03 at=3/5")
    assert (position.phase, position.action_points) == ("rebuild", 0)
    assert {str(one) for one in game.legal_actions} >= {"p1 finish", "p1 claim bonus=ZG1 reward=point"}
    assert table.refused(game, "p1 flip card=R08") == "CR21"
    table.do(game, "p1 claim bonus=ZG1 reward=point", "p1 flip card=R08")


def test_cr13_aliens_take_the_residential_building_with_the_highest_value(table):
    game = table.game(CITY, **ALIENS)  # R13 has 4, R06 and R08 have 3, R03 has 2
    assert table.decisions(game, "occupy") == {"at=4/5"}
    assert table.refused(game, "p1 rebuild") == "CR20"
    assert table.refused(game, "p1 occupy at=5/4") == "CR13"
    table.do(game, "p1 occupy at=4/5")
    assert table.decisions(game, "occupy") == {"at=1/6", "at=6/4"}  # ties: the player chooses


def test_cr13_after_every_build_residential_beside_an_occupied_building_is_occupied(table):
    game = table.game("R03! C01|R01 R02|R09", disaster="aliens", passed=("R04", "R07", "R06", "R05"), current="R11")
    position = table.do(game, "p1 build card=R11 at=1/6")
    assert {str(b.at) for b in position.city if b.occupied} == {"1/4", "2/4", "2/5"}
    assert table.at(position, "1/6").counters == 2  # what is built scores


@pytest.mark.parametrize(
    ("city", "met"),
    [("R01:13|R02:12|R03!", True), ("R01:25|R02!", False), ("R01:13|R02:11|R03!", False), ("C01:30|R02:20", False)],
)
def test_cr13_goal(table, city, met):
    game = table.game(city, phase="end", disaster="aliens", action_points=0)
    assert game.outcome().termination == ("goal" if met else "lost")


def test_cr14_the_earthquake_alternates_up_and_down_then_left_and_right(table):
    game = table.game(CITY, **QUAKE)
    assert rubble(table.do(game, "p1 roll blue=2 white=5", "p1 target at=2/5")) == {"2/5"}
    assert rubble(table.do(game, "p1 shake")) == {"2/5", "2/4", "2/6"}
    assert rubble(table.do(game, "p1 shake")) == {"2/5", "2/4", "2/6", "1/5", "3/5"}
    position = table.do(game, "p1 shake")  # two up or down hits nothing; two to the right hits 4/5
    assert "4/5" in rubble(position)
    assert position.action_points == 11
    assert "5/5" in rubble(table.do(game, "p1 shake"))
    assert table.refused(game, "p1 shake") == "CR14"


@pytest.mark.parametrize(
    ("city", "met"),
    [
        ("C01:25|R01", True),
        ("C01:25|R01*", False),
        ("C08:25^R05|R01", False),
        ("C08:25^C01", True),
        ("C08:25^R04", False),
        ("C01:24", False),
    ],
)
def test_cr14_goal_is_rubble_built_over_by_the_same_building_or_one_with_more_stories(table, city, met):
    game = table.game(city, phase="end", disaster="earthquake", action_points=0)
    assert game.outcome().termination == ("goal" if met else "lost")


def test_cr15_the_hurricane_removes_lower_buildings_and_ruins_those_of_its_strength(table):
    position = table.do(table.game(CITY, **STORM), "p1 severity level=3")
    assert not position.plant_works
    assert (position.broken_lines, position.broken_roads) == ((1, 2, 3, 4, 5), (1, 2, 3, 4, 5))
    assert position.gone == ("G01", "I08", "R03")  # 1 and 2 stories
    assert rubble(position) == {"2/4", "2/5"}  # C08 and G06 have 3


def test_cr15_a_hurricane_of_zero_flips_only_the_plant(table):
    position = table.do(table.game(CITY, **STORM), "p1 severity level=0")
    assert (position.plant_works, position.broken_lines, position.gone) == (False, (), ())
    game = table.game(CITY, **STORM)
    assert table.refused(game, "p1 severity level=8") == "CR15"
    assert table.refused(game, "p1 severity level=-1") == "CR15"
    table.do(game, "p1 severity level=1")
    assert table.refused(game, "p1 severity level=1") == "CR15"


@pytest.mark.parametrize(("counters", "met"), [(60, True), (59, False)])
def test_cr15_goal(table, counters, met):
    game = table.game(f"R01:{counters}", phase="end", action_points=0)
    assert game.outcome().termination == ("goal" if met else "lost")


def meteors(table, *faces, city=CITY, places=("2/5", "5/5", "4/2")):
    game = table.game(city, **METEORS)
    for place, _ in zip(places, faces, strict=False):
        column, row = place.split("/")
        table.do(game, f"p1 roll blue={column} white={row}", f"p1 target at={place}")
    return table.do(game, f"p1 turn_up meteors={','.join(faces)}")


def test_cr16_meteors_do_what_their_faces_say_at_the_same_time(table):
    assert meteors(table, "M1").gone == ("G06",)
    assert meteors(table, "M4").gone == ("C08", "C10", "G06")  # up and down
    assert meteors(table, "M6").gone == ("G01", "G06", "I12")  # left and right
    assert meteors(table, "M8").gone == ("C08", "C10", "G01", "G06", "I08", "I12", "R03", "R06")
    assert rubble(meteors(table, "M9")) == {"2/5"}
    assert meteors(table, "M10").gone == ()
    assert meteors(table, "M1", "M2").gone == ("C13", "G06")
    assert meteors(table, "M9", "M8", "M10", places=("2/5", "1/5", "6/5")).gone.count("G06") == 1


def test_cr16_of_a_meteor_that_has_no_word_people_say_what_it_destroyed(table):
    values = {field.name: field.proposed for field in form(table.deck, "meteor/M1").fields}
    deck = with_values(table.deck, "meteor/M1", values | {"falls": "other_fall"})
    assert form(deck, "meteor/M1").fields[0].proposed == "other_fall"
    assert label(deck, "meteor/M1")["fr"] == "M1 : autre chose"
    game = table.game(CITY, **METEORS)
    table.do(game, "p1 roll blue=2 white=5", "p1 target at=2/5")
    after = table.do(ComebackCity.from_position(game.position, deck), "p1 turn_up meteors=M1")
    assert (after.gone, after.resolved) == ((), True)


def test_cr16_a_meteor_on_infrastructure_reaches_what_lies_around_it(table):
    position = meteors(table, "M8", places=("1/1",))
    assert (position.plant_works, position.broken_lines, position.broken_roads) == (False, (1, 2), ())
    position = meteors(table, "M8", places=("1/3",))
    assert (position.plant_works, position.broken_lines, position.broken_roads) == (True, (1, 2), (1, 2))
    assert position.gone == ("C08", "R03")
    assert meteors(table, "M4", places=("2/4",)).broken_roads == (1, 2)


def test_cr16_duplicates_are_rolled_again_and_there_are_six_at_most(table):
    game = table.game(CITY, **METEORS)
    assert table.refused(game, "p1 turn_up meteors=none") == "CR16"
    table.do(game, "p1 roll blue=4 white=1", "p1 target at=4/1")
    assert table.do(game, "p1 roll blue=2 white=1").rolled == (2, 1)
    assert table.decisions(game, "target") == {"at=1/2"}  # 2/1 is the plant again
    assert table.refused(game, "p1 target at=2/1") == "CR16"
    assert table.refused(game, "p1 target at=3/1") == "CR18"  # the plant as well, but the dice do not mean it
    table.do(game, "p1 target at=1/2")
    assert table.do(game, "p1 roll blue=2 white=2").rolled == ()  # line 1 again
    for place in ("3/4", "4/4", "5/4", "6/4"):
        table.do(game, f"p1 roll blue={place[0]} white={place[2]}", f"p1 target at={place}")
    assert table.refused(game, "p1 roll blue=1 white=4") == "CR16"
    assert game.position.action_points == 13
    assert table.refused(game, "p1 turn_up meteors=M1") == "CR16"
    assert table.refused(game, "p1 turn_up meteors=M1,M1,M2,M3,M4,M5") == "CR16"


@pytest.mark.parametrize(
    ("city", "roads", "met"),
    [
        ("G01:25|R01|C01", (), True),
        ("G01:25|R01|C01", (2,), False),
        ("G01:25|R01|C01", (3,), True),
        ("G01:25||C01", (1,), False),
        ("G01:24|R01", (), False),
    ],
)
def test_cr16_goal(table, city, roads, met):
    game = table.game(city, phase="end", disaster="meteors", action_points=0, broken_roads=roads)
    assert game.outcome().termination == ("goal" if met else "lost")


def test_cr17_the_bird_takes_the_tallest_and_one_more_for_each_action_point(table):
    game = table.game(CITY, **BIRD)
    assert table.decisions(game, "trample") == {"at=5/4"}  # C14 has 10 stories
    assert table.refused(game, "p1 trample at=4/5") == "CR17"
    assert table.refused(game, "p1 severity level=1") == "CR17"
    assert table.refused(table.game("R01", bird=Place(5, 4), **BIRD), "p1 severity level=8") == "CR17"
    position = table.do(game, "p1 trample at=5/4", "p1 severity level=2")
    assert position.gone == ("C14",)
    table.do(game, "p1 rebuild", "p1 flip card=R04", "p1 flip card=R09", "p1 flip card=R01")
    assert table.refused(game, "p1 build card=R01 at=5/4") == "CR17"  # on the bird
    position = table.do(game, "p1 build card=R01 at=3/6")
    assert table.decisions(game, "trample") == {"at=4/5", "at=5/5"}  # 8 stories each
    assert table.refused(game, "p1 flip card=R11") == "CR17"
    position = table.do(game, "p1 trample at=4/5")
    assert (position.hunger, position.action_points, position.phase) == (1, 9, "rebuild")


def test_cr17_it_leaves_with_the_last_counter_and_every_restaurant_gets_one(table):
    words = {"disaster": "giant_bird", "hunger": 1, "due": 1, "bird": Place(6, 4)}
    game = table.game("C04:2|C05:2|R13:4|C01:1", **words)
    after = table.do(game, "p1 trample at=3/4")
    assert after.bird is None
    assert [building.counters for building in after.city] == [3, 3, 1]


def test_cr17_without_counters_it_leaves_at_once(table):
    game = table.game("R14|C04", **BIRD)
    position = table.do(game, "p1 trample at=1/4", "p1 severity level=0", "p1 rebuild")
    assert position.bird is None
    assert table.at(position, "2/4").counters == 3  # 2 and 1


@pytest.mark.parametrize(
    ("city", "met"),
    [
        ("I01:25 I02 I03|I04 I05 I06", True),
        ("I01:25 I02 I03|I04 I05", False),
        ("I01:24 I02 I03|I04 I05 I06", False),
        ("I01:25 I02 I03||I04 I05 I06", False),
    ],
)
def test_cr17_goal(table, city, met):
    game = table.game(city, phase="end", disaster="giant_bird", action_points=0)
    assert game.outcome().termination == ("goal" if met else "lost")


def test_cr18_one_die_is_the_column_and_the_other_the_row(table):
    game = table.game(CITY, **QUAKE)
    table.do(game, "p1 roll blue=2 white=4")
    assert table.decisions(game, "target") == {"at=2/4", "at=4/2"}
    assert table.refused(game, "p1 target at=1/4") == "CR18"
    assert table.refused(game, "p1 roll blue=2 white=4") == "CR18"
    table.do(game, "p1 target at=4/2")
    assert table.refused(game, "p1 roll blue=2 white=4") == "CR18"


def test_cr19_hit_buildings_leave_the_game_and_hit_infrastructure_flips(table):
    position = meteors(table, "M1", "M2", "M3")
    assert position.gone == ("C13", "G06")
    assert position.broken_lines == (3, 4)
    assert not set(position.gone) & set(position.deck)


HELP = "R13|C08|I08|G06|R06|C01"


def test_cr29_the_maintenance_crew_repairs_all_roads_or_all_lines_once(table):
    words = {"broken_roads": (1, 2), "broken_lines": (3,)}
    assert table.refused(table.game(HELP, **words), "p1 mend parts=roads") == "CR29"
    game = table.game(HELP, helpers=["maintenance_crew"], **words)
    position = table.do(game, "p1 mend parts=roads")
    assert (position.broken_roads, position.broken_lines, position.action_points) == ((), (3,), 4)
    assert table.refused(game, "p1 mend parts=lines") == "CR29"
    assert table.refused(table.game(HELP, helpers=["maintenance_crew"]), "p1 mend parts=lines") == "CR25"


def test_cr29_the_defense_agency_frees_one_building_and_more_for_half_their_value(table):
    game = table.game(
        "C01|R13!|C02|R06!|C04|R05!",
        disaster="aliens",
        helpers=["defense_agency"],
        passed=("R03", "R04"),
        current="G03",
    )
    assert table.refused(game, "p1 free at=2/4") == "CR29"
    assert table.do(game, "p1 build card=G03 at=1/5").action_points == 4
    assert table.refused(game, "p1 free at=1/4") == "CR29"
    position = table.do(game, "p1 free at=2/4")
    assert (table.at(position, "2/4").counters, position.action_points) == (4, 4)
    position = table.do(game, "p1 free at=4/4")  # 3 points: half is rounded up
    assert (table.at(position, "4/4").counters, position.action_points) == (3, 2)
    table.do(game, "p1 flip card=R11")
    assert table.refused(game, "p1 free at=6/4") == "CR29"


def test_cr29_the_engineering_corps_adds_the_opportunity_cost_of_a_building(table):
    game = table.game("R13:4|C08|R01*", helpers=["engineering_corps"], current="R07", passed=("R10",))
    assert table.refused(game, "p1 build card=R07 at=2/5") == "CR4"
    position = table.do(game, "p1 demolish at=1/4")
    assert position.saved == (4, 0, 0, 0)
    assert game.scores()[1].total == 4
    assert "R13" in position.gone
    assert table.refused(game, "p1 demolish at=3/4") == "CR29"  # rubble is no building
    assert table.refused(game, "p1 demolish at=6/4") == "CR29"


def test_cr29_the_engineering_corps_does_not_build_the_same_building(table):
    game = table.game("R01|C08", helpers=["engineering_corps"])
    table.do(game, "p1 demolish at=1/4")
    assert table.refused(game, "p1 flip card=R01") == "CR8"


def test_cr29_it_waits_while_the_flipped_card_can_be_paid(table):
    game = table.game("R13|C08", helpers=["engineering_corps"], current="R01", passed=("R03", "R04"))
    assert table.refused(game, "p1 demolish at=1/4") == "CR4"


def test_cr29_a_guarded_building_is_immune(table):
    words = {"disaster": "aliens", "helpers": ["national_guard"], "passed": ("R03", "R04"), "current": "G03"}
    game = table.game("R13! R06|C01", **words)
    assert table.do(game, "p1 guard at=1/5").action_points == 4
    assert table.refused(game, "p1 guard at=1/5") == "CR29"
    assert not table.at(table.do(game, "p1 build card=G03 at=2/5"), "1/5").occupied


def test_cr29_there_are_four_guards_and_they_move(table):
    game = table.game("R13+|C08+|I08+|G06+|R06|C01", helpers=["national_guard"])
    assert table.refused(game, "p1 guard at=5/4") == "CR29"
    assert table.refused(game, "p1 guard at=5/4 moved_from=6/4") == "CR29"
    position = table.do(game, "p1 guard at=5/4 moved_from=1/4")
    assert [b.guarded for b in position.city] == [False, True, True, True, True, False]
    assert position.action_points == 4


def test_cr29_the_bird_leaves_guarded_buildings(table):
    game = table.game("R14+|R13|C08", **BIRD)
    assert table.decisions(game, "trample") == {"at=2/4"}


def test_cr29_the_planning_commission_allows_three_discards(table):
    words = {"passed": ("R03", "R04", "R09"), "discarded": ("R11", "G03"), "current": "G06"}
    game = table.game("C01|C02", helpers=["planning_commission"], **words)
    table.do(game, "p1 discard card=G06", "p1 flip card=G02")
    assert table.refused(game, "p1 discard card=G02") == "CR5"


def test_cr30_the_game_ends_when_the_action_points_run_out(table):
    game = table.game("C01|C02", action_points=1, passed=("R03", "R04"), current="G03")
    assert table.do(game, "p1 build card=G03 at=1/5").phase == "end"
    assert table.refused(game, "p1 flip card=R11") == "CR30"
    assert game.player == 0


def test_cr30_it_may_end_early_once_the_goal_is_met(table):
    assert table.refused(table.game("R01:59"), "p1 finish") == "CR30"
    game = table.game("R01:60")
    table.do(game, "p1 finish")
    assert game.outcome().winners == (1,)


@pytest.mark.parametrize(
    ("city", "disaster", "end"),
    [("R01:65", "meteors", "points"), ("R01:64", "meteors", "lost"), ("G01:25", "meteors", "goal")],
)
def test_cr31_goal_or_65_points_win(table, city, disaster, end):
    outcome = table.game(city, phase="end", disaster=disaster, action_points=0).outcome()
    assert outcome.termination == end
    assert outcome.winners == (() if end == "lost" else (1,))


def test_ca1_a_group_may_ask_for_both(table):
    words = {"phase": "end", "disaster": "meteors", "action_points": 0, "rulings": {"goal_and_points": True}}
    assert table.game("G01:25", **words).outcome().termination == "lost"
    assert table.game("G01:65", **words).outcome().termination == "goal"


def test_ca4_more_free_than_occupied(table):
    game = table.game("R01:25|R02!", phase="end", disaster="aliens", action_points=0)
    assert game.outcome().termination == "lost"  # one of each is not more


def test_ca5_values_are_printed_points(table):
    assert table.decisions(table.game("R14|R05", **ALIENS), "occupy") == {"at=1/4"}


def test_ca6_the_die_is_chosen_after_the_roll(table):
    game = table.game(CITY, **METEORS)
    assert table.decisions(game, "roll") == {""}
    assert len(table.decisions(game, "target")) == 0


def test_ca7_a_roll_that_finds_nothing_is_rolled_again(table):
    game = table.game(CITY, **QUAKE)
    assert table.do(game, "p1 roll blue=6 white=6").rolled == ()
    table.do(game, "p1 roll blue=3 white=6")
    assert table.decisions(game, "target") == {"at=6/3"}
    game = table.game(CITY, rulings={"empty_places_are_rolled_again": False}, **QUAKE)
    table.do(game, "p1 roll blue=6 white=6", "p1 target at=6/6")
    assert rubble(game.position) == set()


def test_ca8_an_earthquake_passes_over_steps_that_hit_no_building(table):
    game = table.game("R03|C08", **QUAKE)
    table.do(game, "p1 roll blue=1 white=4", "p1 target at=1/4")
    position = table.do(game, "p1 shake")  # up and down hit nothing, and the roads stay
    assert (rubble(position), position.action_points, position.broken_roads) == ({"1/4", "2/4"}, 9, ())
    assert table.refused(game, "p1 shake") == "CR14"


def test_ca10_counters_have_the_zone_of_their_building(table):
    game = table.game("R01:3|C01:2|I01:4|G01:1", saved=(0, 5, 0, 0))
    found = {(line.reason, line.words["zone"]): line.points for line in game.scores()[1].lines}
    assert found == {
        ("zone", "residential"): 3,
        ("zone", "commercial"): 2,
        ("saved", "commercial"): 5,
        ("zone", "industrial"): 4,
        ("zone", "government"): 1,
    }


def test_ca11_more_than_25_counters_of_a_colour_count(table):
    assert table.game("R01:40").scores()[1].total == 40


def test_ca12_infrastructure_has_no_stories(table):
    assert table.do(table.game(CITY, **STORM), "p1 severity level=1").broken_roads == (1, 2, 3, 4, 5)


def test_ca16_no_more_than_seventeen_buildings_are_occupied(table):
    homes = [f"R{k:02}" for k in range(1, 16)]
    columns = " ".join(f"{home}!" for home in homes)
    game = table.game(columns, **ALIENS)
    assert table.decisions(game, "occupy") == set()


def test_ca17_occupied_buildings_have_their_printed_points(table):
    words = {**ALIENS, "resolved": True}
    assert table.at(table.do(table.game("R13!", **words), "p1 rebuild"), "1/4").counters == 4
    game = table.game("R13!", rulings={"occupied_buildings_score": False}, **words)
    assert table.at(table.do(game, "p1 rebuild"), "1/4").counters == 0


def test_ca18_a_guard_may_come_with_each_building(table):
    words = {"rulings": {"guard_comes_with_building": True}, "passed": ("R03", "R04"), "current": "G03"}
    game = table.game("R13|C01", helpers=["national_guard"], **words)
    assert table.refused(game, "p1 guard at=1/4") == "CR29"
    assert table.do(game, "p1 build card=G03 at=2/5", "p1 guard at=1/4").action_points == 4
    assert table.refused(game, "p1 guard at=2/4") == "CR29"


def test_ca19_roads_connect_every_column_between_two_with_buildings(table):
    game = table.game("G01:25||C01", phase="end", disaster="meteors", action_points=0, broken_roads=(2,))
    assert game.outcome().termination == "lost"


def test_rings_show_where_a_disaster_has_struck(table):
    def struck(columns, **words):
        game = table.game(columns, **words)
        return {light.spot for light in lights(game.position, game.deck) if light.role == "struck"}

    assert struck("R03! C01|R01* R02|R09", disaster="aliens") == {"grid/1/4", "grid/2/4"}
    assert struck("R03 C01|R01 R02|R09", disaster="giant_bird", bird=Place(2, 6), hunger=2) == {"grid/2/6"}
    assert struck("R03 C01|R01 R02|R09", disaster="hurricane") == set()
