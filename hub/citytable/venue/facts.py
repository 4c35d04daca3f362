"""What happens on an evening, fact by fact. They are only ever added; everything else is computed from them."""

import msgspec


class Refused(ValueError):
    """Say why a fact does not fit the evening; the text is a sentence for the host."""


class Seating(msgspec.Struct, frozen=True):
    """Seat players at a table; the first one has seat 1."""

    table: str
    players: tuple[str, ...]


class EveningBegun(msgspec.Struct, frozen=True, tag="evening_begun"):
    """Begin an evening of games for so many players each; `seed` draws its lots.

    `rounds` says how many are planned. More can be drawn; the last planned one is drawn without a look ahead.
    """

    players_min: int
    players_max: int
    rounds: int
    seed: int


class PlayerCame(msgspec.Struct, frozen=True, tag="player_came"):
    """Let a player in, from the next round on; also one who had left."""

    player: str


class PlayerLeft(msgspec.Struct, frozen=True, tag="player_left"):
    """Draw no more rounds for a player; what they have played stays."""

    player: str


class PlayerRenamed(msgspec.Struct, frozen=True, tag="player_renamed"):
    """Call a player by another name, also in all that they have played."""

    player: str
    name: str


class PlayersMerged(msgspec.Struct, frozen=True, tag="players_merged"):
    """Take two players for one person; what `player` has played was played by `into`."""

    player: str
    into: str


class PlayerShown(msgspec.Struct, frozen=True, tag="player_shown"):
    """Note what a player said to their name in tables that everybody reads; who never said yes is a number there."""

    player: str
    by_name: bool


class TableOpened(msgspec.Struct, frozen=True, tag="table_opened"):
    """Give the next rounds a table, by its name on the wire."""

    table: str


class TableClosed(msgspec.Struct, frozen=True, tag="table_closed"):
    """Take a table away from the next rounds."""

    table: str


class RoundDrawn(msgspec.Struct, frozen=True, tag="round_drawn"):
    """Seat everybody for a round; its number counts from 1."""

    round_no: int
    seatings: tuple[Seating, ...]
    sitting_out: tuple[str, ...]


class RoundWithdrawn(msgspec.Struct, frozen=True, tag="round_withdrawn"):
    """Take back the last round, of which nothing is played yet."""

    round_no: int


class GamePlayed(msgspec.Struct, frozen=True, tag="game_played"):
    """Report a game that a table has finished, with the points of seats 1, 2, ...

    `table` and `game` name it for good. `round_no` is None for a game that belongs to no round. A game that went on
    after a correction at the table is reported again: of several reports the one that ended last counts, in whichever
    order they come.
    """

    table: str
    game: str
    round_no: int | None
    points: tuple[int, ...]
    ended_us: int = 0


class ResultRuled(msgspec.Struct, frozen=True, tag="result_ruled"):
    """Let the host say the points of a table's seats; that stands, whatever the table reported or will report."""

    round_no: int
    table: str
    points: tuple[int, ...]
    why: str


Fact = (
    EveningBegun
    | PlayerCame
    | PlayerLeft
    | PlayerRenamed
    | PlayersMerged
    | PlayerShown
    | TableOpened
    | TableClosed
    | RoundDrawn
    | RoundWithdrawn
    | GamePlayed
    | ResultRuled
)
"""Any of them; its tag tells which."""
