"""The next game: what people may choose."""

import msgspec


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """What the host's page offers: `GET /api/game`. `players` and `simplified` are those of the game on the table."""

    after: str  # the game on the table: the word that begins the next one names it
    over: bool  # nobody plays it any more; else it would be given up
    players: int
    players_max: int  # the seats of the table; the fewest are 2
    simplified: bool
    names: tuple[str, ...]  # of who plays now, by seat, as far as they are known
