"""An evening in lines of text, for the host's terminal."""

from collections.abc import Sequence
from fractions import Fraction

from citytable.venue.evening import Evening
from citytable.venue.facts import Seating
from citytable.venue.season import SeasonLine
from citytable.venue.standings import Standing


def decimal(points: Fraction) -> str:
    """Return points with two digits.

    >>> decimal(Fraction(7, 3))
    '2.33'
    """
    return f"{float(points):.2f}"


def round_lines(evening: Evening, round_no: int | None = None) -> tuple[str, ...]:
    """Return a round, the last one where none is named: each table with its seats, and the points that are known.

    Games that tables reported and that belong to no round follow.
    """
    drawn = evening.rounds[(round_no or len(evening.rounds)) - 1 :][:1]
    beside = tuple(
        f"beside   {game.table}: {' '.join(map(str, game.points))} (game {game.game})"
        for game in evening.games.values()
        if game.round_no is None
    )
    if not drawn:
        return "no round is drawn", *beside
    lines = [f"round {drawn[0].round_no} of {evening.rounds_planned}"]
    lines += [_table_line(seating, evening.points(drawn[0].round_no, seating.table)) for seating in drawn[0].seatings]
    if drawn[0].sitting_out:
        lines.append(f"out      {', '.join(drawn[0].sitting_out)}")
    return *lines, *beside


def _table_line(seating: Seating, points: Sequence[int] | None) -> str:
    seats = [f"{seat} {name}" for seat, name in enumerate(seating.players, 1)]
    if points is not None:
        seats = [f"{text} ({mine})" for text, mine in zip(seats, points, strict=True)]
    return f"{seating.table:<8} {', '.join(seats)}"


def standing_lines(lines: Sequence[Standing]) -> tuple[str, ...]:
    """Return the standings: place, points, won games, games, name."""
    head = "place  points  won  games  player"
    return head, *(
        f"{line.place:>5}  {decimal(line.points):>6}  {line.wins:>3}  {line.games:>5}  {line.player}" for line in lines
    )


def season_lines(lines: Sequence[SeasonLine]) -> tuple[str, ...]:
    """Return a season's table: place, points, won games, evenings, name."""
    head = "place  points  won  evenings  player"
    return head, *(
        f"{line.place:>5}  {decimal(line.points):>6}  {line.wins:>3}  {line.evenings:>8}  {line.player}"
        for line in lines
    )
