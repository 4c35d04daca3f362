"""A building is cleared before its platform is rezoned (A9): the rules do not know it, the scales of the pads do."""

from collections.abc import Set

from citytable.games.megacity.actions import Action, Rezone
from citytable.games.megacity.layout import platform_thing
from citytable.games.megacity.position import Position
from citytable.games.megacity.refusals import refuse


class Clearance:
    """MegaCity's `Clears`. `accepting`: a platform that was rezoned with pieces on it was rezoned all the same."""

    def __init__(self, *, accepting: bool) -> None:
        self._accepting = accepting

    def check_stated(self, position: Position, action: Action, loaded: Set[str]) -> None:
        """Raise `IllegalAction` if a platform is rezoned while pieces stand on it."""
        if self._accepting or not isinstance(action, Rezone):
            return
        lying = {face.platform: platform_thing(face) for player in position.players for face in player.platforms}
        if lying.get(action.platform) in loaded:
            refuse("rezone_built_on", action, platform=action.platform)
