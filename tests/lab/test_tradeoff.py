"""The trade-off: the same detector while a verdict takes less or more evidence."""

import pytest

from citytable.sensing import Detector, detector
from citytable.sensing.fall import ALERT, AS_IT_IS, ENOUGH, Bars
from citytable.sensing.trees import Judges, fall_forest, heard_forest
from citytable_lab.draw import draw_traces
from citytable_lab.feed import feed, samples
from citytable_lab.trace_file import save_trace
from citytable_lab.tradeoff import Remembered, curves_of, draw_curve, printed_alerts, printed_verdicts

pytestmark = pytest.mark.long(9)


class Counts:
    """A judge that is asked for the first time only."""

    def __init__(self):
        self.asked = 0

    def chance(self, x):
        self.asked += 1
        return x[0]


def test_what_was_said_once_is_said_again_without_asking():
    counts = Counts()
    judge = Remembered(counts)
    first = [judge.chance([x]) for x in (0.1, 0.9, 0.4)]
    judge.again()
    assert [judge.chance([0.0]) for _ in first] == first == [0.1, 0.9, 0.4]
    assert counts.asked == 3


@pytest.mark.parametrize("accelerometer", [False, True])
@pytest.mark.parametrize("others", [(), (Bars(enough=2.0), Bars(enough=500.0), Bars(alert=0.05), Bars(alert=0.9))])
def test_at_its_own_demand_the_detector_is_as_it_is_every_time_along_a_trace(others, accelerometer):
    (trace,) = draw_traces(11, 1, 3, "heavy", [], accelerometer=accelerometer)
    rows, judge, hearing = samples(trace), Remembered(fall_forest()), Remembered(heard_forest())
    as_it_is = feed(detector(trace.cal), rows).reported
    for bars in (*others, AS_IT_IS):
        judge.again()
        hearing.again()
        told = feed(Detector(trace.cal, Judges(judge, hearing), bars), rows).reported
    assert [(one.t_us, one.event.kind, one.event.stage) for one in told] == [
        (one.t_us, one.event.kind, one.event.stage) for one in as_it_is
    ]


def test_the_curves_are_printed_and_one_is_drawn(weighed, label, tmp_path):
    fall = label("collapse", 5.0, 5.2, n_fallen=3, mass_before_g=60, mass_after_g=20)
    save_trace(tmp_path / "a.npz", weighed([60] * 400 + [20] * 240, events=(fall,)))
    curves = curves_of([tmp_path / "a.npz"], cells=1, processes=1)
    for lines, chosen in ((printed_verdicts(curves.verdicts), ENOUGH), (printed_alerts(curves.alerts), ALERT)):
        assert len({len(line) for line in lines}) == 1
        assert [line for line in lines if f" {chosen:g} *" in line]
    draw_curve(curves.verdicts, tmp_path / "curve.svg")
    assert "as it is" in (tmp_path / "curve.svg").read_text()


def test_an_alert_that_takes_less_is_told_more_often():
    (trace,) = draw_traces(11, 1, 3, "heavy", [])
    judge, alerts = Remembered(fall_forest()), []
    for alert in (0.05, 0.9):
        judge.again()
        told = feed(Detector(trace.cal, Judges(judge), Bars(alert=alert)), samples(trace)).reported
        alerts.append(sum(one.event.stage == "alert" for one in told))
    assert alerts[0] > alerts[1]
