"""What the host writes down of the city as it stands."""

from typing import Any

import msgspec


class PaperWish(msgspec.Struct, frozen=True):
    """The game is to go on from what `paper` says, in the game's own form."""

    paper: dict[str, Any]
    by: str
    why: str
