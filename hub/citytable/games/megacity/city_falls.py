"""What can fall in the city, and on which hex (R26, R35, A26, A28)."""

from collections.abc import Iterable, Mapping

from citytable.games.megacity.actions import Action, BuildingFell, Deliver, MonumentFell, PiecesLost
from citytable.games.megacity.fall_form import fall_denied, fallen, monuments_that_may_fall
from citytable.games.megacity.position import Position
from citytable.table import spot as spots
from citytable.table.question import FieldValue
from citytable.table.spot import Spot


class CityFalls:
    """MegaCity brings `Falls`."""

    def fallen(self, position: Position, spot: Spot, lost_percent: int | None) -> Action | None:
        """Return the likeliest fall: a building, some of its pieces, or a monument (R35, A26, A28)."""
        return fallen(position, spots.hex_of(spot), lost_percent)

    def accidents(self, position: Position) -> Iterable[Action]:
        """Return the monuments that may be gone from their scales (A28)."""
        return monuments_that_may_fall(position)

    def accident_at(self, action: Action) -> Spot | None:
        """Return the hex on which something fell."""
        return spots.city(action.at) if isinstance(action, BuildingFell | PiecesLost | MonumentFell) else None

    def fall_of(self, action: Action) -> Action | None:
        """Return the same delivery as one that fell (R26)."""
        if isinstance(action, Deliver) and action.stood:
            return Deliver(
                player=action.player, contract=action.contract, platform=action.platform, at=action.at, stood=False
            )
        return None

    def denied(self, values: Mapping[str, FieldValue]) -> bool:
        """Return whether the answer says that nothing fell."""
        return fall_denied(values)
