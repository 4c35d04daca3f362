"""The draw of a round: who sits out, who meets whom, at which table, on which seat."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations

from citytable.venue.ahead import divide_with_foresight
from citytable.venue.division import Looks, Pairs, divide
from citytable.venue.evening import Evening
from citytable.venue.facts import Refused, RoundDrawn, Seating
from citytable.venue.sizes import table_sizes
from citytable.venue.standings import standings


def draw(evening: Evening) -> RoundDrawn:
    """Return the next round; raise `Refused` while the last one is played, or where too few are here.

    - Those who have sat out least sit out; of these the last in the standings.
    - Nobody meets somebody again as far as the search can avoid it; then players of like standing meet.
    - The best table of a round is the first that was opened.
    - At each table everybody gets the seat that they had least.

    What is level is decided by the lot, which the evening's seed and the round's number draw.
    """
    if missing := evening.unfinished():
        raise Refused(f"the last round is still played at {', '.join(missing)}")
    round_no = len(evening.rounds) + 1
    drawn = sorted(evening.present)
    random.Random(f"{evening.seed} {round_no}").shuffle(drawn)
    sizes = table_sizes(len(drawn), len(evening.tables), evening.players_min, evening.players_max)
    lines = {line.player: line for line in standings(evening)}
    byes_first = sorted(drawn, key=lambda name: (lines[name].byes, -lines[name].place))
    sitting_out = byes_first[: len(drawn) - sum(sizes)]
    playing = [name for name in drawn if name not in sitting_out]
    places = {name: lines[name].place for name in playing}
    met = meetings(evening)
    is_last = round_no >= evening.rounds_planned
    division = (
        divide(Pairs(playing, places, met), sizes, Looks())
        if is_last
        else divide_with_foresight(playing, places, met, sizes)
    )
    groups = sorted(division.tables, key=lambda group: sorted(places[playing[k]] for k in group))
    sat = seats_had(evening)
    seatings = tuple(
        Seating(table, fair_seats([playing[k] for k in sorted(group)], sat))
        for table, group in zip(evening.tables, groups, strict=False)
    )
    return RoundDrawn(round_no, seatings, tuple(sitting_out))


def meetings(evening: Evening) -> Counter[frozenset[str]]:
    """Count how often two players have met."""
    seatings = (seating for each in evening.rounds for seating in each.seatings)
    return Counter(frozenset(pair) for seating in seatings for pair in combinations(seating.players, 2))


def seats_had(evening: Evening) -> Counter[tuple[str, int]]:
    """Count how often each player sat on each seat; seat 0 is the first."""
    seatings = (seating for each in evening.rounds for seating in each.seatings)
    return Counter((name, seat) for seating in seatings for seat, name in enumerate(seating.players))


def fair_seats(players: Sequence[str], sat: Mapping[tuple[str, int], int]) -> tuple[str, ...]:
    """Return the players in the order of seats that least repeats what they had; of equal ones the first."""
    return min(
        permutations(players), key=lambda order: sum(sat.get((name, seat), 0) for seat, name in enumerate(order))
    )
