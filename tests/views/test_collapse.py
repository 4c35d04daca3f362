"""A collapse shows the part of the load curve in which it happened, and names a cause only where one was heard."""

from citytable.sensing.reading import Knocks
from citytable.views.collapse import KNOCK_MIN_MG, LEAD_MS, SPAN_MS, fall_in, is_knocked, steepest_ms
from citytable.views.signal import Curve

TIMES = tuple(range(0, 6000, 12))
LOAD = Curve("city/1/0", TIMES, tuple(90.0 if t_ms < 3000 else max(16.0, 90.0 - (t_ms - 3000) / 4) for t_ms in TIMES))


def test_the_curve_is_cut_around_the_moment_at_which_the_load_went():
    assert 2990 <= steepest_ms(LOAD) <= 3012
    part = fall_in(LOAD)
    assert part.t_ms[-1] <= SPAN_MS
    assert part.grams[0] == 90.0
    assert part.grams[-1] == 16.0
    assert abs(next(t_ms for t_ms, grams in zip(part.t_ms, part.grams, strict=True) if grams < 90.0) - LEAD_MS) <= 24


def test_a_spot_without_a_scale_has_an_empty_curve():
    assert fall_in(Curve("city/1/0", (), ())) == Curve("city/1/0", (), ())


def test_only_a_loud_knock_right_before_it_is_its_cause():
    fell_us = 5_000_000

    def heard(before_us, mg=2 * KNOCK_MIN_MG):
        return is_knocked((Knocks("sector-1", (fell_us - before_us,), (mg,), fell_us),), fell_us)

    assert heard(200_000)
    assert not heard(-50_000)  # what lands
    assert not heard(5_000)
    assert not heard(3_000_000)
    assert not heard(200_000, mg=KNOCK_MIN_MG / 2)
