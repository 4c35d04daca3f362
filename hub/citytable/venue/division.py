"""The meetings of a round: players are divided among tables at the least penalty.

The penalty of two players at a table follows Olafsson, "Weighted matching in chess tournaments" (Journal of the
Operational Research Society 41, 1990): having met before weighs more than everything else together, once for each time,
and after that the square of how far apart they stand. Tables of more than two make the exact search of that paper
impossible in general, so the search is bounded: exchanges improve a first division as long as they can, then branch and
bound looks for a better one, at no more than `LOOKS` companies.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

import msgspec

LOOKS = 100_000
"""About a third of a second on a laptop."""

Groups = tuple[tuple[int, ...], ...]


class Division(msgspec.Struct, frozen=True):
    """Hold the tables of a round, by the places of their players in the list that was divided.

    `repeats` counts meetings of before, `spread` sums the squares of distances; `proven`: no division has less.
    """

    tables: Groups
    repeats: int
    spread: int
    proven: bool


class Looks:
    """Count down what searches may still look at; several may share it."""

    def __init__(self, left: int = LOOKS) -> None:
        self.left = left

    def spend(self, looks: int) -> None:
        """Take so many, or what is left."""
        self.left -= min(self.left, looks)


class Pairs:
    """The penalties of all pairs of some players, who are called by their numbers in the list."""

    def __init__(self, players: Sequence[str], places: Mapping[str, int], met: Mapping[frozenset[str], int]) -> None:
        far = [[(places[one] - places[other]) ** 2 for other in players] for one in players]
        self.by_place = tuple(sorted(range(len(players)), key=lambda k: places[players[k]]))
        self.weight = 1 + sum(map(sum, far))
        again = [[met.get(frozenset((one, other)), 0) for other in players] for one in players]
        self._of = [
            [self.weight * times + distance for times, distance in zip(*rows, strict=True)]
            for rows in zip(again, far, strict=True)
        ]

    def of(self, group: Sequence[int]) -> int:
        """Return the penalty of a table."""
        return sum(self._of[one][other] for one, other in combinations(group, 2))

    def with_others(self, player: int, group: Sequence[int], but: int) -> int:
        """Return the penalty of a player among a group, one of whom is gone."""
        row = self._of[player]
        return sum(row[other] for other in group if other != but)


def divide(pairs: Pairs, sizes: Sequence[int], looks: Looks) -> Division:
    """Return the best division found; of equal ones the first, so the order of the players is the lot."""
    best = _exchanged(_in_blocks(pairs.by_place, sizes), pairs)
    least = sum(map(pairs.of, best))
    search = _Search(pairs, looks)
    for found in search.below(least, tuple(sizes)):
        best, least = found
    repeats, spread = divmod(least, pairs.weight)
    return Division(best, repeats, spread, looks.left > 0)


def as_fresh(pairs: Pairs, sizes: Sequence[int], repeats: int, looks: Looks) -> Iterator[Groups]:
    """Give divisions with no more repeats than this, one after the other, while there are looks."""
    search = _Search(pairs, looks, keep=True)
    return (groups for groups, _ in search.below((repeats + 1) * pairs.weight, tuple(sizes)))


def _in_blocks(by_place: Sequence[int], sizes: Sequence[int]) -> Groups:
    starts = [sum(sizes[:k]) for k in range(len(sizes))]
    return tuple(tuple(by_place[start : start + size]) for start, size in zip(starts, sizes, strict=True))


def _exchanged(blocks: Groups, pairs: Pairs) -> Groups:
    """Exchange two players of different tables as long as that lessens the penalty."""
    groups, exchanged = list(blocks), True
    while exchanged:
        exchanged = False
        for a, b in combinations(range(len(groups)), 2):
            for one, other in product(blocks[a], blocks[b]):
                exchanged |= _exchange(groups, (a, b), (one, other), pairs)
        blocks = tuple(groups)
    return blocks


def _exchange(groups: list[tuple[int, ...]], at: tuple[int, int], who: tuple[int, int], pairs: Pairs) -> bool:
    (a, b), (one, other) = at, who
    if one not in groups[a] or other not in groups[b]:
        return False  # exchanged a moment ago
    before = pairs.with_others(one, groups[a], one) + pairs.with_others(other, groups[b], other)
    if pairs.with_others(other, groups[a], one) + pairs.with_others(one, groups[b], other) >= before:
        return False
    groups[a] = tuple(other if k == one else k for k in groups[a])
    groups[b] = tuple(one if k == other else k for k in groups[b])
    return True


class _Search:
    """Branch and bound, table by table. It gives what lies below a limit; unless `keep`, each find lowers the limit."""

    def __init__(self, pairs: Pairs, looks: Looks, *, keep: bool = False) -> None:
        self._pairs = pairs
        self._looks = looks
        self._keep = keep
        self._limit = 0

    def below(self, limit: int, sizes: tuple[int, ...]) -> Iterator[tuple[Groups, int]]:
        """Give divisions with their penalties."""
        self._limit = limit
        return self._look(self._pairs.by_place, sizes, (), 0)

    def _look(
        self, left: tuple[int, ...], sizes: tuple[int, ...], seated: Groups, cost: int
    ) -> Iterator[tuple[Groups, int]]:
        """Seat the first of those who are left with every company, the cheapest first."""
        if not left:
            if not self._keep:
                self._limit = cost
            yield seated, cost
            return
        for penalty, group in self._companies(left, sizes):
            if cost + penalty >= self._limit or self._looks.left == 0:
                return
            rest = tuple(k for k in left if k not in group)
            yield from self._look(rest, _without(sizes, len(group)), (*seated, group), cost + penalty)

    def _companies(self, left: tuple[int, ...], sizes: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
        groups = [left[:1] + others for size in sorted(set(sizes)) for others in combinations(left[1:], size - 1)]
        self._looks.spend(len(groups))
        return sorted(((self._pairs.of(group), group) for group in groups), key=lambda found: found[0])


def _without(sizes: tuple[int, ...], size: int) -> tuple[int, ...]:
    at = sizes.index(size)
    return sizes[:at] + sizes[at + 1 :]
