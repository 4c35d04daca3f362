"""Reliability and likelihoods: what the scores say of the detector's own confidence, and what the umpire reads."""

import re

import msgspec
import pytest

from citytable.sensing.event import Event
from citytable.table.likelihood import CITY, Often, Senses, measured
from citytable_lab.likelihoods import LIKELIHOODS, likelihood_lines, save_senses, senses_of
from citytable_lab.reliability import reliability_lines
from citytable_lab.score import Reported, Verdict, labels_of, score_trace


def at(t_s, kind, **fields):
    return Reported(round(t_s * 1e6), Event(kind=kind, t_us=round(t_s * 1e6), **fields))


@pytest.fixture
def scored(label):
    """A collapse corrected at rest, one piece that fell unseen, a lean that was called a fall, and a piece put on."""
    labels = labels_of(
        [
            label("collapse", 5, 5.5, n_pieces=4, n_fallen=3, n_off=3, mass_before_g=40, mass_after_g=10),
            label("partial_collapse", 20, 20.5, n_pieces=4, n_fallen=1, n_off=1, mass_before_g=40, mass_after_g=30),
            label("disturbance", 30, 31, sub="lean"),
            label("piece_added", 40, 41, sub="piece", mass_after_g=9),
        ]
    )
    reported = [
        at(5.3, "partial_collapse", confidence=0.9),
        at(6.2, "collapse", stage="corrected", at_rest=True, n=3, confidence=0.97),
        at(21.4, "disturbance", confidence=0.8, at_rest=True),
        at(30.5, "collapse", at_rest=True, confidence=0.6),
        at(41.5, "piece_added", mass_g=9.0, confidence=0.95),
    ]
    return score_trace("a", labels, reported, (0, 60_000_000), [None, None])


def test_verdicts_carry_what_they_said_and_whether_they_were_right(scored):
    assert scored.verdicts == (
        Verdict("fall", 0.97, True),
        Verdict("disturbance", 0.8, False),
        Verdict("fall", 0.6, False),
        Verdict("piece_added", 0.95, True),
    )
    lines = reliability_lines([scored])
    assert len({line.count("|") for line in lines}) == 1
    assert [line for line in lines if line.startswith("| fall | 0.95 to 0.99 | 1 | 0.970 | 1.000 |")]


def test_a_correction_is_the_final_verdict_and_no_duplicate(scored):
    first, second = scored.falls
    assert (first.in_flight, first.final.event.kind) == (True, "collapse")
    assert second.found is None
    assert scored.duplicates == 0


def test_likelihoods_count_what_happened(scored, tmp_path):
    senses = senses_of([scored])
    assert senses.falls["collapse"].unreported == Often(0, 1)
    assert senses.falls["collapse"].wrong_kind == Often(0, 1)
    assert senses.falls["one piece"].unreported == Often(1, 1)
    assert senses.acts["disturbance lean"].called_fall == Often(1, 1)
    assert senses.acts["piece_added piece"].unreported == Often(0, 1)
    path = tmp_path / "likelihoods.json"
    save_senses(path, "hex", senses)
    save_senses(path, "pad", senses)
    assert set(msgspec.json.decode(path.read_bytes(), type=dict[str, Senses])) == {"hex", "pad"}
    assert any("one piece" in line for line in likelihood_lines(senses))


def test_a_loss_without_a_report_counts_unless_a_platform_beside_took_it_over(label):
    labels = labels_of(
        [
            label("partial_collapse", 5, 5.5, n_pieces=4, n_fallen=1, n_off=1, mass_before_g=40, mass_after_g=37),
            label("disturbance", 20, 21, sub="lean"),
            label("disturbance", 30, 31, sub="neighbour"),
            label("disturbance", 40, 41, sub="bump"),
        ]
    )
    reported = [at(t_s, "disturbance", mass_g=grams) for t_s, grams in ((7, -3.0), (22, -1.0), (32, -2.0), (42, -0.9))]
    scored = score_trace("a", labels, reported, (0, 60_000_000), [None])
    assert scored.lighter == (True, False)
    senses = senses_of([scored])
    assert senses.lighter == Often(1, 2)
    assert senses.lighter.likely == 0.5
    assert "| 1 g or more are gone, and nothing was reported | 1 / 2 |" in likelihood_lines(senses)


def test_the_shipped_likelihoods_are_of_the_configurations_on_the_page(root):
    known = msgspec.json.decode(LIKELIHOODS.read_bytes(), type=dict[str, Senses])
    page = (root / "docs/reference/accuracy.md").read_text("utf-8")
    assert set(known) == {name.strip('"') for name in re.findall(r'--write ("[^"]+"|\S+) -->', page)}
    assert all(senses.falls["collapse"].unreported.of > 0 for senses in known.values())
    assert measured() == known
    assert known[CITY].lighter.of > 0
