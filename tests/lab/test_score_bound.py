"""The bound of a scale: which falls left their platform lighter, and what the mass that left tells of their kind."""

import pytest
from msgspec.structs import replace

from citytable.sensing.event import Event
from citytable_lab.score import Reported, labels_of, score_trace
from citytable_lab.score_bound import bound_lines, most_by_share


@pytest.fixture
def scores(label):
    """Four falls a minute apart: of 10 g a collapse loses 8, another nothing, three pieces take 4, one takes half a g.

    The first three are found.
    """
    falls = [
        ("collapse", 100, 2.0, {"n_fallen": 5}),
        ("collapse", 160, 10.0, {"n_fallen": 3}),
        ("partial_collapse", 220, 6.0, {"n_fallen": 3}),
        ("partial_collapse", 280, 9.5, {"n_fallen": 1}),
    ]
    labels = labels_of(
        [label(kind, at, at + 1, mass_before_g=10, mass_after_g=left, **more) for kind, at, left, more in falls]
    )
    told = [
        Reported(round(at * 1e6), Event(kind="collapse", t_us=0, stage="confirmed", at_rest=True))
        for at in (102, 162, 222)
    ]
    return [score_trace("one", labels, told, (0, 600_000_000), [None] * len(falls))]


def test_the_falls_that_left_their_platform_lighter_are_counted_apart(scores):
    lines = bound_lines(scores)
    assert "| collapse | 1 / 2 | 1 / 1 | 1 / 1 |" in lines
    assert "| two or more pieces | 2 / 3 | 2 / 2 | 1 / 1 |" in lines
    assert "| one piece | 0 / 1 | - | 0 / 1 |" in lines


def test_who_knows_the_true_share_of_the_mass_that_left_tells_the_kind_by_one_bar_for_all_falls(scores):
    falls = list(scores[0].falls)
    assert most_by_share(falls) == 3  # a collapse of which nothing left is the only one below the bar
    assert most_by_share(falls[:1]) == 1
    lines = bound_lines(scores)
    assert "| as reported | 2 / 3 |" in lines
    assert lines[-2].endswith("who knows the true share of the mass that left | 2 / 3 |")  # of those that were found


def test_the_verdict_at_rest_is_compared_with_one_that_waits_for_a_load_that_lies_still(scores):
    (score,) = scores
    first, *others = score.falls
    still = replace(score, falls=(replace(first, t_still_us=101_500_000), *others))
    assert "| as reported | 2000 | 2000 |" in bound_lines([still])
    assert bound_lines([still])[-2:] == [
        "| by somebody who waits for half a second of rest | 1500 | 1500 |",
        "| the last piece has left or lies there | 1000 | 1000 |",
    ]


def test_without_a_fall_there_is_no_bound(scores):
    assert bound_lines([]) == []
