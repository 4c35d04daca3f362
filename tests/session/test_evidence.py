"""On which spots an entry rests: those whose look it changed, as far as sensors told of them."""

import pytest

from citytable.journal.entry import ActionConfirmed, Asked, Entry, FactNoted
from citytable.session.evidence import WINDOW_US, Evidence, rests_on
from citytable.table.fact import Fell, MassMoving, MassSettled, StationWent, TagCame, TagLeft
from citytable.table.layout import Layout, Region, Scale
from citytable.table.question import Question
from citytable.table.word import Amendment, Insertion, Strike, Undo
from citytable.umpire.acts import Confirmed

PADS = ("pad/0", "pad/1")
S = 1_000_000
EMPTY = Layout(
    (Region(PADS, ("tower",)), Region(("city/0/1",)), Region(("bag",), ("bag",))), scales=(Scale("bag", "bag", 9),)
)
DELIVERED = Layout(
    (Region(PADS), Region(("city/0/1",), ("tower",)), Region(("bag",), ("bag",))), scales=(Scale("bag", "bag", 9),)
)
DRAWN = Layout(DELIVERED.regions, scales=(Scale("bag", "bag", 6),))


class Game:
    """Its positions are their layouts."""

    def layout(self, position):
        return position


@pytest.fixture
def evidence():
    return Evidence(Game())


def settled(at_s, spot):
    return MassSettled(t_us=at_s * S, spot=spot, mass_g=1.0, step_g=1.0, error_g=0.1)


def moving(at_s, spot):
    return MassMoving(t_us=at_s * S, spot=spot)


def action(seq, after):
    return Entry(seq, seq, "sensor", ActionConfirmed(action="act")), Confirmed("act", "act", after, stated=False)


def linked(links):
    return {(link.seq, link.spot): (link.from_us // S, link.until_us // S) for link in links}


def deliver(evidence):
    evidence.note(moving(5, "pad/1"))
    evidence.note(settled(6, "pad/1"))
    evidence.note(moving(10, "pad/0"))
    evidence.note(TagLeft(t_us=11 * S, spot="pad/0", uid="04", thing="tower"))
    evidence.note(TagCame(t_us=14 * S, spot="city/0/1", uid="04", thing="tower"))
    evidence.note(settled(16, "city/0/1"))
    evidence.note(moving(15, "city/3/0"))


def test_a_delivery_rests_on_the_pad_it_left_and_the_hex_it_came_to(evidence):
    deliver(evidence)
    entry, confirmed = action(7, DELIVERED)
    links = evidence.links([entry], [confirmed], EMPTY, DELIVERED)
    assert linked(links) == {(7, "pad/0"): (10, 11), (7, "city/0/1"): (14, 16)}
    assert {link.at_us for link in links} == {7}


def test_each_of_several_actions_rests_on_its_own_spots(evidence):
    deliver(evidence)
    evidence.note(settled(20, "bag"))
    (first, delivered), (second, drawn) = action(7, DELIVERED), action(8, DRAWN)
    links = linked(evidence.links([first, second], [delivered, drawn], EMPTY, DRAWN))
    assert links.keys() == {(7, "pad/0"), (7, "city/0/1"), (8, "bag")}


def test_what_an_action_rested_on_is_not_the_evidence_of_the_next(evidence):
    deliver(evidence)
    entry, confirmed = action(7, DELIVERED)
    evidence.links([entry], [confirmed], EMPTY, DELIVERED)
    evidence.note(settled(30, "city/0/1"))
    entry, confirmed = action(9, EMPTY)
    assert linked(evidence.links([entry], [confirmed], DELIVERED, EMPTY)) == {(9, "city/0/1"): (30, 30)}


def test_building_long_before_the_act_is_left_out(evidence):
    long_s = WINDOW_US // S
    for at_s in (0, 50, long_s + 10):
        evidence.note(settled(at_s, "bag"))
    entry, confirmed = action(7, DRAWN)
    assert linked(evidence.links([entry], [confirmed], DELIVERED, DRAWN)) == {(7, "bag"): (50, long_s + 10)}


def test_of_a_spot_that_reports_all_evening_no_more_is_kept_than_an_act_may_rest_on(evidence):
    for at_s in range(1, 4 * 3600):
        evidence.note(moving(at_s, "pad/0"))
    assert sum(map(len, evidence._reported_us.values())) == WINDOW_US // S + 1


def test_what_was_only_said_rests_on_nothing(evidence):
    entry, confirmed = action(7, DRAWN)
    assert evidence.links([entry], [confirmed], DELIVERED, DRAWN) == []


def test_a_question_rests_on_what_is_under_way_and_uses_nothing_up(evidence):
    deliver(evidence)
    question = Question(id="q", seat=1, prompt="deliver", words={}, fields=(), about="act")
    asked = Entry(6, 6, "system", Asked(question=question))
    assert linked(evidence.links([asked], [], EMPTY, DELIVERED)).keys() == {(6, "pad/0"), (6, "city/0/1")}
    entry, confirmed = action(7, DELIVERED)
    assert len(evidence.links([entry], [confirmed], EMPTY, DELIVERED)) == 2


def test_a_fall_rests_on_its_own_spot_and_those_that_moved_with_it(evidence):
    evidence.note(moving(5, "city/3/0"))
    evidence.note(moving(11, "city/1/0"))
    fell = Fell(t_us=12 * S, spot="city/0/1", lost_g=9.0, stage="alert")
    gone = StationWent(t_us=13 * S, station="sector-1", spots=("city/0/1",))
    evidence.note(fell)
    evidence.note(gone)
    entries = [Entry(5, 5, "sensor", FactNoted(fact=fell)), Entry(6, 6, "sensor", FactNoted(fact=gone))]
    links = linked(evidence.links(entries, [], EMPTY, EMPTY))
    assert links == {(5, "city/0/1"): (12, 12), (5, "city/1/0"): (12, 12)}


def test_a_correction_rests_on_what_its_action_rests_on():
    told = [action(seq, EMPTY)[0] for seq in (4, 7)]
    said = {"by": "host", "why": ""}
    for body, seq in (
        (Amendment(entry=7, action="other", **said), 7),
        (Strike(entry=4, **said), 4),
        (Insertion(before=7, action="other", **said), 7),
        (Undo(to=5, **said), 7),
    ):
        assert rests_on(Entry(9, 9, "referee", body), told).seq == seq
    assert rests_on(Entry(9, 9, "referee", Undo(to=8, **said)), told) is None
    assert rests_on(told[0], told) is told[0]
