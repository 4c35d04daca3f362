"""What a table tells its venue: the result of each game, and how the game on it stands."""

from typing import Annotated, TypeAlias

import msgspec

NOW = "now"
"""The channel of `TableNow`; that of a `GameResult` is `game_channel`."""
_GAME = "game-"
_WHOLE = 1_000_000_000
Points: TypeAlias = Annotated[int, msgspec.Meta(ge=-_WHOLE, le=_WHOLE)]
Moment: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**62)]
"""Microseconds since 1970."""
Text: TypeAlias = Annotated[str, msgspec.Meta(max_length=200, pattern=r"^[^\x00-\x1f]*$")]


class GameResult(msgspec.Struct, frozen=True):
    """Report a game that is over: the points of seats 1, 2, ... and when it ended, by the hub's clock."""

    game_id: Text
    game: Text
    ended_us: Moment
    points: tuple[Points, ...]
    names: tuple[Text, ...]

    def __post_init__(self) -> None:
        """Raise ValueError for what is no game of several players."""
        if len(self.points) < 2 or len(self.names) != len(self.points):
            raise ValueError(f"{len(self.points)} points and {len(self.names)} names are no result")


class TableNow(msgspec.Struct, frozen=True):
    """Report how a game stands; `fell`: the last thing that was confirmed is a fall.

    `points` are None for a game without points. `waits` is set while people have to answer or to put something right.
    """

    game_id: Text
    game: Text
    t_us: Moment
    turn: Points
    seat: Points | None
    over: bool
    points: tuple[Points, ...] | None
    names: tuple[Text, ...]
    fell: bool
    waits: bool

    def __post_init__(self) -> None:
        """Raise ValueError where not every seat has its points."""
        if self.points is not None and len(self.points) != len(self.names):
            raise ValueError(f"{len(self.points)} points and {len(self.names)} names do not belong together")


def game_channel(game_id: str) -> str:
    """Return the channel of a game's result: each game has its own, so that a broker retains them all."""
    return f"{_GAME}{game_id}"


def is_game_channel(channel: str) -> bool:
    """Report whether a channel is that of a result."""
    return channel.startswith(_GAME)
