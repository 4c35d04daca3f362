"""Replay gives the game back, the same every time; undo is an entry like any other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.journal.entry import ActionConfirmed, Entry
from citytable.journal.export import exported_bytes, parse_export
from citytable.journal.replay import Unreplayable, is_over, replay, standing


def numbered(drafts):
    return [Entry(seq, draft.at_us, draft.cause, draft.body) for seq, draft in enumerate(drafts, start=1)]


def texts(entries):
    return [entry.body.action for entry in standing(entries) if isinstance(entry.body, ActionConfirmed)]


acts = st.lists(st.one_of(st.integers(0, 9), st.tuples(st.integers(1, 30))), max_size=25)


@given(acts)
def test_replay_equals_the_game_as_it_was_played(drafts, counting, acts):
    game, told, snapshots = counting(), [drafts.started], {1: ()}
    for act in acts:
        if isinstance(act, tuple):
            to = min(act[0], len(told))
            game.said[:] = snapshots[to]
            told.append(drafts.undo(to))
        elif act in game.legal_actions:
            game.push(act)
            told.append(drafts.action(str(act)))
        snapshots[len(told)] = game.position
    entries = numbered(told)
    for read in (entries, parse_export(exported_bytes("g", entries), "g").entries):
        assert replay(read, lambda _: counting(), int).position == game.position


def test_the_start_entry_makes_the_game(drafts, counting):
    seen = []

    def start(started):
        seen.append((started.game, started.options))
        return counting()

    replay(numbered([drafts.started]), start, int)
    assert seen == [("counting", {"players": 2})]


def test_an_undo_can_itself_be_undone(drafts):
    told = [drafts.started, drafts.action("1"), drafts.action("2"), drafts.undo(2)]
    assert texts(numbered(told)) == ["1"]
    assert texts(numbered([*told, drafts.undo(3)])) == ["1", "2"]


def test_an_undo_to_an_entry_between_actions_keeps_what_came_before_it(drafts):
    told = [drafts.started, drafts.action("1"), drafts.undo(2), drafts.action("2"), drafts.undo(3)]
    assert texts(numbered(told)) == ["1"]


def test_a_game_is_over_until_its_end_is_undone(drafts):
    told = [drafts.started, drafts.action("1"), drafts.ended]
    assert not is_over(numbered(told[:2]))
    assert is_over(numbered(told))
    assert not is_over(numbered([*told, drafts.undo(2)]))


@pytest.mark.parametrize("to", [0, 3, 9])
def test_an_undo_to_no_earlier_entry_is_refused(drafts, to):
    with pytest.raises(Unreplayable, match=f"entry 3 undoes to entry {to}: it must name an earlier one"):
        standing(numbered([drafts.started, drafts.action("1"), drafts.undo(to)]))


def test_an_action_the_rules_refuse_is_named_with_its_entry(drafts, counting):
    entries = numbered([drafts.started, drafts.action("1"), drafts.action("1")])
    with pytest.raises(Unreplayable, match="entry 3, '1': C1: say another number"):
        replay(entries, lambda _: counting(), int)


def test_a_journal_without_its_beginning_is_refused(drafts, counting):
    with pytest.raises(Unreplayable, match="begins with game_started, this one with action"):
        replay(numbered([drafts.action("1")]), lambda _: counting(), int)
    with pytest.raises(Unreplayable, match="this one with nothing"):
        replay([], lambda _: counting(), int)
