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
from build123d import Align, Box, Cone, Part, Pos, Rot
from dimensions import (
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
    still = {"head": head, "pad": pad_plate.build(), "stop": Pos(-ROD_AT[0], ROD_AT[1], 0) * crane_stop.build()}
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
        if _volume(Pos(0, 0, z) * moving["carriage"], _counterweight(z)) > 1e-3:
            found.append(f"the counterweight meets the carriage when it is {where}")
        if _volume(_counterweight(z), head) > 1e-3 or _counterweight(z).bounding_box().min.Z < 0:
            found.append(f"the counterweight has no room when it is {where}")
    seat = crane_carriage.build()
    for z, does in ((0.0, "in its seat"), (-FLOAT, "hanging")):
        if _volume(Pos(0, 0, z) * crane_paddle.build(), seat) > 1e-3:
            found.append(f"the paddle overlaps its carriage {does}")
    return found + _distances() + _slide_path(head) + _neighbours() + _over_seat()


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
    at = Pos(0, crane_head.COUNTERWEIGHT_Y, top - COUNTERWEIGHT[1])
    return at * crane_counterweight.build()


def _view(carriage_z: float) -> Part:
    """What the sensor sees, down to the paddle's top."""
    from_z = crane_head.UNDERSIDE_Z + crane_head.SENSOR_Z
    high = from_z - (carriage_z + PADDLE[1] + 0.01)
    return Pos(0, 0, from_z - high) * Cone(high * tan(radians(VIEW_DEG / 2)), 0.01, high, align=UP)


def _volume(one: Part, two: Part) -> float:
    both = one.intersect(two)
    return 0.0 if both is None else sum(solid.volume for solid in both.solids())
