"""What was kept is judged again: as it was by the same senses, and each difference is told."""

import pytest

from citytable.games.megacity.spots import shared_spots
from citytable.journal.entry import ActionConfirmed, Asked, Entry, FactNoted
from citytable.journal.excerpt import Excerpt
from citytable.sensing.reading import CellQuiet, CellSamples, HeightReading, Knocks, TagRead
from citytable.sensing.spot_weight import SpotWeight
from citytable.sensing.table_sense import TableSense
from citytable.session.excerpt_recorder import ExcerptRecorder
from citytable.session.rejudging import rejudged, what
from citytable.table.fact import Fell, MassSettled, TagCame
from citytable.table.plan import full_plan
from citytable.table.question import Question

SPOT, PAD = "city/1/0", "seat/1/pad/0"
S = 1_000_000
COUNTS_PER_G = 2147


@pytest.fixture(scope="module")
def plan():
    return full_plan("salon", 2, shared_spots(()), ("platform/7/public",))


def quiet(at_s, grams, spot=SPOT, cell=0):
    counts = round(grams * COUNTS_PER_G)
    return CellQuiet(spot, cell, at_s * S, 80, counts, 40.0, counts - 90, counts + 90)


def moving(from_s, seconds, grams, spot=SPOT):
    """A scale whose load changes evenly from one value to another, and trembles while it does."""
    first_g, last_g = grams
    n = 80 * seconds
    loads = [first_g + (last_g - first_g) * min(1.0, k / (n / 2)) for k in range(n)]
    return [
        CellSamples(
            spot,
            0,
            tuple(from_s * S + (start + k) * 12_500 for k in range(8)),
            tuple(round(loads[start + k] * COUNTS_PER_G) + 40 * (-1) ** k for k in range(8)),
        )
        for start in range(0, n, 8)
    ]


def readings(plan):
    """A platform of 30 g is put on a hex."""
    uid = next(iter(plan.tags))
    return [
        *(quiet(at_s, 0.0) for at_s in range(1, 8)),
        *moving(8, 4, (0.0, 30.0)),
        TagRead(10 * S, SPOT, uid, here=True),
        *(quiet(at_s, 30.0) for at_s in range(13, 20)),
    ]


@pytest.fixture(scope="module")
def played(plan):
    """The entries and excerpts that a hub would have kept of it."""
    sense, excerpts, facts, kept = TableSense(plan), ExcerptRecorder(plan), [], []
    for reading in readings(plan):
        told = sense.feed(reading)
        excerpts.read(reading)
        excerpts.note(told)
        facts += told
        kept += excerpts.over(reading.t_us if isinstance(reading, CellQuiet) else 0)
    kept += excerpts.over(60 * S)
    entries = [Entry(seq, seq, "sensor", FactNoted(fact=fact)) for seq, fact in enumerate(facts, start=2)]
    act = Entry(len(entries) + 2, 99, "sensor", ActionConfirmed(action="p1 deliver"))
    return act, kept, [*entries, act]


def test_the_same_senses_judge_as_they_did(plan, played):
    act, excerpts, entries = played
    assert {type(entry.body.fact).__name__ for entry in entries[:-1]} >= {"MassSettled", "TagCame"}
    assert any(one.samples for one in excerpts)
    one = rejudged(act, excerpts, plan, entries)
    assert (one.seq, one.what, one.differences) == (act.seq, "p1 deliver", ())


def test_a_fall_that_todays_senses_do_not_see_is_a_difference(plan, played):
    act, excerpts, entries = played
    fell = Fell(t_us=9 * S, spot=SPOT, lost_g=12.0, stage="confirmed")
    entries = [Entry(1, 1, "sensor", FactNoted(fact=fell)), *entries]
    assert rejudged(act, excerpts, plan, entries).differences == ((SPOT, "fall confirmed, 12.0 g at 9.00 s", ""),)


def test_what_only_todays_senses_see_is_a_difference_and_the_rest_stays_in_step(plan, played):
    act, excerpts, entries = played
    left_out = [one for one in entries if not (isinstance(one.body, FactNoted) and isinstance(one.body.fact, TagCame))]
    (difference,) = rejudged(act, excerpts, plan, left_out).differences
    assert difference[:2] == (SPOT, "")
    assert difference[2].startswith("platform/7/public came at 10.00 s")


def test_a_step_that_came_out_otherwise_is_a_difference(plan, played):
    act, excerpts, entries = played
    wrong = []
    for entry in entries:
        fact = getattr(entry.body, "fact", None)
        if isinstance(fact, MassSettled) and fact.step_g > 9:
            fact = MassSettled(t_us=fact.t_us, spot=SPOT, mass_g=25.0, step_g=25.0, error_g=0.1)
            entry = Entry(entry.seq, entry.at_us, "sensor", FactNoted(fact=fact))  # noqa: PLW2901
        wrong.append(entry)
    told = rejudged(act, excerpts, plan, wrong).differences
    assert [bool(then) for _, then, _ in told] == [True, False]
    assert told[0][1].startswith("+25.0 g at ")
    assert told[1][2].startswith("+30.0 g at ")


def test_a_gap_between_excerpts_is_no_silence_of_a_scale(plan):
    kept = [
        Excerpt(SPOT, 1 * S, 4 * S, tuple(quiet(at_s, 30.0) for at_s in (1, 2, 3, 4))),
        Excerpt(SPOT, 50 * S, 53 * S, tuple(quiet(at_s, 30.0) for at_s in (50, 51, 52, 53))),
        Excerpt(PAD, 1 * S, 53 * S, tuple(quiet(at_s, 0.0, PAD, cell) for at_s in range(1, 54) for cell in range(3))),
    ]
    act = Entry(9, 9, "sensor", ActionConfirmed(action="p1 deliver"))
    assert rejudged(act, kept, plan, [act]).differences == ()


def test_what_a_station_heard_is_heard_again_once_and_before_the_load_of_that_moment(plan, monkeypatch):
    knocks = Knocks("sector-1", (2 * S, 2 * S + 40_000), (80.0, 20.0), 2 * S + 40_000)
    samples = CellSamples(SPOT, 0, (2 * S - 10_000, 2 * S + 30_000), (0, 1))
    kept = [
        Excerpt(SPOT, 1 * S, 4 * S, (samples, knocks)),
        Excerpt("city/1/1", 1 * S, 4 * S, (knocks,)),
    ]
    fed = []
    monkeypatch.setattr(SpotWeight, "knocks", lambda weight, reading: fed.append(reading))
    monkeypatch.setattr(SpotWeight, "samples", lambda weight, reading: fed.append(reading) or [])
    act = Entry(9, 9, "sensor", ActionConfirmed(action="p1 deliver"))
    assert rejudged(act, kept, plan, [act]).differences == ()
    assert fed == 2 * [knocks, knocks, samples]  # two scales heard it, and each is judged with the other


def test_a_height_is_judged_again(plan):
    zero_mm = next(one for one in plan.spot_plans().values() if one.spot == PAD).crane_zero_mm
    kept = [Excerpt(PAD, 1 * S, 4 * S, (HeightReading(2 * S, PAD, zero_mm - 60.0, 0.1, 8),))]
    act = Entry(9, 9, "sensor", ActionConfirmed(action="p1 deliver"))
    ((_, then, now),) = rejudged(act, kept, plan, [act]).differences
    assert (then, now) == ("", "height 58 to 62 mm at 2.00 s")


def test_actions_questions_and_falls_are_judged_again_and_nothing_else():
    question = Question(id="q", seat=1, prompt="deliver", words={}, fields=(), about="p1 deliver")
    fell = Fell(t_us=9, spot=SPOT, lost_g=12.0, stage="alert")
    came = TagCame(t_us=9, spot=SPOT, uid="04", thing=None)
    bodies = [ActionConfirmed(action="act"), Asked(question=question), FactNoted(fact=fell), FactNoted(fact=came)]
    told = [what(Entry(1, 1, "system", body)) for body in bodies]
    assert told == ["act", "question: p1 deliver", "fall on city/1/0: alert", ""]
