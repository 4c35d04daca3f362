"""Recall: a play as it was when the hub stopped, from the journal alone.

The position comes from the actions, as in every replay. What was under way (provisional acts, open questions, what each
scale weighed) comes from telling facts and words to a new umpire in the order in which the old one heard them. Should
it come to other actions than were confirmed then, what was confirmed stands and what was under way is explained again.
Only the last few turns are judged again: what was under way before them was confirmed long ago. Clearing up goes
on with what was counted.
"""

from collections.abc import Collection, Iterable
from contextlib import suppress
from itertools import groupby
from typing import TypeVar

from citytable.journal.entry import ActionConfirmed, Counted, Entry, FactNoted, GameStarted, PiecesWeighed
from citytable.journal.replay import Unreplayable
from citytable.session.history import History, Replay
from citytable.session.play import Play
from citytable.table.fact import StationCame, StationWent
from citytable.table.word import Guide, ModeChoice, Naming, PiecesSaid, Recorded, TagNamed
from citytable.umpire.acts import Confirmed

A = TypeVar("A")
P = TypeVar("P")

CONFIRMATIONS_JUDGED = 8


def recall(play: Play[A, P], entries: Iterable[Entry], replay: Replay[A, P]) -> None:
    """Bring a play that stands at the beginning to where the entries of its game end; raises `Unreplayable`."""
    groups = [tuple(together) for _, together in groupby(entries, key=lambda entry: entry.at_us)]
    confirming = [k for k, group in enumerate(groups, start=1) if _actions(group)]
    judged_from = confirming[-CONFIRMATIONS_JUDGED] if len(confirming) > CONFIRMATIONS_JUDGED else 0
    recalled: list[Entry] = []
    if groups and isinstance(started := groups[0][0].body, GameStarted):
        play.names = started.names
    for group in groups[:judged_from]:
        recalled += group
        _take_in(play, group, History(recalled, replay))
        _weighed(play, group)
    behind = judged_from > 0 and not _stands_by(play, recalled, replay)
    for group in groups[judged_from:]:
        behind |= not _judged_as_then(play, group, recalled, replay)
        behind = behind and not _stands_by(play, recalled, replay)
        _weighed(play, group)
    if behind:
        play.stand_by(replay(tuple(recalled)))
    if recalled:
        play.went_away(recalled[-1].at_us)


def _stands_by(play: Play[A, P], recalled: list[Entry], replay: Replay[A, P]) -> bool:
    """Let the play stand where these entries end; return whether that can be.

    What was undone since, or put right on paper, values that were entered later may forbid.
    """
    with suppress(Unreplayable):
        play.stand_by(replay(tuple(recalled)))
        return True
    return False


def _judged_as_then(play: Play[A, P], group: tuple[Entry, ...], recalled: list[Entry], replay: Replay[A, P]) -> bool:
    """Let the play have a group, which joins what is `recalled`; return whether it confirms what was confirmed then."""
    came: list[Confirmed[A, P]] = []
    known = True
    for entry in group:
        recalled.append(entry)
        try:
            came += _report(play, entry, History(recalled, replay))  # the list itself: a word uses its history at once
        except Unreplayable:
            known = False
    came += play.judged()
    return known and [one.text for one in came] == _actions(group)


def _take_in(play: Play[A, P], group: tuple[Entry, ...], history: History[A, P]) -> None:
    """Let the play have what a group of entries leaves behind: facts, and words that hold until another is said."""
    for entry in group:
        if isinstance(entry.body, FactNoted):
            play.recall(entry.body.fact)
        elif isinstance(entry.body, Guide | ModeChoice | Naming | PiecesSaid | TagNamed):
            play.say(entry.body, history)


def _weighed(play: Play[A, P], group: tuple[Entry, ...]) -> None:
    """Recall the mass of pieces, after the facts it was learned from."""
    for entry in group:
        if isinstance(entry.body, PiecesWeighed):
            reported = () if isinstance(entry.body.reported, int) else entry.body.reported
            play.umpire.recall_piece(entry.body.pieces, entry.body.grams, reported)


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


def out_of_use(
    starts: Iterable[tuple[str, int]], entries: Iterable[Entry], plan: Collection[str]
) -> frozenset[tuple[str, int]]:
    """Return those starts of stations, as (station, boot), from which nothing comes any more.

    A game's entries begin with the stations that are there. A station that started again since does not go back to an
    earlier start, and one that has no place in the plan and was not there in the whole game is somebody else's.
    """
    came: dict[str, set[int]] = {}
    for entry in entries:
        match entry.body:
            case FactNoted(fact=StationCame(station=station, boot=boot)):
                came.setdefault(station, set()).add(boot)
            case _:
                continue
    return frozenset(
        (station, boot)
        for station, boot in starts
        if (boot not in came[station] if station in came else came and station not in plan)
    )


def _actions(group: tuple[Entry, ...]) -> list[str]:
    return [entry.body.action for entry in group if isinstance(entry.body, ActionConfirmed)]


def _report(play: Play[A, P], entry: Entry, history: History[A, P]) -> tuple[Confirmed[A, P], ...]:
    """Let the play have what an entry says; return what became confirmed by that."""
    match entry.body:
        case FactNoted(fact=fact):
            play.recall(fact)
            return ()
        case Counted(components=components) if play.clearing is not None:
            play.clearing.recall(components)
            return ()
        case body if isinstance(body, Recorded):
            came = play.judged()  # what it is about may have been confirmed in the same moment
            return came + _said(play, body, history)
        case _:
            return ()


def _said(play: Play[A, P], word: Recorded, history: History[A, P]) -> tuple[Confirmed[A, P], ...]:
    try:
        return play.say(word, history)
    except Unreplayable:
        raise
    except ValueError:  # it was refused then, too, or what it led to stands in the entries after it
        return ()
