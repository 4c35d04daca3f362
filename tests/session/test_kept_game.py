"""A game and its signals: what is not there is said."""

import pytest

from citytable.games.megacity.spots import shared_spots
from citytable.journal.entry import ActionConfirmed, Draft, GameStarted
from citytable.journal.excerpt import Excerpt, Link
from citytable.journal.store import Commit, JournalUnavailable, Store
from citytable.journal.trace_store import Limits, TraceStore
from citytable.journal.traces import traces_path
from citytable.sensing.reading import TagRead
from citytable.session.kept_game import NothingKept, kept_game
from citytable.table.plan import full_plan

SPOT = "seat/1/card/0"


@pytest.fixture
def journal(tmp_path):
    """A journal with one game of one action."""
    path = tmp_path / "journal.sqlite3"
    plan = full_plan("salon", 2, shared_spots(()), ("contract/CO1",))
    drafts = (
        Draft(1, "system", GameStarted(game="megacity", plan=plan)),
        Draft(9, "sensor", ActionConfirmed(action="p1 take_contract contract=CO1")),
    )
    with Store.open(path) as store:
        store.append(Commit("friday", drafts))
    return path


def keep(journal, game_id="friday"):
    one = Excerpt(SPOT, 0, 9_000_000, (TagRead(5_000_000, SPOT, "04aa", here=True),))
    store = TraceStore.open(traces_path(journal), Limits())
    store.write([(game_id, one), (game_id, Link(2, 9, SPOT, 5_000_000, 5_000_000))])
    store.close()


def test_a_game_that_is_not_there_is_said_with_those_that_are(journal):
    with (
        pytest.raises(JournalUnavailable, match="no game 'monday'; its games are: friday"),
        kept_game(journal, "monday"),
    ):
        pass


def test_a_game_without_signals_is_said(journal):
    with (
        pytest.raises(NothingKept, match="no signals of game 'friday' are kept: there is no"),
        kept_game(journal, "friday"),
    ):
        pass
    keep(journal, "monday")
    with pytest.raises(NothingKept, match="no signals of game 'friday' are kept in"), kept_game(journal, "friday"):
        pass


def test_what_is_kept_is_judged_and_counted(journal):
    keep(journal)
    with kept_game(journal, "friday") as kept:
        (one,) = kept.rejudged()
        assert one.what == "p1 take_contract contract=CO1"
        assert one.differences == ((SPOT, "", "04aa came at 5.00 s"),)
        assert kept.summary().startswith("friday: of 1 actions, questions and falls 1 have a signal; 0 are judged")


def test_traces_that_are_no_database_are_said(journal):
    traces_path(journal).write_bytes(b"no database at all, " * 300)
    with pytest.raises(JournalUnavailable, match="nothing can be judged by them"), kept_game(journal, "friday"):
        pass
