"""What is in a hand is no alarm, and what stays wrong is one."""

import pytest

from citytable.session.calm import IN_HAND_US, RESTING_US, SETTLING_US, Calm
from citytable.table.status import Disagreement, Status

BAG = Disagreement("missing", (), "bag", ("seat/2/bag",))
CARD = Disagreement("unexpected", ("seat/2/card/0",), "contract/IN1")
LIFTED = Disagreement("mass", ("city/0/0",), grams=-2.0)
RESTS = Disagreement("refused", ("city/-2/2",), "platform/11/residential", rule="R25")
DEAD = Disagreement("station_silent", ("city/0/0",), "park")
UNCLEAR = Disagreement("unclear", ())
DELIVERY = "p2 deliver contract=IN1 platform=17 at=-1/1"


def states(age_us, *wrong, under_way=()):
    """The states of what has been wrong for so long."""
    status = Status(wrong)
    judged = Calm().after(status, 0).judged(status, age_us, under_way)
    return [one.state for one in judged.disagreements]


def test_a_bag_on_its_way_is_in_a_hand_until_it_stays_away():
    assert states(IN_HAND_US - 1, BAG) == ["in_hand"]
    assert states(IN_HAND_US, BAG) == ["wrong"]


def test_a_story_that_does_not_fit_together_may_yet_while_hands_are_at_work():
    assert states(IN_HAND_US - 1, UNCLEAR) == ["settling"]
    assert states(IN_HAND_US, UNCLEAR) == ["wrong"]


def test_a_thing_put_down_wrong_is_an_alarm_within_three_seconds():
    assert states(0, CARD) == ["settling"]
    assert states(SETTLING_US, CARD) == ["wrong"]
    assert SETTLING_US <= 3_000_000


def test_the_card_of_a_delivery_under_way_belongs_to_it():
    assert states(SETTLING_US, CARD, under_way=[DELIVERY]) == ["settling"]
    assert states(SETTLING_US, CARD, under_way=[DELIVERY.replace("IN1", "IN2")]) == ["wrong"]
    assert states(IN_HAND_US, CARD, under_way=[DELIVERY]) == ["wrong"]


def test_a_tower_may_rest_on_its_way_where_it_may_not_stay():
    assert states(RESTING_US - 1, RESTS) == ["settling"]
    assert states(RESTING_US, RESTS) == ["wrong"]
    assert states(RESTING_US - 1, LIFTED) == ["settling"]
    assert states(RESTING_US, LIFTED) == ["wrong"]


@pytest.mark.parametrize("kind", ["station_silent", "sensor_fault"])
def test_what_fails_is_an_alarm_at_once(kind):
    assert states(0, Disagreement(kind, ("city/0/0",), "park")) == ["wrong"]


def test_the_age_of_one_starts_anew_after_it_was_put_right():
    first = Calm().after(Status((BAG,)), 0)
    again = first.after(Status(), 5).after(Status((BAG, DEAD)), IN_HAND_US)
    assert [one.state for one in again.judged(Status((BAG,)), IN_HAND_US, ()).disagreements] == ["in_hand"]


@pytest.mark.parametrize(
    ("wrong", "at_us"), [((CARD, BAG), SETTLING_US), ((BAG, DEAD), IN_HAND_US), ((DEAD,), None), ((), None)]
)
def test_the_next_alarm_is_known_beforehand(wrong, at_us):
    status = Status(wrong)
    assert Calm().after(status, 0).ripens_us(status, 0, ()) == at_us
    if at_us is not None:
        assert states(at_us - 1, *wrong) == states(0, *wrong) != states(at_us, *wrong)
