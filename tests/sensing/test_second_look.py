"""The second look: what a motion comes to, once its load rests again."""

from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.sensing import second_look
from citytable.sensing.calibration import Cal
from citytable.sensing.fall import State
from citytable.sensing.features import GLANCE
from citytable.sensing.features import NAMES as IN_FLIGHT
from citytable.sensing.piece_sizes import HEAVIEST_G
from citytable.sensing.second_look import (
    AROUND_US,
    COLLAPSE,
    HEAVIER_G,
    KEPT_NAMES,
    NAMES,
    RULE_FROM,
    Beside,
)
from citytable.sensing.spot_detector import Detector
from citytable.sensing.trees import Judges, collapse_forest, glance_forest, kept_forest, rest_forest

TILE_G = 30.0
FALLS = ("collapse", "partial_collapse")
UNKNOWN = -9.0


class Says:
    """Trees that always say the same, and keep what they were asked."""

    def __init__(self, chance):
        self._chance = chance
        self.rows = []

    def chance(self, x):
        self.rows.append(x)
        return self._chance


class Said(Says):
    """The same, and note in `asked` by which name they were asked."""

    def __init__(self, chance, name, asked):
        super().__init__(chance)
        self._name, self._asked = name, asked

    def chance(self, x):
        self._asked.append(self._name)
        return super().chance(x)


@pytest.fixture(scope="session")
def told(kit):
    """`told(loads, seconds, ...)`: the events of a signal on a platform of 30 g whose heaviest piece weighs 17 g."""

    def told(
        loads,
        seconds,
        *,
        flight=0.0,
        rest=0.0,
        collapse=0.0,
        pieces=0.0,
        cells=3,
        heaviest_g=17.0,
        kept=False,
        moves=None,
    ):
        base = kit.cal(cells, 900.0, TILE_G)
        cal = Cal(base.counts_per_g, base.zero_counts, TILE_G, heaviest_g=heaviest_g, kept=kept)
        judges = Judges(Says(flight), None, Says(rest), Says(collapse), Says(pieces), Says(1.0))
        watch = Detector(cal, judges)
        rows = kit.rows(loads, seconds, cells)
        return [event for t_us, counts in rows for event in watch.update(t_us, counts, beside_moves=moves)]

    return told


def stages(events):
    return [event.stage for event in events if event.kind in FALLS]


def falls(events):
    return [(event.kind, event.stage, event.at_rest) for event in events if event.kind in FALLS]


def test_a_platform_that_lost_more_than_its_heaviest_piece_lost_it_to_no_hand(kit, told):
    over, not_over = 17 + HEAVIER_G + 1, 17
    assert falls(told(kit.Loads(TILE_G + 60).take(3, over), 6, rest=RULE_FROM)) == [
        ("partial_collapse", "confirmed", True)
    ]
    assert falls(told(kit.Loads(TILE_G + 60).take(3, not_over), 6, rest=RULE_FROM)) == []
    assert falls(told(kit.Loads(TILE_G + 60).take(3, over), 6, rest=RULE_FROM / 2)) == []


def test_while_the_heaviest_piece_is_unknown_more_than_any_piece_weighs_was_lost_to_no_hand(kit, told):
    over, not_over = HEAVIEST_G + HEAVIER_G + 1, HEAVIEST_G
    taken = kit.Loads(TILE_G + 60).take(3, over)
    assert falls(told(taken, 6, rest=RULE_FROM, heaviest_g=0.0)) == [("partial_collapse", "confirmed", True)]
    taken = kit.Loads(TILE_G + 60).take(3, not_over)
    assert falls(told(taken, 6, rest=RULE_FROM, heaviest_g=0.0)) == []
    lifted = kit.Loads(TILE_G + 60).take(3, TILE_G + 60)
    assert falls(told(lifted, 6, rest=RULE_FROM, heaviest_g=0.0)) == []
    leant = kit.Loads(TILE_G + 60).set_down(3, 12).lean(6, 90, 3).take(12, 12)
    assert falls(told(leant, 16, rest=RULE_FROM, heaviest_g=0.0)) == []


def test_where_nobody_takes_pieces_other_trees_judge_until_something_fell_from_that_platform(kit, monkeypatch):
    asked = []
    for name, chance in (("kept", 0.9), ("rest", 0.0)):
        forest = Said(chance, name, asked)
        monkeypatch.setattr(second_look, f"{name}_forest", lambda forest=forest: forest)
    base = kit.cal(3, 900.0, TILE_G)
    watch = Detector(Cal(base.counts_per_g, base.zero_counts, TILE_G, heaviest_g=10.0, kept=True))
    gathered = kit.Loads(TILE_G + 90).take(3, 20).take(6, 20)
    loads = gathered.take(9, TILE_G + 50).set_down(12, TILE_G + 90).take(15, 25)
    events = [event for t_us, counts in kit.rows(loads, 18, 3) for event in watch.update(t_us, counts)]
    assert [name for name, _ in groupby(asked)] == ["kept", "rest", "kept"]
    assert asked.count("rest") == 3
    found = [event for event in events if event.kind in FALLS and event.at_rest]
    assert [event.n for event in found] == [3, 4]  # nobody set a piece down: the usual one weighs 6 g of 10


@pytest.mark.parametrize(("away_s", "asked_last"), [(0.4, "kept"), (-0.1, "rest")])
def test_a_platform_that_is_changed_before_the_scale_rests_is_another_one(kit, monkeypatch, away_s, asked_last):
    """Something fell, and hands bring another platform within one motion. A bump does not lift it for so long."""
    asked = []
    for name, chance in (("kept", 0.9), ("rest", 0.0)):
        forest = Said(chance, name, asked)
        monkeypatch.setattr(second_look, f"{name}_forest", lambda forest=forest: forest)
    base = kit.cal(1, 900.0, TILE_G)
    watch = Detector(Cal(base.counts_per_g, base.zero_counts, TILE_G, heaviest_g=10.0, kept=True))
    changed = kit.Loads(TILE_G + 90).take(3, 20).take(6, TILE_G + 70).set_down(6.2 + away_s, TILE_G + 90)
    for t_us, counts in kit.rows(changed.take(10, 25), 13, 1):
        watch.update(t_us, counts)
    assert asked[-1] == asked_last


def test_in_the_city_the_kind_of_a_fall_is_told_by_what_is_gone_of_the_building(kit, told):
    """A hand that lay there when it fell is no part of the building, and the trees for other spots are not asked."""
    for lost_g, kind in ((COLLAPSE * 60 - 2, "partial_collapse"), (COLLAPSE * 60 + 2, "collapse")):
        loads = kit.Loads(TILE_G + 61).take(3, 1).set_down(6, 40).take(9, 40 + lost_g)
        assert falls(told(loads, 12, rest=0.95, collapse=0.9, kept=True))[-1][0] == kind
    assert falls(told(kit.Loads(TILE_G + 60).take(3, 5), 6, rest=0.95, collapse=0.9)) == [
        ("collapse", "confirmed", True)
    ]


class Losses:
    """Trees that take every loss of more than 5 g for a fall."""

    def chance(self, x):
        return 0.9 if x[NAMES.index("step")] < -5 else 0.0


def test_what_a_spot_gains_from_which_nobody_takes_pieces_is_no_piece_that_came(kit):
    """A platform that leans on this one and leaves again: three times half a gram, and then 20 g fall."""
    base = kit.cal(3, 900.0, TILE_G)
    cal = Cal(base.counts_per_g, base.zero_counts, TILE_G, heaviest_g=10.0, kept=True)
    watch = Detector(cal, Judges(Says(0.0), None, Losses(), Says(0.0), Says(0.0)))
    loads = kit.Loads(TILE_G + 90).set_down(3, 0.6).set_down(6, 0.6).set_down(9, 0.6).take(12, 20)
    events = [event for t_us, counts in kit.rows(loads, 15, 3) for event in watch.update(t_us, counts)]
    assert [event.n for event in events if event.kind in FALLS] == [3]  # of 6 g


def test_people_do_not_wait_for_a_trembling_table_once_something_fell_where_nobody_takes_pieces(kit, told):
    fallen = kit.Loads(TILE_G + 60).fall(3, 15).tremble(3, 3, 4.5)
    kept, taken = (
        next(event.t_us for event in told(fallen, 9, flight=0.99, kept=kept) if event.stage == "corrected")
        for kept in (True, False)
    )
    assert kept < 3_800_000
    assert kept + 500_000 < taken


@pytest.mark.parametrize(("chance", "rested_us"), [(0.98, 300_000), (0.92, 400_000), (0.8, 500_000), (0.7, None)])
def test_where_nobody_takes_pieces_a_fall_is_told_the_sooner_the_likelier_it_is(kit, told, chance, rested_us):
    lost = kit.Loads(TILE_G + 60).take(3, 15)
    gone_us = 3_200_000  # when the hand that takes has let go
    found = [event for event in told(lost, 6, rest=chance, kept=True, cells=1) if event.kind in FALLS]
    if rested_us is None:
        assert found == []
        return
    (fall,) = found
    assert fall.at_rest
    assert fall.confidence == chance
    assert fall.mass_g == pytest.approx(-15, abs=0.3)
    assert fall.t_us - gone_us == pytest.approx(rested_us, abs=20_000)


def test_where_people_take_pieces_every_load_rests_for_half_a_second_before_a_verdict(kit, told):
    lost = kit.Loads(TILE_G + 60).take(3, 20)
    kept, taken = (
        next(event.t_us for event in told(lost, 6, rest=0.98, kept=kept, cells=1) if event.kind in FALLS)
        for kept in (True, False)
    )
    assert taken - kept == pytest.approx(200_000, abs=20_000)


def test_a_fall_told_early_leaves_what_goes_on_falling_to_the_next_motion(kit, told):
    """Its load lies still for 0.4 s and then loses as much again: both are told."""
    lost = kit.Loads(TILE_G + 60).take(3, 10).take(3.7, 10)
    found = [event for event in told(lost, 7, rest=0.98, kept=True, cells=1) if event.kind in FALLS]
    assert [round(event.mass_g) for event in found] == [-10, -10]


def test_that_nothing_happened_where_nobody_takes_pieces_is_as_likely_as_that_nothing_fell(kit, told):
    bumped = kit.Loads(TILE_G + 60).bump(3, 60)
    for kept, confidence in ((True, 0.6), (False, 1.0)):
        (event,) = told(bumped, 6, rest=0.4, kept=kept)
        assert (event.kind, event.confidence) == ("disturbance", confidence)
    (lost,) = told(kit.Loads(TILE_G + 60).take(3, 2), 7, rest=0.4, kept=True)
    assert lost.mass_g == pytest.approx(-2, abs=0.2)


def test_where_people_may_take_pieces_the_trees_of_the_city_are_not_asked(kit, told, monkeypatch):
    monkeypatch.setattr(second_look, "kept_forest", None)
    assert falls(told(kit.Loads(TILE_G + 90).take(3, 20), 6, rest=RULE_FROM / 2)) == []


def test_where_nobody_takes_pieces_a_fall_takes_half_the_evidence(kit, told):
    lean = kit.Loads(TILE_G + 60).lean(3, 90, 3)
    alone, unknown, pushed, taken = (
        next(event.t_us for event in told(lean, 6, flight=0.75, kept=kept, moves=moves) if event.stage == "confirmed")
        for kept, moves in ((True, False), (True, None), (True, True), (False, True))
    )
    assert 200_000 < taken - alone < 400_000
    assert unknown == alone
    assert 200_000 < pushed - taken < 400_000  # where a platform may be pushed, it takes three times as much as alone


def test_evidence_that_a_platform_pushed_here_explains_is_no_verdict_at_rest(kit, told):
    lost = kit.Loads(TILE_G + 60).take(3, 5)
    for flight in (0.75, 0.8):
        assert stages(told(lost, 6, flight=flight, rest=0.1, kept=True, moves=True)) == ["alert", "withdrawn"]
    assert "confirmed" in stages(told(lost, 6, flight=0.75, rest=0.1, kept=True, moves=False))


@pytest.mark.parametrize(
    ("chance", "found"), [(0.7, []), (0.78, [False]), (0.82, [False, None]), (0.9, [False, None, True])]
)
def test_a_fall_at_rest_has_to_be_likelier_where_a_load_beside_moved(kit, told, chance, found):
    lost = kit.Loads(TILE_G + 90).take(3, 15)
    assert found == [
        moves for moves in (False, None, True) if falls(told(lost, 6, rest=chance, kept=True, moves=moves, cells=1))
    ]


@pytest.mark.parametrize(("lost_g", "chance", "found"), [(20, 0.5, True), (20, 0.45, False), (17, 0.7, False)])
def test_in_the_city_more_than_the_heaviest_piece_fell_though_a_load_beside_moved(kit, told, lost_g, chance, found):
    lost = kit.Loads(TILE_G + 60).take(3, lost_g)
    assert bool(falls(told(lost, 6, rest=chance, kept=True, moves=True, cells=1))) is found


@pytest.mark.parametrize(("leaves_s", "found"), [(4.0, False), (6.0, True)])
def test_a_hand_that_set_a_platform_down_and_lets_go_of_it_loses_nothing(kit, told, leaves_s, found):
    pressed = kit.Loads(0).set_down(2, TILE_G + 80).take(leaves_s, 20)
    assert bool(falls(told(pressed, 9, rest=0.7, kept=True, moves=True, cells=1))) is found


def test_a_platform_that_a_hand_holds_up_or_changes_for_a_lighter_one_lost_no_pieces(kit, told):
    held = kit.Loads(TILE_G + 22).take(3, 25)
    changed = kit.Loads(TILE_G + 90).take(3, TILE_G + 90).set_down(3.7, TILE_G + 60)
    for loads in (held, changed):
        assert falls(told(loads, 7, rest=0.7, kept=True, moves=True, cells=1)) == []


def test_where_people_take_pieces_it_makes_no_difference_what_moves_beside(kit, told):
    lost = kit.Loads(TILE_G + 90).take(3, 5)
    assert [bool(falls(told(lost, 6, rest=0.82, moves=moves))) for moves in (False, None, True)] == [True] * 3


def test_what_moved_beside_a_spot_is_known_once_somebody_tells(kit):
    beside = Beside()
    assert beside.moved_since(0) == UNKNOWN
    beside.told(1_000_000, moves=False)
    assert beside.moved_since(1_000_000) == 0
    beside.told(2_000_000, moves=True)
    assert beside.moved_since(2_500_000) == 1
    beside.told(3_000_000, moves=False)
    assert beside.moved_since(3_000_000 + AROUND_US) == 1  # what just came to rest may have begun this motion
    assert beside.moved_since(3_000_001 + AROUND_US) == 0
    beside.told(4_000_000, moves=None)
    assert beside.moved_since(9_000_000) == UNKNOWN


@pytest.mark.parametrize(
    ("told_moves", "moved"), [(lambda _: None, UNKNOWN), (lambda _: False, 0), (lambda s: 2.9 < s < 3.2, 1)]
)
def test_the_judge_at_rest_knows_whether_a_load_beside_the_spot_moved(kit, told_moves, moved):
    base = kit.cal(1, 900.0, TILE_G)
    rest = Says(0.0)
    watch = Detector(Cal(base.counts_per_g, base.zero_counts, TILE_G, kept=True), Judges(resting=rest))
    for t_us, counts in kit.rows(kit.Loads(TILE_G + 60).take(3, 20), 6, 1):
        watch.update(t_us, counts, beside_moves=told_moves(t_us / 1e6))
    assert {row[KEPT_NAMES.index("beside")] for row in rest.rows} == {moved}


def test_who_lifts_the_platform_or_leans_on_it_loses_nothing(kit, told):
    assert falls(told(kit.Loads(TILE_G + 60).take(3, TILE_G + 60), 6, rest=RULE_FROM)) == []
    assert falls(told(kit.Loads(TILE_G + 60).lean(3, 90, 3), 9, rest=RULE_FROM)) == []
    loads = kit.Loads(TILE_G + 60).set_down(3, 12).lean(6, 90, 3).take(12, 12)
    assert falls(told(loads, 16, rest=RULE_FROM)) == []


def test_what_the_trees_find_at_rest_is_confirmed_with_their_likelihood_kind_and_pieces(kit, told):
    events = told(kit.Loads(TILE_G + 60).set_down(2, 10).set_down(5, 10).take(8, 10), 11, rest=0.82, collapse=0.9)
    found = [event for event in events if event.kind in FALLS]
    assert {(event.stage, event.at_rest, event.kind) for event in found} == {("confirmed", True, "collapse")}
    assert found[-1].confidence == 0.82
    assert found[-1].mass_g == pytest.approx(-10, abs=0.5)
    assert found[-1].n == 1


def test_a_fall_confirmed_in_flight_is_corrected_once_at_rest_and_never_withdrawn(kit, told):
    events = told(kit.Loads(TILE_G + 60).fall(3, 15), 7, flight=0.99, rest=0.2, collapse=0.9)
    assert falls(events) == [
        ("partial_collapse", "alert", False),
        ("partial_collapse", "confirmed", False),
        ("collapse", "corrected", True),
    ]
    assert events[-1].confidence == 0.2
    assert events[-1].mass_g == pytest.approx(-15, abs=0.5)


def test_an_alert_that_the_second_look_does_not_confirm_is_withdrawn(kit, told):
    assert [stage for _, stage, _ in falls(told(kit.Loads(TILE_G + 60).bump(3, 60), 6, flight=0.4))] == [
        "alert",
        "withdrawn",
    ]


def test_the_shipped_trees_are_asked_about_the_features_there_are():
    assert rest_forest().features == NAMES
    assert kept_forest().features == KEPT_NAMES
    assert collapse_forest().features == NAMES
    assert glance_forest().features == GLANCE
    assert set(GLANCE) <= set(IN_FLIGHT)


ACTS = st.lists(
    st.tuples(st.sampled_from(["set_down", "take", "bump", "lean", "fall"]), st.floats(3, 30)), min_size=1, max_size=4
)


@given(ACTS, st.sampled_from([0.0, 0.4, 0.99]), st.sampled_from([0.0, 0.9]), st.sampled_from([0.0, 1.0]))
def test_every_alert_ends_once_and_every_rest_has_one_verdict(kit, told, acts, flight, rest, pieces):
    loads, t_s = kit.Loads(TILE_G + 120), 2.0
    for act, grams in acts:
        getattr(loads, act)(*((t_s, grams, 0.8) if act == "lean" else (t_s, grams)))
        t_s += 3.5
    events = told(loads, t_s + 1, flight=flight, rest=rest, pieces=pieces, cells=1)
    stages = [stage for _, stage, _ in falls(events)]
    opened = State.CALM
    for stage in stages:
        if stage == "alert":
            assert opened is not State.ALERTED
            opened = State.ALERTED
        elif stage == "withdrawn":
            assert opened is State.ALERTED
            opened = State.CALM
        elif stage == "confirmed":
            opened = State.CONFIRMED
        else:
            assert opened is State.CONFIRMED
            opened = State.CALM
    verdicts = [event for event in events if event.stage == "confirmed" and event.kind != "unsure"]
    assert all(0 <= event.confidence <= 1 for event in events)
    assert len([event for event in verdicts if event.kind == "disturbance"]) <= len(acts)
