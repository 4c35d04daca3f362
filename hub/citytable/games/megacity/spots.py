"""The spots of MegaCity between the players: 37 hexes around Central Park, and the supply.

supply/platform/<k>     a platform slot of the supply
supply/contract/<type>  a contract column, of which the reader sees the top card only
supply/landmark/<k>     a landmark slot
"""

from collections.abc import Iterable

from citytable.games.megacity.position import TYPES
from citytable.table.hexes import within
from citytable.table.plan import SharedSpots
from citytable.table.spot import Spot

RADIUS = 3
"""R25: how far from Central Park platforms may lie."""
CITY = within(RADIUS)

SUPPLY_PLATFORM_SLOTS = 3
LANDMARK_SLOTS = 4


def supply_platform(k: int) -> Spot:
    """Return platform slot `k` (0-2) of the supply."""
    return f"supply/platform/{k}"


def contract_column(kind: str) -> Spot:
    """Return the contract column of one building type."""
    return f"supply/contract/{kind}"


def landmark(k: int) -> Spot:
    """Return landmark slot `k` (0-3)."""
    return f"supply/landmark/{k}"


def shared_spots(columns: Iterable[str] = TYPES) -> SharedSpots:
    """Return the spots between the players, with these contract columns."""
    platforms = (supply_platform(k) for k in range(SUPPLY_PLATFORM_SLOTS))
    landmarks = (landmark(k) for k in range(LANDMARK_SLOTS))
    return SharedSpots(hexes=CITY, supply=(*platforms, *map(contract_column, columns), *landmarks))
