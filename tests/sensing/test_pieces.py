"""Pieces: what is told of a change, by how likely the trees say a piece is."""

import pytest

from citytable.sensing import pieces
from citytable.sensing.calibration import Cal
from citytable.sensing.change import NAMES
from citytable.sensing.pieces import KEPT_NAMES
from citytable.sensing.spot_detector import Detector
from citytable.sensing.trees import Judges, kept_piece_forest

TILE_G = 30.0
STEP, SETTLED = NAMES.index("step"), NAMES.index("settled_ms")


class Saying:
    """Stands in for the trees: says what it is told to say of a change, and keeps what it was asked."""

    def __init__(self, moving, resting):
        self.rows = []
        self._says = (moving, resting)

    def chance(self, x):
        self.rows.append(x)
        return self._says[x[SETTLED] >= 0](x[STEP])


class NoFall:
    def chance(self, x):
        return 0.0


@pytest.fixture
def told(kit):
    """The events of a signal, with when they were told, by trees that say `moving` and `resting` of a change in g."""

    def told(loads, seconds, resting, moving=lambda step_g: 0.0):
        judge = Saying(moving, resting)
        watch = Detector(kit.cal(3, 900.0, TILE_G), Judges(NoFall(), None, NoFall(), NoFall(), judge))
        rows = kit.rows(loads, seconds)
        return [(t_us / 1e6, event) for t_us, counts in rows for event in watch.update(t_us, counts)], judge

    return told


def always(step_g):
    return 1.0


def never(step_g):
    return 0.0


def steps(events):
    return [(event.kind, round(event.mass_g)) for _, event in events if event.kind.startswith("piece")]


def test_what_is_surely_a_piece_is_told_as_soon_as_it_rests(kit, told):
    events, _ = told(kit.Loads(TILE_G + 60).set_down(2, 9).take(5, 9), 8, always)
    assert steps(events) == [("piece_added", 9), ("piece_removed", -9)]
    assert [event.n for _, event in events] == [1, 1]
    assert events[0][0] < 3.4


def test_what_is_sure_while_it_moves_is_told_as_it_rests_and_its_rest_is_no_second_piece(kit, told):
    loads = kit.Loads(TILE_G + 60).set_down(2, 9)
    events, _ = told(loads, 6, always, lambda step_g: float(abs(step_g - 9) < 0.1))
    assert steps(events) == [("piece_added", 9)]
    assert events[0][0] < 3.2


def test_a_hand_that_lets_go_after_the_verdict_is_not_weighed_with_the_piece(kit, told):
    loads = kit.Loads(TILE_G + 60).set_down(2, 13).take(3.2, 4)
    events, _ = told(loads, 8, lambda step_g: float(step_g > 5))
    assert steps(events) == [("piece_added", 9)]


def test_the_same_piece_taken_and_set_back_before_anything_rests_is_told_as_both(kit, told):
    loads = kit.Loads(TILE_G + 60).take(2, 9).set_down(2.5, 9)
    events, _ = told(loads, 6, lambda step_g: float(abs(step_g) > 5), lambda step_g: float(abs(abs(step_g) - 9) < 0.5))
    assert steps(events) == [("piece_removed", -9), ("piece_added", 9)]


def test_a_piece_is_told_with_how_likely_it_is(kit, told):
    """The first while it moves, the second at rest, the third when it leaves where it rested."""
    likely = {9: 0.97, 7: 0.92, 5: 0.62}
    loads = kit.Loads(TILE_G + 60).set_down(2, 9).set_down(5, 7).set_down(8, 5).bump(9.3, 60)
    events, _ = told(
        loads, 12, lambda step_g: likely.get(round(step_g), 0.0), lambda step_g: 0.97 * float(abs(step_g - 9) < 0.1)
    )
    assert [(event.kind, event.confidence) for _, event in events if event.mass_g] == [
        ("piece_added", 0.97),
        ("piece_added", 0.92),
        ("piece_added", 0.62),
    ]


def test_what_is_likely_only_is_told_in_the_end(kit, told):
    events, _ = told(kit.Loads(TILE_G + 60).set_down(2, 9), 8, lambda step_g: 0.5)
    assert steps(events) == [("piece_added", 9)]
    assert 3.9 < events[0][0] < 4.5


def test_what_is_likely_is_told_when_the_load_leaves(kit, told):
    loads = kit.Loads(TILE_G + 60).set_down(2, 9).set_down(3.7, 5)
    events, _ = told(loads, 9, lambda step_g: 0.5)
    assert steps(events) == [("piece_added", 9), ("piece_added", 5)]
    assert 3.7 < events[0][0] < 4.3


def test_what_is_hardly_a_piece_is_dropped_and_the_next_counts_from_there(kit, told):
    loads = kit.Loads(TILE_G + 60).set_down(2, 4).set_down(3.7, 9)
    events, judge = told(loads, 9, lambda step_g: float(step_g > 8.5))
    assert steps(events) == [("piece_added", 9)]
    assert judge.rows[-1][NAMES.index("unreported")] == pytest.approx(4, abs=0.2)


def test_what_may_yet_become_a_piece_is_counted_together_with_what_follows(kit, told):
    loads = kit.Loads(TILE_G + 60).set_down(2, 12).take(3.7, 3)
    events, _ = told(loads, 9, lambda step_g: 1.0 if step_g < 10 else 0.2)
    assert steps(events) == [("piece_added", 9)]


def test_what_is_no_piece_is_a_disturbance_after_a_second(kit, told):
    events, _ = told(kit.Loads(TILE_G + 60).set_down(2, 9), 8, never)
    assert [event.kind for _, event in events] == ["disturbance"]
    assert 4.6 < events[0][0] < 5.2


def test_a_placement_is_one_event_however_often_the_hand_moves_the_load_before_and_after(kit, told):
    loads = kit.Loads(TILE_G + 60).lean(2, 4, 0.3).set_down(3.4, 9).lean(4.9, 4, 0.3)
    events, _ = told(loads, 9, lambda step_g: float(abs(step_g - 9) < 0.5))
    assert [event.kind for _, event in events] == ["piece_added", "disturbance"]
    calm = told(kit.Loads(TILE_G + 60).lean(2, 4, 0.3).set_down(3.4, 9), 9, always)[0]
    assert [event.kind for _, event in calm] == ["piece_added"]


def test_a_load_that_rests_where_it_did_is_no_question_and_drift_is_no_change(kit, told):
    loads = kit.Loads(TILE_G + 60).drift(36.0).bump(100, 40)
    events, judge = told(loads, 110, always)
    assert {event.kind for _, event in events} == {"disturbance"}
    assert judge.rows == []


def test_the_platform_is_told_by_what_rests_whatever_the_trees_say(kit, told):
    loads = kit.Loads(TILE_G + 60).take(2, TILE_G + 60).set_down(5, TILE_G + 40)
    events, _ = told(loads, 8, always, always)
    assert [event.kind for _, event in events if event.kind.startswith("platform")] == [
        "platform_lifted",
        "platform_placed",
    ]


def test_what_weighs_as_much_as_several_is_several(kit, told):
    loads = kit.Loads(TILE_G + 60).set_down(2, 9).set_down(5, 9).set_down(8, 9).set_down(11, 27)
    events, _ = told(loads, 14, always)
    assert [event.n for _, event in events] == [1, 1, 1, 3]


def kept(kit):
    base = kit.cal(3, 900.0, TILE_G)
    return Cal(base.counts_per_g, base.zero_counts, TILE_G, kept=True)


def test_where_nobody_takes_pieces_trees_of_their_own_judge(kit, monkeypatch):
    usual, city = Saying(never, never), Saying(never, never)
    monkeypatch.setattr(pieces, "piece_forest", lambda: usual)
    monkeypatch.setattr(pieces, "kept_piece_forest", lambda: city)
    rows = kit.rows(kit.Loads(TILE_G + 60).set_down(2, 9), 6)
    for cal, asked, silent in ((kit.cal(3, 900.0, TILE_G), usual, city), (kept(kit), city, usual)):
        watch = Detector(cal, Judges(NoFall(), None, NoFall(), NoFall()))
        for t_us, counts in rows:
            watch.update(t_us, counts)
        assert asked.rows
        assert not silent.rows
        asked.rows.clear()


class Falls:
    """Stands in for the trees that judge at rest: whatever is lost fell."""

    def chance(self, x):
        return 0.9 if x[0] < -5 else 0.1


def test_they_know_what_fell_before_and_what_moves_beside(kit):
    judge = Saying(never, never)
    watch = Detector(kept(kit), Judges(NoFall(), None, Falls(), NoFall(), judge))
    loads = kit.Loads(TILE_G + 60).set_down(3, 2).take(6, 20).set_down(10, 9)
    asked = []
    for t_us, counts in kit.rows(loads, 13):
        watch.update(t_us, counts, beside_moves=9.9 < t_us / 1e6 < 11)
        asked += [t_us / 1e6] * (len(judge.rows) - len(asked))
    seen = [
        (at > 6, dict(zip(KEPT_NAMES[-3:], row[-3:], strict=True)))
        for at, row in zip(asked, judge.rows, strict=True)
        if row[SETTLED] >= 0
    ]
    assert all(len(row) == len(KEPT_NAMES) for row in judge.rows)
    assert {tuple(row.values()) for after, row in seen if not after} == {(0.0, 0.0, 0.1)}
    assert {tuple(row.values()) for after, row in seen if after} == {(1.0, 1.0, 0.1)}


def test_the_shipped_trees_of_the_city_are_asked_about_the_features_there_are():
    assert kept_piece_forest().features == KEPT_NAMES
