"""The table: what it says of a run whose every number can be counted on one hand."""

import msgspec
import pytest

from citytable.sensing.event import Event
from citytable_lab.score import Cost, Reported, labels_of, score_trace
from citytable_lab.score_story import LATE, false_alarm_lines, fault_lines, missed_lines, step_lines
from citytable_lab.score_table import accuracy_rows, printed, reported_rows

COST = Cost(samples=1_000_000, detector_s=9.0, empty_s=1.0)


def tell(kind, second, **fields):
    return Reported(round(second * 1e6), Event(kind=kind, t_us=0, **fields))


@pytest.fixture
def scores(label):
    """Two hours: a collapse found after 300 ms, one piece missed, a false fall while somebody leans, two added."""
    hour = 3_600_000_000
    labels = labels_of(
        [
            label(
                "collapse", 100, 101, trigger="push", n_fallen=5, n_pieces=6, n_off=5, mass_before_g=60, mass_after_g=5
            ),
            label("disturbance", 300, 305, "lean"),
            label("piece_added", 400, 401, "piece", mass_before_g=5, mass_after_g=15),
            label("piece_added", 410, 411, "cube", mass_before_g=15, mass_after_g=16),
            label("fault", 500, 510, "stuck"),
        ]
    )
    one = label("partial_collapse", 50, 51, trigger="slide", n_fallen=1, n_pieces=6, n_off=1, mass_before_g=9)
    told = [tell("collapse", 100.3, mass_g=-55.0), tell("partial_collapse", 302, mass_g=-8.0, confidence=0.97)]
    told += [tell("piece_added", 401.5, mass_g=10.2), tell("piece_added", 450, mass_g=3.0)]
    return [
        score_trace("first", labels, told, (0, hour), [100_050_000]),
        score_trace("second", labels_of([one]), [], (0, hour), [None]),
    ]


def test_every_row_says_what_it_is_made_of(scores):
    rows = {row.what: row for row in accuracy_rows(scores, COST)}
    assert (rows["collapse, recall"].n, rows["collapse, recall"].of, rows["collapse, recall"].mark) == (1, 1, "aim")
    assert rows["fall of one piece, recall"].value == 0
    assert rows["fall of one piece, recall"].mark == "miss"
    assert rows["false fall alarms per 1,000 interactions"].value == pytest.approx(250)
    assert rows["false fall alarms per hour of dense play"].value == pytest.approx(0.5, abs=0.01)
    assert rows["confirmed in flight after onset, p50, ms"].value == pytest.approx(300)
    assert rows["alert after first visible deviation, p95, ms"].value == pytest.approx(250)
    assert (rows["piece added, recall"].value, rows["piece added, precision"].value) == (0.5, 0.5)
    assert rows["piece mass error, p95, g"].value == pytest.approx(0.2)
    assert rows["cell unplugged or stuck, noticed within 0.5 s and no fall"].value == 0
    assert rows["cost per sample, us (9 times an empty loop)"].value == pytest.approx(8)


def test_what_was_never_counted_has_no_value_and_no_mark():
    (row, *_) = accuracy_rows([], Cost(0, 0.0, 0.0))
    assert (row.value, row.mark) == (None, "")


def test_heights_are_held_against_the_labels_where_both_are_told(label):
    labels = labels_of(
        [
            label("piece_added", 1, 2, "piece", height_after_mm=150.0),
            label("piece_added", 4, 5, "piece", height_after_mm=120.0),
            label("piece_removed", 10, 11, "piece", height_after_mm=80.0),
            label("piece_added", 20, 21, "piece"),
            label("collapse", 30, 31, height_after_mm=20.0),
        ]
    )
    told = [
        tell("piece_added", 2, height_low_mm=50.0, height_high_mm=200.0),
        tell("piece_added", 5, height_mm=110.0, height_low_mm=50.0, height_high_mm=200.0),
        tell("piece_removed", 11, height_mm=110.0, height_low_mm=90.0, height_high_mm=200.0),
        tell("piece_added", 21, height_mm=110.0, height_low_mm=90.0, height_high_mm=200.0),
        tell("collapse", 30.5),
    ]
    scores = [score_trace("one", labels, told, (0, 60_000_000), [None])]
    rows = {row.what: row for row in (*accuracy_rows(scores, Cost(0, 0.0, 0.0)), *reported_rows(scores))}
    assert rows["height after a piece or a placement, error p50, mm"].value == pytest.approx(20)
    assert rows["height after a piece or a placement, width p50, mm"].value == pytest.approx(150)
    held = rows["height after a piece or a placement, interval holds it"]
    assert (held.n, held.of, held.must, held.aim) == (2, 3, 0.95, 0.99)
    assert rows["height after a fall, interval holds it"].of == 0


def test_what_is_only_reported_has_no_mark(scores):
    rows = {row.what: row for row in reported_rows(scores)}
    assert rows["all falls, recall"].value == 0.5
    assert rows["falls with the right number of lost pieces at rest"].of == 0
    assert rows["cube added, recall"].n == 0
    assert {row.mark for row in rows.values()} == {""}


def test_the_table_is_a_markdown_table_of_straight_columns(scores):
    lines = printed(accuracy_rows(scores, COST))
    assert len({len(line) for line in lines}) == 1
    assert {line.count("|") for line in lines} == {8}
    assert "1 / 2.00 h" in next(line for line in lines if "per hour of dense play" in line)


def test_the_story_names_trace_second_act_and_size(scores):
    assert false_alarm_lines(scores) == [
        "false falls, by the act under way: disturbance lean 1",
        "  first at 302.00 s: partial_collapse -8.0 g, confidence 0.97, during disturbance lean",
    ]
    missed = "\n".join(missed_lines(scores))
    assert "collapse 1/1, partial_collapse 0/1" in missed
    assert "push 1/1, slide 0/1" in missed
    assert (
        "second at 50.00 s: partial_collapse by slide, 1 of 6 pieces fell, 1 left, -9.0 g; reported: nothing" in missed
    )
    assert step_lines(scores)[0] == "piece added: missed cube 1; falsely reported during nothing 1"
    assert fault_lines(scores)[1] == "  first at 500.00 s: stuck, never noticed"


def test_a_false_fall_after_one_that_was_not_reported_is_marked(label):
    fell = label("collapse", 50, 51, mass_before_g=10, mass_after_g=4)
    took = label("piece_removed", 60, 61, sub="piece", mass_before_g=4, mass_after_g=1)
    late = tell("collapse", 62, mass_g=-3.0)
    for came, marked in (([], True), ([label("platform_placed", 55, 56, sub="put")], False)):
        score = score_trace("one", labels_of([fell, *came, took]), [late], (0, 100_000_000), [None])
        assert false_alarm_lines([score])[1].endswith(LATE) == marked


def test_how_long_after_the_hand_a_piece_is_told_counts_from_the_end_of_its_label(label):
    added = label("piece_added", 60, 61, sub="piece", mass_before_g=4, mass_after_g=7)
    told = tell("piece_added", 61.7, mass_g=3.0)
    score = score_trace("one", labels_of([added]), [told], (0, 100_000_000), [])
    rows = {row.what: row for row in accuracy_rows([score], COST)}
    assert rows["piece added after the hand has left, p50, ms"].value == 700


def test_scores_are_json(scores):
    told = msgspec.json.decode(msgspec.json.encode({"rows": accuracy_rows(scores, COST), "scores": scores}))
    assert told["rows"][0]["must"] == 0.98
    assert told["scores"][0]["falls"][0]["found"]["t_us"] == 100_300_000
