"""The witness: what stations say is kept around decisions, and found again from the entry."""

import pytest

from citytable.journal.entry import ActionConfirmed, Entry, FactNoted
from citytable.journal.traces import Traces
from citytable.session.evidence import Evidence
from citytable.session.witness import Witness
from citytable.table.layout import Layout, Region
from citytable.table.plan import tag_uid
from citytable.table.word import Amendment
from citytable.umpire.acts import Confirmed
from citytable.views.signal import NoEntry

S = 1_000_000
SPOT = "supply/platform/0"
SEEN = "platform/7/public"


AFTER = "after the act"


class Game:
    """In its one action a platform is laid out."""

    def layout(self, position):
        return Layout((Region((SPOT,), (SEEN,) if position == AFTER else ()),))


class Setup:
    """A table on which a platform was laid out, and the entries of an action that rests on it."""

    def __init__(self, there) -> None:
        there.play.evidence = Evidence(Game())
        self.witness = Witness("game", there.play)
        there.hear("supply", there.birth(), t_us=1 * S)
        there.hear("supply", there.tag(SPOT, tag_uid(SEEN)), t_us=5 * S)
        facts = [Entry(seq, 5, "sensor", FactNoted(fact=fact)) for seq, fact in enumerate(there.play.take_facts(), 2)]
        self.entries = (*facts, Entry(9, 9, "sensor", ActionConfirmed(action="act")))
        self.confirmed = [Confirmed("act", "act", AFTER, stated=False)]


@pytest.fixture
def setup(table):
    return Setup(table())


async def test_what_an_entry_rests_on_is_found_from_it_and_from_its_correction(setup, tmp_path):
    async with Traces.open(tmp_path / "traces.sqlite3") as traces:
        setup.witness.traces = traces
        setup.witness.saw(setup.entries, setup.confirmed, 6 * S)
        setup.witness.saw((), (), 9 * S)
        amended = Entry(12, 12, "referee", Amendment(entry=9, action="other", by="host", why=""))
        entries = (*setup.entries, amended)
        signals = [await setup.witness.signal(seq, entries) for seq in (9, 12)]
        assert [[curve.spot for curve in one.curves] for one in signals] == [[SPOT], [SPOT]]
        assert [(mark.fact, mark.t_ms) for mark in signals[0].marks] == [("tag_came", 3000)]
        assert (await setup.witness.signal(2, entries)).curves == ()
        with pytest.raises(NoEntry):
            await setup.witness.signal(99, entries)


async def test_what_is_nearly_over_when_the_hub_stops_is_kept(setup, tmp_path):
    async with Traces.open(tmp_path / "traces.sqlite3") as traces:
        setup.witness.traces = traces
        setup.witness.saw(setup.entries, setup.confirmed, 6 * S)
        setup.witness.leave(6 * S)
        assert (await setup.witness.signal(9, setup.entries)).curves != ()


async def test_without_traces_nothing_is_kept_and_nothing_fails(setup):
    setup.witness.saw(setup.entries, setup.confirmed, 9 * S)
    assert (await setup.witness.signal(9, setup.entries)).curves == ()
