"""Hexes of the city: what is drawn of them, by both generators, and what knowing them gains."""

from typing import ClassVar

import numpy as np
import pytest

from citytable.sensing.second_look import KEPT_NAMES
from citytable_lab.city import city_stress, city_traces
from citytable_lab.feed import samples
from citytable_lab.gain import COLUMNS, MORE, alone, gain_lines, unaware
from citytable_lab.score import FALLS, labels_of
from citytable_lab.scoring import as_run, score_files, score_one
from citytable_lab.second.draw import second_traces
from citytable_lab.stress import Play, score_play
from citytable_lab.trace_file import load_trace, save_trace
from citytable_lab.train_kept import Block, traces_of, trained_kept

pytestmark = pytest.mark.long(24)

TRACES = 12


@pytest.fixture(scope="module")
def first():
    return list(city_traces(4, TRACES, 1, "house", []))


@pytest.fixture(scope="module")
def second():
    return list(second_traces(4, TRACES, 1, "house", city=True))


@pytest.fixture(scope="module", params=["first", "second"])
def traces(request):
    return request.getfixturevalue(request.param)


def test_the_same_seed_draws_the_same_traces(first, second):
    for again, trace in (
        (city_traces(4, 1, 1, "house", []), first[0]),
        (second_traces(4, 1, 1, "house", city=True), second[0]),
    ):
        drawn = next(again)
        assert np.array_equal(drawn.counts, trace.counts)
        assert drawn.events == trace.events


def test_nobody_takes_a_piece_of_a_building_but_to_gather_what_collapsed(traces):
    kept = [trace for trace in traces if trace.cal.kept]
    assert len(kept) > TRACES / 2
    for trace in kept:
        fell = ""
        for label in labels_of(trace.events):
            assert label.kind != "piece_removed" or fell == "collapse", trace.name
            if label.kind in FALLS:
                fell = label.kind
            elif label.kind == "platform_placed":
                fell = ""


def test_platforms_come_with_buildings_others_are_pushed_against_them_and_things_fall(traces):
    kinds = {f"{event['kind']} {event['sub']}" for trace in traces for event in trace.events}
    assert {"platform_placed put", "platform_lifted lift", "disturbance neighbour", "collapse fall"} <= kinds
    assert "partial_collapse fall" in kinds


def test_of_a_park_whose_monument_is_set_by_hand_nothing_is_known(first):
    parks = [trace for trace in city_traces(1, 60, 1, "house", []) if not trace.cal.kept]
    assert parks
    assert not any(event["kind"] in FALLS for trace in parks for event in trace.events)


class Pulled:
    """A recorded tower that fell as somebody pulled a piece out of it; nothing else of it is looked at."""

    trigger = "pull"


def test_recorded_towers_that_fall_as_a_piece_is_taken_are_left_out():
    drawn = list(city_traces(4, 3, 1, "house", [Pulled()]))
    assert all(
        np.array_equal(a.counts, b.counts) for a, b in zip(drawn, city_traces(4, 3, 1, "house", []), strict=True)
    )


def test_a_trace_that_is_read_back_says_that_nobody_takes_pieces(second, tmp_path):
    save_trace(tmp_path / "a.npz", second[0])
    assert load_trace(tmp_path / "a.npz").cal.kept


class Knowing:
    """A detector that says nothing, and notes what it was told of people and of the spots beside it."""

    told: ClassVar = []

    def __init__(self, cal):
        self._kept = cal.kept

    def update(self, t_us, counts, tof_mm=None, zones=None, knock_mg=None, beside_moves=None):
        self.told.append((self._kept, beside_moves))
        return []


@pytest.mark.parametrize(
    ("less", "told"), [(None, {(True, False), (True, True)}), (alone, {(True, None)}), (unaware, {(False, None)})]
)
def test_a_score_can_leave_that_knowledge_out(second, tmp_path, less, told):
    path = tmp_path / "a.npz"
    save_trace(path, second[0])
    Knowing.told.clear()
    score_files([path], Knowing, cells=1, processes=1, less=less)
    assert set(Knowing.told) == told


def test_where_a_platform_is_pushed_against_this_one_its_own_scale_nearly_always_moves(traces):
    pushed = [(t, label) for t in traces for label in t.events if label["sub"] == "neighbour"]
    felt = [label for trace, label in pushed if _moves_beside(trace, label["t_onset_us"], label["t_end_us"])]
    assert len(pushed) > 20
    assert len(felt) > 0.85 * len(pushed)


def test_most_of_what_falls_by_itself_falls_while_all_beside_rests(traces):
    fell = [(t, label) for t in traces for label in t.events if label["kind"] in FALLS]
    alone = [1 for t, label in fell if not _moves_beside(t, label["t_onset_us"], label["t_end_us"])]
    assert 0 < len(alone) < len(fell)


def _moves_beside(trace, from_us, until_us):
    return any(row[5] for row in samples(trace) if from_us <= row[0] <= until_us)


def test_gains_are_printed_in_one_row_for_each_run(second):
    run = as_run([score_one(trace, Knowing) for trace in second[:4]])
    lines = gain_lines({"without it": run, "with it": run}, more=True)
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| without it", "| with it"]
    assert {line.count("|") for line in lines} == {len(COLUMNS) + len(MORE) + 2}


def test_hours_in_the_city_have_no_falls_and_are_counted_in_games():
    (trace,) = city_stress(2, 0.02, 1, "house", 60.0)
    assert not any(event["kind"] in FALLS for event in trace.events)
    run = score_play(Knowing, Play(2, 0.1, 1, "house", city=True), processes=1)
    assert run.rows[-1].what == "false fall alarms per 20 games"
    assert run.rows[-1].n == 0


def test_the_trees_of_the_city_learn_from_a_few_traces():
    blocks = (Block(1, "house", 8), Block(1, "house", 24, falling=True))
    table = trained_kept(3, [], blocks)
    assert table.features == KEPT_NAMES
    assert len(table.leaf) > 0
    heaviest = {trace.cal.heaviest_g for trace in traces_of(blocks[0], 3, [])}
    assert 0.0 in heaviest
    assert max(heaviest) > 0
    assert {trace.beside is None for trace in traces_of(blocks[0], 3, [])} == {True, False}
