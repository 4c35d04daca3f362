"""The second look: when a load rests again, its whole motion is judged once more, with the load before and after.

In flight a verdict has to be quick, and sees a motion from the inside. At rest it is known what is gone, how it went,
and how suspicious the motion was at its worst. Trees (`rest_trees.json`) weigh that. Two rules stand beside them: a
platform whose tag left was lifted, and a platform that is there and lost more than the heaviest piece did not lose it
to one hand, unless that looks like a hand that took several pieces at once.
"""

from collections import deque
from typing import NamedTuple

from citytable.sensing.features import NAMES as FLIGHT_NAMES
from citytable.sensing.features import Features
from citytable.sensing.piece_sizes import HEAVIEST_G
from citytable.sensing.trail import Trail
from citytable.sensing.trees import SHIPPED, Judges, collapse_forest, kept_forest, rest_forest

NAMES = (
    "step", "step_share", "step_usual", "over_heaviest", "lost", "undone", "present", "rested_ms",
    "evidence", "best", "likely_looks", "looks", "mean_odds", "best_ms", "told",
    "step_high", "step_low", "cross_ms", "half_ms", "before_spread",
    *(f"best_{name}" for name in FLIGHT_NAMES),
)  # fmt: skip
"""The names of the features, in order; docs/reference/sensing.md says what each one is."""
KEPT_NAMES = (*NAMES, "beside")
"""The same where nobody takes pieces, and whether a load beside the spot moved."""

LIKELY = 0.3  # from this likelihood on, a look in flight counts as suspicious
LOADS_MIN = 8  # that a motion is judged by; a summary has none
HALF = 0.5
USUAL = 0.6  # of the heaviest piece weighs the usual one of a building that came whole
HEAVIER_G = 1.0  # more than the heaviest piece by this
LOST_G = 0.8  # nobody misses less
BAR = 0.8  # at this likelihood a fall that nobody reported in flight is reported at rest
ALONE, BESIDE = 0.75, 0.85  # in the city, where all that lies beside rested, and where something moved
RULE_FROM, RULE = 0.3, 0.85  # from this likelihood on, the rule about the heaviest piece makes it that one
KEPT_RULE_FROM = 0.5  # the same in the city, where platforms are held up and pushed
PRESSED_US = 2_000_000  # so long a hand may press on a platform that it has set down
OVER_G = 0.5  # a tower that seems to have lost more than this over its own mass is held up by a hand
RESTS, LATELY_US = 6, 30_000_000  # rests that are remembered, and for how long
SAME_G, FAR_G = 0.6, 99.0  # nearer to an earlier rest than this is that rest again; nothing to compare with
AROUND_US = 500_000  # what moved so shortly before a motion may have begun it
COLLAPSE = 0.35  # of the building's mass: what lost so much at rest has collapsed
_NONE = -9.0


class Judged(NamedTuple):
    """Hold the second verdict: how likely something fell, how many pieces left (0: none), whether it was a collapse.

    `whole` is None where nothing fell. `sure`: that is likely enough to say so, though nobody did in flight.
    """

    chance: float
    pieces: int
    whole: bool | None = None
    sure: bool = False


class Beside:
    """Remembers whether loads beside a spot moved. Times in microseconds; nothing is known until somebody tells."""

    def __init__(self) -> None:
        self._moves: bool | None = None
        self._until_us = -AROUND_US

    def told(self, t_us: int, *, moves: bool | None) -> None:
        """Take whether a load beside this spot moves from `t_us` on; None where nobody can tell."""
        if self._moves:
            self._until_us = t_us
        self._moves = moves

    def moved_since(self, t_us: int) -> float:
        """Return 1 if a load beside this spot moved from shortly before `t_us` on, 0 if not, `_NONE` if not known."""
        if self._moves is None:
            return _NONE
        return float(self._moves or self._until_us >= t_us - AROUND_US)


class SecondLook:
    """Remembers the looks of one motion, and judges it when the load rests. Times in microseconds.

    `evidence` is the most that the looks of this motion came to; `kept`: nobody takes pieces from this spot.
    """

    def __init__(self, trail: Trail, features: Features, judges: Judges = SHIPPED) -> None:
        self.kept = False
        self.platform_g = 0.0
        """The mass of a platform without its building, 0 where nobody knows it."""
        self.beside = Beside()
        self._trail = trail
        self._features = features
        self._judges = judges
        self._rests: deque[tuple[int, float]] = deque(maxlen=RESTS)
        self._tower_g: float | None = None  # where the load rested without a hand, as far as can be told
        self._came_us = -PRESSED_US  # when the platform that lies here first rested
        self._touched = False  # something fell from this platform: hands put it right
        self.begin(0, 0.0)

    def begin(self, t_us: int, level_g: float) -> None:
        """Begin a motion: the load leaves `level_g`."""
        self._since_us = t_us
        self._level_g = level_g
        self._looks = self._likely = 0
        self._sum = self.evidence = 0.0
        self._best, self._best_us = -30.0, t_us
        self._row: list[float] = []

    def look(self, t_us: int, odds: float, evidence: float, row: list[float] | None) -> None:
        """Take one look in flight: the log odds of a fall, the evidence by then, and the features it was judged by.

        `row` is None where a glance was enough.
        """
        self._looks += 1
        self._sum += odds
        if odds > -0.85:  # log odds of `LIKELY`
            self._likely += 1
        self.evidence = max(self.evidence, evidence)
        if row is not None and (odds > self._best or not self._row):
            self._best, self._best_us, self._row = odds, t_us, row

    def judge(self, t_us: int, step_g: float, *, told: bool) -> Judged:
        """Judge the motion that ends with a step of `step_g`; `told`: a fall was confirmed in flight."""
        if not self._row:
            if len(self._trail) < LOADS_MIN:
                return Judged(0.0, 0)
            self._row = self._features.take()
        row = self.take(t_us, step_g, told=told)
        chance = self._chance(t_us, step_g, row, rests=True)
        sure = chance >= self._bar()
        self._touched |= told or sure
        usual_g = self._usual_g() or self.kept * USUAL * self._features.sizes.heaviest_g
        pieces = max(1, round(-step_g / usual_g)) if usual_g and step_g < -LOST_G else 0
        whole = self._collapsed(step_g, row) if told or sure else None
        return Judged(chance, pieces, whole, sure)

    def foresee(self, t_us: int, step_g: float, *, told: bool) -> float:
        """Return how likely a fall would be if the motion ended at `t_us` with a step of `step_g`; 0 without a look."""
        return self._chance(t_us, step_g, self.take(t_us, step_g, told=told), rests=False) if self._row else 0.0

    def _collapsed(self, step_g: float, row: list[float]) -> bool:
        """Return whether a fall was a collapse: in the city by what is gone of the building, else by its features."""
        if self.kept and self.platform_g:
            lost_g = self._lost_g(step_g)
            return lost_g >= COLLAPSE * (self._features.load0_g + step_g + lost_g - self.platform_g)
        return (self._judges.collapse or collapse_forest()).chance(row) >= HALF

    def _bar(self) -> float:
        """Return from which likelihood on the motion that ends was a fall.

        What pushes a platform in the city moves a load beside it, and takes as much over as a piece weighs.
        """
        if not self.untouched:
            return BAR
        return {0.0: ALONE, 1.0: BESIDE}.get(self.beside.moved_since(self._since_us), BAR)

    @property
    def untouched(self) -> bool:
        """Return whether no hand takes pieces now: nobody may, and nothing fell that people put right."""
        return self.kept and not self._touched

    def _chance(self, t_us: int, step_g: float, row: list[float], *, rests: bool) -> float:
        """Return how likely something fell in the motion of these features; `rests`: its load has come to rest.

        In the city a platform is held up and pushed, so the rule about the heaviest piece waits for that rest.
        """
        if self.untouched:
            chance, rule_from = (self._judges.resting or kept_forest()).chance(row), KEPT_RULE_FROM
            ruled = rests and self._stayed(step_g)
        else:
            chance, rule_from, ruled = (self._judges.resting or rest_forest()).chance(row), RULE_FROM, True
        heavy = ruled and chance >= rule_from and self._is_heavy(t_us, step_g)
        return max(chance, RULE) if heavy else chance

    def rested(self, t_us: int, step_g: float) -> None:
        """End the motion at `t_us`: the load rests `step_g` off where it did before, and the next counts from there."""
        rest_g = self._level_g + step_g
        self._rests.append((self._since_us, self._level_g))
        came = self._features.came(step_g)
        self._touched &= not came
        if came:
            self._came_us = t_us
        leant = step_g > self._heaviest_g() + HEAVIER_G and not came
        if self._tower_g is None or came or not leant:
            self._tower_g = rest_g

    def lost(self) -> None:
        """Forget where the load rested: nobody saw how it came to be what it is."""
        self._tower_g = None
        self._rests.clear()

    def _lost_g(self, step_g: float) -> float:
        """Return how much less there is than a tower weighed before any hand lay on it."""
        tower_g = self._level_g if self._tower_g is None else self._tower_g
        return min(tower_g, self._level_g) - self._level_g - step_g

    def _undone(self, t_us: int, step_g: float) -> float:
        """Return how near the load is to one that it rested at some acts ago: a hand that came and went."""
        rest_g = self._level_g + step_g
        lately = [abs(rest_g - g) for at_us, g in self._rests if t_us - at_us < LATELY_US]
        return min(lately, default=FAR_G)

    def _is_heavy(self, t_us: int, step_g: float) -> bool:
        """Report whether more left than the heaviest piece weighs, while the platform stayed."""
        heavy = self._lost_g(step_g) > self._heaviest_g() + HEAVIER_G
        return heavy and self._features.present(step_g) and self._undone(t_us, step_g) > SAME_G

    def _stayed(self, step_g: float) -> bool:
        """Report whether the same platform lay there all the time, without a hand that set it down or holds it up."""
        left_g = self._features.load0_g + step_g - self.platform_g
        return left_g >= -OVER_G and self._since_us - self._came_us >= PRESSED_US and not self._features.came(step_g)

    def _heaviest_g(self) -> float:
        """Return the mass of the heaviest piece, or else the most that a single piece may weigh."""
        return self._features.sizes.heaviest_g or HEAVIEST_G

    def _usual_g(self) -> float:
        """Return the usual mass of a piece of this building, or else of the table; 0 while unknown."""
        return self._features.usual_g or self._features.sizes.usual_g

    def take(self, t_us: int, step_g: float, *, told: bool) -> list[float]:
        """Return the features in the order of `KEPT_NAMES`; the trees for other spots do not ask for the last."""
        features = self._features
        whole = max(1.0, features.load0_g)
        usual_g = self._usual_g()
        high, low = self._parts(step_g)
        cross, half, before = self._course(t_us, step_g)
        return [
            step_g, step_g / whole, step_g / usual_g if usual_g else _NONE,
            self._lost_g(step_g) - self._heaviest_g(), self._lost_g(step_g),
            self._undone(t_us, step_g), float(features.present(step_g)), (t_us - self._since_us) / 1e3,
            self.evidence, self._best, float(self._likely), float(self._looks), self._sum / max(1, self._looks),
            (t_us - self._best_us) / 1e3, float(told), high, low, cross, half, before,
            *self._row[: len(FLIGHT_NAMES)],
            self.beside.moved_since(self._since_us),
        ]  # fmt: skip

    def _parts(self, step_g: float) -> tuple[float, float]:
        """Return the largest and smallest share of a cell in the step."""
        trail = self._trail
        if trail.cells == 1 or abs(step_g) < 1.0:
            return _NONE, _NONE
        shares = [
            (trail.cell_mean(cell, 24) - was) / step_g
            for cell, was in zip(range(trail.cells), self._features.levels_g, strict=True)
        ]
        return max(shares), min(shares)

    def _course(self, t_us: int, step_g: float) -> tuple[float, float, float]:
        """Return how quickly the load crossed from one rest to the other, how long ago, and how restless it was before.

        In milliseconds, and as a share of the step; as far as the trail goes back.
        """
        if abs(step_g) < LOST_G:
            return _NONE, _NONE, _NONE
        trail = self._trail
        rest_g = trail.mean(24)
        level_g = rest_g - step_g
        shares = [(grams - level_g) / step_g for grams in trail.load]
        early = max((at for at, share in enumerate(shares) if share < 0.2), default=0)
        half = max((at for at, share in enumerate(shares) if share < 0.5), default=0)
        late = next((at for at in range(early, len(shares)) if shares[at] > 0.8), len(shares) - 1)
        before = shares[max(0, early - 24) : early + 1]
        return (
            (trail.t_us[late] - trail.t_us[early]) / 1e3,
            (t_us - trail.t_us[half]) / 1e3,
            max(before) - min(before),
        )
