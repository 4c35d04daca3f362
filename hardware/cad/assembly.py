"""The assembled table, and what must hold for it."""

from math import dist

import hex_plate
import table_frame
from build123d import Compound, Part, Pos
from dimensions import CLEAR, PITCH, centre, hexes

CUT = ("table_frame",)
PRINTED = (
    "hex_plate",
    "ring_diffuser",
    "cell_base",
    "bag_cradle",
    "card_slot",
    "crane_paddle",
    "weight_holder",
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
    return found + (["neighbours are not a pitch apart"] if wrong else [])


def _overlap(one: Part, two: Part) -> bool:
    both = one.intersect(two)
    return both is not None and sum(solid.volume for solid in both.solids()) > 1e-3
