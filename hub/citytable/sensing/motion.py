"""Motion: when the load on a spot rests, and at how many grams.

The law of this file is `TRANSITIONS`; docs/reference/sensing.md draws it. Loads are averaged over blocks of 100 ms.

* A load *departs* when two samples in a row leave the level by far, or two blocks in a row leave it by little.
* It is *stable* when five blocks in a row (0.5 s) agree: no more noise within them than at rest, and no more between
  their means than that noise explains. Where the table trembles for longer (music, a phone), twice that is put up with
  after two seconds. A hand that holds still so long is stable too: weight cannot tell a hand from a stone.
* Where nobody takes pieces, fewer blocks are enough for a fall, the fewer the likelier it is.
* While it rests the level and the noise follow slowly, for creep, temperature and the hour of the evening.
"""

from collections import deque
from enum import Enum
from math import sqrt
from typing import NamedTuple

from citytable.sensing.fall import FallWatch
from citytable.table.fact import Fact, MassMoving, MassSettled

BLOCK_US = 100_000
BLOCKS = 5
BLOCK_SAMPLES_MIN = 3
FAR_G, FAR_SIGMA = 2.0, 6.0  # two samples in a row this far from the level have left it
NEAR_G, NEAR_SIGMA = 0.3, 5.0  # two block means in a row, sigma of the mean
CALM_G, CALM_SIGMA = 0.3, 1.6  # more noise than this within blocks is motion
AGREE_G, AGREE_SIGMA = 0.1, 3.0  # how far block means may lie apart
TREMBLING_G, TREMBLING = 1.2, 2.0  # noise while none is known; how much looser both tests are for a trembling table
TREMBLING_BLOCKS = 15  # windows in a row that pass the looser tests
FELL_TREMBLING, FELL_BLOCKS = 3.0, 1  # both after a fall, for whose verdict at rest people wait
EARLY = {4: 0.85, 3: 0.97}  # so few blocks are enough for a fall that is so likely where nobody takes pieces
FOLLOW = 0.02  # share of a block's difference the level takes on: about 5 s
STEP_G = 0.3  # less than this is no step
DRIFT_G = 0.05  # error of a level beside its noise: creep and drift within seconds


class State(Enum):
    """The state of a spot's load."""

    UNKNOWN = "unknown"
    SETTLED = "settled"
    MOVING = "moving"
    FAULT = "fault"


class Event(Enum):
    """The events that change it."""

    DEPARTED = "departed"
    STABLE = "stable"
    SILENT = "silent"
    FAULTY = "faulty"
    HEALED = "healed"


TRANSITIONS: dict[tuple[State, Event], State] = {
    (State.UNKNOWN, Event.STABLE): State.SETTLED,
    (State.UNKNOWN, Event.FAULTY): State.FAULT,
    (State.SETTLED, Event.DEPARTED): State.MOVING,
    (State.SETTLED, Event.SILENT): State.UNKNOWN,
    (State.SETTLED, Event.FAULTY): State.FAULT,
    (State.MOVING, Event.STABLE): State.SETTLED,
    (State.MOVING, Event.SILENT): State.UNKNOWN,
    (State.MOVING, Event.FAULTY): State.FAULT,
    (State.FAULT, Event.HEALED): State.UNKNOWN,
}
"""Every change of state; an event that is not listed for a state changes nothing."""


class Block(NamedTuple):
    """100 ms of load: mean and variance within."""

    n: int
    mean_g: float
    variance: float


class Rest(NamedTuple):
    """Blocks in a row as one: loads, their mean and variance, and how `restless` they are; more than 1 is motion."""

    n: int
    mean_g: float
    variance: float
    restless: float

    @property
    def error_g(self) -> float:
        """Return how far the mean may be off."""
        return 3 * sqrt(self.variance / self.n) + DRIFT_G

    def step_g(self, before_g: float | None) -> float:
        """Return how far it lies from where the load rested before; nothing where that is no step."""
        step_g = 0.0 if before_g is None else self.mean_g - before_g
        return 0.0 if abs(step_g) < max(STEP_G, 2 * self.error_g) else step_g


class Motion:
    """Loads of one spot in, `MassMoving`, `MassSettled` and (through its watch, if any) `Fell` out. Times increase."""

    def __init__(self, spot: str, watch: FallWatch | None) -> None:
        self.state = State.UNKNOWN
        self.level_g: float | None = None  # where it rests, or rested last
        self.noise_g: float | None = None  # of one load, at rest
        self._spot = spot
        self._watch = watch
        self._blocks: deque[Block] = deque(maxlen=BLOCKS)
        self._far = 0
        self._near = 0
        self._trembling = 0  # windows in a row that passed the looser tests only
        self._far_g = FAR_G
        self._start_block(0)

    def load(self, t_us: int, grams: float, out: list[Fact]) -> None:
        """Take one load; append facts to `out`."""
        if t_us >= self._block_end_us or t_us < self._block_end_us - BLOCK_US:
            self._end_block(t_us, out)
        if self._n == 0:
            self._origin_g = grams
        off = grams - self._origin_g
        self._n += 1
        self._sum += off
        self._squares += off * off
        if self._watch is not None:
            self._watch.load(t_us, out)
        if self.state is State.SETTLED and self.level_g is not None:
            if abs(grams - self.level_g) <= self._far_g:
                self._far = 0
            else:
                self._far += 1
                if self._far >= 2:
                    self._happens(Event.DEPARTED, t_us, out)

    def rest(self, t_us: int, grams: float, noise_g: float, n: int, out: list[Fact]) -> None:
        """Take a whole second at rest by its mean and noise; append facts to `out`."""
        self._blocks.clear()
        self._start_block(t_us)
        block = Block(n, grams, noise_g * noise_g)
        if self.state is State.SETTLED:
            if self._is_near(block):
                self._follow(block, 1_000_000 // BLOCK_US)
                return
            self._happens(Event.DEPARTED, t_us, out)
        if self.state is not State.FAULT and noise_g <= TREMBLING * self._calm_g() and n >= BLOCK_SAMPLES_MIN:
            if self.noise_g is None:
                self._set_noise(noise_g)
            self._settle(t_us, Rest(n, grams, block.variance, 0.0), out)

    def faulty(self, t_us: int, out: list[Fact]) -> None:
        """Note that a cell is not believed."""
        self._happens(Event.FAULTY, t_us, out)

    def healed(self, t_us: int, out: list[Fact]) -> None:
        """Note that all cells are believed again."""
        self._happens(Event.HEALED, t_us, out)

    def silent(self, t_us: int, out: list[Fact]) -> None:
        """Note that this spot is silent."""
        self._happens(Event.SILENT, t_us, out)

    def _happens(self, event: Event, t_us: int, out: list[Fact]) -> None:
        state = TRANSITIONS.get((self.state, event))
        if state is None:
            return
        left, self.state = self.state, state
        self._far = self._near = self._trembling = 0
        if event is not Event.STABLE:
            self._blocks.clear()
        if left is State.SETTLED:
            out.append(MassMoving(t_us=t_us, spot=self._spot))
        if self._watch is None:
            return
        if state is State.MOVING and self.level_g is not None:
            self._watch.departed(t_us, self.level_g, self.noise_g or 0.0)
        elif state is not State.SETTLED:
            self._watch.lost(t_us, out)

    def _start_block(self, t_us: int) -> None:
        self._block_end_us = (t_us // BLOCK_US + 1) * BLOCK_US
        self._n = 0
        self._sum = self._squares = self._origin_g = 0.0

    def _end_block(self, t_us: int, out: list[Fact]) -> None:
        late = t_us >= self._block_end_us + 2 * BLOCK_US or t_us < self._block_end_us - BLOCK_US
        if self._n >= BLOCK_SAMPLES_MIN:
            mean = self._sum / self._n
            variance = max(0.0, self._squares / self._n - mean * mean) * self._n / (self._n - 1)
            self._judge(t_us, Block(self._n, self._origin_g + mean, variance), out)
        if late:  # blocks around a gap are no neighbours
            self._blocks.clear()
        self._start_block(t_us)

    def _judge(self, t_us: int, block: Block, out: list[Fact]) -> None:
        if self.state is State.SETTLED:
            if self._is_near(block):
                self._near = 0
                self._follow(block)
            else:
                self._near += 1
                if self._near >= 2:
                    self._happens(Event.DEPARTED, t_us, out)
            return
        if self.state is State.FAULT:
            return
        self._blocks.append(block)
        if len(self._blocks) == BLOCKS:
            self._try_to_settle(t_us, out)
        if self.state is State.MOVING and self._watch is not None and self._watch.foresees:
            self._settle_early(t_us, self._watch, out)

    def _is_near(self, block: Block) -> bool:
        allowed = max(NEAR_G, NEAR_SIGMA * (self.noise_g or 0.0) / sqrt(block.n))
        return self.level_g is not None and abs(block.mean_g - self.level_g) <= allowed

    def _follow(self, block: Block, blocks: int = 1) -> None:
        """Let level and noise take on a share of this block, or of so many equal ones."""
        level_g, noise_g = self.level_g, self.noise_g
        if level_g is None or noise_g is None:
            return
        mean_g, variance = block.mean_g, block.variance
        for _ in range(blocks):
            level_g += FOLLOW * (mean_g - level_g)
            noise_g = sqrt(noise_g**2 + FOLLOW * (variance - noise_g**2))
        self.level_g = level_g
        self._set_noise(noise_g)

    def _set_noise(self, noise_g: float) -> None:
        self.noise_g = noise_g
        self._far_g = max(FAR_G, FAR_SIGMA * noise_g)

    def _calm_g(self) -> float:
        return TREMBLING_G if self.noise_g is None else max(CALM_G, CALM_SIGMA * self.noise_g)

    def _try_to_settle(self, t_us: int, out: list[Fact]) -> None:
        rest = self._rest(BLOCKS)
        trembling, blocks = self._patience()
        self._trembling = self._trembling + 1 if rest.restless <= trembling else 0
        if rest.restless > 1 and self._trembling < blocks:
            return
        if self.noise_g is None or rest.restless > 1:  # otherwise only rest may teach it: this may still tremble
            self._set_noise(sqrt(rest.variance))
        self._settle(t_us, rest, out)

    def _settle_early(self, t_us: int, watch: FallWatch, out: list[Fact]) -> None:
        """Let the load rest before its time, if it lies still by now and a fall would be likely enough by then."""
        for blocks, likely in EARLY.items():
            rest = self._rest(blocks)
            if len(self._blocks) < blocks or rest.restless > 1:
                continue
            until_us = t_us + (BLOCKS - blocks) * BLOCK_US
            if watch.foresee(until_us, rest.step_g(self.level_g)) >= likely:
                self._settle(t_us, rest, out, until_us=until_us)
            return

    def _rest(self, blocks: int) -> Rest:
        """Return the newest blocks as one, and how far they are from rest."""
        newest = list(self._blocks)[-blocks:]
        n = sum(block.n for block in newest)
        variance = sum(block.n * block.variance for block in newest) / n
        noise_g = sqrt(variance)
        means = [block.mean_g for block in newest]
        apart = (max(means) - min(means)) / (AGREE_G + AGREE_SIGMA * noise_g / sqrt(n / len(newest)))
        mean_g = sum(block.n * block.mean_g for block in newest) / n
        return Rest(n, mean_g, variance, max(apart, noise_g / self._calm_g()))

    def _patience(self) -> tuple[float, int]:
        """Return how much looser the tests may be, and for how many windows in a row they must be passed then."""
        fell = self._watch is not None and self._watch.fell
        return (FELL_TREMBLING, FELL_BLOCKS) if fell else (TREMBLING, TREMBLING_BLOCKS)

    def _settle(self, t_us: int, rest: Rest, out: list[Fact], until_us: int | None = None) -> None:
        """Let the load rest; `until_us` is when it will have lain still for long enough, if that is later."""
        step_g = rest.step_g(self.level_g)
        self.level_g = rest.mean_g
        self._happens(Event.STABLE, t_us, out)
        self._blocks.clear()
        if self._watch is not None:  # first: what the second look finds belongs to the motion that ends
            self._watch.settled(t_us, step_g, out, until_us=until_us)
        out.append(MassSettled(t_us=t_us, spot=self._spot, mass_g=rest.mean_g, step_g=step_g, error_g=rest.error_g))
