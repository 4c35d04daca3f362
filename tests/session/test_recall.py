"""What a hub has learned at its table is not forgotten by a restart."""

from citytable.games.megacity.box import BOX
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.games.megacity.weights import PIECES
from citytable.hub import replayed
from citytable.journal.entry import Draft, Entry, PiecesWeighed
from citytable.journal.replay import Unreplayable
from citytable.session.recall import CONFIRMATIONS_JUDGED, recall
from citytable.table.piece_mass import PieceMass

LEARNED = PieceMass(PIECES, 46, 101.5)


def test_what_pieces_weigh_is_known_after_a_restart_however_long_ago_it_was_learned(table, turns_of):
    drafts = list(turns_of(MegaCity(Options(players=2), HOUSE)))
    assert len(drafts) > CONFIRMATIONS_JUDGED
    word = PiecesWeighed(pieces=LEARNED.pieces, grams=LEARNED.grams)
    for at in (3, len(drafts)):
        told = [*drafts[:at], Draft(drafts[at - 1].at_us, "sensor", word), *drafts[at:]]
        play = table().play
        entries = tuple(Entry(seq, one.at_us, one.cause, one.body) for seq, one in enumerate(told, start=1))
        recall(play, entries, lambda told: replayed(told, BOX))
        assert play.umpire.observed.piece == LEARNED


def test_what_was_played_long_before_a_position_was_put_right_may_have_become_impossible(table, turns_of):
    """Values of an own box that were entered later forbid it; what holds is the position that people set since."""
    drafts = list(turns_of(MegaCity(Options(players=2), HOUSE)))
    entries = tuple(Entry(seq, one.at_us, one.cause, one.body) for seq, one in enumerate(drafts, start=1))
    play = table().play

    def only_the_end(told):
        if len(told) < len(entries):
            raise Unreplayable("entry 2: the card says something else now")
        return replayed(told, BOX)

    recall(play, entries, only_the_end)
    assert play.umpire.position == replayed(entries, BOX).position
