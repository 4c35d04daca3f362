"""Whether an evening that got stuck goes on once the host has set the table as it stands."""

import pytest
from msgspec.structs import replace

from citytable.evenings.performance import Performance
from citytable.evenings.rates import only
from citytable.evenings.setting_right import HostedJudge, end_with_host
from citytable.evenings.troupe import Settings
from citytable.evenings.umpire_door import UmpireDoor
from citytable.rehearsal.megacity.evenings.evening import HABITS, perform
from citytable.rehearsal.megacity.evenings.referee import Referee
from citytable.rules.errors import IllegalAction
from citytable.table.fact import TagCame, TagLeft

pytestmark = pytest.mark.long(80)

CALM = Settings(habits=only(HABITS.habits, frozenset()), perfect=True, table="full")


@pytest.fixture(scope="module")
def calm() -> Performance:
    return perform(1, CALM)


@pytest.fixture(scope="module")
def stuck(calm: Performance) -> Performance:
    """An evening in which a reader goes blind in the third turn, over something that lies there all the time."""
    ends = [one.t_us for one in calm.done if Referee().ends_turn(one.action)]
    moved = {one.uid for one in calm.facts if isinstance(one, TagLeft)}
    lies = next(one for one in calm.facts if isinstance(one, TagCame) and one.uid not in moved)
    gone = TagLeft(t_us=ends[1] + 5_000_000, spot=lies.spot, thing=lies.thing, uid=lies.uid)
    facts = sorted((*calm.facts, gone), key=lambda fact: fact.t_us)
    return replace(calm, facts=tuple(facts))


def test_a_calm_evening_needs_no_host(calm: Performance) -> None:
    judge = HostedJudge(calm, Referee(), {})
    assert (judge.run().end, judge.times) == ("fine", 0)


def test_a_stuck_evening_goes_on_as_meant_once_the_host_has_set_the_table(stuck: Performance) -> None:
    judge = HostedJudge(stuck, Referee(), {})
    assert (judge.run().end, judge.times) == ("fine", 1)


@pytest.mark.soak
def test_where_the_display_complains_of_nothing_no_host_is_called(
    stuck: Performance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(UmpireDoor, "complaints", lambda _: ())
    assert end_with_host(stuck, Referee(), {}) == "untold"


def test_who_has_no_turn_left_in_which_to_set_the_table_is_no_failure_of_it(
    stuck: Performance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citytable.evenings.setting_right.PATIENCE_US", 10**12)
    assert end_with_host(stuck, Referee(), {}) == "over"


def test_a_position_that_does_not_follow_from_what_was_done_is_no_failure_of_the_umpire(
    stuck: Performance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody built with pieces that they had borrowed: the evening failed instead of being stuck."""

    def refuse(*_: object) -> None:
        raise IllegalAction("R17", {"en": "these pieces are not there"}, "p1 deliver")

    monkeypatch.setattr(UmpireDoor, "set_as_it_stands", refuse)
    judge = HostedJudge(stuck, Referee(), {})
    assert (judge.run().end, judge.times) == ("stuck", 0)
