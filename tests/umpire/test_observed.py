"""The observed table: tags, weights and the steps that belong to things rather than to scales."""

import pytest

from citytable.table.fact import (
    HeightMeasured,
    MassMoving,
    MassSettled,
    SensorFault,
    StationCame,
    StationWent,
    TagCame,
    TagLeft,
)
from citytable.umpire.observed import Observed


class Seen:
    """A table as it was observed last."""

    def __init__(self):
        self.observed = Observed()

    def take(self, fact):
        self.observed = self.observed.took(fact)

    def __getattr__(self, name):
        return getattr(self.observed, name)


@pytest.fixture
def seen():
    return Seen()


def came(seen, thing, spot):
    seen.take(TagCame(t_us=0, spot=spot, uid=thing, thing=thing))


def left(seen, thing, spot):
    seen.take(TagLeft(t_us=0, spot=spot, uid=thing, thing=thing))


def weigh(seen, spot, mass_g, step_g):
    seen.take(MassMoving(t_us=0, spot=spot))
    seen.take(MassSettled(t_us=0, spot=spot, mass_g=mass_g, step_g=step_g, error_g=0.1))


def grams(seen):
    return [(step.spot, round(step.grams, 2)) for step in seen.steps]


def test_a_step_while_a_thing_stays_is_what_the_scale_says(seen):
    came(seen, "bag", "seat/1/bag")
    weigh(seen, "seat/1/bag", 330.0, 330.0)
    weigh(seen, "seat/1/bag", 323.9, -6.1)
    assert grams(seen) == [("seat/1/bag", -6.1)]


def test_the_bag_passed_without_a_piece_less_makes_no_step_although_both_scales_wandered(seen):
    came(seen, "bag", "seat/1/bag")
    weigh(seen, "seat/1/bag", 330.0, 330.0)
    left(seen, "bag", "seat/1/bag")
    weigh(seen, "seat/1/bag", 1.4, -328.6)  # its zero wandered by 1.4 g meanwhile
    came(seen, "bag", "seat/2/bag")
    weigh(seen, "seat/2/bag", 327.9, 328.7)
    assert grams(seen) == []


def test_what_left_the_bag_on_its_way_left_it_at_the_seat_before(seen):
    came(seen, "bag", "seat/1/bag")
    weigh(seen, "seat/1/bag", 330.0, 330.0)
    left(seen, "bag", "seat/1/bag")
    weigh(seen, "seat/1/bag", 0.0, -330.0)
    came(seen, "bag", "seat/2/bag")
    weigh(seen, "seat/2/bag", 322.0, 322.0)
    assert grams(seen) == [("seat/1/bag", -8.0)]


@pytest.mark.parametrize(("arrives_g", "steps"), [(433.7, []), (434.9, []), (425.0, [("seat/1/bag", -8.7)])])
def test_a_bag_that_agrees_with_either_of_two_weighings_has_lost_nothing(seen, arrives_g, steps):
    """The scale settled on it, and then lost more than that when the bag was lifted: one of the two is wrong."""
    came(seen, "bag", "seat/1/bag")
    weigh(seen, "seat/1/bag", 433.7, 433.7)
    left(seen, "bag", "seat/1/bag")
    weigh(seen, "seat/1/bag", -1.2, -434.9)
    came(seen, "bag", "seat/2/bag")
    weigh(seen, "seat/2/bag", arrives_g, arrives_g)
    assert grams(seen) == steps


def test_what_a_bag_loses_while_its_tag_is_not_read_is_a_step_of_the_scale_on_which_it_lies(seen):
    """A phone lay over the reader: the tag seemed gone, and the bag lay there yet (A 19014)."""
    came(seen, "bag", "seat/1/bag")
    weigh(seen, "seat/1/bag", 189.4, 189.4)
    left(seen, "bag", "seat/1/bag")
    weigh(seen, "seat/1/bag", 180.6, -8.8)
    weigh(seen, "seat/1/bag", 0.0, -180.6)
    came(seen, "bag", "seat/2/bag")
    weigh(seen, "seat/2/bag", 180.8, 180.8)
    assert grams(seen) == [("seat/1/bag", -8.8)]


@pytest.mark.parametrize(
    ("lay_g", "total_g", "weighs_g", "steps"), [(421.2, 615.4, 194.2, [-9.8]), (40.0, 204.0, 204.0, [])]
)
def test_what_lay_on_a_cradle_before_the_bag_came_hides_no_draw(seen, lay_g, total_g, weighs_g, steps):
    """Somebody's phone lay there, and what the next player drew in their lap was lost with it (C 1076).

    A hand that lets go as the bag comes was no such load.
    """
    came(seen, "bag", "seat/2/bag")
    weigh(seen, "seat/2/bag", 204.0, 204.0)
    left(seen, "bag", "seat/2/bag")
    weigh(seen, "seat/2/bag", 0.0, -204.0)
    weigh(seen, "seat/3/bag", lay_g, lay_g)
    seen.take(MassMoving(t_us=0, spot="seat/3/bag"))
    came(seen, "bag", "seat/3/bag")
    weigh(seen, "seat/3/bag", total_g, total_g - lay_g)
    assert [round(step.grams, 2) for step in seen.steps] == steps
    left(seen, "bag", "seat/3/bag")
    weigh(seen, "seat/3/bag", total_g - weighs_g, -weighs_g)
    assert [round(step.grams, 2) for step in seen.steps] == steps
    assert seen.weighs_g("bag") == pytest.approx(weighs_g)


@pytest.mark.parametrize(
    ("after_us", "step_g", "steps"),
    [(690_000, -1.5, []), (3_000_000, -1.5, [-1.5]), (690_000, -9.0, [-9.0]), (690_000, 2.5, [2.5])],
)
def test_the_hand_that_lays_a_new_thing_down_lets_go_of_it(seen, after_us, step_g, steps):
    """A park tile that weighed 15.5 g with a finger on it, and 14 without: nothing was taken off it."""
    came(seen, "park/3", "city/-2/1")
    weigh(seen, "city/-2/1", 15.5, 15.5)
    seen.take(MassSettled(t_us=after_us, spot="city/-2/1", mass_g=15.5 + step_g, step_g=step_g, error_g=0.1))
    assert [step.grams for step in seen.steps] == steps
    assert seen.weighs_g("park/3") == 15.5 + step_g
    weigh(seen, "city/-2/1", 18.5 + step_g, 3.0)
    assert len(seen.steps) == len(steps) + 1


def test_a_hand_that_pressed_on_a_thing_as_it_was_weighed_again_made_no_step(seen):
    """What it pressed is in the step before, too: together they are nothing."""
    came(seen, "bag", "seat/1/bag")
    weigh(seen, "seat/1/bag", 330.0, 330.0)
    left(seen, "bag", "seat/1/bag")
    weigh(seen, "seat/1/bag", 0.0, -330.0)
    came(seen, "bag", "seat/2/bag")
    weigh(seen, "seat/2/bag", 331.5, 331.5)
    weigh(seen, "seat/2/bag", 330.0, -1.5)
    assert seen.steps == ()


def test_what_a_hand_pressed_is_no_weight_although_two_scales_do_not_weigh_quite_alike(seen):
    """A monument was said to have gone to the bag, which was 8 g heavier for a second (strangers, no habit: 170)."""
    came(seen, "bag", "seat/1/bag")
    weigh(seen, "seat/1/bag", 314.0, 314.0)
    left(seen, "bag", "seat/1/bag")
    weigh(seen, "seat/1/bag", 0.0, -314.0)
    came(seen, "bag", "seat/2/bag")
    weigh(seen, "seat/2/bag", 322.0, 322.0)
    assert seen.weights.may_let_go(seen.now_us)
    weigh(seen, "seat/2/bag", 312.7, -9.3)
    assert grams(seen) == [("seat/1/bag", -1.3)]
    assert not seen.weights.may_let_go(seen.now_us)


def test_a_scale_is_not_weighed_before_it_settled_with_the_thing_on_it(seen):
    weigh(seen, "seat/1/bag", 0.0, 0.0)
    came(seen, "bag", "seat/1/bag")
    assert not seen.weighed("seat/1/bag")
    weigh(seen, "seat/1/bag", 330.0, 330.0)
    assert seen.weighed("seat/1/bag")
    seen.take(MassMoving(t_us=0, spot="seat/1/bag"))
    assert not seen.weighed("seat/1/bag")


def test_a_tag_read_after_its_load_settled_is_weighed_at_once(seen):
    weigh(seen, "seat/1/bag", 330.0, 330.0)
    came(seen, "bag", "seat/1/bag")
    assert seen.weighed("seat/1/bag")


def test_a_spot_without_a_scale_has_nothing_to_weigh(seen):
    came(seen, "bag", "seat/1/bag")
    assert seen.weighed("seat/1/bag")


def test_what_a_scale_tells_after_a_silence_is_one_step_of_which_a_little_may_be_its_own(seen):
    came(seen, "central-park", "city/0/0")
    weigh(seen, "city/0/0", 14.0, 14.0)
    seen.take(StationWent(t_us=0, station="park", spots=("city/0/0",)))
    seen.take(StationCame(t_us=0, station="park", boot=2, spots=("city/0/0",)))
    weigh(seen, "city/0/0", 13.7, -0.3)
    weigh(seen, "city/0/0", 16.0, 2.3)
    assert [(step.grams, step.bridged, step.own_g) for step in seen.steps] == [(-0.3, True, 0.6), (2.3, False, 0.0)]


@pytest.mark.parametrize(("minutes", "own_g"), [(6, 1.1), (60, 2.0)])
def test_the_longer_a_scale_was_silent_the_more_of_its_step_may_be_its_own(seen, minutes, own_g):
    came(seen, "central-park", "city/0/0")
    weigh(seen, "city/0/0", 14.0, 14.0)
    seen.take(StationWent(t_us=0, station="park", spots=("city/0/0",)))
    seen.take(MassSettled(t_us=minutes * 60_000_000, spot="city/0/0", mass_g=14.0, step_g=0.0, error_g=0.1))
    assert [step.own_g for step in seen.steps] == pytest.approx([own_g])


def test_what_a_bag_lost_that_was_passed_in_a_silence_is_a_step_across_it(seen):
    came(seen, "bag", "seat/1/bag")
    weigh(seen, "seat/1/bag", 330.0, 330.0)
    seen.take(StationWent(t_us=0, station="seat-1", spots=("seat/1/bag",)))
    left(seen, "bag", "seat/1/bag")
    came(seen, "bag", "seat/2/bag")
    weigh(seen, "seat/2/bag", 321.0, 321.0)
    weigh(seen, "seat/1/bag", 0.2, -329.8)
    left(seen, "bag", "seat/2/bag")
    came(seen, "bag", "seat/1/bag")
    weigh(seen, "seat/1/bag", 315.0, 315.0)
    assert [(step.spot, step.grams, step.bridged) for step in seen.steps] == [
        ("seat/1/bag", -9.0, True),
        ("seat/2/bag", -6.0, False),
    ]


def test_a_scale_that_was_silent_has_weighed_nothing_before_it_rests_again(seen):
    came(seen, "bag", "seat/1/bag")
    weigh(seen, "seat/1/bag", 330.0, 330.0)
    seen.take(StationWent(t_us=0, station="seat-1", spots=("seat/1/bag",)))
    seen.take(StationCame(t_us=0, station="seat-1", boot=2, spots=("seat/1/bag",)))
    assert not seen.weighed("seat/1/bag")
    weigh(seen, "seat/1/bag", 330.0, 0.0)
    assert seen.weighed("seat/1/bag")


def test_what_a_scale_told_before_its_station_is_known_to_be_back_counts(seen):
    """Its clock is known to some milliseconds only: what came after may seem to have been before."""
    came(seen, "bag", "seat/1/bag")
    weigh(seen, "seat/1/bag", 330.0, 330.0)
    seen.take(StationWent(t_us=0, station="seat-1", spots=("seat/1/bag",)))
    weigh(seen, "seat/1/bag", 330.0, 0.0)
    seen.take(StationCame(t_us=0, station="seat-1", boot=2, spots=("seat/1/bag",)))
    assert seen.weighed("seat/1/bag")


def test_a_scale_at_fault_holds_nothing_up_and_tells_one_step_when_it_is_well_again(seen):
    came(seen, "bag", "seat/1/bag")
    weigh(seen, "seat/1/bag", 330.0, 330.0)
    for on in (True, False):
        seen.take(MassMoving(t_us=0, spot="seat/1/bag"))
        seen.take(SensorFault(t_us=0, spot="seat/1/bag", sensor="cell", what="cell 0: silent", on=on))
        assert (seen.unweighed("seat/1/bag"), seen.weighed("seat/1/bag")) == (on, on)
    weigh(seen, "seat/1/bag", 330.2, 0.0)
    assert seen.weighed("seat/1/bag")
    assert [(step.grams, step.bridged) for step in seen.steps] == [(0.0, True)]


def test_a_silent_station_is_unheard_until_it_is_back(seen):
    seen.take(StationWent(t_us=0, station="park", spots=("city/0/0",)))
    assert seen.unheard("city/0/0")
    assert not seen.unheard("city/1/0")
    seen.take(StationCame(t_us=0, station="park", boot=2, spots=("city/0/0",)))
    assert not seen.unheard("city/0/0")


def test_a_scale_that_moved_when_its_station_went_for_good_holds_nothing_up(seen):
    came(seen, "central-park", "city/0/0")
    weigh(seen, "city/0/0", 15.0, 15.0)
    seen.take(MassMoving(t_us=0, spot="city/0/0"))
    assert not seen.weighed("city/0/0")
    seen.take(StationWent(t_us=0, station="park", spots=("city/0/0",)))
    assert seen.weighed("city/0/0")
    came(seen, "park/1", "city/0/0")
    assert not seen.weighed("city/0/0"), "nobody has weighed what was read there last"
    seen.take(StationCame(t_us=0, station="park", boot=2, spots=("city/0/0",)))
    assert not seen.weighed("city/0/0"), "it still moves, until it says that it rests"


def test_a_height_belongs_to_what_lay_there_when_it_was_measured(seen):
    came(seen, "platform/3/public", "seat/1/pad/0")
    seen.take(HeightMeasured(t_us=5, spot="seat/1/pad/0", low_mm=40.0, high_mm=44.0, source="crane"))
    left(seen, "platform/3/public", "seat/1/pad/0")
    assert seen.heights["platform/3/public"].low_mm == 40.0


def test_a_fault_stays_until_it_is_cleared(seen):
    seen.take(SensorFault(t_us=0, spot="city/1/0", sensor="cell", what="railed", on=True))
    assert seen.faults == {("city/1/0", "cell"): "railed"}
    seen.take(SensorFault(t_us=0, spot="city/1/0", sensor="cell", what="railed", on=False))
    assert seen.faults == {}


def test_an_unregistered_tag_is_kept_by_its_uid(seen):
    seen.take(TagCame(t_us=0, spot="city/1/0", uid="04aa", thing=None))
    assert seen.at("city/1/0") == {"?04aa"}


@pytest.mark.parametrize(
    ("where", "to", "set_out_us"),
    [
        ("seat/2/pad/1", "seat/2/pad/2", 1_000_000),
        ("city/1/-1", "city/2/-1", 1_000_000),
        ("seat/2/pad/1", "seat/1/pad/1", 3_000_000),
        ("seat/2/pad/1", "city/1/-1", 3_000_000),
    ],
)
def test_a_thing_sets_out_when_it_leaves_for_another_place_not_for_the_spot_beside_it(seen, where, to, set_out_us):
    thing = "platform/7/public"
    for kind, t_us, spot in (
        (TagLeft, 1_000_000, "supply/platform/0"),
        (TagCame, 2_000_000, where),
        (TagLeft, 3_000_000, where),
        (TagCame, 4_000_000, to),
    ):
        seen.take(kind(t_us=t_us, spot=spot, uid=thing, thing=thing))
    assert seen.observed.set_out_us[thing] == set_out_us


def test_what_lay_on_a_scale_before_anybody_listened_is_weighed(seen):
    """Nothing was ever confirmed where Central Park lay in its place when the hub started."""
    came(seen, "central-park", "city/0/0")
    weigh(seen, "city/0/0", 41.2, 0.0)
    assert seen.weighed("city/0/0")
    assert seen.weighs_g("central-park") == pytest.approx(41.2)
