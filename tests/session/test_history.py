"""A history: what its entries make is computed once, however often it is asked for."""

import pytest

from citytable.games.megacity.box import BOX
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.hub import replayed
from citytable.journal.entry import Entry
from citytable.session.history import History
from citytable.table.word import Strike, Undo


@pytest.fixture
def told(turns_of):
    """The entries of a few turns."""
    drafts = turns_of(MegaCity(Options(players=2), HOUSE))
    return tuple(Entry(seq, one.at_us, one.cause, one.body) for seq, one in enumerate(drafts, start=1))


def counted(entries):
    """A history of these entries, and what it replays."""
    replays = []

    def replay(some):
        replays.append(some)
        return replayed(some, BOX)

    return History(entries, replay), replays


def with_word(told, word):
    return (*told, Entry(len(told) + 1, told[-1].at_us + 1, "referee", word))


def test_the_game_is_replayed_once(told):
    history, replays = counted(told)
    assert history.played is history.played
    assert len(replays) == 1


def test_an_undo_replays_the_game_once_for_the_position_and_for_the_scales(told):
    history, replays = counted(with_word(told, Undo(to=len(told) // 2, by="host")))
    assert history.scales().position == history.played.position
    assert len(replays) == 1


def test_an_undo_of_a_correction_puts_the_scales_back_to_what_was_done(told):
    struck = with_word(told, Strike(entry=len(told), by="host"))
    history, replays = counted(with_word(struck, Undo(to=len(told), by="host")))
    assert history.scales().position != history.played.position
    assert len(replays) == 2
