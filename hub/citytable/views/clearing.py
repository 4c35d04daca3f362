"""What the host says of clearing up."""

from typing import Literal

import msgspec


class ClearingWish(msgspec.Struct, frozen=True):
    """`begin`; `stop`: the game goes on, and the table is put back; `close`: the game is over, whatever is missing."""

    do: Literal["begin", "stop", "close"]
    by: str
