"""Replay gives the game back, the same every time; undo is an entry like any other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.journal.entry import ActionConfirmed, Draft, Entry
from citytable.journal.export import exported_bytes, parse_export
from citytable.journal.replay import Unreplayable, as_done, is_over, kept_by_undo, replay, standing
from citytable.rules.errors import IllegalPosition
from citytable.table.word import PositionSet, Undo


def numbered(drafts):
    return [Entry(seq, draft.at_us, draft.cause, draft.body) for seq, draft in enumerate(drafts, start=1)]


def at(game, text):
    game.said[:] = [int(number) for number in text.split()]
    return game


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
        assert replay(read, lambda _: counting(), int, at).position == game.position


def test_the_start_entry_makes_the_game(drafts, counting):
    seen = []

    def start(started):
        seen.append((started.game, started.options))
        return counting()

    replay(numbered([drafts.started]), start, int, at)
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
    with pytest.raises(Unreplayable, match=f"entry 3 undoes back to entry {to}: it must name an earlier entry"):
        standing(numbered([drafts.started, drafts.action("1"), drafts.undo(to)]))


def test_an_action_the_rules_refuse_is_named_with_its_entry(drafts, counting):
    entries = numbered([drafts.started, drafts.action("1"), drafts.action("1")])
    with pytest.raises(Unreplayable, match="entry 3, '1': C1: say another number"):
        replay(entries, lambda _: counting(), int, at)


def test_a_journal_without_its_beginning_is_refused(drafts, counting):
    with pytest.raises(Unreplayable, match="begins with game_started, this one with action"):
        replay(numbered([drafts.action("1")]), lambda _: counting(), int, at)
    with pytest.raises(Unreplayable, match="this one with nothing"):
        replay([], lambda _: counting(), int, at)


def test_an_amended_action_stands_under_its_old_number(drafts):
    told = [drafts.started, drafts.action("1"), drafts.action("2"), drafts.amend(2, "7"), drafts.amend(2, "8")]
    assert [(one.seq, one.body.action) for one in standing(numbered(told))] == [(2, "8"), (3, "2")]


def test_an_inserted_action_stands_before_the_other_under_its_own_number_and_can_be_amended(drafts):
    told = [drafts.started, drafts.action("1"), drafts.action("2"), drafts.insert(3, "7"), drafts.amend(4, "9")]
    assert [(one.seq, one.body.action) for one in standing(numbered(told))] == [(2, "1"), (4, "9"), (3, "2")]


def test_a_struck_action_is_gone_until_that_is_undone(drafts):
    told = [drafts.started, drafts.action("1"), drafts.action("2"), drafts.strike(2)]
    assert texts(numbered(told)) == ["2"]
    assert texts(numbered([*told, drafts.undo(3)])) == ["1", "2"]


def taken_back(told, to):
    """The texts that stand after an undo to `to` that keeps the corrections of what was before."""
    entries = numbered(told)
    undone = Undo(to=to, by="host", why="", kept=kept_by_undo(entries, to))
    return texts([*entries, Entry(len(entries) + 1, 0, "referee", undone)])


def test_what_is_taken_back_takes_no_later_correction_of_older_actions_along(drafts):
    game = [drafts.started, *map(drafts.action, "1234")]
    assert taken_back([*game, drafts.amend(2, "7")], 3) == ["7", "2"]
    assert taken_back([*game, drafts.insert(3, "8"), drafts.amend(6, "9"), drafts.strike(2)], 3) == ["9", "2"]
    assert taken_back([*game, drafts.amend(5, "7")], 3) == ["1", "2"], "what it corrected is taken back"


def test_an_insertion_that_is_taken_back_is_gone(drafts):
    assert taken_back([drafts.started, *map(drafts.action, "12"), drafts.insert(3, "8")], 3) == ["1", "2"]


def test_a_correction_that_was_undone_already_is_not_kept(drafts):
    game = [drafts.started, *map(drafts.action, "123"), drafts.amend(2, "7"), drafts.undo(4), drafts.amend(3, "6")]
    assert taken_back(game, 3) == ["1", "6"]


def test_a_correction_before_an_undo_that_left_it_is_kept(drafts):
    game = [drafts.started, *map(drafts.action, "123"), drafts.amend(2, "7"), drafts.action("4"), drafts.undo(5)]
    assert taken_back(game, 3) == ["7", "2"]
    undone = [*game, drafts.undo(4), drafts.undo(7)]
    assert texts(numbered(undone)) == ["7", "2", "3"]
    assert taken_back(undone, 3) == ["7", "2"]


def test_what_is_kept_after_an_evening_of_undos_is_found_at_once(drafts):
    told = [drafts.started, *map(drafts.action, "123"), drafts.amend(2, "7")]
    for _ in range(40):
        told += [drafts.action("4"), drafts.undo(len(told))]
    assert kept_by_undo(numbered(told), 3) == (5,)


def test_what_was_written_down_wrong_is_not_put_back(drafts, counting):
    """The texts of the actions by which the scales are put back."""

    def put_back(*more):
        told = numbered([drafts.started, *map(drafts.action, "123"), *more])
        game = as_done(told, lambda entries: replay(entries, lambda _: counting(), int, at))
        return game and game.position

    assert put_back(drafts.undo(2)) == (1,)
    assert put_back(drafts.undo(2), drafts.undo(4)) == (1, 2, 3), "it is done again"
    assert put_back(drafts.amend(2, "7"), drafts.undo(4)) == (7, 2, 3), "as many are drawn as before"
    assert put_back(drafts.amend(2, "7"), drafts.action("4"), drafts.undo(3)) == (7, 2)
    assert put_back(drafts.amend(2, "7")) is None
    set_ = Draft(0, "referee", PositionSet(position="5 5", by="host", why=""))
    assert put_back(set_, drafts.undo(3)) is None
    assert put_back(set_, drafts.action("4"), drafts.undo(5)) == (5, 5)


def test_an_undo_keeps_nothing_but_corrections(drafts):
    entries = numbered([drafts.started, drafts.action("1"), drafts.action("2")])
    with pytest.raises(Unreplayable, match="entry 4 keeps entry 3, which is not an earlier correction"):
        standing([*entries, Entry(4, 0, "referee", Undo(to=2, by="host", why="", kept=(3,)))])


@pytest.mark.parametrize("kind", ["amend", "insert", "strike"])
def test_a_corrected_game_is_not_over_until_that_is_said_again(drafts, kind):
    correction = drafts.strike(2) if kind == "strike" else getattr(drafts, kind)(2, "5")
    told = [drafts.started, drafts.action("1"), drafts.ended, correction]
    assert not is_over(numbered(told))
    assert is_over(numbered([*told, drafts.ended]))
    assert is_over(numbered([*told, drafts.undo(3)]))


@pytest.mark.parametrize("wrong", [0, 1, 3, 9])
@pytest.mark.parametrize("kind", ["amend", "insert", "strike"])
def test_a_correction_of_no_standing_action_is_refused(drafts, kind, wrong):
    words = (wrong,) if kind == "strike" else (wrong, "5")
    told = [drafts.started, drafts.action("1"), drafts.ended, getattr(drafts, kind)(*words)]
    with pytest.raises(Unreplayable, match=f"entry 4 corrects entry {wrong}, which is not an action that stands"):
        standing(numbered(told))


def test_what_was_let_stand_against_a_rule_is_accepted_again(drafts, counting):
    twice = drafts.action("1")
    let_stand = Draft(2_000, "referee", ActionConfirmed(action="1", by="host", breaks="C1"))
    assert replay(numbered([drafts.started, twice, let_stand]), lambda _: counting(), int, at).position == (1, 1)


def test_what_a_correction_made_illegal_happened_all_the_same(drafts, counting):
    told = [drafts.started, drafts.action("1"), drafts.action("2"), drafts.amend(2, "2")]
    assert replay(numbered(told), lambda _: counting(), int, at).position == (2, 2)


def test_a_correction_that_cannot_be_is_named_with_its_entry(drafts, counting):
    told = [drafts.started, drafts.action("1"), drafts.action("1"), drafts.amend(3, "100"), drafts.amend(2, "100")]
    with pytest.raises(Unreplayable, match="entry 3, '100': C2: nobody counts so far"):
        replay(numbered(told), lambda _: counting(), int, at)


CHANGES = st.tuples(
    st.sampled_from(["action", "undo", "amend", "insert", "strike"]), st.integers(0, 99), st.integers(0, 9)
)


@given(st.lists(CHANGES, max_size=30))
def test_any_game_with_any_corrections_equals_the_list_a_person_would_keep(drafts, counting, changes):
    """Against a model: a list of (number, text) put right by hand, with a copy kept after every entry."""
    told, kept = [drafts.started], []
    copies = {0: [], 1: []}
    for kind, where, text in changes:
        seq = len(told) + 1
        if kind == "action" or not kept:
            told.append(drafts.action(str(text)))
            kept = [*kept, (seq, str(text))]
        elif kind == "undo":
            to = where % len(told) + 1
            told.append(drafts.undo(to))
            kept = copies[to]
        else:
            number = kept[where % len(kept)][0]
            k = [one for one, _ in kept].index(number)
            told.append(drafts.strike(number) if kind == "strike" else getattr(drafts, kind)(number, str(text)))
            new = {"strike": [], "amend": [(number, str(text))], "insert": [(seq, str(text)), kept[k]]}[kind]
            kept = [*kept[:k], *new, *kept[k + 1 :]]
        copies[seq] = kept
    entries = numbered(told)
    assert [(one.seq, one.body.action) for one in standing(entries)] == kept
    if len(told) > len(kept) + 1:  # something was corrected, so everything is accepted
        read = parse_export(exported_bytes("g", entries), "g").entries
        assert replay(read, lambda _: counting(), int, at).position == tuple(int(text) for _, text in kept)


def test_a_position_that_was_set_stands_instead_of_what_was_played(drafts, counting):
    is_set = Draft(3_000, "referee", PositionSet(position="5 6", by="host", why="played on paper"))
    told = [drafts.started, drafts.action("1"), is_set, drafts.action("7"), drafts.amend(4, "8")]
    entries = numbered(told)
    assert replay(entries, lambda _: counting(), int, at).position == (5, 6, 8)
    assert texts(entries) == ["8"]
    assert replay(numbered([*told, drafts.undo(2)]), lambda _: counting(), int, at).position == (1,)
    assert replay(numbered([*told, drafts.undo(3)]), lambda _: counting(), int, at).position == (5, 6)


def test_a_position_that_cannot_be_names_its_entry(drafts, counting):
    def impossible(_game, _text):
        raise IllegalPosition("a platform twice")

    is_set = Draft(3_000, "referee", PositionSet(position="5", by="host", why=""))
    with pytest.raises(Unreplayable, match="entry 2 sets a position that cannot be: a platform twice"):
        replay(numbered([drafts.started, is_set]), lambda _: counting(), int, impossible)
