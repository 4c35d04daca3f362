"""Which table is exciting now, and why. Each reason has a weight, and a table's weights add up."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

from citytable.venue.evening import Evening
from citytable.venue.messages import TableNow
from citytable.venue.standings import standings

Why: TypeAlias = Literal["fell", "lead", "level", "close", "first", "over"]
WEIGHTS: Mapping[Why, int] = {"fell": 4, "lead": 3, "level": 3, "close": 2, "first": 1, "over": 0}
FRESH_TURNS = 2
"""For so long a new leader is news."""
CLOSE_SHARE = 0.1
"""Of the leader's points: who is no further behind is close."""


class Reason(msgspec.Struct, frozen=True):
    """One reason: `name` is whom it is about, `points` how many there are between the first two."""

    why: Why
    name: str = ""
    points: int = 0


class Exciting(msgspec.Struct, frozen=True):
    """One table with its reasons, the weightiest first; none where it is a game like any other."""

    table: str
    weight: int
    reasons: tuple[Reason, ...]


class Lead(msgspec.Struct, frozen=True):
    """Hold who leads a game alone (a seat; None: nobody does), and since which turn; `None`: from the beginning."""

    game_id: str
    seat: int | None
    since_turn: int | None


def followed(lead: Lead | None, now: TableNow) -> Lead:
    """Return who leads after news of a table. Of two who are level neither leads, and the one before is remembered."""
    seat = _leader(now)
    if lead is None or lead.game_id != now.game_id or lead.seat is None:
        return Lead(now.game_id, seat, None)
    if seat in {None, lead.seat}:
        return lead
    return Lead(now.game_id, seat, now.turn)


def exciting(
    tables: Mapping[str, TableNow], leads: Mapping[str, Lead], evening: Evening | None
) -> tuple[Exciting, ...]:
    """Return the tables, the most exciting first; of equal ones by their names."""
    found = []
    for table, now in tables.items():
        names = names_at(table, now, evening)
        reasons = [Reason("over")] if now.over else _playing(now, leads.get(table), names) + _first(names, evening)
        ordered = tuple(sorted(reasons, key=lambda reason: -WEIGHTS[reason.why]))
        found.append(Exciting(table, sum(WEIGHTS[reason.why] for reason in ordered), ordered))
    return tuple(sorted(found, key=lambda one: (-one.weight, one.table)))


def names_at(table: str, now: TableNow, evening: Evening | None) -> tuple[str, ...]:
    """Return the names of a table's seats: as the game's round seats them, else as the table knows them.

    A name that nobody knows is empty. A game that the evening does not know yet is one of its last round.
    """
    if evening is None:
        return now.names
    known = evening.games.get((table, now.game_id))
    round_no = len(evening.rounds) if known is None else known.round_no
    seating = None if round_no is None else evening.seating(round_no, table)
    return seating.players if seating is not None and len(seating.players) == len(now.names) else now.names


def _leader(now: TableNow) -> int | None:
    if not now.points or max(now.points) <= 0:
        return None
    best = max(now.points)
    return now.points.index(best) + 1 if now.points.count(best) == 1 else None


def _playing(now: TableNow, lead: Lead | None, names: tuple[str, ...]) -> list[Reason]:
    reasons = [Reason("fell")] if now.fell else []
    if lead is not None and lead.since_turn is not None and now.turn - lead.since_turn <= FRESH_TURNS:
        reasons.append(Reason("lead", "" if lead.seat is None else names[lead.seat - 1]))
    if now.points and len(now.points) > 1 and max(now.points) > 0:
        best, second = sorted(now.points, reverse=True)[:2]
        if best == second:
            reasons.append(Reason("level", points=best))
        elif best - second <= CLOSE_SHARE * best:
            reasons.append(Reason("close", points=best - second))
    return reasons


def _first(names: tuple[str, ...], evening: Evening | None) -> list[Reason]:
    """Return which of these players lead the evening."""
    lines = () if evening is None else standings(evening)
    leaders = {line.player for line in lines if line.place == 1 and line.points > 0}
    return [Reason("first", name) for name in names if name in leaders]
