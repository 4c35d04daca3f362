"""What must hold for a crane in its pad: it covers a platform, is seen by its sensor, and stops before it harms."""

from math import radians, tan

import bought
import crane_carriage
import crane_counterweight
import crane_head
import crane_paddle
import crane_stop
import pad_plate
import station_checks
import weights
from build123d import Align, Box, Cone, Cylinder, Part, Pos, Rot
from dimensions import (
    CLEAR,
    COUNTERWEIGHT,
    FLOAT,
    PADDLE,
    PADDLE_RANGE,
    PADS_AT,
    PARK_RANGE,
    PLATFORM_THICK,
    QUARTER,
    ROD_AT,
    SEAT_BELOW,
    SINKS_G,
    TILE_FLAT,
    TOWER,
    VIEW_DEG,
)

UP = (Align.CENTER, Align.CENTER, Align.MIN)
LOWEST_Z = PLATFORM_THICK - crane_stop.BELOW_PLATFORM
PARKED_Z = crane_head.UNDERSIDE_Z - crane_carriage.HOUSING_Z[1]
PARKED_MM = (41.0, 55.0)  # what the station takes as parked
HEIGHTS = (PLATFORM_THICK, 30.0, 60.0, 120.0, 180.0, 240.0, PARKED_Z)  # of a carriage
ASIDE = 1.5  # the least between two cranes


def faults() -> list[str]:
    """Return what is wrong with the crane, one sentence each."""
    head = Pos(0, 0, crane_head.UNDERSIDE_Z) * crane_head.build()
    still = {"head": head, "pad": pad_plate.build(), "stop": crane_stop_at()}
    still |= {f"rod {side}": Pos(side * ROD_AT[0], ROD_AT[1], -SEAT_BELOW) * bought.rod() for side in (-1, 1)}
    found = []
    for where, z in (("parked", PARKED_Z), ("on the bare platform", PLATFORM_THICK), ("at its stop", LOWEST_Z)):
        moving = {"carriage": crane_carriage.build(), "paddle": crane_paddle.build()}
        for name, part in moving.items():
            for other, fixed in still.items():
                if _volume(Pos(0, 0, z) * part, fixed) > 1e-3:
                    found.append(f"the {name} overlaps the {other} when it is {where}")
        if _volume(Pos(0, 0, z) * moving["carriage"], _view(z)) > 1e-3:
            found.append(f"the sensor sees the carriage when it is {where}")
        found += [f"{fault} when it is {where}" for fault in _beside_counterweight(z, moving["carriage"], still)]
    seat = crane_carriage.build()
    for z, does in ((0.0, "in its seat"), (-FLOAT, "hanging")):
        if _volume(Pos(0, 0, z) * crane_paddle.build(), seat) > 1e-3:
            found.append(f"the paddle overlaps its carriage {does}")
    return found + _distances() + _slide_path(head) + _neighbours() + _over_seat() + _rollers() + _balance()


def _beside_counterweight(z: float, carriage: Part, still: dict[str, Part]) -> list[str]:
    """The counterweight passes the carriage, and meets nothing that stands."""
    weight = _counterweight(z)
    found = [f"the counterweight meets the {name}" for name, part in still.items() if _volume(weight, part) > 1e-3]
    found += ["the counterweight is below the pad"] if weight.bounding_box().min.Z < 0 else []
    beside = weight.distance_to(Pos(0, 0, z) * carriage)
    return found + (["the counterweight may touch the carriage"] if beside < ASIDE else [])


def crane_stop_at() -> Part:
    """Return the stop on its rod: its clamp away from the pad, where nothing comes down on it."""
    return Pos(-ROD_AT[0], ROD_AT[1], 0) * Rot(0, 0, QUARTER) * crane_stop.build()


def rollers() -> list[Part]:
    """Return the cord's rollers in a head whose underside is at z = 0."""
    z = crane_head.ROLLER_Z
    return [Pos(0, y, z) * Rot(0, QUARTER, 0) * bought.roller() for y in crane_head.ROLLERS_Y]


def _rollers() -> list[str]:
    """Each roller turns freely, goes in from above, and its neighbour's flange does not touch it."""
    head, (front, back) = crane_head.build(), rollers()
    found = ["the flanges of two rollers touch"] if front.distance_to(back) < CLEAR else []
    for name, roller in (("front", front), ("back", back)):
        found += [f"the {name} roller touches the head"] if _volume(roller, head) > 1e-3 else []
        ways = [Pos(0, 0, up) * roller for up in (4.0, 12.0, 20.0)]
        found += [f"the {name} roller cannot be put in"] if any(_volume(way, head) > 1e-3 for way in ways) else []
    hangs = (crane_carriage.CORD_Y, crane_head.COUNTERWEIGHT_Y)
    for y, roller in zip(hangs, (front, back), strict=True):
        cord = Pos(0, y, 0) * Cylinder(0.5, crane_head.ROLLER_Z, align=UP)
        found += [f"the cord at {y:.0f} mm rubs at the head"] if _volume(cord, head) > 1e-3 else []
        found += [f"the cord at {y:.0f} mm misses its roller"] if cord.distance_to(roller) > CLEAR else []
    return found


def _balance() -> list[str]:
    """Filled with washers, the counterweight is as heavy as the heaviest carriage; empty, lighter than the lightest."""
    carriage, paddle, cup = (
        weights.printed_g(part.volume, part.area)
        for part in (crane_carriage.build(), crane_paddle.build(), crane_counterweight.build())
    )
    _, many = weights.washers_needed(weights.moving_g(carriage, paddle), cup)
    held = weights.washers_held()
    found = [] if many <= held else [f"a carriage needs {many} washers, and its counterweight holds {held}"]
    stack = Pos(0, 0, crane_counterweight.WALL) * bought.washers(held // 2)
    for side in (-1, 1):
        stacked = Pos(side * (COUNTERWEIGHT[0] - COUNTERWEIGHT[1]) / 2, 0, 0) * stack
        found += ["the washers do not fit"] if _volume(stacked, crane_counterweight.build()) > 1e-3 else []
    return found + ([] if weights.washer_g() < SINKS_G[1] - SINKS_G[0] else ["a washer is too coarse a step"])


def _neighbours() -> list[str]:
    """A crane that is lowered passes the next one, wherever that one's carriage and counterweight are."""
    here = PADS_AT[1][0] - PADS_AT[0][0]
    found = []
    for next_z in HEIGHTS:
        beside = Pos(here, 0, 0) * Rot(0, 0, QUARTER)
        others = {
            "carriage": beside * Pos(0, 0, next_z) * crane_carriage.build(),
            "counterweight": beside * _counterweight(next_z),
            "head": beside * Pos(0, 0, crane_head.UNDERSIDE_Z) * crane_head.build(),
        }
        for z in HEIGHTS:
            mine = Pos(0, 0, z) * Rot(0, 0, QUARTER) * crane_carriage.build()
            found += [
                f"a carriage at {z:.0f} mm meets the {name} of the next crane, whose carriage is at {next_z:.0f} mm"
                for name, part in others.items()
                if mine.distance_to(part) < ASIDE
            ]
    return found


def _over_seat() -> list[str]:
    """A lowered crane, its head and its counterweight have room over the seat."""
    seat = [one for one in station_checks.seat_parts() if one[0].startswith(("card slot", "cradle", "top"))]
    found = []
    for x, y in PADS_AT:
        at = Pos(x, y, 0) * Rot(0, 0, QUARTER)
        carriage = Pos(0, 0, PLATFORM_THICK) * crane_carriage.build()
        moving = {"carriage": carriage, "counterweight": _counterweight(PARKED_Z)}
        for name, part in moving.items():
            found += [f"the {name} meets the {other}" for other, still in seat if _volume(at * part, still) > 1e-3]
    return found


def _distances() -> list[str]:
    sensor_z = crane_head.UNDERSIDE_Z + crane_head.SENSOR_Z
    parked = sensor_z - (PARKED_Z + PADDLE[1] - FLOAT)
    bare = sensor_z - (PLATFORM_THICK + PADDLE[1])
    found = [] if PARKED_MM[0] <= parked <= PARKED_MM[1] else [f"the parked paddle is {parked} mm from its sensor"]
    found += (
        [] if abs(bare - PADDLE_RANGE) < 1e-6 else [f"the paddle on the bare platform is {bare} mm from its sensor"]
    )
    found += [] if PADDLE[0] > TILE_FLAT * 2 / 3**0.5 else ["a corner of a platform is beside the paddle"]
    found += [] if PARKED_Z - FLOAT > PLATFORM_THICK + TOWER else ["the highest tower does not fit below the paddle"]
    rib = crane_carriage.BEAM_Z - PADDLE[1]
    found += [] if PARK_RANGE < PADDLE_RANGE and rib > 0 else ["the beam lies below the paddle"]
    return found


def _slide_path(head: Part) -> list[str]:
    """A tower on its platform slides to the table beside the parked crane, along the pad's flat side."""
    path = Pos(TILE_FLAT, 0, 0) * Box(3 * TILE_FLAT, TILE_FLAT * 2 / 3**0.5, PLATFORM_THICK + TOWER, align=UP)
    parts = (head, Pos(0, 0, PARKED_Z) * crane_carriage.build(), Pos(0, 0, PARKED_Z - FLOAT) * crane_paddle.build())
    return ["a tower does not slide past the parked crane"] if any(_volume(path, part) > 1e-3 for part in parts) else []


def _counterweight(carriage_z: float) -> Part:
    top = crane_head.UNDERSIDE_Z - crane_head.PARK_GAP - (carriage_z - LOWEST_Z)
    at = Pos(0, crane_head.COUNTERWEIGHT_Y, top - COUNTERWEIGHT[2])
    return at * crane_counterweight.build()


def _view(carriage_z: float) -> Part:
    """What the sensor sees, down to the paddle's top."""
    from_z = crane_head.UNDERSIDE_Z + crane_head.SENSOR_Z
    high = from_z - (carriage_z + PADDLE[1] + 0.01)
    return Pos(0, 0, from_z - high) * Cone(high * tan(radians(VIEW_DEG / 2)), 0.01, high, align=UP)


def _volume(one: Part, two: Part) -> float:
    both = one.intersect(two)
    return 0.0 if both is None else sum(solid.volume for solid in both.solids())
