"""Make a tower fall: paths of the tile and of a hand, drawn at random, some gentle and some not.

Every trigger works at a `strength`: 1 is what people do, less is gentler, more is rougher. Ranges are assumptions.
"""

import math
from collections.abc import Callable
from typing import Literal

import msgspec
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from citytable_lab.pieces import Vector
from citytable_lab.scene import AWAY_MM, STEP_S, Hand
from citytable_lab.tower import Placed, Tower, random_piece

Floats = NDArray[np.float64]
TriggerName = Literal["push", "nudge", "slide", "misplace", "drop", "pull", "bump", "topple", "sweep"]
LONGEST_S = 4.2
STEPS = round(LONGEST_S / STEP_S)
TIME_S: Floats = np.arange(STEPS, dtype=np.float64) * STEP_S
QUIET_S = 0.3  # of every recording, before anything touches the tower
NEAR_MM = 45.0  # from where a hand is seen to come


class Creep(msgspec.Struct, frozen=True):
    """Hold a piece that slips slowly: drawn along `heading_rad` at a steady pace until it has gone `reach_mm`."""

    piece: int
    heading_rad: float
    start_s: float
    speed_mm_s: float
    reach_mm: float


class Drive(msgspec.Struct, frozen=True):
    """Hold what is moved: `tile` float[STEPS, 5] (metres, then radians) and `hand` float[STEPS, 3] (metres).

    A grip holds from the first time to the second; None: until the end. `hand_over_s` is when the hand is gone or has
    stopped for good, so that quiet after it is rest.
    """

    tile: Floats
    hand: Floats
    start_s: float
    over_s: float
    grip_s: tuple[float, float | None] | None = None
    creep: Creep | None = None


class Plan(msgspec.Struct, frozen=True):
    """Hold a trigger before its strength is known: its target, and the hand and the new piece it needs."""

    trigger: TriggerName
    seed: int
    target: int
    heading_rad: float
    hand: Hand
    newcomer: Placed | None = None


Reach = Callable[[Vector, Vector], float | None]  # distance in metres from a point along a direction to a piece


def plan_trigger(rng: Generator, tower: Tower, trigger: TriggerName, loaded: bool) -> Plan:
    """Choose the target; with `loaded`, a piece on which others stand, if the trigger is one that takes pieces away."""
    target = _target(rng, tower, trigger, loaded)
    heading = _overhang(tower, target) + rng.normal(0, 0.5) if tower.loose == target else rng.uniform(0, math.tau)
    hand, newcomer = Hand(), None
    if trigger == "sweep":
        hand = Hand(radius_mm=rng.uniform(20, 35), soft_per_s2=2e4, half_length_mm=130, heading_rad=heading)
    elif trigger in {"push", "nudge"} or (trigger == "misplace" and rng.random() < 0.4):
        hand = Hand(
            radius_mm=rng.uniform(6, 10),
            soft_per_s2=rng.lognormal(math.log(1e4 if trigger == "misplace" else 3e4), 0.6),
        )
        heading = _open_heading(rng, tower, target) if trigger == "nudge" and tower.loose != target else heading
    elif trigger == "pull":
        hand = Hand(touches=False, grips=target)
        heading = _outwards(rng, tower, target)
    elif trigger in {"misplace", "drop"}:
        newcomer = _newcomer(rng)
        hand = Hand(touches=False, grips=len(tower.pieces))
    return Plan(trigger, int(rng.integers(2**31)), target, heading, hand, newcomer)


def drive(plan: Plan, tower: Tower, strength: float, middle_m: Vector, reach: Reach) -> Drive:
    """Return the paths at that strength; `middle_m` is where the target's middle is, `reach` looks for surfaces."""
    rng = np.random.default_rng(plan.seed)
    match plan.trigger:
        case "push" | "nudge":
            return _push(rng, plan, strength, middle_m, reach)
        case "slide":
            return _slide(rng, plan, strength)
        case "bump":
            return _bump(rng, plan, strength)
        case "topple":
            return _topple(rng, plan, strength)
        case "sweep":
            return _sweep(rng, plan, tower, strength)
        case "pull":
            return _pull(rng, plan, tower, strength, middle_m)
        case "misplace" | "drop":
            return _set_down(rng, plan, tower, strength, middle_m, reach)


def _target(rng: Generator, tower: Tower, trigger: TriggerName, loaded: bool) -> int:
    """Choose a target: the loose piece, one that bears others, or one that bears none; high ones are likelier."""
    if tower.loose is not None and trigger in {"nudge", "misplace", "drop", "topple"}:
        return tower.loose
    bearing = tower.loaded()
    free = [number for number in range(len(tower.pieces)) if number not in bearing]
    if trigger in {"pull", "topple"} and loaded and bearing:
        return int(rng.choice(sorted(bearing)))
    if trigger == "nudge":
        return int(rng.choice(free))
    if trigger in {"misplace", "drop", "topple", "pull"}:
        weights = np.array([tower.pieces[number].middle[2] for number in free])
        return int(rng.choice(free, p=weights / weights.sum()))
    weights = np.array([piece.middle[2] for piece in tower.pieces])
    return int(rng.choice(len(tower.pieces), p=weights / weights.sum()))


def _newcomer(rng: Generator) -> Placed:
    """Draw a piece that is about to come."""
    shape, material, mass_g = random_piece(rng, rng.uniform(0.88, 1.08))
    width, depth, _ = shape.size
    boxes = tuple(box.moved((-width / 2, -depth / 2, 0.0)) for box in shape.boxes)
    return Placed(shape.name, material, mass_g, boxes)


def _overhang(tower: Tower, target: int) -> float:
    """Return the direction in which a piece leans out over what bears it."""
    piece = tower.pieces[target]
    bearers = [tower.pieces[number].middle for number in piece.bearers]
    x, y = (sum(bearer[axis] for bearer in bearers) / max(len(bearers), 1) for axis in (0, 1))
    return math.atan2(piece.middle[1] - y, piece.middle[0] - x) + tower.turn_rad


def _outwards(rng: Generator, tower: Tower, target: int) -> float:
    """Return a direction that leads away from the middle of the tower, where one exists."""
    x, y, _ = tower.pieces[target].middle
    outwards = math.atan2(y, x) if math.hypot(x, y) > 5 else rng.uniform(0, math.tau)
    return outwards + tower.turn_rad + rng.normal(0, 0.5)


def _open_heading(rng: Generator, tower: Tower, target: int) -> float:
    """Return a direction in which a finger meets the target first, and nothing is hit behind it, if there is any."""
    headings = rng.uniform(0, math.tau, 12)
    blocked = [_in_line(tower, target, heading - tower.turn_rad) for heading in headings]
    return float(headings[int(np.argmin(blocked))])


def _in_line(tower: Tower, target: int, heading_rad: float) -> int:
    """Count the boxes of other pieces that stand at the target's height in a strip along that direction."""
    aim, along = tower.pieces[target], (math.cos(heading_rad), math.sin(heading_rad))
    wide = max(aim.high[0] - aim.low[0], aim.high[1] - aim.low[1]) / 2 + 6
    count = 0
    for number, piece in enumerate(tower.pieces):
        for box in piece.boxes:
            level = box.high[2] > aim.middle[2] - 8 and box.low[2] < aim.middle[2] + 8
            x, y = box.centre[0] - aim.middle[0], box.centre[1] - aim.middle[1]
            beside = abs(x * along[1] - y * along[0]) < wide + max(box.half[0], box.half[1])
            count += number != target and level and beside
    return count


def _eased(t_s: Floats, start_s: float, length_s: float) -> Floats:
    """Return a rise from 0 to 1 with least jerk, as hands move."""
    u = np.clip((t_s - start_s) / length_s, 0.0, 1.0)
    eased: Floats = u**3 * (10 - 15 * u + 6 * u**2)
    return eased


def _still_tile() -> Floats:
    return np.zeros((STEPS, 5))


def _away() -> Floats:
    hand = np.zeros((STEPS, 3))
    hand[:, 2] = AWAY_MM / 1000
    return hand


def _push(rng: Generator, plan: Plan, strength: float, middle_m: Vector, reach: Reach) -> Drive:
    """Move a fingertip in from the side; it goes on for a while after it met something, and draws back."""
    slow = plan.trigger == "nudge"
    depth_m = strength * rng.lognormal(math.log(0.012 if slow else 0.018), 0.5)
    speed = (rng.uniform(0.03, 0.25) if slow else rng.uniform(0.08, 0.7)) * math.sqrt(strength)
    along = np.array([math.cos(plan.heading_rad), math.sin(plan.heading_rad), 0.0])
    at = np.array(middle_m) + np.array([0, 0, rng.normal(0, 0.004)])
    far = at - along * 0.25
    gap = reach((far[0], far[1], far[2]), (along[0], along[1], 0.0)) or 0.22
    start = far + along * (gap - plan.hand.radius_mm / 1000 - NEAR_MM / 1000)
    length_m = NEAR_MM / 1000 + depth_m
    lasts_s = min(1.9 * length_m / speed, 2.0)
    forth = _eased(TIME_S, 0.0, lasts_s) * length_m
    meets_s = float(TIME_S[np.searchsorted(forth, NEAR_MM / 1000)])
    shift_s = QUIET_S - meets_s
    forth = _eased(TIME_S, shift_s, lasts_s) * length_m
    back_s = shift_s + lasts_s + rng.uniform(0.02, 0.2)
    back = _eased(TIME_S, back_s, 0.3)
    hand = start + np.outer(forth - back * (length_m + 0.03), along)
    return Drive(_still_tile(), hand, QUIET_S, back_s + 0.3)


def _slide(rng: Generator, plan: Plan, strength: float) -> Drive:
    """Move the tile in jerks: each gathers speed, and stops sharply."""
    along = np.array([math.cos(plan.heading_rad), math.sin(plan.heading_rad)])
    speed_m_s = np.zeros(STEPS)
    start_s = QUIET_S
    for _ in range(rng.integers(1, 5)):
        top = strength * rng.lognormal(math.log(0.16), 0.4)
        gathers_s, goes_s, stops_s = rng.uniform(0.03, 0.3), rng.uniform(0.02, 0.3), rng.uniform(0.02, 0.12)
        up = _eased(TIME_S, start_s, gathers_s)
        down = _eased(TIME_S, start_s + gathers_s + goes_s, stops_s)
        speed_m_s += rng.choice((1.0, 1.0, 1.0, -1.0)) * top * (up - down)
        start_s += gathers_s + goes_s + stops_s + rng.uniform(0, 0.25)
    tile = _still_tile()
    tile[:, :2] = np.outer(np.cumsum(speed_m_s) * STEP_S, along)
    return Drive(tile, _away(), QUIET_S, start_s)


def _bump(rng: Generator, plan: Plan, strength: float) -> Drive:
    """Knock against the table, up to three times."""
    tile = _still_tile()
    start_s = QUIET_S
    for _ in range(rng.integers(1, 4)):
        heading = plan.heading_rad + rng.normal(0, 0.6)
        accel = strength * rng.lognormal(math.log(7.0), 0.5)
        sway = _ringing(rng, start_s, accel)
        heave = _ringing(rng, start_s, accel * rng.uniform(0.1, 1.0))
        tile[:, 0] += sway * math.cos(heading)
        tile[:, 1] += sway * math.sin(heading)
        tile[:, 2] += heave
        start_s += rng.uniform(0.15, 0.5)
    return Drive(tile, _away(), QUIET_S, start_s + 0.1)


def _ringing(rng: Generator, start_s: float, accel_m_s2: float) -> Floats:
    """Return a decaying oscillation with that greatest acceleration, swelling within a few milliseconds."""
    hertz, fades_s = rng.uniform(4, 22), rng.uniform(0.04, 0.2)
    since = np.maximum(TIME_S - start_s, 0.0)
    wave = np.sin(math.tau * hertz * since) * np.exp(-since / fades_s) * _eased(TIME_S, start_s, 0.4 / hertz)
    greatest = np.abs(np.gradient(np.gradient(wave, STEP_S), STEP_S)).max()
    ringing: Floats = wave * accel_m_s2 / greatest
    return ringing


def _topple(rng: Generator, plan: Plan, strength: float) -> Drive:
    """Bump weakly, and some time later let a piece slip that has begun to."""
    weak = _bump(rng, plan, rng.uniform(0.1, 0.5))
    start_s = weak.over_s + rng.uniform(0.1, 0.8)
    speed = rng.uniform(4, 40)
    reach_mm = min(strength * rng.uniform(4, 16), speed * (LONGEST_S - 1.0 - start_s))
    creep = Creep(plan.target, plan.heading_rad, start_s, speed, reach_mm)
    return Drive(weak.tile, _away(), QUIET_S, start_s + reach_mm / speed, creep=creep)


def _sweep(rng: Generator, plan: Plan, tower: Tower, strength: float) -> Drive:
    """Move a forearm across the tile."""
    height_m = rng.uniform(0.2, 0.95) * tower.height_mm / 1000 + plan.hand.radius_mm / 2000
    height_m = max(height_m, plan.hand.radius_mm / 1000 + 0.003)
    speed = strength * rng.uniform(0.3, 1.6)
    along = np.array([math.cos(plan.heading_rad), math.sin(plan.heading_rad), 0.0])
    before_m = tower.tile_mm / 2000 + plan.hand.radius_mm / 1000 + 0.04
    lasts_s = 1.9 * 2 * before_m / speed
    begins_s = QUIET_S - 0.3 * lasts_s if lasts_s < 1 else 0.0
    way = (_eased(TIME_S, begins_s, lasts_s) * 2 - 1) * before_m
    hand = np.outer(way, along) + np.array([0, 0, height_m])
    return Drive(_still_tile(), hand, QUIET_S, begins_s + lasts_s)


def _pull(rng: Generator, plan: Plan, tower: Tower, strength: float, middle_m: Vector) -> Drive:
    """Grip a piece and draw it out, sideways if something stands on it."""
    loaded = plan.target in tower.loaded()
    rising = rng.uniform(0, 0.1) if loaded else rng.uniform(0.2, 1.5)
    along = np.array([math.cos(plan.heading_rad), math.sin(plan.heading_rad), rising])
    along /= np.linalg.norm(along)
    lasts_s = rng.uniform(0.15, 0.9) / strength
    way = _eased(TIME_S, QUIET_S, lasts_s) * (0.11 + tower.tile_mm / 2000)
    comes = 1 - _eased(TIME_S, 0.0, QUIET_S - 0.06)
    hand = np.array(middle_m) + np.outer(way + comes * 0.12, along)
    return Drive(_still_tile(), hand, QUIET_S, QUIET_S + lasts_s, grip_s=(QUIET_S - 0.05, None))


def _set_down(rng: Generator, plan: Plan, tower: Tower, strength: float, middle_m: Vector, reach: Reach) -> Drive:
    """Set a new piece down off the middle, let it go too early, or press it; or press what is there with a finger."""
    if plan.newcomer is None:
        return _press(rng, plan, strength, middle_m, reach)
    angle = rng.uniform(0, math.tau)
    off_m = strength * rng.uniform(0.004, 0.016)
    x, y = middle_m[0] + off_m * math.cos(angle), middle_m[1] + off_m * math.sin(angle)
    size_m = [(high - low) / 1000 for low, high in zip(plan.newcomer.low, plan.newcomer.high, strict=True)]
    top_m = _top_below(x, y, (size_m[0], size_m[1]), tower.turn_rad + plan.newcomer.turn_rad, reach)
    above_m = rng.uniform(0.008, 0.08) * math.sqrt(strength) if plan.trigger == "drop" else rng.normal(0.0, 0.0012)
    ends_m = top_m + size_m[2] / 2 + above_m
    down_s = rng.uniform(0.2, 0.4)
    over_m = max(tower.height_mm / 1000 + size_m[2] / 2 + 0.02, ends_m + 0.02)
    z = ends_m + (over_m - ends_m) * (1 - _eased(TIME_S, QUIET_S - down_s / 2, down_s))
    let_go_s = QUIET_S + down_s / 2 + rng.uniform(-0.05, 0.25)
    z = z + 0.1 * _eased(TIME_S, let_go_s + 0.03, 0.3)
    aside = 0.2 * (1 - _eased(TIME_S, 0.0, QUIET_S - 0.05))
    hand = np.column_stack([x + aside * math.cos(angle), y + aside * math.sin(angle), z])
    return Drive(_still_tile(), hand, QUIET_S, let_go_s + 0.33, grip_s=(0.0, let_go_s))


def _top_below(x: float, y: float, size_m: tuple[float, float], turn_rad: float, reach: Reach) -> float:
    """Return the height of the highest thing under a rectangle turned by `turn_rad`, as found at nine places."""
    c, s = math.cos(turn_rad), math.sin(turn_rad)
    tops = []
    for u in (-0.48 * size_m[0], 0.0, 0.48 * size_m[0]):
        for v in (-0.48 * size_m[1], 0.0, 0.48 * size_m[1]):
            far = reach((x + c * u - s * v, y + s * u + c * v, AWAY_MM / 1000), (0.0, 0.0, -1.0))
            tops.append(AWAY_MM / 1000 - (far or AWAY_MM / 1000))
    return max(*tops, 0.0)


def _press(rng: Generator, plan: Plan, strength: float, middle_m: Vector, reach: Reach) -> Drive:
    """Press a piece at the top with a fingertip from above, off its middle."""
    angle = rng.uniform(0, math.tau)
    off_m = strength * rng.uniform(0.002, 0.012)
    x, y = middle_m[0] + off_m * math.cos(angle), middle_m[1] + off_m * math.sin(angle)
    top_m = 0.6 - (reach((x, y, 0.6), (0.0, 0.0, -1.0)) or 0.6)
    depth_m = math.sqrt(strength) * rng.lognormal(math.log(0.006), 0.5)
    lasts_s = rng.uniform(0.15, 0.6)
    length_m = 0.04 + depth_m
    shift_s = QUIET_S - lasts_s * 0.6
    down = _eased(TIME_S, shift_s, lasts_s)
    up_s = shift_s + lasts_s + rng.uniform(0.02, 0.3)
    z = top_m + plan.hand.radius_mm / 1000 + 0.04 - length_m * down + 0.15 * _eased(TIME_S, up_s, 0.3)
    hand = np.column_stack([np.full(STEPS, x), np.full(STEPS, y), z])
    return Drive(_still_tile(), hand, QUIET_S, up_s + 0.3)
