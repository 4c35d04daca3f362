"""A round is drawn with the next one in mind.

A division without repeats can make repeats in the next round inevitable, while another one would not: of the 24 ways in
which 16 players can meet at 4 tables for the third time without repeats, 6 allow a fourth round.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, islice

from citytable.venue.division import LOOKS, Division, Groups, Looks, Pairs, as_fresh, divide

OTHERS = 40
"""How many other divisions are tried."""
LOOKS_AHEAD = 3 * LOOKS
"""For all of them together."""


def divide_with_foresight(
    players: Sequence[str], places: Mapping[str, int], met: Mapping[frozenset[str], int], sizes: Sequence[int]
) -> Division:
    """Return a division with as few repeats as `divide` finds, after which the next round needs fewest, as far as seen.

    The spread counts after that.
    """
    pairs = Pairs(players, places, met)
    best = divide(pairs, sizes, Looks())
    looks = Looks(LOOKS_AHEAD)

    def repeats_after(groups: Groups) -> int:
        return divide(_level(groups, players, met), sizes, looks).repeats

    least = repeats_after(best.tables)
    for groups in islice(as_fresh(pairs, sizes, best.repeats, looks), OTHERS if least else 0):
        repeats = repeats_after(groups)
        if repeats < least:
            spread = sum(map(pairs.of, groups)) - best.repeats * pairs.weight
            best, least = Division(groups, best.repeats, spread, proven=False), repeats
        if least == 0:
            break
    return best


def _level(groups: Groups, players: Sequence[str], met: Mapping[frozenset[str], int]) -> Pairs:
    """Return the pairs after this round, whoever will stand where."""
    then = Counter(met)
    then.update(frozenset((players[one], players[other])) for group in groups for one, other in combinations(group, 2))
    return Pairs(players, dict.fromkeys(players, 0), then)
