"""Consent: nobody's action is taken back by another player without his word, except by the host."""

import pytest

from citytable.journal.entry import ActionConfirmed, Entry
from citytable.rules.errors import Unfitting
from citytable.session.consent import LAPSES_US, Consent
from citytable.table.word import Amendment, ClearUp, Undo, UndoReplied, UndoReply, UndoRequest, UndoRequested

LINES = ("p1 take_contract contract=PU1", "p1 end_turn", "p2 rezone platform=3", "p2 end_turn", "p3 end_turn")
TOLD = [Entry(seq, 0, "sensor", ActionConfirmed(action=line)) for seq, line in enumerate(LINES, start=2)]


def wish(seat, to, entries=TOLD, now_us=0):
    consent = Consent()
    return consent, consent.request(UndoRequest(by=f"seat {seat}", to=to, why="slipped"), entries, now_us, ())


def test_what_one_did_oneself_is_taken_back_at_once():
    _, undone = wish(3, 5)
    assert undone == Undo(to=5, by="seat 3", why="slipped")


def test_everybody_whose_action_goes_is_asked_and_named():
    consent, undone = wish(3, 2)
    assert undone is None
    assert (consent.asked.waiting, consent.asked.actions) == ((1, 2), LINES[1:])
    assert consent.reply(UndoReply(by="seat 2", agrees=True), TOLD, ()) is None
    undone = consent.reply(UndoReply(by="seat 1", agrees=True), TOLD, ())
    assert undone == Undo(to=2, by="seat 3", why="slipped", agreed=("seat 2", "seat 1"))


def test_one_who_refuses_ends_it_and_so_does_the_host():
    for seat in (2, 0):
        consent, _ = wish(3, 2)
        assert consent.reply(UndoReply(by=f"seat {seat}" if seat else "host", agrees=False), TOLD, ()) is None
        assert consent.asked is None


def test_who_acted_meanwhile_is_asked_too():
    consent, _ = wish(3, 4)
    more = [*TOLD, Entry(7, 0, "sensor", ActionConfirmed(action="p1 end_turn"))]
    assert consent.reply(UndoReply(by="seat 2", agrees=True), more, ()) is None
    assert consent.asked.waiting == (1,)


def test_who_has_begun_his_turn_is_asked_too():
    consent, under_way = Consent(), ("p1 take_contract contract=PU2",)
    assert consent.request(UndoRequest(by="seat 3", to=5), TOLD, 0, under_way) is None
    assert (consent.asked.waiting, consent.asked.actions) == ((1,), (LINES[-1], *under_way))
    assert consent.reply(UndoReply(by="seat 1", agrees=True), TOLD, under_way).agreed == ("seat 1",)


def test_the_table_itself_asks_for_no_undo_and_agrees_to_none():
    consent, _ = wish(3, 2)
    with pytest.raises(Unfitting, match="only the host or a player can say this"):
        consent.reply(UndoReply(by="table", agrees=True), TOLD, ())
    with pytest.raises(Unfitting, match="only the host or a player can say this"):
        Consent().request(UndoRequest(by="table", to=5), TOLD, 0, ())


def test_it_lapses():
    consent, _ = wish(3, 2, now_us=5)
    assert not consent.lapse(LAPSES_US)
    assert consent.lapse(LAPSES_US + 5)
    assert consent.asked is None


@pytest.mark.parametrize("word", [UndoReply(by="seat 3", agrees=True), UndoReply(by="seat 4", agrees=True)])
def test_only_who_is_asked_agrees(word):
    consent, _ = wish(3, 2)
    with pytest.raises(ValueError, match="is not asked"):
        consent.reply(word, TOLD, ())


def test_the_host_is_told_that_only_players_agree():
    consent, _ = wish(3, 2)
    with pytest.raises(ValueError, match="the host cannot agree on a player"):
        consent.reply(UndoReply(by="host", agrees=True), TOLD, ())


def test_the_host_asks_nobody_for_consent():
    consent = Consent()
    with pytest.raises(Unfitting, match="the host needs nobody's consent"):
        consent.request(UndoRequest(by="host", to=5), TOLD, 0, ())
    assert consent.asked is None


def test_whom_it_does_not_concern_does_not_refuse_either():
    consent, _ = wish(3, 4)
    with pytest.raises(ValueError, match="seat 1 is not asked"):
        consent.reply(UndoReply(by="seat 1", agrees=False), TOLD, ())
    assert consent.asked is not None


def test_what_the_host_put_right_is_taken_back_by_him_only():
    amended = [*TOLD, Entry(7, 0, "referee", Amendment(entry=4, action="p2 end_turn", by="host", why=""))]
    later = [*amended, Entry(8, 0, "sensor", ActionConfirmed(action="p3 rezone platform=2"))]
    with pytest.raises(ValueError, match="the host has corrected the record after entry 6"):
        wish(3, 6, later)
    assert wish(3, 7, later)[1] == Undo(to=7, by="seat 3", why="slipped")


def test_a_second_wish_and_a_word_about_none_are_refused():
    consent, _ = wish(3, 2)
    with pytest.raises(ValueError, match="seat 3 has already asked"):
        consent.request(UndoRequest(by="seat 1", to=2), TOLD, 0, ())
    with pytest.raises(ValueError, match="no undo is waiting"):
        Consent().reply(UndoReply(by="seat 1", agrees=True), TOLD, ())
    with pytest.raises(ValueError, match="there is no action after entry"):
        wish(3, 6)


WISHED, AGREED = UndoRequested(by="seat 3", to=2, why="slipped"), UndoReplied(by="seat 2", agrees=True)


@pytest.mark.parametrize(
    ("then", "waiting"),
    [
        ((WISHED,), (1, 2)),
        ((WISHED, AGREED), (1,)),
        ((UndoRequested(by="seat 3", to=5, under_way=("p1 end_turn",)),), (1,)),
        ((WISHED, AGREED, UndoReplied(by="seat 1", agrees=False)), None),
        ((WISHED, AGREED, Amendment(entry=2, action=LINES[0], by="host", why="")), None),
        ((WISHED, AGREED, ClearUp(do="begin", by="host")), None),
        ((WISHED, UndoReplied(by="seat 1", agrees=False), UndoRequested(by="seat 3", to=4)), (2,)),
        ((AGREED,), None),
    ],
)
def test_what_was_written_down_of_a_wish_is_taken_over_after_a_restart(then, waiting):
    consent = Consent()
    consent.recall([*TOLD, *(Entry(seq, 9, "player", body) for seq, body in enumerate(then, start=7))])
    assert (consent.asked and consent.asked.waiting) == waiting
    if waiting:
        assert consent.asked.until_us == 9 + LAPSES_US
