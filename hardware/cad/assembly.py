"""The assembled table, and what must hold for it."""

from math import dist

import bought
import cell_base
import cell_bridge
import hex_plate
import table_frame
from build123d import Compound, Part, Pos
from dimensions import (
    CELL_TOP,
    CELL_UNDERSIDE,
    CLEAR,
    PITCH,
    READER_AT_Y,
    STOP_GAP,
    TRAY_TOP,
    centre,
    hexes,
)

CUT = (
    "table_frame",
    "table_floor",
    "sector_tray",
    "park_tray",
    "seat_top",
    "seat_floor",
    "supply_tray",
    "transport_case",
)
PRINTED = (
    "hex_plate",
    "cell_bridge",
    "pad_plate",
    "ring_diffuser",
    "cell_base",
    "bag_cradle",
    "bag_base",
    "card_slot",
    "crane_carriage",
    "crane_paddle",
    "crane_head",
    "crane_stop",
    "crane_counterweight",
    "platform_slot",
    "weight_holder",
    "gauge_block",
    "socket_holder",
    "frame_post",
    "seat_post",
    "table_foot",
)


def build() -> Compound:
    """Return the frame and a plate at every hex."""
    plate = hex_plate.build()
    return Compound(children=[table_frame.build(), *(Pos(*centre(q, r), 0) * plate for q, r in hexes())])


def faults() -> list[str]:
    """Return what is wrong with the assembled table, one sentence each."""
    plate, frame = hex_plate.build(), table_frame.build()
    found = []
    for q, r in [(0, 0), (3, 0), (0, 3), (3, -3)]:
        here = Pos(*centre(q, r), 0) * plate
        found += [f"plate {q}/{r} overlaps the frame"] if _overlap(here, frame) else []
        found += (
            [f"plate {q}/{r} touches the frame: its load would bypass the cell"]
            if here.distance_to(frame) < CLEAR
            else []
        )
    neighbour = Pos(*centre(1, 0), 0) * plate
    found += ["two plates overlap"] if _overlap(plate, neighbour) else []
    found += ["two plates touch: their loads would mix"] if plate.distance_to(neighbour) < CLEAR else []
    tops = {round(part.bounding_box().max.Z, 3) for part in (plate, frame)}
    found += [f"a platform would meet a step: tops at {tops}"] if len(tops) > 1 else []
    wrong = [
        d for d in (dist(centre(0, 0), centre(*one)) for one in ((1, 0), (0, 1), (-1, 1))) if abs(d - PITCH) > 1e-6
    ]
    return found + (["neighbours are not a pitch apart"] if wrong else []) + _load_path()


def _load_path() -> list[str]:
    """Whatever a hex carries goes through the weak middle of its cell: nothing else joins plate and base."""
    at = Pos(0, READER_AT_Y, 0)
    bridge = at * Pos(0, 0, CELL_TOP) * cell_bridge.build()
    cell = at * Pos(0, 0, CELL_UNDERSIDE) * bought.cell()
    base = at * Pos(0, 0, TRAY_TOP) * cell_base.build()
    plate, found = hex_plate.build(), []
    hanging = bought.in_plate()
    for name, part in (("plate", plate), ("bridge", bridge), *hanging):
        if part.distance_to(base) < STOP_GAP:
            found.append(f"the {name} of a hex touches its base: its load would bypass the cell")
    for name, part in (("plate", plate), *hanging):
        if part.distance_to(cell) < CLEAR:
            found.append(f"the {name} of a hex touches its cell")
    for name, part in hanging:
        for other, still in (("plate", plate), ("bridge", bridge)):
            found += [f"the {name} of a hex overlaps its {other}"] if _overlap(part, still) else []
    touched = [
        [solid.bounding_box() for solid in cell.moved(Pos(0, 0, by)).intersect(other).solids()]
        for by, other in ((0.1, bridge), (-0.1, base))
    ]
    if not touched[0] or min(box.min.X for box in touched[0]) < 0:
        found.append("the bridge does not carry its cell at the free end alone")
    if not touched[1] or max(box.max.X for box in touched[1]) > 0:
        found.append("the base does not carry its cell at the fixed end alone")
    if _overlap(plate, bridge) or plate.distance_to(bridge) > 1e-6:
        found.append("the legs of a plate do not stand on its bridge")
    return found + _beside_base(base, {"plate": plate, "bridge": bridge, **dict(hanging)})


def _beside_base(base: Part, above: dict[str, Part]) -> list[str]:
    """The HX711 of a hex stands beside the base, and what a load moves does not touch it."""
    module = Pos(0, READER_AT_Y, TRAY_TOP) * bought.hx711_at_base(cell_base.SIDE)
    found = [
        f"the {name} of a hex touches its HX711" for name, part in above.items() if part.distance_to(module) < CLEAR
    ]
    return found + (["the HX711 of a hex overlaps its base"] if _overlap(module, base) else [])


def _overlap(one: Part, two: Part) -> bool:
    both = one.intersect(two)
    return both is not None and sum(solid.volume for solid in both.solids()) > 1e-3
