"""Which requirements of a contract a tower meets by its shape: towers made by hand, and drawn ones."""

import math

import numpy as np
import pytest

from citytable_lab.pieces import Box
from citytable_lab.requirements import SHAPED, built_for, met, touches_all_ports
from citytable_lab.tower import Placed, Tower

pytestmark = pytest.mark.long(12)


def piece(*boxes, on=()):
    """A piece of boxes (x, y, z, width, depth, height in mm), on the pieces of these numbers."""
    corners = [Box((x, y, z), (x + wide, y + deep, z + high)) for x, y, z, wide, deep, high in boxes]
    return Placed("made", "glass", 10.0, tuple(corners), bearers=on)


def tower(*pieces):
    return Tower(95.0, 0.0, pieces)


POST, OTHER_POST = piece((12, -6, 0, 12, 12, 30)), piece((40, -6, 0, 12, 12, 30))
LINTEL = piece((12, -6, 30, 40, 12, 8), on=(0, 1))


@pytest.mark.parametrize(
    ("built", "expected"),
    [
        (tower(piece((20, 20, 0, 20, 20, 20))), {"no_overhang"}),
        (tower(piece((-10, -10, 0, 20, 20, 20))), {"no_overhang", "build_on_vent"}),
        (tower(piece((8, -10, 0, 20, 20, 20))), {"no_overhang"}),
        (tower(POST, OTHER_POST, LINTEL), {"lower_archway"}),
        (
            tower(
                piece((12, -6, 0, 40, 12, 10)),
                piece((12, -6, 10, 10, 12, 20), on=(0,)),
                piece((42, -6, 10, 10, 12, 20), on=(0,)),
                piece((12, -6, 30, 40, 12, 8), on=(1, 2)),
            ),
            {"upper_archway", "no_overhang"},
        ),
        (tower(POST, piece((6, -6, 30, 30, 12, 8), on=(0,))), set()),
        (
            tower(
                piece(
                    (-16, -16, 0, 32, 6, 10), (-16, 10, 0, 32, 6, 10), (-16, -10, 0, 6, 20, 10), (10, -10, 0, 6, 20, 10)
                )
            ),
            {"courtyard", "no_overhang"},
        ),
        (
            tower(
                piece(
                    (-16, -16, 0, 32, 6, 10), (-16, 10, 0, 32, 6, 10), (-16, -10, 0, 6, 20, 10), (10, -10, 0, 6, 20, 10)
                ),
                piece((-16, -16, 10, 32, 32, 8), on=(0,)),
            ),
            set(),
        ),
    ],
    ids=["block", "on the vent", "beside the vent", "gate", "window", "sticks out", "yard", "roof over a yard"],
)
def test_a_tower_meets_what_somebody_who_looks_at_it_would_say(built, expected):
    assert met(built) == expected


def test_an_arch_that_other_pieces_close_behind_is_not_visible():
    assert "lower_archway" not in met(tower(POST, OTHER_POST, LINTEL, piece((10, 20, 0, 44, 12, 38))))


@pytest.mark.parametrize("wanted", SHAPED)
def test_what_is_built_for_a_requirement_meets_it_and_leaves_the_vent_free(wanted):
    drawn = [built_for(np.random.default_rng([k]), 95.0, 7, wanted) for k in range(25)]
    built = [one for one in drawn if one is not None]
    assert len(built) >= 5
    for one in built:
        assert wanted in met(one)
        assert ("build_on_vent" in met(one)) == (wanted == "build_on_vent")


def test_a_tower_for_no_requirement_leaves_the_vent_free():
    drawn = [built_for(np.random.default_rng([k]), 95.0, 6, None) for k in range(10)]
    assert all(one is not None and "build_on_vent" not in met(one) for one in drawn)


def on_the_ports(tile_mm):
    """Posts of 10 mm on the three ports, as they lie on a tile: 31 % of its width from its centre."""
    angles = [math.radians(degrees) for degrees in (90, 210, 330)]
    middles = [(0.31 * tile_mm * math.cos(a), 0.31 * tile_mm * math.sin(a)) for a in angles]
    return [piece((x - 5, y - 5, 0, 10, 10, 30)) for x, y in middles]


def test_a_port_is_touched_by_what_stands_on_it_and_by_nothing_above_it():
    posts = on_the_ports(95.0)
    assert touches_all_ports(tower(*posts))
    assert not touches_all_ports(tower(*posts[:2]))
    assert not touches_all_ports(Tower(95.0, math.radians(60), tuple(posts)))  # the tower is turned on its tile
    assert touches_all_ports(Tower(95.0, math.radians(120), tuple(posts)))
    lifted = Box((-60, -60, 30), (60, 60, 40))
    assert not touches_all_ports(tower(*posts[:2], Placed("made", "glass", 10.0, (lifted,), bearers=(0, 1))))


@pytest.mark.parametrize("wanted", [None, *SHAPED])
def test_every_building_stands_on_all_three_ports(wanted):
    """Looked at as on a map of the tile, piece by piece and point by point."""
    drawn = [built_for(np.random.default_rng([k]), 80.0, 8, wanted) for k in range(6)]
    for one in filter(None, drawn):
        c, s = math.cos(one.turn_rad), math.sin(one.turn_rad)
        ground = [
            (c * x - s * y, s * x + c * y)
            for placed in one.pieces
            for box in placed.boxes
            if box.low[2] == 0
            for x in np.arange(box.low[0], box.high[0] + 0.5, 0.5)
            for y in np.arange(box.low[1], box.high[1] + 0.5, 0.5)
        ]
        for port in on_the_ports(80.0):
            x0, y0, _ = port.middle
            assert min(math.hypot(x - x0, y - y0) for x, y in ground) < 7.5 + 0.5
