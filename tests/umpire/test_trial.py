"""A delivery is a trial by weight: what stood on the pad, and what rests on the hex."""

import pytest

from citytable.table.fact import MassMoving, MassSettled, PiecesCounted, TagCame, TagLeft
from citytable.umpire.observed import Observed
from citytable.umpire.trial import lost_g

PAD, HEX = "seat/1/pad/0", "city/1/0"
TOWER_G = 46.0


@pytest.fixture
def weighed(table, building):
    """The platform with its tower, weighed on the pad; the hex weighs, too."""
    table.weigh(HEX, 0.0)
    table.weigh(PAD, TOWER_G)
    table.measure(PAD, 31.0)
    number = building.split("/")[1]
    table.stood, table.fell = (f"p1 deliver contract=PU1 platform={number} at=1/0 stood={how}" for how in ("yes", "no"))
    return table


def arrives(table, grams):
    table.lift(PAD)
    table.weigh(PAD, 0.0)
    table.lay(table.stood_thing, HEX)
    table.weigh(HEX, grams)


@pytest.fixture(autouse=True)
def thing(weighed, building):
    weighed.stood_thing = building


def choices(table):
    (question,) = table.umpire.questions
    return question.fields[0].choices


def test_a_fall_of_which_the_scale_shows_nothing_is_asked_about(weighed):
    arrives(weighed, TOWER_G)
    weighed.fall(HEX)
    assert weighed.provisional() == [weighed.stood]
    assert choices(weighed) == (weighed.stood, weighed.fell)
    weighed.answer(which=weighed.stood)
    assert weighed.umpire.questions == ()
    weighed.lift(weighed.where("contract/PU1"))
    weighed.answer(height_mm=31, steel=4, concrete=0, glass=0, judged=True)
    weighed.pass_bag(1, 2)
    assert weighed.done()[0].startswith(weighed.stood)


def test_people_may_say_that_it_fell_although_all_of_it_lies_there(weighed):
    arrives(weighed, TOWER_G)
    weighed.fall(HEX)
    weighed.answer(which=weighed.fell)
    weighed.move(HEX, PAD)
    weighed.pass_bag(1, 2)
    assert weighed.done() == [weighed.fell, "p1 end_turn"]


def test_a_loss_that_nobody_felt_is_asked_about_and_the_fall_is_the_likelier_answer(weighed):
    arrives(weighed, TOWER_G - 12.0)
    assert choices(weighed) == (weighed.fell, weighed.stood)
    weighed.pass_bag(1, 2)
    assert weighed.done() == []


def test_what_was_measured_before_a_loss_is_not_proposed(weighed):
    arrives(weighed, TOWER_G - 12.0)
    weighed.answer(which=weighed.stood)
    weighed.lift(weighed.where("contract/PU1"))
    (form,) = weighed.umpire.questions
    assert "low_mm" not in form.words
    proposed = {field.name: field.proposed for field in form.fields}
    assert proposed["steel"] == proposed["concrete"] == proposed["glass"] == 0


def test_a_fall_that_the_scale_shows_is_believed(weighed):
    arrives(weighed, TOWER_G)
    weighed.stir(HEX)
    weighed.fall(HEX)
    weighed.weigh(HEX, TOWER_G - 12.0)
    assert weighed.provisional() == [weighed.fell]
    assert weighed.umpire.questions == ()


def test_a_tower_of_which_a_piece_fell_and_that_lies_there_when_its_turn_is_over_is_asked_about(weighed):
    """The sensor's word was believed though nobody took the tower back, and its player delivered it again (A 65019)."""
    arrives(weighed, TOWER_G)
    weighed.fall(HEX)
    weighed.weigh(HEX, TOWER_G - 2.8)
    assert weighed.provisional() == [weighed.fell]
    weighed.pass_bag(1, 2)
    assert choices(weighed) == (weighed.stood, weighed.fell)
    weighed.pass_bag(2, 3)
    weighed.pass_bag(3, 1)
    assert [text for text in weighed.provisional() if "deliver" in text] == [weighed.fell], "nobody did it again"
    weighed.answer(which=weighed.stood)
    assert weighed.provisional()[0] == weighed.stood
    assert [field.name for field in weighed.umpire.questions[0].fields][:2] == ["height_mm", "steel"]


def test_a_loss_that_shows_after_the_report_agrees_with_it(weighed):
    arrives(weighed, TOWER_G)
    weighed.fall(HEX)
    weighed.weigh(HEX, TOWER_G - 12.0)
    assert weighed.provisional() == [weighed.fell]
    assert weighed.umpire.questions == ()


@pytest.mark.parametrize("off_g", [0.6, -0.8])
def test_two_scales_that_differ_a_little_are_no_loss(weighed, off_g):
    arrives(weighed, TOWER_G - off_g)
    assert weighed.umpire.questions == ()


def test_what_fell_there_before_the_tower_was_taken_home_is_not_missing_when_it_comes_again():
    """It comes once more to the hex where it fell, with a hand on it that lets go (A 19009)."""
    observed, thing = Observed(), "platform/12/public"
    visits = [(PAD, [46.0]), (HEX, [46.0, 30.0]), (PAD, [30.0, 46.0]), (HEX, [83.0, 46.0])]
    for k, (spot, loads_g) in enumerate(visits):
        t_us = 100_000_000 * k
        facts = [TagCame(t_us=t_us, spot=spot, uid=thing, thing=thing)]
        for j, (before_g, mass_g) in enumerate(zip((0.0, *loads_g), (*loads_g, 0.0), strict=False)):
            at_us = t_us + 5_000_000 * (j + 1)
            facts += [TagLeft(t_us=at_us, spot=spot, uid=thing, thing=thing)] if not mass_g and k < 3 else []
            facts += [MassMoving(t_us=at_us, spot=spot)] if mass_g or k < 3 else []
            step_g = mass_g - before_g
            settled = MassSettled(t_us=at_us, spot=spot, mass_g=mass_g, step_g=step_g, error_g=0.1)
            facts += [settled] if mass_g or k < 3 else []
        for fact in facts:
            observed = observed.took(fact)
    assert lost_g(observed, HEX) == 0.0


def test_who_says_that_it_stood_after_a_fall_that_was_sensed_is_believed(weighed):
    arrives(weighed, TOWER_G)
    weighed.stir(HEX)
    weighed.fall(HEX)
    weighed.weigh(HEX, TOWER_G - 12.0)
    weighed.say(weighed.stood)
    assert weighed.provisional() == [weighed.stood]


@pytest.mark.parametrize("held", [1, 2])
def test_the_contract_that_was_tried_for_is_the_one_that_its_player_names(weighed, deal, held):
    """Two fit the platform, and a building that fell turns neither over (A 31001)."""
    columns = deal.columns[0]
    weighed.take_contract(1, *columns[1:3])
    for seat, to in ((1, 2), (2, 3), (3, 1)):
        weighed.pass_bag(seat, to)
    arrives(weighed, TOWER_G)
    weighed.stir(HEX)
    weighed.fall(HEX)
    weighed.weigh(HEX, TOWER_G - 30.0)
    weighed.move(HEX, PAD)
    named = weighed.fell.replace("PU1", columns[held - 1])
    weighed.say(named)
    assert weighed.provisional()[-1:] == [named]
    weighed.pass_bag(1, 2)
    assert weighed.done()[-2:] == [named, "p1 end_turn"]


def test_a_tower_that_arrives_bare_and_is_taken_home_is_asked_about(weighed):
    """A hand steadied it before it was lifted, so that it may have lost pieces on the pad already (B 12008)."""
    weighed.stir(PAD)
    weighed.stir(PAD)
    arrives(weighed, 16.0)
    weighed.move(HEX, PAD)
    weighed.weigh(HEX, 0.0)
    weighed.weigh(PAD, 16.0)
    weighed.pass_bag(1, 2)
    assert choices(weighed) == (weighed.fell, "nothing")
    weighed.answer(which=weighed.fell)
    assert weighed.done() == [weighed.fell, "p1 end_turn"]


def test_what_was_done_since_is_sure_though_the_delivered_contract_lies_in_its_slot_yet(weighed, deal):
    """Nothing of it was, and platforms that were taken one after the other were told as come up in another order."""
    arrives(weighed, TOWER_G)
    weighed.pass_bag(1, 2)
    weighed.take_contract(2, *deal.columns[1][:2])
    state = weighed.umpire._state
    assert [one.split()[1] for one in weighed.provisional()] == ["deliver", "end_turn", "take_contract"]
    assert state.story.sure == len(state.path)


def test_a_fall_takes_the_place_of_the_delivery_whatever_a_hand_on_the_bag_looked_like(weighed):
    """A draw that was none kept the fall from being believed; taken home, the tower had never been there (B 48030)."""
    for grams in (9.0, -3.0):
        weighed.draw(1, grams)
    weighed.weigh(PAD, 0.0)
    weighed.lift(PAD)
    weighed.lay(weighed.stood_thing, HEX)
    weighed.fall(HEX, "alert", TOWER_G - 16.0)
    weighed.fall(HEX, "confirmed", TOWER_G - 16.0)
    weighed.weigh(HEX, 16.0)
    assert weighed.provisional() == [weighed.fell]
    weighed.move(HEX, PAD)
    assert weighed.provisional() == [weighed.fell]


def test_a_fall_is_believed_though_a_hand_took_hold_of_the_tower_a_second_before_it_took_it_home(weighed):
    """A scale that moves weighs nothing: the trial was forgotten, and the delivery with it (B 52004)."""
    arrives(weighed, 16.0)
    weighed.stir(HEX)
    weighed.move(HEX, PAD)
    weighed.weigh(HEX, 0.0)
    weighed.weigh(PAD, 16.0)
    weighed.pass_bag(1, 2)
    assert choices(weighed) == (weighed.fell, "nothing")


def test_what_is_asked_about_a_tower_is_answered_after_the_turns_before_it_were_confirmed(weighed, deal):
    """The answer was taken for an act that many places later in what was left of the story (B 52004)."""
    first, below = deal.columns[1][:2]
    weighed.lift(weighed.where(f"contract/{first}"))
    weighed.lay(f"contract/{below}", "supply/contract/industrial")
    for seat, to in ((1, 2), (2, 3), (3, 1)):
        weighed.pass_bag(seat, to)
    arrives(weighed, 16.0)
    weighed.lay(f"contract/{first}", "seat/1/card/2")
    weighed.answer(which=weighed.fell)
    assert weighed.provisional() == [weighed.fell]


@pytest.mark.parametrize("there", [True, False])
def test_a_fall_where_nothing_was_read_while_a_tower_is_in_a_hand_is_asked_about(weighed, there):
    """The reader missed the platform; its player took it home and it had never been there (B 56012)."""
    weighed.lift(PAD)
    weighed.weigh(PAD, 0.0)
    weighed.fall(HEX, "alert", 30.0)
    weighed.stir(HEX)
    weighed.fall(HEX, "confirmed", 30.0)
    weighed.weigh(HEX, 0.0)
    weighed.lay(weighed.stood_thing, PAD)
    weighed.weigh(PAD, 16.0)
    weighed.pass_bag(1, 2)
    assert choices(weighed) == (weighed.fell, "nothing")
    weighed.answer(which=weighed.fell if there else "nothing")
    assert weighed.done() == [*[weighed.fell] * there, "p1 end_turn"]
    assert weighed.umpire.status().agrees


def test_a_fall_where_nothing_was_read_is_none_while_only_a_bare_platform_is_in_a_hand(weighed):
    weighed.weigh(PAD, 16.0)
    weighed.umpire.feed((PiecesCounted(t_us=weighed.t_us, spot=PAD, n=0, unsure=False),))
    weighed.lift(PAD)
    weighed.weigh(PAD, 0.0)
    weighed.fall(HEX, "confirmed", 30.0)
    weighed.lay(weighed.stood_thing, PAD)
    weighed.pass_bag(1, 2)
    assert weighed.done() == ["p1 end_turn"]


def fallen_since(weighed):
    """The tower stood on its hex, and all of it fell a moment later."""
    arrives(weighed, TOWER_G)
    weighed.fall(HEX, "alert", 30.0)
    weighed.stir(HEX)
    weighed.fall(HEX, "confirmed", 30.0)
    weighed.weigh(HEX, 16.0)
    weighed.umpire.feed((PiecesCounted(t_us=weighed.t_us, spot=HEX, n=0, unsure=False),))
    assert weighed.provisional() == [weighed.fell]


def test_a_tower_that_stood_as_its_player_says_and_fell_is_asked_about(weighed):
    """Their word took the place of the fall that was sensed, and what lay on the hex was nobody's matter (A 55020)."""
    fallen_since(weighed)
    stood = f"{weighed.stood} height=31mm pieces=steel:4 judged=yes"
    weighed.say(stood)
    assert weighed.provisional() == [stood, "table building_fell at=1/0"]
    (question,) = weighed.umpire.questions
    assert question.prompt == "building_fell"
    weighed.answer(what_fell="all", to_box=4, left=0)
    weighed.pass_bag(1, 2)
    assert weighed.done() == [stood, "table building_fell at=1/0 to_box=4 left=0", "p1 end_turn"]


def test_a_tower_that_stood_by_the_answer_to_a_question_and_fell_is_asked_about(weighed):
    """The turn was over, its player said that it stood, and nobody asked what had become of it (A 81041)."""
    fallen_since(weighed)
    weighed.pass_bag(1, 2)
    assert choices(weighed) == (weighed.stood, weighed.fell)
    weighed.answer(which=weighed.stood)
    assert weighed.provisional()[:2] == [weighed.stood, "table building_fell at=1/0"]


def test_a_tower_that_stood_and_fell_unfelt_in_its_turn_is_asked_about(weighed):
    """Who answered that it stood was asked no more (A 83011)."""
    arrives(weighed, TOWER_G)
    weighed.weigh(HEX, 16.0)
    weighed.umpire.feed((PiecesCounted(t_us=weighed.t_us, spot=HEX, n=0, unsure=False),))
    assert choices(weighed) == (weighed.fell, weighed.stood)
    weighed.answer(which=weighed.stood)
    assert weighed.provisional()[:2] == [weighed.stood, "table building_fell at=1/0"]


def test_who_reports_that_a_building_fell_says_that_its_delivery_stood(weighed):
    """The word was refused while a sensor's report made it a delivery that failed (A 81041, A 65019)."""
    fallen_since(weighed)
    fell = "table building_fell at=1/0 to_box=4 left=0"
    weighed.say(fell)
    assert weighed.provisional() == [weighed.stood, fell]
    weighed.answer(height_mm=31, steel=4, concrete=0, glass=0, judged=True)
    weighed.pass_bag(1, 2)
    assert [text.split()[1] for text in weighed.done()] == ["deliver", "building_fell", "end_turn"]


def test_a_fall_counts_though_a_hand_on_the_bag_had_left_no_action_for_its_delivery(weighed):
    """The delivery was refused, what fell was nobody's, and taken home it had never been there (B 58014)."""
    weighed.draw(1, 5.0)
    weighed.lift(PAD)
    weighed.weigh(PAD, 0.0)
    weighed.fall(HEX, "alert", 30.0)
    weighed.lay(weighed.stood_thing, HEX)
    weighed.fall(HEX, "confirmed", 30.0)
    weighed.weigh(HEX, 16.0)
    assert weighed.fell in weighed.provisional()
    weighed.move(HEX, PAD)
    weighed.weigh(HEX, 0.0)
    weighed.draw(1, -5.0)
    weighed.pass_bag(1, 2)
    assert weighed.fell in weighed.done()


def test_a_fall_counts_though_the_tower_is_back_on_its_pad_before_the_scale_of_the_hex_rests(weighed):
    """The tower was never weighed, and its delivery had never been (strangers, no habit: 9)."""
    weighed.stir(PAD)
    weighed.lift(PAD)
    weighed.fall(HEX, "alert", 30.0)
    weighed.stir(HEX)
    weighed.lay(weighed.stood_thing, HEX)
    weighed.fall(HEX, "confirmed", 30.0)
    weighed.move(HEX, PAD)
    weighed.weigh(PAD, 16.0)
    weighed.weigh(HEX, 0.0)
    weighed.pass_bag(1, 2)
    assert choices(weighed) == (weighed.fell, "nothing")
    weighed.answer(which=weighed.fell)
    assert weighed.done() == [weighed.fell, "p1 end_turn"]


@pytest.mark.parametrize("has_fallen", [True, False])
@pytest.mark.parametrize("is_weighed", [True, False])
def test_who_passes_with_nothing_done_after_their_platform_lay_bare_on_a_hex_is_asked_once_whether_it_fell(
    weighed, is_weighed, has_fallen
):
    """All of it fell before anything weighed it, and nobody had felt it (strangers, no habit: 28)."""
    if not is_weighed:
        weighed.weigh(PAD, 16.0)
        weighed.pass_bag(1, 2)
        weighed.pass_bag(2, 3)
        weighed.pass_bag(3, 1)
        weighed.confirmed.clear()
        weighed.stir(PAD)
    arrives(weighed, 16.0)
    weighed.move(HEX, PAD)
    weighed.weigh(HEX, 0.0)
    weighed.weigh(PAD, 16.0)
    weighed.pass_bag(1, 2)
    assert set(choices(weighed)) == {"nothing", weighed.fell}
    weighed.answer(which=weighed.fell if has_fallen else "nothing")
    assert weighed.done() == ([weighed.fell] if has_fallen else []) + ["p1 end_turn"]
