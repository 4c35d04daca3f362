"""Model time-of-flight sensors above a platform that see tower, tile and hands."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from citytable_lab.plate import Floats
from citytable_lab.sight import VIEW_MS, RangeView
from citytable_lab.trace_file import Ranges, Times

INVALID = -1
SIDE = 8  # zones


class Optics(msgspec.Struct, frozen=True):
    """Hold one overhead sensor of a single zone and one of 8 by 8, and reflectances at 940 nm."""

    height_mm: float  # above the platform's surface
    fov_deg: float
    rate_hz: float
    zones_fov_deg: float
    zones_rate_hz: float
    below_mm: float  # from the platform's surface down to the plate, when the tile is away
    tile_shine: float
    tower_shine: float
    hand_shine: float
    tower_mm2: float  # the tower's top
    tower_off_mm: tuple[float, float]
    nearness: float  # with which power of the distance things fade
    bias_mm: float
    noise_mm: float
    invalid: float
    hand_from: float  # angle


def draw_optics(rng: np.random.Generator) -> Optics:
    """Draw sensors as varied as any that may be mounted, over any tower."""
    return Optics(
        height_mm=round(float(rng.uniform(290, 500)), 1),
        fov_deg=round(float(rng.uniform(15, 27)), 1),
        rate_hz=float(rng.choice([15, 20, 25, 30, 40, 50, 60])),
        zones_fov_deg=float(rng.choice([41, 45, 60])),
        zones_rate_hz=float(rng.choice([5, 10, 15])),
        below_mm=float(rng.uniform(3, 18)),
        tile_shine=float(rng.uniform(0.1, 0.8)),
        tower_shine=float(np.exp(rng.uniform(np.log(0.03), np.log(0.6)))),
        hand_shine=float(rng.uniform(0.2, 0.7)),
        tower_mm2=float(np.exp(rng.uniform(np.log(150), np.log(1800)))),
        tower_off_mm=(float(rng.normal(0, 10)), float(rng.normal(0, 10))),
        nearness=float(rng.uniform(2, 3.5)),
        bias_mm=float(rng.normal(0, 6)),
        noise_mm=float(np.exp(rng.uniform(np.log(0.5), np.log(4)))),
        invalid=float(np.exp(rng.uniform(np.log(0.001), np.log(0.05)))),
        hand_from=float(rng.uniform(0, 2 * np.pi)),
    )


def _frames(rng: np.random.Generator, rate_hz: float, end_ms: int) -> tuple[Times, NDArray[np.intp]]:
    """Return when frames arrive, and which view of the stage each shows."""
    times = np.arange(rng.uniform(0, 1000 / rate_hz), end_ms - 5, 1000 / rate_hz)
    arrival = times + np.abs(rng.normal(0, 0.3, len(times)))
    middle = np.maximum(times - 500 / rate_hz, 0)
    return (arrival * 1000).astype(np.int64), (middle / VIEW_MS).astype(np.intp)


def single_zone(rng: np.random.Generator, optics: Optics, seen: RangeView, end_ms: int) -> tuple[Times, Ranges]:
    """Return arrival times and whole millimetres: a mean over the cone of view, in which near things count more."""
    t_us, look = _frames(rng, optics.rate_hz, end_ms)
    top, hand, share = seen.top_mm[look], seen.hand_mm[look], seen.hand_share[look]
    floor = optics.height_mm + np.where(seen.tile_here[look], 0.0, optics.below_mm)
    tower = np.maximum(optics.height_mm - top, 12.0)
    cone = np.tan(np.deg2rad(optics.fov_deg) / 2)
    covered = np.clip(optics.tower_mm2 / (np.pi * (cone * tower) ** 2), 0, 1) * (top > 0)
    near = np.where(np.isnan(hand), 1e6, np.maximum(optics.height_mm - np.nan_to_num(hand), 8.0))
    hidden = np.where(np.isnan(hand), 0.0, share)
    mm = _blend(
        optics,
        [
            (floor, (1 - covered) * (1 - hidden) * optics.tile_shine),
            (tower, covered * (1 - hidden) * optics.tower_shine),
            (near, hidden * optics.hand_shine),
        ],
    )
    mm = mm + optics.bias_mm + rng.normal(0, optics.noise_mm, len(mm))
    return t_us, _whole(rng, mm, optics.invalid)


def _blend(optics: Optics, things: list[tuple[Floats, Floats]]) -> Floats:
    weights = [light / distance**optics.nearness for distance, light in things]
    total: Floats = np.sum(weights, axis=0)
    seen: Floats = sum((w * d for w, (d, _) in zip(weights, things, strict=True)), 0 * total)
    return seen / np.maximum(total, 1e-300)


def _whole(rng: np.random.Generator, mm: Floats, invalid: float) -> Ranges:
    whole = np.rint(mm).clip(0, 4000).astype(np.int16)
    whole[rng.random(whole.shape) < invalid] = INVALID
    return whole


def eight_by_eight(rng: np.random.Generator, optics: Optics, seen: RangeView, end_ms: int) -> tuple[Times, Ranges]:
    """Return arrival times and 64 ranges each, row-major: one tower in the middle, and a hand from one side."""
    t_us, look = _frames(rng, optics.zones_rate_hz, end_ms)
    top, hand, share = (values[look][:, None] for values in (seen.top_mm, seen.hand_mm, seen.hand_share))
    slope = np.tan(np.deg2rad(optics.zones_fov_deg / SIDE) * (np.arange(SIDE) - (SIDE - 1) / 2))
    x, y = (axis.ravel()[None, :] for axis in np.meshgrid(slope, slope))
    tower = np.maximum(optics.height_mm - top, 12.0)
    zone_mm = tower * 2 * np.tan(np.deg2rad(optics.zones_fov_deg / SIDE) / 2)
    half = np.sqrt(optics.tower_mm2) / 2
    covered = (top > 0) * _overlap(x * tower, optics.tower_off_mm[0], zone_mm, half)
    covered = covered * _overlap(y * tower, optics.tower_off_mm[1], zone_mm, half)
    side = x * np.cos(optics.hand_from) + y * np.sin(optics.hand_from)
    reach = np.quantile(side, 0.5) + (1 - 2 * share) * np.abs(side).max()
    hidden = ((side > reach) & ~np.isnan(hand)).astype(float) * 0.97
    floor = (optics.height_mm + np.where(seen.tile_here[look], 0.0, optics.below_mm)[:, None]) * np.ones_like(x)
    near = np.where(np.isnan(hand), 1e6, np.maximum(optics.height_mm - np.nan_to_num(hand), 8.0)) * np.ones_like(x)
    mm = _blend(
        optics,
        [
            (floor, (1 - covered) * (1 - hidden) * optics.tile_shine),
            (tower * np.ones_like(x), covered * (1 - hidden) * optics.tower_shine),
            (near, hidden * optics.hand_shine),
        ],
    )
    mm = mm + optics.bias_mm + rng.normal(0, 2 * optics.noise_mm, mm.shape)
    return t_us, _whole(rng, mm, min(2 * optics.invalid, 0.05))


def _overlap(centre: Floats, at: float, width: Floats, half: float) -> Floats:
    """Return the share of zones `width` wide that lies over what reaches `half` to both sides of `at`."""
    low = np.maximum(centre - width / 2, at - half)
    high = np.minimum(centre + width / 2, at + half)
    return np.clip((high - low) / width, 0, 1)
