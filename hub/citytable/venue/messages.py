"""What a table tells its venue: the result of each game, and how the game on it stands."""

import msgspec

NOW = "now"
"""The channel of `TableNow`; that of a `GameResult` is `game_channel`."""
_GAME = "game-"


class GameResult(msgspec.Struct, frozen=True):
    """Report a game that is over: the points of seats 1, 2, ... and when it ended, by the hub's clock."""

    game_id: str
    game: str
    ended_us: int
    points: tuple[int, ...]
    names: tuple[str, ...] = ()


class TableNow(msgspec.Struct, frozen=True):
    """Report how a game stands; `fell`: the last thing that was confirmed is a fall.

    `points` are None for a game without points. `waits` is set while people have to answer or to put something right.
    """

    game_id: str
    game: str
    t_us: int
    turn: int
    seat: int | None
    over: bool
    points: tuple[int, ...] | None
    names: tuple[str, ...]
    fell: bool
    waits: bool


def game_channel(game_id: str) -> str:
    """Return the channel of a game's result: each game has its own, so that a broker retains them all."""
    return f"{_GAME}{game_id}"


def is_game_channel(channel: str) -> bool:
    """Report whether a channel is that of a result."""
    return channel.startswith(_GAME)
