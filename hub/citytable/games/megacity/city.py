"""The city's geometry in a position: where a platform may go, where a park, which building is the tallest.

The 37 hexes are bits of an integer, so that a whole neighbourhood is one `&` (enumeration is the umpire's inner loop).
"""

from collections.abc import Sequence
from functools import lru_cache

from citytable.games.megacity.position import Building, Park, Position
from citytable.games.megacity.spots import CITY, RADIUS
from citytable.table.hexes import CENTRE, DIRECTIONS, Hex

BIT: dict[Hex, int] = {cell: 1 << k for k, cell in enumerate(CITY)}
NEAR: dict[Hex, int] = {
    cell: sum(BIT.get(Hex(cell.q + step.q, cell.r + step.r), 0) for step in DIRECTIONS) for cell in CITY
}
_BIT_AND_NEAR: dict[Hex, tuple[int, int]] = {cell: (BIT[cell], NEAR[cell]) for cell in CITY}


@lru_cache(maxsize=4096)
def hexes_of(mask: int) -> tuple[Hex, ...]:
    """Return the hexes of a bit mask, in the order of `CITY`."""
    return tuple(cell for cell in CITY if mask & BIT[cell])


def occupied(position: Position) -> int:
    """Return the hexes on which a tile lies; a fallen building's platform stays (A27)."""
    mask = 0
    for building in position.buildings:
        mask |= BIT[building.at]
    for park in position.parks:
        mask |= BIT[park.at]
    return mask


def delivery_mask(position: Position) -> int:
    """Return where a platform may be delivered (R25): empty, within 3 of Central Park, touching a tile."""
    there = near = 0
    for building in position.buildings:
        bit, around = _BIT_AND_NEAR[building.at]
        there |= bit
        near |= around
    for park in position.parks:
        bit, around = _BIT_AND_NEAR[park.at]
        there |= bit
        near |= around
    mask = near & ~there
    rulings = position.options.rulings
    if rulings.distance_along_tiles:
        mask &= _within_path(there)
    if rulings.must_slide_in:
        mask &= _open_to_slide(there)
    return mask


def delivery_hexes(position: Position) -> tuple[Hex, ...]:
    """Return the hexes of `delivery_mask`."""
    return hexes_of(delivery_mask(position))


@lru_cache(maxsize=1024)
def _within_path(there: int) -> int:
    """Return the hexes within `RADIUS` steps of Central Park along tiles (A11, the other way)."""
    reached = edge = BIT[CENTRE]
    for _ in range(RADIUS):
        around = 0
        for cell in hexes_of(edge & there):
            around |= NEAR[cell]
        edge = around & ~reached
        reached |= around
    return reached


@lru_cache(maxsize=1024)
def _open_to_slide(there: int) -> int:
    return sum(BIT[cell] for cell in CITY if _two_open_sides(cell, there))


def _two_open_sides(cell: Hex, there: int) -> bool:
    """Return whether two sides in a row are open, so that a hexagon slides in (A12); the city's edge is open."""
    sides = [not there & BIT.get(Hex(cell.q + step.q, cell.r + step.r), 0) for step in DIRECTIONS]
    return any(sides[k] and sides[k - 1] for k in range(6))


def can_slide_in(position: Position, cell: Hex) -> bool:
    """Return whether a platform can be slid onto this hex without being lifted (A12); plain geometry, not tried."""
    return _two_open_sides(cell, occupied(position))


def park_mask(position: Position) -> int:
    """Return where the player's park may go (R32, A13): beside the platform just delivered, beside no park."""
    if position.delivered_at is None:
        return 0
    mask = NEAR[position.delivered_at] & ~occupied(position)
    for park in position.parks:
        mask &= ~NEAR[park.at]
    return mask


def park_hexes(position: Position) -> tuple[Hex, ...]:
    """Return the hexes of `park_mask`."""
    return hexes_of(park_mask(position))


def monument_parks(position: Position) -> tuple[Hex, ...]:
    """Return the empty parks, Central Park apart, beside the platform just delivered (R33)."""
    if position.delivered_at is None:
        return ()
    around = NEAR[position.delivered_at]
    return tuple(p.at for p in position.parks if p.owner is not None and p.monument is None and around & BIT[p.at])


def building_at(position: Position, at: Hex | None) -> Building | None:
    """Return the building delivered to a hex, fallen or not."""
    for building in position.buildings:
        if building.at == at:
            return building
    return None


def park_at(position: Position, at: Hex) -> Park | None:
    """Return the park on a hex."""
    for park in position.parks:
        if park.at == at:
            return park
    return None


def marker_after(buildings: Sequence[Building], marker: Hex | None) -> Hex | None:
    """Return where the tallest marker belongs after an accident (R37).

    It stays while nothing standing is higher (A20), goes to the earliest delivered of equals (A22), and leaves the city
    when nothing stands (A23).
    """
    standing = [building for building in buildings if building.standing]
    if not standing:
        return None
    highest = max(building.height_mm for building in standing)
    tallest = [building.at for building in standing if building.height_mm == highest]
    return marker if marker in tallest else tallest[0]
