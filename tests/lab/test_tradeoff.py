"""The trade-off: the same detector with trees that are more or less easily sure."""

from hypothesis import given
from hypothesis import strategies as st

from citytable.lab.trace_file import save_trace
from citytable.lab.tradeoff import Leaning, draw_curve, leaning_detector, points_of, printed_curve
from citytable.sensing import detector
from citytable.sensing.fall import SURE


class Says:
    """A judge of one opinion."""

    def __init__(self, chance):
        self._chance = chance

    def chance(self, x):
        return self._chance


@given(st.floats(0, 1), st.floats(-5, 5))
def test_a_leaning_judge_stays_a_chance_and_keeps_its_sense(chance, by):
    leant = Leaning(Says(chance), by).chance([])
    assert 0 <= leant <= 1
    assert leant >= chance - 1e-9 if by >= 0 else leant <= chance + 1e-9


def test_what_the_detector_demands_is_what_it_gives_at_its_own_chance(weighed):
    trace = weighed([60] * 400 + [20] * 400)
    as_it_is, leaning = detector(trace.cal), leaning_detector(trace.cal, SURE)
    for t_us, counts in zip(trace.t_us.tolist(), trace.counts.tolist(), strict=True):
        assert leaning.update(t_us, counts) == as_it_is.update(t_us, counts)


def test_the_curve_is_printed_and_drawn(weighed, label, tmp_path):
    fall = label("collapse", 5.0, 5.2, n_fallen=3, mass_before_g=60, mass_after_g=20)
    save_trace(tmp_path / "a.npz", weighed([60] * 400 + [20] * 240, events=(fall,)))
    points = points_of([tmp_path / "a.npz"], cells=1, processes=1)
    lines = printed_curve(points)
    assert len({len(line) for line in lines}) == 1
    assert [line for line in lines if f"{SURE:g} *" in line]
    draw_curve(points, tmp_path / "curve.svg")
    assert "the detector as it is" in (tmp_path / "curve.svg").read_text()
