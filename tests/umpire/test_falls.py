"""Falls in the city (R35, A25, A26, A28): a building, some of its pieces, a monument; asked once, likeliest first."""

import pytest

from citytable.games.megacity.position import Pieces
from citytable.table.hexes import Hex
from citytable.table.likelihood import CITY, measured
from citytable.umpire import accidents

HEX = "city/1/0"
TILE_G = 16.0


@pytest.fixture
def weighed(table, delivered):
    """The tile was weighed bare and with its tower of 40 g on it; it is seat 2's turn."""
    table.weigh(HEX, TILE_G)
    table.weigh(HEX, TILE_G + 40.0)
    table.pass_bag(1, 2)
    table.confirmed.clear()
    return delivered


@pytest.fixture
def second(table, weighed, deal):
    """Seat 2 has a contract, its platform on his pad and seven pieces; it is his turn."""
    column = deal.columns[1]
    table.take_contract(2, column[0], column[1])
    face = next(face for face in table.position.supply if face.up == "industrial")
    spot = table.where(f"platform/{face.platform}/industrial")
    table.move(spot, "seat/2/pad/0")
    table.lay("platform/19/industrial", spot)
    for seat, to in ((2, 3), (3, 1), (1, 2)):
        table.pass_bag(seat, to)
    table.draw(2, 6.0)
    table.draw(2, 7.0)
    for seat, to in ((2, 3), (3, 1), (1, 2)):
        table.pass_bag(seat, to)
    table.confirmed.clear()
    return column[0]


def proposed(table):
    (question,) = table.umpire.questions
    return question.prompt, {field.name: field.proposed for field in question.fields}


def fall_to(table, spot, grams):
    """Something falls: the load is lower at once."""
    lost_g = table.loads_g[spot] - grams
    table.fall(spot, "alert", lost_g)
    table.weigh(spot, grams)
    table.fall(spot, "confirmed", lost_g)


def test_a_hex_that_lost_little_is_asked_about_as_a_partial_loss(table, weighed):
    fall_to(table, HEX, TILE_G + 31.0)
    assert proposed(table) == ("pieces_lost", {"what_fell": "some", "to_box": 1, "to_bag": 0, "height_mm": 31})
    table.answer(what_fell="some", to_box=1, to_bag=0, height_mm=27)
    table.pass_bag(2, 3)
    assert table.done()[0] == "table pieces_lost at=1/0 to_box=unknown:1 to_bag=none height=27mm"
    (building,) = table.position.buildings
    assert (building.standing, building.height_mm, building.pieces) == (True, 27, Pieces(steel=3))
    assert table.position.box == 1


def test_a_fall_after_which_all_of_it_lies_there_is_most_likely_none(table, weighed):
    table.fall(HEX, lost_g=0.0)
    assert proposed(table)[1]["what_fell"] == "nothing"
    table.answer(what_fell="nothing", to_box=1, to_bag=0, height_mm=31)
    assert table.umpire.questions == ()


def test_a_hex_that_lost_much_is_asked_about_as_a_whole_building(table, weighed):
    fall_to(table, HEX, TILE_G + 20.0)
    assert proposed(table) == ("building_fell", {"what_fell": "all", "to_box": 2, "left": 0})


def test_people_who_say_that_more_fell_are_asked_for_that(table, weighed):
    fall_to(table, HEX, TILE_G + 31.0)
    table.answer(what_fell="all", to_box=1, to_bag=0, height_mm=31)
    assert proposed(table)[0] == "building_fell"
    table.answer(what_fell="all", to_box=3, left=1)
    table.pass_bag(2, 3)
    assert not table.position.buildings[0].standing
    assert (table.position.box, table.position.left_in_city) == (3, 1)


def test_pieces_that_follow_while_people_are_asked_make_no_second_question(table, weighed):
    fall_to(table, HEX, TILE_G + 31.0)
    fall_to(table, HEX, TILE_G + 22.0)
    assert proposed(table)[0] == "pieces_lost"


def test_a_fall_that_is_reported_while_it_is_asked_about_is_one_fall(table, weighed):
    fall_to(table, HEX, TILE_G + 31.0)
    table.say("table pieces_lost at=1/0 to_box=unknown:1 to_bag=none height=27mm")
    assert table.umpire.questions == ()
    table.pass_bag(2, 3)
    assert [text.split()[1] for text in table.done()] == ["pieces_lost", "end_turn"]


def test_a_fall_that_is_reported_once_more_while_its_form_is_open_is_one_fall(table, weighed):
    """They had said that some pieces fell, and told the rest as a word and in the form: it counted twice (A 81105)."""
    fall_to(table, HEX, TILE_G)
    table.answer(what_fell="some", to_box=1, left=0)
    assert proposed(table)[0] == "pieces_lost"
    fall = "table pieces_lost at=1/0 to_box=unknown:1 to_bag=none height=27mm"
    table.say(fall)
    assert table.umpire.questions == ()
    assert table.provisional() == [fall]


def test_a_fall_that_two_people_report_fell_once(table, weighed):
    """The second one was slow, and much was done since; the scale has shown nothing more (A 19002)."""
    fall = "table pieces_lost at=1/0 to_box=unknown:1 to_bag=none height=27mm"
    fall_to(table, HEX, TILE_G + 31.0)
    table.say(fall)
    table.draw(2, 8.0)
    for grams in (3.0, 6.0, 9.0, 12.0):
        table.weigh("seat/2/pad/2", grams)
    table.say(fall)
    table.pass_bag(2, 3, drew=1)
    assert table.done() == [fall, "p2 take_pieces drawn=unknown:3", "p2 end_turn"]


def test_what_cannot_be_left_is_refused_and_stays_asked(table, weighed):
    fall_to(table, HEX, TILE_G + 31.0)
    with pytest.raises(ValueError, match="A26"):
        table.answer(what_fell="some", to_box=2, to_bag=2, height_mm=27)
    assert proposed(table)[0] == "pieces_lost"


def test_what_a_delivery_knocks_over_falls_before_its_bonuses(table, second):
    """A25: seat 2's tower is lower than the one it knocks over, and yet the new tallest."""
    table.fall(HEX, "alert", 30.0)
    table.move("seat/2/pad/0", "city/0/1")
    assert table.provisional()[0].startswith("p2 deliver")
    fall_to(table, HEX, TILE_G)
    table.lift(table.where(f"contract/{second}"))
    assert [text.split()[1] for text in table.provisional()] == ["building_fell", "deliver"]
    table.answer(what_fell="all", to_box=4, left=0)
    table.answer(height_mm=30, steel=2, concrete=3, glass=0, judged=True)
    table.pass_bag(2, 3)
    assert [text.split()[1] for text in table.done()] == ["building_fell", "deliver", "end_turn"]
    assert table.position.tallest == Hex(0, 1)
    assert table.position.players[1].tokens == 1


def test_a_fall_that_people_tell_while_a_delivery_is_under_way_was_before_it(table, second):
    table.move("seat/2/pad/0", "city/0/1")
    table.say("table building_fell at=1/0 to_box=4 left=0")
    assert [text.split()[1] for text in table.provisional()] == ["building_fell", "deliver"]


def test_what_falls_when_the_turn_of_a_delivery_has_passed_fell_after_it(table, second):
    """Nobody had filled in its form, and what another player's hand knocked over fell before that (B 56022)."""
    table.move("seat/2/pad/0", "city/1/1")
    table.lift(table.where(f"contract/{second}"))
    table.pass_bag(2, 3)
    table.draw(3, 6.0)
    table.weigh(HEX, TILE_G + 31.0)
    story = [" ".join(one.split()[:2]) for one in table.provisional()]
    assert story.index("p2 deliver") < story.index("p2 end_turn") < story.index("table pieces_lost")


def test_what_fell_after_the_bag_had_passed_put_nothing_into_it_before(table, weighed):
    """What went to and fro in the bag looked like pieces of a building that fell a turn later (A 81003)."""
    table.draw(2, 19.8)
    table.draw(2, -18.0)
    table.pass_bag(2, 3)
    table.fall(HEX, "alert", 40.0)
    table.weigh(HEX, TILE_G)
    table.fall(HEX, "confirmed", 40.0)
    table.draw(3, 13.0)
    story = [" ".join(one.split()[:2]) for one in table.provisional()]
    assert story.index("p2 end_turn") < story.index("table building_fell")


def test_a_building_that_falls_after_its_delivery_keeps_its_contract(table, delivered):
    table.weigh(HEX, TILE_G + 40.0)
    fall_to(table, HEX, TILE_G)
    table.answer(what_fell="all", to_box=4, left=0)
    table.pass_bag(1, 2)
    assert [text.split()[1] for text in table.done()] == ["deliver", "building_fell", "end_turn"]
    assert table.position.players[0].completed == ("PU1",)


@pytest.fixture
def monument(table, delivered):
    """A monument of 4 g stands on Central Park; it is seat 2's turn."""
    table.weigh("city/0/0", 60.0)
    table.weigh("city/0/0", 64.0)
    table.pass_bag(1, 2)
    table.confirmed.clear()
    assert table.position.parks[0].monument is not None


def test_of_buildings_nobody_takes_pieces_until_they_fell_and_monuments_are_set_and_taken(table, monument):
    assert table.umpire.kept == {HEX}
    table.weigh(HEX, TILE_G + 40.0)
    table.weigh(HEX, TILE_G)
    table.answer(what_fell="all", to_box=4, left=0)
    assert table.umpire.kept == set()


def test_a_monument_that_is_gone_from_its_scale_is_asked_about(table, monument):
    table.weigh("city/0/0", 60.0)
    assert proposed(table) == ("monument_fell", {"touched": True})
    table.answer(touched=True)
    table.pass_bag(2, 3)
    assert table.done()[0] == "table monument_fell at=0/0"
    assert table.position.parks[0].monument is None
    assert table.position.box == 1


def test_a_monument_that_is_put_back_was_not_lost(table, monument):
    table.weigh("city/0/0", 60.0)
    table.weigh("city/0/0", 64.1)
    assert table.umpire.questions == ()
    table.pass_bag(2, 3)
    assert table.position.parks[0].monument is not None


@pytest.mark.parametrize("felt", [True, False])
def test_a_monument_of_which_people_say_that_it_stands_is_not_lost(table, monument, felt):
    if felt:
        table.fall("city/0/0", "confirmed", 4.0)
    table.weigh("city/0/0", 60.0)
    table.answer(touched=False)
    assert table.umpire.status().agrees
    table.pass_bag(2, 3)
    assert table.position.parks[0].monument is not None


def test_a_monument_that_its_player_changed_for_another_one_counts(table, delivered):
    """It was taken away, which looked like a fall. With that "no" what was put there instead was forgotten (C 952)."""
    table.weigh("city/0/0", 60.0)
    table.weigh("city/0/0", 62.3)
    table.fall("city/0/0", "confirmed", 2.3)
    table.weigh("city/0/0", 60.0)
    table.weigh("city/0/0", 64.7)
    while table.umpire.questions:
        table.answer(touched=False)
    table.pass_bag(1, 2)
    assert [text.split()[1] for text in table.done()] == ["deliver", "place_central_park_monument", "end_turn"]


def test_a_monument_that_people_say_fell_is_not_asked_about(table, monument):
    table.say("table monument_fell at=0/0")
    assert table.umpire.questions == ()
    table.weigh("city/0/0", 60.0)
    table.pass_bag(2, 3)
    assert table.done() == ["table monument_fell at=0/0", "p2 end_turn"]


def test_a_fall_may_be_told_turns_later(table, weighed):
    fall_to(table, HEX, TILE_G + 20.0)
    table.draw(2, -6.0)  # two of them go back into the bag
    for before, seat in ((2, 3), (3, 1), (1, 2)):
        table.pass_bag(before, seat)
        table.draw(seat, 6.5)
    assert table.done() == []
    table.answer(what_fell="all", to_box=2, left=0)
    for seat in (3, 1):
        table.tells(f"p{seat} take_pieces")
    verbs = [text.split()[1] for text in table.done()]
    assert verbs == ["building_fell", "end_turn", "take_pieces", "end_turn", "take_pieces", "end_turn"]
    assert table.provisional() == ["p2 take_pieces drawn=unknown:3"]


def test_pieces_that_are_gone_without_a_fall_that_was_felt_are_asked_about(table, weighed):
    table.weigh(HEX, TILE_G + 31.0)
    assert proposed(table) == ("pieces_lost", {"what_fell": "some", "to_box": 1, "to_bag": 0, "height_mm": 31})
    table.answer(what_fell="some", to_box=1, to_bag=0, height_mm=27)
    table.weigh(HEX, TILE_G + 25.0)  # cleaned up
    table.pass_bag(2, 3)
    assert [text.split()[1] for text in table.done()] == ["pieces_lost", "end_turn"]
    assert table.umpire.questions == ()


def test_what_a_scale_lost_unfelt_fell_as_likely_as_the_scores_of_a_hex_say(table, weighed):
    table.weigh(HEX, TILE_G + 31.0)
    fell = table.umpire.provisional[-1]
    assert fell.action.startswith("table pieces_lost")
    assert 0 < fell.confidence.value <= measured()[CITY].lighter.likely


def test_a_hand_that_straightens_something_and_a_scale_that_wanders_are_no_loss(table, weighed):
    table.weigh(HEX, TILE_G + 90.0)
    table.weigh(HEX, TILE_G + 40.0)
    table.weigh(HEX, TILE_G + 39.2)
    assert table.umpire.questions == ()


def test_nothing_fell_where_people_say_so_and_is_not_asked_again(table, weighed):
    table.weigh(HEX, TILE_G + 31.0)
    table.answer(what_fell="nothing", to_box=1, to_bag=0, height_mm=31)
    table.weigh(HEX, TILE_G + 31.3)
    assert table.umpire.questions == ()


def test_a_load_that_leans_over_to_the_platform_beside_it_has_not_fallen(table, weighed):
    table.lay("platform/19/industrial", "city/0/1")
    table.weigh("city/0/1", 60.0)
    table.weigh("city/0/1", 69.0)
    table.weigh(HEX, TILE_G + 31.0)
    assert table.umpire.questions == ()


def test_a_telephone_on_the_tile_beside_it_took_nothing_over(table, weighed):
    """It was laid on Central Park while the loss was asked about, and the question was gone (B 50016)."""
    table.weigh("city/0/0", 14.0)
    table.weigh(HEX, TILE_G + 36.0)
    table.weigh("city/0/0", 89.0)
    assert proposed(table)[0] == "pieces_lost"


def test_a_fall_that_may_be_under_way_is_waited_for(table, weighed):
    table.fall(HEX, "alert", 9.0)
    table.weigh(HEX, TILE_G + 31.0)
    assert table.umpire.questions == ()
    table.fall(HEX, "withdrawn", 9.0)
    assert proposed(table)[0] == "pieces_lost"


def test_what_is_put_back_before_anybody_answers_is_not_asked_any_more(table, weighed):
    table.weigh(HEX, TILE_G + 31.0)
    assert proposed(table)[0] == "pieces_lost"
    table.weigh(HEX, TILE_G + 39.8)
    assert table.umpire.questions == ()
    table.pass_bag(2, 3)
    assert [text.split()[1] for text in table.done()] == ["end_turn"]


def test_a_missing_weight_that_no_story_explains_is_not_sought_at_each_fact(table, deal, monkeypatch):
    """Every judgement sought it anew, through all that may have been delivered: minutes of an evening (A 63017)."""
    sought = []
    believed = accidents._fell_unread
    monkeypatch.setattr(accidents, "_fell_unread", lambda *asked: sought.append(1) or believed(*asked))
    spot = table.where(f"platform/{deal.supply[0].platform}/{deal.supply[0].up}")
    table.move(spot, "city/2/0")
    for grams in (30.0, 22.0):
        table.weigh("city/2/0", grams)
    assert not table.umpire.status().agrees
    table.draw(1, 8.0)
    table.weigh("seat/2/pad/0", 15.0)
    times = len(sought)
    assert times
    for grams in (16.0, 18.0, 16.0):
        table.weigh("seat/2/pad/0", grams)
    assert len(sought) == times
    table.lift("supply/contract/public")
    table.weigh("seat/2/pad/0", 18.0)
    assert len(sought) == times + 1, "something else is wrong now"
