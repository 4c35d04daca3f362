"""A platform slides from every side of the table to every hex: it stays level, and nothing is in its way."""

from math import hypot

import hex_plate
import table_frame
from build123d import Axis, Compound
from dimensions import CHAMFER, GAP, PLATE_FLAT, TILE_FLAT, centre, hexes, turned
from shapely import MultiPolygon, Point, Polygon, STRtree, affinity

STEP = 12.0
SUPPORTED = 0.8  # of a platform's underside, at least


def faults(assembled: Compound) -> list[str]:
    """Return where a platform would tip or meet something, one sentence each."""
    found = []
    highest = assembled.bounding_box().max.Z
    found += [f"something stands {highest:.1f} mm above the top"] if highest > 1e-3 else []
    tops = {round(part.faces().sort_by(Axis.Z)[-1].center().Z, 3) for part in (hex_plate.build(), table_frame.build())}
    found += [f"tops at {sorted(tops)}: a platform would meet a step"] if tops != {0.0} else []
    if GAP + 2 * CHAMFER >= TILE_FLAT / 10:
        found.append("the edge of a platform would fall into a seam")
    areas = tops_as_areas()
    tree = STRtree(areas)
    for side in range(6):
        start = turned(0.0, table_frame.OUTER - TILE_FLAT / 2, side)
        for cell in hexes():
            found += _on_the_way(start, centre(*cell), areas, tree, f"from side {side} to {cell}")
    return found


def tops_as_areas() -> list[Polygon]:
    """Return the level areas: of every plate, and of the frame."""
    level = PLATE_FLAT / 2 - CHAMFER
    plates = [hexagon(level, *centre(*cell)) for cell in hexes()]
    rim: Polygon | MultiPolygon = Point(0, 0).buffer(table_frame.OUTER - CHAMFER, 64)
    for cell in hexes():
        rim = rim.difference(hexagon(PLATE_FLAT / 2 + GAP, *centre(*cell)))
    return [*plates, *getattr(rim, "geoms", [rim])]


def hexagon(apothem: float, x: float, y: float) -> Polygon:
    """Return a hexagon with flat sides to the left and the right."""
    return Polygon([(x + a, y + b) for a, b in (turned(0.0, apothem * 2 / 3**0.5, k) for k in range(6))])


def _on_the_way(
    start: tuple[float, float], end: tuple[float, float], areas: list[Polygon], tree: STRtree, way: str
) -> list[str]:
    length = hypot(end[0] - start[0], end[1] - start[1])
    platform = hexagon(TILE_FLAT / 2, 0.0, 0.0)
    steps = max(1, int(length / STEP))
    for k in range(steps + 1):
        at = tuple(a + (b - a) * k / steps for a, b in zip(start, end, strict=True))
        here = affinity.translate(platform, *at)
        under = [areas[n].intersection(here) for n in tree.query(here)]
        if sum(area.area for area in under) < SUPPORTED * platform.area:
            return [f"{way}: less than {SUPPORTED:.0%} of a platform rests on something at {at}"]
        hull = MultiPolygon(
            [one for area in under for one in getattr(area, "geoms", [area]) if one.area > 0]
        ).convex_hull
        if not hull.contains(Point(at)):
            return [f"{way}: a platform would tip at {at}"]
    return []
