"""Record what happens on one spot, act after act, before any sensor sees it.

Forces are weights in grams, downwards positive; moments are in g mm about the middle of the tile, right-handed: a force
at `(x, y)` has `(-y, x)` of itself. Time is in milliseconds from the start of the trace. Acts write at `now_ms` and
move it on.
"""

import msgspec
import numpy as np
from numpy.typing import NDArray

from citytable_lab.cells import Fault
from citytable_lab.habits import Habits
from citytable_lab.plate import Floats, Plate
from citytable_lab.sight import Sight
from citytable_lab.trace_file import Label

GROWTH_MS = 60_000

Building = tuple[float, float]  # its mass in g and height in mm


class Piece(msgspec.Struct, frozen=True):
    """Hold one piece on the tile: where its weight stands, and how much it adds to the building's height."""

    mass_g: float
    x_mm: float
    y_mm: float
    rise_mm: float
    cube: bool = False


def lever(x_mm: float, y_mm: float) -> Floats:
    """Return the wrench of one gram that stands at a point."""
    return np.array([1.0, -y_mm, x_mm])


class Stage:
    """Record one spot from the first millisecond on."""

    def __init__(self, rng: np.random.Generator, habits: Habits, plate: Plate, pieces: list[Piece]) -> None:
        self.rng = rng
        self.plate = plate
        self.habits = habits
        self.pieces = list(pieces)
        self.lifted = False
        self.now_ms = 0
        self.began = (self.mass_g, self.height_mm)
        self.labels: list[Label] = []
        self.faults: list[Fault] = []
        self.offset_g = np.zeros(3)  # what a touching neighbour leaves on the cells, as a wrench
        self._steps: list[tuple[int, Floats]] = [(0, self._resting())]
        self._force = np.zeros((GROWTH_MS, 3), dtype=np.float32)
        self._shaken = np.zeros((GROWTH_MS, 3), dtype=np.float32)
        self.sight = Sight(rng, habits, self.height_mm)

    @property
    def mass_g(self) -> float:
        """Return the mass on the tile; 0 while the platform is away."""
        return 0.0 if self.lifted else sum(piece.mass_g for piece in self.pieces)

    @property
    def height_mm(self) -> float:
        """Return the height of the building; 0 while the platform is away."""
        return 0.0 if self.lifted else sum(piece.rise_mm for piece in self.pieces)

    def _resting(self) -> Floats:
        wrench = lever(0, 0) * self.habits.tile_g
        for piece in self.pieces:
            wrench = wrench + piece.mass_g * lever(piece.x_mm, piece.y_mm)
        return wrench

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now_ms += int(seconds * 1000)

    def push(self, at_ms: int, force: Floats, x_mm: float = 0.0, y_mm: float = 0.0) -> None:
        """Add a passing force in g, one value per millisecond, at a point of the tile."""
        self.twist(at_ms, force[:, None] * lever(x_mm, y_mm))

    def twist(self, at_ms: int, wrench: Floats) -> None:
        """Add a passing wrench [n, 3] on the tile, one row per millisecond."""
        at_ms = max(at_ms, 0)
        self._make_room(at_ms + len(wrench))
        self._force[at_ms : at_ms + len(wrench)] += wrench

    def shake(self, at_ms: int, wrench: Floats) -> None:
        """Add a passing wrench [n, 3] on the plate itself: it may pull, unlike a thing that only lies there."""
        at_ms = max(at_ms, 0)
        self._make_room(at_ms + len(wrench))
        self._shaken[at_ms : at_ms + len(wrench)] += wrench

    def _make_room(self, end_ms: int) -> None:
        while end_ms > len(self._force):
            more = np.zeros((GROWTH_MS, 3), dtype=np.float32)
            self._force = np.concatenate([self._force, more])
            self._shaken = np.concatenate([self._shaken, more])

    def step(self, at_ms: int, change: Floats, curve: Floats) -> None:
        """Change the resting wrench for good from `at_ms` on, along `curve` (0 to 1, one value per millisecond)."""
        self._steps.append((at_ms, change))
        self.twist(at_ms, (curve - 1)[:, None] * change)

    def put_on(self, at_ms: int, piece: Piece, curve: Floats) -> None:
        """Let a piece's weight arrive."""
        self.step(at_ms, piece.mass_g * lever(piece.x_mm, piece.y_mm), curve)
        self.pieces.append(piece)
        self.sight.top(at_ms, self.height_mm)

    def take_off(self, at_ms: int, index: int, curve: Floats) -> Piece:
        """Let a piece's weight leave."""
        piece = self.pieces.pop(index)
        self.step(at_ms, -piece.mass_g * lever(piece.x_mm, piece.y_mm), curve)
        self.sight.top(at_ms, self.height_mm)
        return piece

    def lift_off(self, at_ms: int, curve: Floats) -> None:
        """Let tile and building leave, with all of their weight."""
        self.step(at_ms, -self._resting(), curve)
        self.lifted = True
        self.sight.tile(at_ms, here=False)

    def put_down(self, at_ms: int, curve: Floats) -> None:
        """Let tile and building come (back)."""
        self.lifted = False
        self.step(at_ms, self._resting(), curve)
        self.sight.tile(at_ms, here=True)
        self.sight.top(at_ms, self.height_mm)

    def become(self, at_ms: int, pieces: list[Piece], played: Floats) -> None:
        """Turn the building into `pieces` while the wrench without the tile runs through `played` [n, 3]."""
        before = self._resting()
        tile = lever(0, 0) * self.habits.tile_g
        self.pieces = list(pieces)
        change = self._resting() - before
        self.twist(at_ms, played + tile - before)
        self._steps.append((at_ms + len(played), change))
        self.sight.top(at_ms + len(played), self.height_mm)

    def label(self, kind: str, sub: str, onset_ms: int, end_ms: int, before: Building, **more: object) -> None:
        """Label what happened.

        `before` holds mass and height before it, the values after it are read from the stage.
        """
        self.labels.append(
            {
                "kind": kind,
                "sub": sub,
                "t_onset_us": onset_ms * 1000,
                "t_end_us": end_ms * 1000,
                "mass_before_g": round(before[0], 3),
                "mass_after_g": round(self.mass_g, 3),
                "height_before_mm": round(before[1], 1),
                "height_after_mm": round(self.height_mm, 1),
                **more,
            }
        )

    def disturbed(self, sub: str, onset_ms: int, end_ms: int, **more: object) -> None:
        """Label what moved the signal and not the building."""
        self.label("disturbance", sub, onset_ms, end_ms, (self.mass_g, self.height_mm), **more)

    def wrench(self) -> NDArray[np.float32]:
        """Return everything that acted on the plate until `now_ms`: [n, 3] at 1 kHz, tile included."""
        n = self.now_ms
        resting = self._rested()
        self._make_room(n)
        wrench = resting + self._force[:n]
        wrench[:, 0] = np.maximum(wrench[:, 0], np.minimum(resting[:, 0], 0))  # a tile does not pull its plate up
        return (wrench + self._shaken[:n]).astype(np.float32)

    def _rested(self) -> Floats:
        """Return what lay on the plate until `now_ms`, as a wrench [n, 3] at 1 kHz."""
        resting = np.zeros((self.now_ms, 3))
        for at_ms, change in self._steps:
            if at_ms < self.now_ms:
                resting[at_ms] += change
        return np.cumsum(resting, axis=0, out=resting)

    def shaken_mg(self) -> Floats:
        """Return the table's own acceleration until `now_ms`, at 1 kHz, which makes things weigh more and less."""
        self._make_room(self.now_ms)
        standing_g = np.maximum(self._rested()[:, 0] - self.habits.tile_g, 0.0)
        felt: Floats = 1000 * self._shaken[: self.now_ms, 0] / (self.habits.inertia_g + standing_g)
        return felt
