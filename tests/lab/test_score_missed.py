"""Why falls were missed: each for one reason."""

import pytest
from msgspec.structs import replace

from citytable.sensing.event import Event
from citytable_lab.score import Reported, labels_of, score_trace
from citytable_lab.score_missed import REASONS, why_lines

NOTHING, AGAIN, UNRESTED, RESTLESS, PIECE, OUTWEIGHED, WEIGHED = REASONS


@pytest.fixture
def why(label):
    """`why(events, ...)`: the reasons with their numbers of collapses, where one at 100 s took 6 g of 10.

    `events` are kinds with grams, reported two seconds later; `earlier` are more labels.
    """

    def why(*events, left_g=4.0, still_s=101.6, earlier=()):
        fell = label("collapse", 100, 101, mass_before_g=10, mass_after_g=left_g, n_fallen=4)
        told = [
            Reported(102_000_000, Event(kind=kind, t_us=0, stage="confirmed", mass_g=grams)) for kind, grams in events
        ]
        labels = labels_of([*earlier, fell])
        score = score_trace("one", labels, told, (0, 300_000_000), [None for one in labels if one.kind == "collapse"])
        *others, last = score.falls
        still = replace(last, t_still_us=None if still_s is None else round(still_s * 1e6))
        lines = why_lines([replace(score, falls=(*others, still))])
        rows = dict(line.strip("| ").split(" | ")[:2] for line in lines[2:-1])
        return {reason: int(n) for reason, n in rows.items() if n != "0"}

    return why


def test_what_left_nothing_cannot_be_weighed(why):
    assert why(left_g=9.5) == {NOTHING: 1}


def test_a_fall_of_a_building_that_fell_before_is_another_matter_until_a_platform_comes(why, label):
    before = label("collapse", 50, 51, mass_before_g=12, mass_after_g=10, n_fallen=1)
    assert why(earlier=[before]) == {RESTLESS: 1, AGAIN: 1}  # the one before is missed, too
    assert why(earlier=[before, label("platform_placed", 70, 71, sub="put")]) == {RESTLESS: 1, WEIGHED: 1}


@pytest.mark.parametrize(
    ("events", "still_s", "reason"),
    [
        ([("platform_placed", 4.0)], None, UNRESTED),
        ([], None, RESTLESS),
        ([], 104, RESTLESS),
        ([("piece_removed", -6.0)], 101.6, PIECE),
        ([("disturbance", -0.1)], 101.6, OUTWEIGHED),
        ([("disturbance", -6.0)], 101.6, WEIGHED),
        ([], 101.6, WEIGHED),
    ],
)
def test_the_first_reason_that_fits_counts(why, events, still_s, reason):
    assert why(*events, still_s=still_s) == {reason: 1}


def test_a_fall_that_was_found_is_in_no_row_and_without_a_fall_there_is_no_table(why):
    assert why(("collapse", -6.0)) == {}
    assert why_lines([]) == []
