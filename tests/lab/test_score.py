"""Scoring: what counts as found, late, told twice or false, told by hand against labels by hand."""

import pytest

from citytable.sensing.event import Event
from citytable_lab.score import Reported, labels_of, score_trace


def tell(kind, second, stage="confirmed", **fields):
    return Reported(round(second * 1e6), Event(kind=kind, t_us=0, stage=stage, **fields))


@pytest.fixture
def scored(label):
    """`scored([labels], [told])` over 60 s of samples; without labels there is a collapse from 20 s to 21 s."""

    def score(told, labels=None):
        labels = labels_of([label("collapse", 20, 21, n_fallen=4)] if labels is None else labels)
        falls = [one for one in labels if one.kind in {"collapse", "partial_collapse"}]
        return score_trace("by-hand", labels, told, (0, 60_000_000), [None] * len(falls))

    return score


@pytest.mark.parametrize("second", [19.5, 20.0, 22.0])
def test_a_fall_is_found_from_its_cause_to_two_seconds_later(scored, second):
    score = scored([tell("collapse", second)])
    assert score.falls[0].found is not None
    assert score.false_alarms == ()
    assert score.duplicates == 0


def test_a_partial_collapse_counts_as_a_collapse(scored):
    assert scored([tell("partial_collapse", 20.4)]).falls[0].found is not None


@pytest.mark.parametrize("second", [22.01, 23.5])
def test_what_comes_late_is_a_miss_and_no_false_alarm(scored, second):
    score = scored([tell("collapse", second)])
    assert score.falls[0].found is None
    assert score.false_alarms == ()
    assert score.duplicates == 1


@pytest.mark.parametrize("second", [19.49, 23.51, 40.0])
def test_anything_else_is_a_false_alarm(scored, second):
    score = scored([tell("collapse", second)])
    assert score.falls[0].found is None
    assert len(score.false_alarms) == 1


def test_what_follows_a_found_fall_is_a_duplicate(scored):
    score = scored([tell("collapse", 20.3), tell("partial_collapse", 21.9), tell("collapse", 23.4)])
    assert score.falls[0].found.t_us == 20_300_000
    assert (score.duplicates, score.false_alarms) == (2, ())


def test_one_verdict_finds_one_of_two_falls(scored, label):
    falls = [label("partial_collapse", 20, 20.4), label("collapse", 21, 22)]
    assert [fall.found is not None for fall in scored([tell("collapse", 21.2)], falls).falls] == [True, False]


def test_a_verdict_counts_when_it_is_told_whatever_time_it_names(scored):
    late = Reported(40_000_000, Event(kind="collapse", t_us=20_100_000))
    assert scored([late]).falls[0].found is None


def test_a_false_alarm_names_the_newest_act_under_way(scored, label):
    acts = [label("disturbance", 8, 12, "lean"), label("piece_added", 10, 11, "piece")]
    acts_of = {one.t_us: one for one in [tell("collapse", 10.5), tell("collapse", 30)]}
    alarms = scored(list(acts_of.values()), acts).false_alarms
    assert [alarm.act for alarm in alarms] == ["piece_added piece", ""]


def test_dense_play_is_the_time_outside_of_falls(scored, label):
    assert scored([]).play_us == 60_000_000 - 4_000_000
    overlapping = [
        label("partial_collapse", 20, 20.5),
        label("collapse", 21, 22),
        label("piece_added", 30, 31, "piece"),
    ]
    score = scored([], overlapping)
    assert score.play_us == 60_000_000 - 5_000_000
    assert score.interactions == 1


def test_an_alert_is_withdrawn_by_word_or_by_silence(scored):
    told = [tell("collapse", 2, "alert"), tell("collapse", 3, "withdrawn"), tell("collapse", 40, "alert")]
    assert scored(told).withdrawn_us == (2_000_000, 40_000_000)


def test_an_alert_that_is_confirmed_or_still_open_is_not_withdrawn(scored):
    told = [tell("collapse", 40, "alert"), tell("collapse", 41, "alert"), tell("collapse", 41.5)]
    assert scored([*told, tell("collapse", 58, "alert")]).withdrawn_us == ()


def test_an_alert_of_a_real_fall_that_is_withdrawn_is_a_miss_and_not_noise(scored):
    score = scored([tell("collapse", 20.1, "alert"), tell("collapse", 21, "withdrawn")])
    assert score.withdrawn_us == ()
    assert score.falls[0].t_alert_us == 20_100_000


def test_a_step_is_told_from_its_beginning_to_three_seconds_after_its_end(scored, label):
    added = [label("piece_added", 10, 11, "piece"), label("piece_added", 20, 21, "piece")]
    score = scored([tell("piece_added", 14, mass_g=8.0), tell("piece_added", 24.1), tell("piece_added", 22)], added)
    assert [step.found.t_us for step in score.steps if step.label.kind == "piece_added"] == [14_000_000, 22_000_000]
    assert [(one.reported.t_us, one.act) for one in score.false_steps] == [(24_100_000, "")]


def test_a_fault_must_be_noticed_at_once_and_never_called_a_fall(scored, label):
    unplugged = [label("fault", 10, 15, "disconnect")]
    assert scored([tell("fault", 10.4)], unplugged).faults[0].right
    assert not scored([tell("fault", 10.6)], unplugged).faults[0].right
    assert not scored([tell("fault", 10.4), tell("collapse", 15.2)], unplugged).faults[0].right
    assert not scored([], unplugged).faults[0].right


def test_a_spark_is_no_fault_that_must_be_told(scored, label):
    assert scored([], [label("fault", 10, 10.02, "spike")]).faults == ()


def test_labels_of_other_hands_may_lack_what_does_not_apply_and_have_numbers_of_any_kind():
    by_hand = {"kind": "fault", "sub": None, "t_onset_us": 2e6, "t_end_us": 3e6, "mass_after_g": 5, "trigger": None}
    [one] = labels_of([by_hand])
    assert (one.sub, one.t_onset_us, one.mass_after_g, one.trigger) == ("", 2_000_000, 5.0, "")
    assert isinstance(one.t_onset_us, int)
