"""The trade-off: the same detector with trees that are more or less easily sure."""

from hypothesis import example, given
from hypothesis import strategies as st

from citytable.lab.draw import draw_traces
from citytable.lab.feed import feed, samples
from citytable.lab.trace_file import save_trace
from citytable.lab.tradeoff import Leaning, draw_curve, points_of, printed_curve
from citytable.sensing import Detector, detector
from citytable.sensing.fall import SURE
from citytable.sensing.trees import fall_forest


class Says:
    """A judge of one opinion."""

    def __init__(self, chance):
        self._chance = chance

    def chance(self, x):
        return self._chance


@example(0.9999999999999999, 0.453125)
@given(st.floats(0, 1), st.floats(0.01, 0.9999))
def test_a_leaning_judge_stays_a_chance_and_keeps_its_sense(chance, sure):
    judge = Leaning(Says(chance))
    judge.lean(sure)
    leant = judge.chance([])
    assert 0 <= leant <= 1
    assert leant >= chance - 1e-9 if sure <= SURE else leant <= chance + 1e-9


def test_at_its_own_chance_the_detector_is_as_it_is_every_time_along_a_trace():
    (trace,) = draw_traces(11, 1, 3, "heavy", [])
    rows, judge = samples(trace), Leaning(fall_forest())
    as_it_is = feed(detector(trace.cal), rows).told
    for sure in (0.5, 0.9999, SURE):
        judge.lean(sure)
        told = feed(Detector(trace.cal, judge), rows).told
    assert [(one.t_us, one.event.kind, one.event.stage) for one in told] == [
        (one.t_us, one.event.kind, one.event.stage) for one in as_it_is
    ]


def test_the_curve_is_printed_and_drawn(weighed, label, tmp_path):
    fall = label("collapse", 5.0, 5.2, n_fallen=3, mass_before_g=60, mass_after_g=20)
    save_trace(tmp_path / "a.npz", weighed([60] * 400 + [20] * 240, events=(fall,)))
    points = points_of([tmp_path / "a.npz"], cells=1, processes=1)
    lines = printed_curve(points)
    assert len({len(line) for line in lines}) == 1
    assert [line for line in lines if f"{SURE:g} *" in line]
    draw_curve(points, tmp_path / "curve.svg")
    assert "as it is" in (tmp_path / "curve.svg").read_text()
