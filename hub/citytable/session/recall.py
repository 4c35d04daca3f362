"""Recall: restores a play as it was when the hub stopped, from the journal alone.

The position comes from the actions, as in every replay. Everything under way (provisional acts, open questions, the
weight on each scale) comes from giving facts and messages to a new umpire in their original order. If it comes to other
actions than were confirmed then, the confirmed ones stand, and everything under way is explained again. Only the last
few turns are judged again, because earlier ones were confirmed long ago. Clearing up continues with its counts.
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
    """Bring a new play to the end of its game's entries; raises `Unreplayable`."""
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
    """Set the play to the end of these entries; return whether that is possible.

    Later undos, positions on paper or entered values may prevent it.
    """
    with suppress(Unreplayable):
        play.stand_by(replay(tuple(recalled)))
        return True
    return False


def _judged_as_then(play: Play[A, P], group: tuple[Entry, ...], recalled: list[Entry], replay: Replay[A, P]) -> bool:
    """Give the play a group, which joins what is `recalled`; return whether it confirms the same actions as then."""
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
    """Give the play the lasting part of a group of entries: facts, and messages that are valid until the next one."""
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
    """Return the stations that were connected when the hub stopped: they will report what they saw since."""
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
    """Return those starts of stations, as (station, boot), that send nothing any more.

    A game's entries begin with the connected stations. A station that restarted since does not return to an earlier
    start, and one that is not in the plan and was not connected in the whole game belongs to somebody else.
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
    """Give the play an entry; return the actions that it confirmed."""
    match entry.body:
        case FactNoted(fact=fact):
            play.recall(fact)
            return ()
        case Counted(components=components) if play.clearing is not None:
            play.clearing.recall(components)
            return ()
        case body if isinstance(body, Recorded):
            came = play.judged()  # its action may have been confirmed in the same moment
            return came + _said(play, body, history)
        case _:
            return ()


def _said(play: Play[A, P], word: Recorded, history: History[A, P]) -> tuple[Confirmed[A, P], ...]:
    try:
        return play.say(word, history)
    except Unreplayable:
        raise
    except ValueError:  # it was refused then, too, or its result is in the entries after it
        return ()
