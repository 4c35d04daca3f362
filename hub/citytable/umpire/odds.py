"""Odds: how likely the steps of a scale are if certain acts were done on it.

Rule 1: acts and steps come in the same order. Every way of pairing them counts, with how often people do it
        (`odds.toml`); nothing is cheap enough to be picked and nothing so odd that it has no chance.
Rule 2: what pieces weigh together has a gamma distribution (`table/piece_mass.py`).
Rule 3: a step that no act made may weigh anything up to `ANYTHING_G`; half of them are a few pieces.
"""

import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import combinations, product
from typing import NamedTuple, Self

import msgspec

from citytable.table.piece_mass import PieceMass

ANYTHING_G = 300.0  # what lies on a scale and is no piece of it: a glass, a phone, a hand
PIECES_G = 20.0  # what a few pieces weigh that are dropped, borrowed or put back
GRABBED_G = 10.0  # what goes to and fro in one act
SAME_G = 0.5  # the deviation between two weighings of the same thing
SMALL_G = 1.2  # a step so small may be the scale's own
STEPS_OF_AN_ACT = 5


class Rate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One assumption, and where it comes from."""

    rate: float
    source: str


RATES = {
    name: one.rate
    for name, one in msgspec.convert(
        tomllib.loads(files(__package__ or "").joinpath("odds.toml").read_text(encoding="utf-8")), dict[str, Rate]
    ).items()
}


class Act(msgspec.Struct, frozen=True):
    """An act on a scale: whether it makes that heavier, and how likely it moved so many pieces.

    `apart`: it was done for a reason of its own, as when pieces of a fallen building go back, and not with a draw.
    """

    heavier: bool
    counts: Mapping[int, float]
    apart: bool = False


class Weighed(NamedTuple):
    """The steps, in grams, that a scale showed in a turn.

    `lost_by_nobody`: a few pieces may be gone that nobody took. `unweighed`: what was drawn may have gone back before a
    scale weighed it.
    """

    grams: Sequence[float]
    lost_by_nobody: bool = True
    unweighed: bool = False

    def part(self, begin: int, end: int) -> Self:
        """Return some of the steps."""
        return self._replace(grams=self.grams[begin:end])


def likelihood(acts: Sequence[Act], weighed: Weighed, piece: PieceMass) -> float:
    """Return how likely a scale shows these steps if these acts were done; a density."""
    return _Pairing(acts, weighed, piece).left(0, 0)


class _Pairing:
    """All pairings of the acts from `i` on with the steps from `j` on, each asked once."""

    def __init__(self, acts: Sequence[Act], weighed: Weighed, piece: PieceMass) -> None:
        self._weighed = weighed
        self._acts = acts
        self._steps = weighed.grams
        self._piece = piece
        self._known: dict[tuple[int, int], float] = {}
        self._splits: dict[tuple[int, tuple[float, ...]], float] = {}

    def left(self, i: int, j: int) -> float:
        """Return the likelihood of what is left."""
        if i == len(self._acts) and j == len(self._steps):
            return 1.0
        if (i, j) not in self._known:
            self._known[i, j] = sum(self._ways(i, j))
        return self._known[i, j]

    def _ways(self, i: int, j: int) -> Iterator[float]:
        if i < len(self._acts):
            yield RATES["unfelt"] * sum(self._acts[i].counts.values()) * self.left(i + 1, j)
            yield from self._by_steps(i, j)
            yield from self._come_to_nothing(i, j) if self._weighed.unweighed else ()
            if j < len(self._steps):
                yield from self._in_one_go(i, j)
        if j < len(self._steps):
            yield self._of_nobody(self._steps[j]) * self.left(i, j + 1)
            yield from self._taken_back(i, j)

    def _by_steps(self, i: int, j: int) -> Iterator[float]:
        """Act `i` is the next steps: one, or several that were grabs, or of which some went back."""
        for end in range(j + 1, min(len(self._steps), j + STEPS_OF_AN_ACT) + 1):
            told = self._steps[j:end]
            if min(told) > 0 or max(told) < 0:
                density = self._in_grabs(self._acts[i], told)
            else:
                density = self._too_many(told) * self._density(self._acts[i : i + 1], sum(told))
                density += sum(rate * self._in_grabs(self._acts[i], grabs) for grabs, rate in _around(told))
            yield density * (1 - RATES["in_one_go"] if i else 1) * self.left(i + 1, end)

    @staticmethod
    def _too_many(told: Sequence[float]) -> float:
        """Return the density of steps that go to and fro in one act: mostly a piece too many goes back.

        Hands put back a part of a handful one piece after the other. More than `GRABBED_G` goes back where the bag was
        tipped out, and all but some pieces put in again.
        """
        smaller = sorted(told, key=abs)[:-1]
        small = [grams for grams in smaller if abs(grams) < GRABBED_G]
        further = max(0, sum(told[0] < 0 < grams for grams in small) - 1)
        few, again = RATES["put_some_back"] / GRABBED_G, RATES["put_back_again"] / GRABBED_G
        much = RATES["taken_back"] / ANYTHING_G
        return few ** (len(small) - further) * again**further * much ** (len(smaller) - len(small))

    def _in_grabs(self, act: Act, told: Sequence[float]) -> float:
        """Return the density of these steps, all the same way, if an act's pieces went in as many grabs."""
        if (told[0] > 0) != act.heavier:
            return 0.0
        return sum(
            share
            * _rate_of_grabs(len(told), pieces)
            * self._split(pieces, tuple(map(abs, told)))
            / math.comb(pieces - 1, len(told) - 1)
            for pieces, share in act.counts.items()
            if pieces >= len(told)
        )

    def _split(self, pieces: int, grams: tuple[float, ...]) -> float:
        """Return the sum of the densities of these masses over all ways to divide so many pieces among them."""
        if len(grams) == 1:
            return self._piece.density_g(pieces, grams[0])
        key = (pieces, grams)
        if key not in self._splits:
            firsts = range(1, pieces - len(grams) + 2)
            self._splits[key] = sum(
                self._piece.density_g(first, grams[0]) * self._split(pieces - first, grams[1:]) for first in firsts
            )
        return self._splits[key]

    def _in_one_go(self, i: int, j: int) -> Iterator[float]:
        """The next steps are several acts at once: of a kind, or pieces were taken and some of them put back.

        One step, or steps to and fro: somebody tips the bag out, takes what they want and puts the rest in again.
        """
        for end in range(i + 2, len(self._acts) + 1):
            together = self._acts[i:end]
            if not _go_together(*together[-2:]):
                return
            rate = RATES["in_one_go"] ** (end - i - 1)
            one = (1 - RATES["in_grabs"]) * self._density(together, self._steps[j])
            yield rate * one * self.left(end, j + 1)
            for stop in range(j + 2, min(len(self._steps), j + STEPS_OF_AN_ACT) + 1):
                told = self._steps[j:stop]
                if min(told) < 0 < max(told):
                    yield rate * self._too_many(told) * self._density(together, sum(told)) * self.left(end, stop)

    def _come_to_nothing(self, i: int, j: int) -> Iterator[float]:
        """The next acts show no step: before a scale weighed it, as much went back as was drawn on somebody's knees."""
        for end in range(i + 2, len(self._acts) + 1):
            together = self._acts[i:end]
            if not _go_together(*together[-2:]):
                return
            if not together[0].heavier and together[-1].heavier:
                density = RATES["in_one_go"] ** (end - i - 1) * self._density(together, 0.0)
                yield density * 2 * SAME_G * self.left(end, j)

    def _of_nobody(self, step_g: float) -> float:
        """Return how likely a step is that no act made."""
        own = RATES["own"] / (2 * SMALL_G) if abs(step_g) < SMALL_G else 0.0
        most_g = self._piece.most_g(self._piece.kind.turn_most, 3)
        if -most_g <= step_g <= -SMALL_G and not self._weighed.lost_by_nobody:
            return 0.0
        few = 1 / PIECES_G if abs(step_g) < PIECES_G else 0.0
        return own + RATES["nobodys"] * (few + 1 / ANYTHING_G) / 2

    def _taken_back(self, i: int, j: int) -> Iterator[float]:
        """The next steps come to nothing: something was taken and put back, or laid on and taken away."""
        for end in range(j + 2, min(len(self._steps), j + STEPS_OF_AN_ACT) + 1):
            yield _nothing_left(self._steps[j:end]) * self.left(i, end)

    def _density(self, acts: Sequence[Act], grams: float) -> float:
        """Return the density of the mass that acts move together: of a difference, a normal distribution."""
        if len({act.heavier for act in acts}) == 1:
            right_way = (grams > 0) == acts[0].heavier and grams
            shares = together(acts) if right_way else {}
            return sum(share * self._piece.density_g(pieces, abs(grams)) for pieces, share in shares.items())
        taken, back = ([act for act in acts if act.heavier == heavier] for heavier in (False, True))
        ways = product(together(taken).items(), together(back).items())
        return sum(lost * got * self._piece.difference_g(out, into, grams) for (out, lost), (into, got) in ways)


def _nothing_left(steps: Sequence[float]) -> float:
    """Return the density of these steps if they come to nothing: all that came went, or the other way round."""
    same = math.exp(-((sum(steps) / SAME_G) ** 2) / 2) / (SAME_G * math.sqrt(2 * math.pi))
    return (RATES["taken_back"] / GRABBED_G) ** (len(steps) - 1) * same


def _around(told: Sequence[float]) -> Iterator[tuple[Sequence[float], float]]:
    """Yield the steps of one act without some amid them that come to nothing, with the density of those.

    Somebody leans on the bag between two grabs, or lays a glass on it for a moment.
    """
    for begin, end in combinations(range(1, len(told)), 2):
        grabs = (*told[:begin], *told[end:])
        if end - begin > 1 and (min(grabs) > 0 or max(grabs) < 0):
            yield grabs, _nothing_left(told[begin:end])


def _go_together(before: Act, act: Act) -> bool:
    """Return whether a hand may do two acts without a rest between: both of a kind, or what was too much goes back."""
    return before.heavier == act.heavier or (act.heavier and not act.apart)


def _rate_of_grabs(count: int, pieces: int) -> float:
    """Return how often so many pieces go in so many grabs."""
    if count == 1:
        return 1 - RATES["in_grabs"] if pieces > 1 else 1.0
    last = 1.0 if count == pieces else 1 - RATES["in_grabs_again"]
    return RATES["in_grabs"] * RATES["in_grabs_again"] ** (count - 2) * last


def together(acts: Sequence[Act]) -> Mapping[int, float]:
    """Return how likely acts move so many pieces together."""
    found = {0: 1.0}
    for act in acts:
        before, found = found, {}
        for have, share in before.items():
            for pieces, chance in act.counts.items():
                found[have + pieces] = found.get(have + pieces, 0.0) + share * chance
    return {pieces: share for pieces, share in found.items() if pieces}
