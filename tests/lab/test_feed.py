"""Feeding and measuring: what a detector is handed, and what is known beside it."""

import numpy as np
import pytest

from citytable.sensing.event import Event
from citytable_lab.feed import feed, samples
from citytable_lab.one_converter import one_converter
from citytable_lab.score import labels_of
from citytable_lab.scoring import score_one
from citytable_lab.trace_file import BadTrace, Beside, Knocks
from citytable_lab.visible import load_g, visible_us


class Drops:
    """A detector of nothing but big drops."""

    def __init__(self, cal):
        self._scale, self._zero = cal.counts_per_g[0], cal.zero_counts[0]
        self._last_g = None

    def update(self, t_us, counts, tof_mm=None, zones=None, knock_mg=None, beside_moves=None):
        load_g = (counts[0] - self._zero) / self._scale
        fell = self._last_g is not None and load_g < self._last_g - 5
        self._last_g = load_g
        return [Event(kind="collapse", t_us=t_us)] if fell else []


@pytest.fixture
def falling(weighed, label):
    """60 g, of which 40 g fall at 2 s."""
    fall = label("collapse", 1.9, 2.1, n_fallen=3, mass_before_g=60, mass_after_g=20)
    return weighed([60] * 160 + [20] * 160, events=(fall,))


def test_a_range_goes_with_the_next_sample_and_the_newest_wins(weighed):
    times, ranges = [0, 1, 20_000, 20_001], [300, 301, -1, 299]
    trace = weighed([50] * 4, tof_t_us=np.array(times, np.int64), tof_mm=np.array(ranges, np.int16))
    assert [sample[2] for sample in samples(trace)] == [300, 301, 299, None]


def test_zones_go_with_the_next_sample_too(weighed):
    frames = np.array([[300] * 64, [310] * 64], np.int16)
    trace = weighed([50] * 4, zones_t_us=np.array([5_000, 30_000], np.int64), zones_mm=frames)
    assert [sample[3] for sample in samples(trace)] == [None, [300] * 64, None, [310] * 64]


def test_the_largest_knock_since_the_last_sample_goes_with_the_next(weighed):
    heard = Knocks(np.array([0, 5_000, 12_500, 12_501, 90_000], np.int64), np.array([20, 90, 30, 40, 800], np.int16))
    trace = weighed([50] * 4, knocks=heard)
    assert [sample[4] for sample in samples(trace)] == [20, 90, 40, 0]


def test_whether_a_load_beside_the_spot_moves_goes_with_each_sample(weighed):
    told = Beside(np.array([12_500, 30_000], np.int64), np.array([True, False]))
    trace = weighed([50] * 4, beside=told)
    assert [sample[5] for sample in samples(trace)] == [False, True, True, False]


def test_a_trace_without_other_sensors_hands_in_none(falling):
    assert {sample[2:] for sample in samples(falling)} == {(None, None, None, None)}


def test_what_is_told_is_told_at_the_sample_it_answers(falling):
    fed = feed(Drops(falling.cal), samples(falling))
    assert [one.t_us for one in fed.reported] == [160 * 12_500]
    assert fed.samples == 320
    assert fed.detector_s > 0


def test_scoring_a_trace_finds_its_fall(falling):
    score = score_one(falling, Drops).score
    assert score.falls[0].found.t_us == 2_000_000
    assert score.falls[0].t_visible_us == 2_000_000
    assert score.falls[0].t_still_us == pytest.approx(2_500_000, abs=50_000)


def test_a_label_that_is_none_is_the_fault_of_its_trace(weighed):
    with pytest.raises(BadTrace, match="t_onset_us"):
        score_one(weighed([50] * 10, events=({"kind": "collapse", "sub": "fall"},)), Drops)


def test_one_converter_weighs_the_same(falling):
    one = one_converter(falling)
    assert one.counts.shape == (320, 1)
    assert load_g(one) == pytest.approx(load_g(falling), abs=0.01)
    assert one_converter(one) is one


def test_a_cell_at_its_rail_puts_the_only_converter_at_its_rail(falling):
    falling.counts[100:120, 1] = -(2**23)
    assert (one_converter(falling).counts[100:120, 0] == -(2**23)).all()


def test_a_stuck_cell_is_a_stuck_converter(weighed, label):
    one = one_converter(weighed([50] * 200, events=(label("fault", 1.0, 2.0, "stuck"),)))
    assert len(set(one.counts[80:160, 0])) == 1
    assert len(set(one.counts[:80, 0])) > 10


def test_an_unplugged_cell_is_an_unplugged_converter(weighed, label):
    unplugged = label("fault", 1.0, 2.0, "disconnect") | {"cell": 2}
    trace = weighed([50] * 200, events=(unplugged,))
    trace.counts[80:160, 2] = -1
    one = one_converter(trace)
    assert set(one.counts[80:160, 0]) == {-1}
    assert load_g(one)[160:] == pytest.approx(load_g(trace)[160:], abs=0.01)


def test_a_fall_is_visible_when_the_load_leaves_its_level_by_three_grams(weighed, label):
    slow = np.concatenate([np.full(160, 60.0), np.linspace(60, 20, 81)[1:], np.full(80, 20.0)])
    trace = weighed(slow, events=(label("collapse", 2.0, 3.2),))
    assert visible_us(trace, labels_of(trace.events)[0]) == pytest.approx(2_000_000 + 6 * 12_500, abs=12_500)


def test_a_fall_that_moves_no_weight_is_never_visible(weighed, label):
    trace = weighed([60] * 320, events=(label("partial_collapse", 2.0, 2.5),))
    assert visible_us(trace, labels_of(trace.events)[0]) is None


def test_one_spark_is_no_deviation(weighed, label):
    trace = weighed([60] * 320, events=(label("partial_collapse", 2.0, 2.5),))
    trace.counts[170, 0] = 2**20 - 1
    assert visible_us(trace, labels_of(trace.events)[0]) is None


def test_nobody_waits_for_the_rest_of_what_lost_nothing_or_never_rests(weighed, label):
    fell = {"n_fallen": 3, "mass_before_g": 60}
    stayed = label("collapse", 1.9, 2.1, mass_after_g=60, **fell)
    assert score_one(weighed([60] * 320, events=(stayed,)), Drops).score.falls[0].t_still_us is None
    restless = label("collapse", 9.9, 10.1, mass_after_g=20, **fell)
    loads = [60] * 800 + [*[20] * 10, *[30] * 10] * 20
    assert score_one(weighed(loads, events=(restless,)), Drops).score.falls[0].t_still_us is None
