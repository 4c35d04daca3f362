"""Counting the pieces of a tower by increments.

The mass of a whole tower says little about the number of its pieces; the steps in which it was built say nearly all.
Every step is explained by nothing, one, two or three pieces put on (or taken off), with a likelihood for each; the
count is the spread of the sums of all steps, so that doubt about a step stays until somebody says how many there are.

A step's likelihood has three parts. By *habit* people put on one piece at a time. By *mass* so many pieces weigh
between the lightest and the heaviest there are. By *kind*, once a few pieces have been weighed, a step that is one of
their masses, or the sum of two, is likely to be that: an aid, which never outweighs a mass that cannot be.
A player's marker lies on a tower and is no piece.
"""

from itertools import combinations_with_replacement
from math import exp, log, pi, sqrt
from typing import NamedTuple

import msgspec

HABIT = (0.02, 0.945, 0.03, 0.005)  # nothing (a hand, the scale), one, two, three pieces
PIECE_G = (0.44, 18.0)  # the lightest piece of the house set, the heaviest anybody reported, with room
MARKER_G = (0.8, 1.3)
MARKER_HABIT = 0.2  # the share of all steps that put something on, until it is in place
NOTHING_G = 0.25  # a step of nothing is about that big: creep, a hand that went away
KINDS_MAX = 24
KIND_G, KIND_SHARE = 0.08, 0.01  # how much pieces of one kind differ: this, and this share of their mass
NOVEL_MIN = 0.04  # the next piece may always be of a kind not met before
ERROR_MIN_G = 0.03  # no scale is better
SURE = 0.9  # from this likelihood on people are not asked


class Kind(msgspec.Struct, frozen=True):
    """Pieces that weigh alike: their mean mass and how many were met."""

    mass_g: float
    n: int


class PieceKinds:
    """The masses of pieces met so far, at one table, learned from steps that were surely one piece; of markers, too."""

    def __init__(self) -> None:
        self._kinds: list[Kind] = []
        self._markers: Kind | None = None

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Return every kind, lightest first."""
        return tuple(sorted(self._kinds, key=lambda kind: kind.mass_g))

    def learn(self, mass_g: float) -> None:
        """Learn from the mass of a single piece."""
        for place, kind in enumerate(self._kinds):
            if abs(mass_g - kind.mass_g) <= 2 * _kind_error_g(kind.mass_g):
                mean_g = kind.mass_g + (mass_g - kind.mass_g) / (kind.n + 1)
                self._kinds[place] = Kind(mean_g, kind.n + 1)
                return
        if len(self._kinds) == KINDS_MAX:
            self._kinds.remove(min(self._kinds, key=lambda kind: kind.n))
        self._kinds.append(Kind(mass_g, 1))

    def learn_marker(self, mass_g: float) -> None:
        """Learn the mass of a marker, as people's count of a tower shows it."""
        known = self._markers or Kind(mass_g, 0)
        self._markers = Kind(known.mass_g + (mass_g - known.mass_g) / (known.n + 1), known.n + 1)

    def marker_density(self, mass_g: float, error_g: float) -> float:
        """Return the likelihood that a marker weighs this, per gram."""
        broad = _flat(mass_g, *MARKER_G, error_g)
        if self._markers is None:
            return broad
        own = _normal(mass_g - self._markers.mass_g, sqrt(error_g**2 + _kind_error_g(mass_g) ** 2))
        return (broad + self._markers.n * own) / (1 + self._markers.n)

    def density(self, pieces: int, mass_g: float, error_g: float) -> float:
        """Return the likelihood that so many pieces weigh this, per gram: broad, with peaks at known masses."""
        met = sum(kind.n for kind in self._kinds)
        broad = _broad(pieces, mass_g, error_g)
        if not met or pieces > 2:
            return broad
        once = sum(kind.n == 1 for kind in self._kinds)
        novel = min(1.0, max(NOVEL_MIN, (once + 1) / (met + 2)))  # after Good and Turing
        return novel * broad + (1 - novel) * self._peaks(pieces, mass_g, error_g, met)

    def _peaks(self, pieces: int, mass_g: float, error_g: float, met: int) -> float:
        total = 0.0
        for some in combinations_with_replacement(self._kinds, pieces):
            share = 1.0 if pieces == 1 or some[0] is some[1] else 2.0
            for kind in some:
                share *= kind.n / met
            sum_g = sum(kind.mass_g for kind in some)
            total += share * _normal(mass_g - sum_g, sqrt(error_g**2 + sum(_kind_error_g(k.mass_g) ** 2 for k in some)))
        return total


class _Put(NamedTuple):
    """Something that was put on at once: its mass, and the likelihoods of nothing, one, two or three pieces.

    `told`: people have counted the pieces since, including this.
    """

    mass_g: float
    ways: tuple[float, ...]
    reported: bool = False


class PieceCount:
    """The number of pieces on one platform. `n` is how many are known to lie there to begin with."""

    def __init__(self, kinds: PieceKinds, n: int = 0) -> None:
        self._kinds = kinds
        self._known = n
        self._put: list[_Put] = []  # and not taken off again
        self._taken: list[tuple[float, ...]] = []  # ways of what was taken off and had not been put on as one thing
        self._chances = {n: 1.0}

    @property
    def n(self) -> int:
        """Return the likeliest number of pieces."""
        return max(self._chances, key=lambda n: (self._chances[n], -n))

    @property
    def confidence(self) -> float:
        """Return the likelihood of that number."""
        return self._chances[self.n]

    @property
    def unsure(self) -> bool:
        """Return whether people should confirm the number: "I think there are 7, right?"."""
        return self.confidence < SURE

    def said(self, n: int) -> None:
        """Take a person's count; raises `ValueError` for a negative one."""
        if n < 0:
            raise ValueError(f"{n} pieces: the number cannot be negative")
        self._learn_marker(n)
        self._known = n
        self._put = [put._replace(reported=True) for put in self._put]
        self._taken.clear()
        self._add_up()

    def step(self, step_g: float, error_g: float) -> None:
        """Take a load that settled `step_g` heavier or lighter, give or take `error_g` (three standard errors)."""
        mass_g, sigma_g = abs(step_g), max(error_g, ERROR_MIN_G) / 3
        if step_g > 0:
            put = _Put(mass_g, self._ways(mass_g, sigma_g))
            self._put.append(put)
            if put.ways[1] >= SURE:
                self._kinds.learn(mass_g)
        else:
            self._take(mass_g, error_g, sigma_g)
        self._add_up()

    def _learn_marker(self, n: int) -> None:
        """Learn the marker, if the number of pieces leaves exactly one thing that may have been it."""
        open_ones = [put for put in self._put if not put.reported]
        suspects = [put for put in open_ones if _is_marker(put.mass_g)]
        others = sum(max(range(len(put.ways)), key=lambda k: put.ways[k]) for put in open_ones if put not in suspects)
        if len(suspects) == 1 and not self._taken and n == self._known + others:
            self._kinds.learn_marker(suspects[0].mass_g)

    def _take(self, mass_g: float, error_g: float, sigma_g: float) -> None:
        """Take off a thing as it was put on: it has the same number of pieces, without new doubt."""
        for place in range(len(self._put) - 1, -1, -1):
            put = self._put[place]
            if abs(put.mass_g - mass_g) <= error_g + _kind_error_g(mass_g):
                del self._put[place]
                if put.reported:
                    self._taken.append(put.ways)
                return
        self._taken.append(self._ways(mass_g, sigma_g))

    def _ways(self, mass_g: float, sigma_g: float) -> tuple[float, ...]:
        """Return the likelihoods that 0, 1, 2 or 3 pieces weigh this; equal ones when nothing explains it."""
        marked = any(_is_marker(put.mass_g) and put.ways[0] > put.ways[1] for put in self._put)
        marker = 0.0 if marked else MARKER_HABIT * self._kinds.marker_density(mass_g, sigma_g)
        ways = [HABIT[0] * _normal(mass_g, NOTHING_G + sigma_g) + marker]
        ways += [HABIT[n] * self._kinds.density(n, mass_g, sigma_g) for n in range(1, len(HABIT))]
        total = sum(ways)
        return tuple(way / total for way in ways) if total else (1 / len(HABIT),) * len(HABIT)

    def _add_up(self) -> None:
        chances = {self._known: 1.0}
        for sign, ways in (
            *((1, put.ways) for put in self._put if not put.reported),
            *((-1, ways) for ways in self._taken),
        ):
            after: dict[int, float] = {}
            for n, chance in chances.items():
                for pieces, likely in enumerate(ways):
                    after[n + sign * pieces] = after.get(n + sign * pieces, 0.0) + chance * likely
            chances = after
        possible = {n: chance for n, chance in chances.items() if n >= 0}
        total = sum(possible.values())
        self._chances = {n: chance / total for n, chance in possible.items()} if total else {0: SURE / 2}


def _is_marker(mass_g: float) -> bool:
    return MARKER_G[0] <= mass_g <= MARKER_G[1]


def _kind_error_g(mass_g: float) -> float:
    return KIND_G + KIND_SHARE * mass_g


def _normal(off: float, sigma: float) -> float:
    return exp(-0.5 * (off / sigma) ** 2) / (sigma * sqrt(2 * pi))


def _flat(mass_g: float, low_g: float, high_g: float, sigma_g: float) -> float:
    """Return the density of a mass that is equally likely between two masses, weighed with an error."""
    edge_g = 2 * sigma_g
    return 1 / (high_g - low_g + 2 * edge_g) if low_g - edge_g <= mass_g <= high_g + edge_g else 0.0


def _broad(pieces: int, mass_g: float, sigma_g: float) -> float:
    """Return the density of so many unknown pieces: the mass of one is equally likely in every octave."""
    low_g, high_g = (pieces * bound for bound in PIECE_G)
    if not low_g - 2 * sigma_g <= mass_g <= high_g + 2 * sigma_g:
        return 0.0
    return 1 / (max(mass_g, low_g) * log(high_g / low_g))
