"""Recall: a play as it was when the hub stopped, from the journal alone.

The position comes from the actions, as in every replay. What was under way (provisional acts, open questions, what each
scale weighed) comes from telling facts and words to a new umpire in the order in which the old one heard them. Should
it come to other actions than were confirmed then, what was confirmed stands and what was under way is explained anew.
Only the last few turns are judged again: what was under way before them was confirmed long ago. Clearing up goes
on with what was counted.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import groupby
from typing import TypeVar

from citytable.journal.entry import (
    ActionConfirmed,
    Amended,
    Answered,
    Entry,
    FactNoted,
    Inserted,
    ModeChosen,
    PiecesWeighed,
    PositionSet,
    Ruled,
    Stated,
    Stayed,
    Struck,
    Undone,
    Vouched,
)
from citytable.journal.replay import Played, cleared_up
from citytable.session.as_it_was import as_it_was
from citytable.session.bag_weighings import bag_of
from citytable.session.play import Play
from citytable.table.fact import StationCame, StationWent
from citytable.table.question import Statement
from citytable.umpire.acts import Confirmed
from citytable.umpire.piece_mass import PieceMass

A = TypeVar("A")
P = TypeVar("P")

CONFIRMATIONS_JUDGED = 8

Replay = Callable[[tuple[Entry, ...]], Played[A, P]]


def recall(play: Play[A, P], entries: Iterable[Entry], replayed: Replay[A, P]) -> None:
    """Bring a play that stands at the beginning to where the entries of its game end; raises `Unreplayable`."""
    groups = [tuple(together) for _, together in groupby(entries, key=lambda entry: entry.at_us)]
    confirming = [k for k, group in enumerate(groups, start=1) if _actions(group)]
    judged_from = confirming[-CONFIRMATIONS_JUDGED] if len(confirming) > CONFIRMATIONS_JUDGED else 0
    told: list[Entry] = []
    for group in groups[:judged_from]:
        told += group
        for entry in group:
            if isinstance(entry.body, FactNoted):
                play.recall(entry.body.fact)
            elif isinstance(entry.body, ModeChosen):
                play.set_mode(entry.body.mode)
        _weighed(play, group)
    if judged_from:
        _stand_by(play, tuple(told), replayed)
    for group in groups[judged_from:]:
        came: list[Confirmed[A, P]] = []
        for entry in group:
            told.append(entry)
            came += _tell(play, entry, tuple(told), replayed)
        came += play.judged()
        if [one.text for one in came] != _actions(group):
            _stand_by(play, tuple(told), replayed)
        _weighed(play, group)
    if told:
        _come_back(play, tuple(told), replayed)


def _weighed(play: Play[A, P], group: tuple[Entry, ...]) -> None:
    """What was learned of the pieces by then, after what it was learned from."""
    for entry in group:
        if isinstance(entry.body, PiecesWeighed):
            play.umpire.recall_piece(PieceMass(entry.body.pieces, entry.body.grams))


def _come_back(play: Play[A, P], told: tuple[Entry, ...], replayed: Replay[A, P]) -> None:
    cleared = cleared_up(told)
    if cleared is not None:
        play.clear_up(bag_of(told, play.game, replayed), cleared.counted)
        if cleared.closed:
            play.close_clearing()
    play.went_away(told[-1].at_us)


def stations_up(entries: Iterable[Entry]) -> frozenset[str]:
    """The stations that were there when the hub stopped: they will tell what they saw since."""
    up: set[str] = set()
    for entry in entries:
        match entry.body:
            case FactNoted(fact=StationCame(station=station)):
                up.add(station)
            case FactNoted(fact=StationWent(station=station)):
                up.discard(station)
            case _:
                continue
    return frozenset(up)


def _actions(group: tuple[Entry, ...]) -> list[str]:
    return [entry.body.action for entry in group if isinstance(entry.body, ActionConfirmed)]


def _stand_by(play: Play[A, P], told: tuple[Entry, ...], replayed: Replay[A, P]) -> None:
    """What was confirmed stands, whatever the umpire comes to now."""
    game = replayed(told)
    play.put_right(game, restoring=True)
    play.go_on()


def _tell(
    play: Play[A, P], entry: Entry, told: tuple[Entry, ...], replayed: Replay[A, P]
) -> tuple[Confirmed[A, P], ...]:
    """Tell the play what an entry says; gives what it confirmed by that."""
    body = entry.body
    match body:
        case FactNoted(fact=fact):
            play.recall(fact)
            return ()
        case Undone() | Amended() | Inserted() | Struck() | PositionSet():
            came = play.judged()  # what it puts right may have been confirmed in the same moment
            restoring = isinstance(body, Undone | PositionSet)
            return came + play.put_right(replayed(told), restoring=restoring, scales=as_it_was(told, replayed))
        case Stayed():
            return play.go_on()
        case ModeChosen(mode=mode):
            return play.set_mode(mode)
        case Stated() | Vouched() | Ruled() | Answered():
            came = play.judged()
            with suppress(ValueError):  # what it led to then stands in the entries after it
                came += _say(play, body, entry.at_us)
            return came
        case _:
            return ()


def _say(play: Play[A, P], body: Stated | Vouched | Ruled | Answered, at_us: int) -> tuple[Confirmed[A, P], ...]:
    match body:
        case Stated(statement=statement):
            return play.state(statement)
        case Vouched(actions=actions):
            return play.vouch(actions)
        case Ruled(action=action, by=by):
            return play.let_stand(Statement(t_us=at_us, action=action, by=by))
        case Answered(answer=answer):
            return play.answer(answer)
