"""Simulate one tower and one trigger: settle the tower, then play the trigger repeatedly from the same rest."""

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

from citytable_lab.fall_labels import FALLEN_MM, GRAVITY, Course, Flags, smooth
from citytable_lab.pieces import Vector
from citytable_lab.recording import DT_S, GAZE_DT_S
from citytable_lab.recording import Floats as Signal
from citytable_lab.scene import AWAY_MM, MOVED_DOFS, MOVED_G, STEP_S, TILE_DOFS, Surface, model
from citytable_lab.tower import Tower
from citytable_lab.triggers import LONGEST_S, Creep, Drive, Plan, drive

Floats = NDArray[np.float64]
LOOK_STEPS, GAZE_STEPS = 2, round(GAZE_DT_S / STEP_S)
SETTLE_STEPS = round(0.4 / STEP_S)
SETTLED_MM = 2.0  # a tower that has moved further while settling did not stand
HUM_G, HUM_STEPS = 0.3, round(0.012 / STEP_S)  # of the weight, as one converted sample would see it
REST_MM_S = 5.0
REST_S = 0.18
FELT_G = 3.0
SLIP_MM = 12.0  # a piece so far from where a hand wants it has slipped out
LEAST_QUIET_S = 0.16  # before a hand comes: the label needs to show what stood there
HAND_BODY, FIRST_PIECE = 2, 3  # bodies: world, tile, hand, pieces
CREEP_PULL_PER_S2 = 600.0
CREEP_MOST = 0.9 * GRAVITY


class Played(msgspec.Struct, frozen=True, eq=False):
    """Hold the signals of an episode in a recording's form, and its course."""

    wrench: Signal
    top_mm: Signal
    hand_mm: Signal
    course: Course


class Episode:
    """Simulate a settled tower with a plan of what will happen to it."""

    def __init__(self, tower: Tower, plan: Plan, surface: Surface) -> None:
        import mujoco  # noqa: PLC0415  only drawing falls needs it

        self.tower, self.plan, self.surface = tower, plan, surface
        self.mj = mujoco
        mujoco.set_mju_user_warning(_unheard)  # or it writes a log into whatever folder this is
        self.model = model(tower, plan.newcomer, plan.hand, surface)
        self.data = mujoco.MjData(self.model)
        self.pieces = len(tower.pieces)
        self._rest = np.zeros(mujoco.mj_stateSize(self.model, mujoco.mjtState.mjSTATE_INTEGRATION))
        self._moved_mm, self._hum_g = self._settle()

    def stands(self) -> bool:
        """Return whether the tower stayed as it was built, at rest."""
        slow = float(self.speeds_mm_s()[: self.pieces].max()) < REST_MM_S
        return self._moved_mm < SETTLED_MM and slow and self._hum_g < HUM_G

    def play(self, strength: float, most: int) -> Played | None:
        """Play the trigger at that strength.

        Return None when more than `most` pieces fell, or things moved until the end.

        Return None, too, in the rare case that the solver loses hold of a piece.
        """
        self.mj.mj_setState(self.model, self.data, self._rest, self.mj.mjtState.mjSTATE_INTEGRATION)
        self.data.warning[self.mj.mjtWarning.mjWARN_BADQACC].number = 0
        self.mj.mj_forward(self.model, self.data)
        x, y, z = self.data.xpos[FIRST_PIECE + self.plan.target]
        return _Run(self, drive(self.plan, self.tower, strength, (x, y, z), self._reach)).played(most)

    def speeds_mm_s(self) -> Floats:
        """Return how fast each piece moves relative to the tile.

        A turn counts with its motion 20 mm from the middle.
        """
        velocity = self.data.qvel[MOVED_DOFS:].reshape(-1, 6)
        slip = np.linalg.norm(velocity[:, :3] - self.data.qvel[:3], axis=1)
        turn = np.linalg.norm(velocity[:, 3:], axis=1)
        speeds: Floats = 1000 * (slip + 0.02 * turn)
        return speeds

    def _settle(self) -> tuple[float, float]:
        """Let the tower stand; return how far a piece moved, in millimetres, and by how many grams the tower hums."""
        data = self.data
        self.mj.mj_forward(self.model, data)
        before = data.xpos[FIRST_PIECE:].copy()
        weight_g = []
        for _ in range(SETTLE_STEPS):
            data.qpos[:MOVED_DOFS] = 0
            data.qvel[:MOVED_DOFS] = 0
            self.mj.mj_step(self.model, data)
            weight_g.append(-data.qfrc_constraint[2] / GRAVITY)
        hum_g = float(np.convolve(weight_g[-HUM_STEPS * 10 :], np.full(HUM_STEPS, 1 / HUM_STEPS), "valid").std())
        self.mj.mj_getState(self.model, data, self._rest, self.mj.mjtState.mjSTATE_INTEGRATION)
        return float(np.abs(data.xpos[FIRST_PIECE:] - before).max() * 1000), hum_g

    def _reach(self, origin_m: Vector, along: Vector) -> float | None:
        """Return how far a ray goes until it meets a piece, the tile or the table."""
        met = np.full(1, -1, dtype=np.int32)
        far = self.mj.mj_ray(self.model, self.data, np.array(origin_m), np.array(along), None, 1, HAND_BODY, met)
        return float(far) if met[0] >= 0 else None


def _unheard(warning: str) -> None:
    """Ignore MuJoCo's printed warnings; they are read from its counters."""


class _Run:
    """Run once through a drive, and record it."""

    def __init__(self, episode: Episode, moves: Drive) -> None:
        self.episode, self.moves = episode, moves
        self.mj, self.model, self.data = episode.mj, episode.model, episode.data
        self.wrench: list[Floats] = []
        self.at_mm: list[Floats] = []
        self.speeds_mm_s: list[Floats] = []
        self.gazes: list[tuple[float, float]] = []
        self.heights_mm: list[float] = []
        self.eyes = _OverheadView(episode)
        self.taken = episode.plan.target if episode.plan.trigger == "pull" else None
        self._gripped = self._slipped = False
        self._creep_from: Floats | None = None
        self._touched_s = math.inf

    def played(self, most: int) -> Played | None:
        """Run until all is at rest, or until more than `most` pieces have come down by themselves."""
        path, speed, push = self._paths()
        still_since_s = 0.0
        for step in range(round(LONGEST_S / STEP_S)):
            self._guide(step)
            self.data.qpos[:MOVED_DOFS], self.data.qvel[:MOVED_DOFS] = path[step], speed[step]
            self.data.qfrc_applied[:MOVED_DOFS] = push[step]
            self.mj.mj_step(self.model, self.data)
            self.wrench.append(self.data.qfrc_constraint[:TILE_DOFS].copy())
            if self._touched_s == math.inf and self.episode.plan.hand.touches:
                self._touched_s = step * STEP_S if self.data.qfrc_constraint[TILE_DOFS:MOVED_DOFS].any() else math.inf
            if step % LOOK_STEPS == 0:
                self._look(path[step])
            if step % GAZE_STEPS == 0:
                self._gaze(path[step])
                if self._down() > most or self.data.warning[self.mj.mjtWarning.mjWARN_BADQACC].number:
                    return None
                now_s = step * STEP_S
                if now_s < self.moves.over_s or self.speeds_mm_s[-1].max() > REST_MM_S:
                    still_since_s = now_s
                if now_s - still_since_s > REST_S:
                    return self._record() if self._touched_s > LEAST_QUIET_S else None
        return None

    def _paths(self) -> tuple[Floats, Floats, Floats]:
        """Return positions, speeds and forces of all that is moved, one row a step."""
        hand = self.moves.hand - [0.0, 0.0, AWAY_MM / 1000]
        path = np.hstack([self.moves.tile, hand])
        speed = np.gradient(path, STEP_S, axis=0)
        return path, speed, MOVED_G * np.gradient(speed, STEP_S, axis=0) * ([1.0] * 3 + [0.0] * 2 + [1.0] * 3)

    def _guide(self, step: int) -> None:
        """Grip, let go, and draw a creeping piece along."""
        now_s = step * STEP_S
        if self.moves.grip_s is not None:
            begin_s, end_s = self.moves.grip_s
            holds = begin_s <= now_s and (end_s is None or now_s < end_s) and not self._slipped
            if self._gripped and self._slip_mm(step) > SLIP_MM:
                self._slipped = True
            elif holds != self._gripped:
                self._grip(step, holds)
        if self.moves.creep is not None:
            self._creep(self.moves.creep, now_s)

    def _grip(self, step: int, holds: bool) -> None:
        self._gripped = holds
        number = self.episode.plan.hand.grips
        if holds and number is not None:
            body = FIRST_PIECE + number
            if number == self.episode.pieces:  # it hung aside until now
                self.model.body_gravcomp[body] = 0
                at = MOVED_DOFS + 7 * number
                self.data.qpos[at : at + 3] = self.moves.hand[step]
                offset = np.zeros(3)
            else:
                offset = self.data.xpos[body] - self.moves.hand[step]
            self.model.eq_data[0, 3:6], self.model.eq_data[0, 6:10] = offset, self.data.xquat[body]
            self.model.eq_data[0, :3] = 0
        self.data.eq_active[0] = holds

    def _slip_mm(self, step: int) -> float:
        """Return how far a gripped piece is from where the hand wants it."""
        number = self.episode.plan.hand.grips
        at = self.data.xpos[FIRST_PIECE + (number or 0)]
        return float(1000 * np.linalg.norm(at - self.moves.hand[step] - self.model.eq_data[0, 3:6]))

    def _creep(self, creep: Creep, now_s: float) -> None:
        """Draw the piece on, sideways only, by a spring without weight of its own."""
        body = FIRST_PIECE + creep.piece
        gone_mm = (now_s - creep.start_s) * creep.speed_mm_s
        force = np.zeros(3)
        if 0 <= gone_mm <= creep.reach_mm:
            if self._creep_from is None:
                self._creep_from = self.data.xpos[body].copy()
            along = np.array([math.cos(creep.heading_rad), math.sin(creep.heading_rad), 0.0])
            behind_m = gone_mm / 1000 - float(along @ (self.data.xpos[body] - self._creep_from))
            accel = CREEP_PULL_PER_S2 * behind_m
            force = along * self.model.body_mass[body] * min(max(accel, 0.0), CREEP_MOST)
        self.data.xfrc_applied[body, :3] = force

    def _look(self, tile: Floats) -> None:
        self.at_mm.append(1000 * (self.data.xpos[FIRST_PIECE:] - tile[:3]))
        self.speeds_mm_s.append(self.episode.speeds_mm_s())

    def _gaze(self, tile: Floats) -> None:
        self.gazes.append((self.eyes.top_mm(tile[:3]), self.eyes.hand_mm(tile[:3])))
        self.heights_mm.append(self.eyes.top_mm(tile[:3], self.episode.pieces))

    def _down(self) -> int:
        """Count the pieces of the tower that have come down, except one that a hand takes."""
        lower = self.at_mm[0][: self.episode.pieces, 2] - self.at_mm[-1][: self.episode.pieces, 2] > FALLEN_MM
        return int(lower.sum()) - (self.taken is not None and bool(lower[self.taken]))

    def _record(self) -> Played:
        force = np.array(self.wrench) / 1000  # newtons
        wrench = np.column_stack([-force[:, 2], force[:, 3], force[:, 4]]).astype(np.float32)
        episode = self.episode
        force_g = wrench[:, 0].astype(np.float64) / GRAVITY * 1000
        course = Course(
            at_mm=np.array(self.at_mm),
            speed_mm_s=np.array(self.speeds_mm_s),
            look_s=LOOK_STEPS * STEP_S,
            force_g=force_g,
            tile_mm=episode.tower.tile_mm,
            pieces=episode.pieces,
            taken=self.taken,
            trigger_s=self._trigger_s(force_g),
            height_mm=(self.heights_mm[0], self.heights_mm[-1]),
        )
        gaze = np.array(self.gazes, dtype=np.float32)
        return Played(wrench=wrench, top_mm=gaze[:, 0], hand_mm=gaze[:, 1], course=course)

    def _trigger_s(self, force_g: Floats) -> float:
        """Return when a finger or arm first touched a piece, a new piece first weighed, or another trigger began."""
        if self._touched_s < math.inf:
            return self._touched_s
        if self.episode.plan.newcomer is not None:
            quiet = round(LEAST_QUIET_S / DT_S)
            felt = np.abs(smooth(force_g, 4) - force_g[:quiet].mean())[quiet:] > FELT_G
            return float((quiet + np.argmax(felt)) * DT_S) if felt.any() else self.moves.start_s
        return self.moves.start_s


class _OverheadView:
    """Record what could be seen from above."""

    def __init__(self, episode: Episode) -> None:
        self.data, self.hand = episode.data, episode.plan.hand
        self.tile_m = episode.tower.tile_mm / 1000
        self.geoms = np.flatnonzero(episode.model.geom_bodyid >= FIRST_PIECE)
        self.of_piece = episode.model.geom_bodyid[self.geoms] - FIRST_PIECE
        signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        self.corners = signs * episode.model.geom_size[self.geoms][:, None, :]

    def top_mm(self, tile_m: Floats, pieces: int | None = None) -> float:
        """Return the highest corner over the tile of any of the first `pieces` pieces (default: all).

        0 for a bare tile.
        """
        turned = self.corners @ self.data.geom_xmat[self.geoms].reshape(-1, 3, 3).transpose(0, 2, 1)
        at = turned + self.data.geom_xpos[self.geoms][:, None, :] - tile_m
        over = _over_hexagon(at[..., 0], at[..., 1], self.tile_m)
        if pieces is not None:
            over &= (self.of_piece < pieces)[:, None]
        return float(1000 * max(at[..., 2][over].max(initial=0.0), 0.0))

    def hand_mm(self, tile_m: Floats) -> float:
        """Return the lowest point of the hand above the tile; nan when none is over it."""
        x, y, z = self.data.xpos[HAND_BODY] - tile_m
        reach_m = (self.hand.radius_mm + self.hand.half_length_mm) / 1000
        if math.hypot(x, y) > self.tile_m / 2 + reach_m or z > 0.9 * AWAY_MM / 1000:
            return math.nan
        return float(1000 * z - self.hand.radius_mm)


def _over_hexagon(x: Floats, y: Floats, tile_m: float) -> Flags:
    inside = np.ones(x.shape, dtype=np.bool_)
    for angle in (0.0, math.pi / 3, 2 * math.pi / 3):
        inside &= np.abs(x * math.cos(angle) + y * math.sin(angle)) <= tile_m / 2
    return inside
