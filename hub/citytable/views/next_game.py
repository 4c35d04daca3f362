"""The next game: what people may choose."""

import msgspec


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """Hold what `GET /api/game` offers the host. `players` and `simplified` are those of the game on the table."""

    after: str  # the game on the table: the word that begins the next one names it
    over: bool  # nobody plays it any more; else it would be given up
    players: int
    players_min: int = 2
    players_max: int  # as many as the game and the seats of the table allow
    simplified: bool | None  # None where the game has no easier rules
    names: tuple[str, ...]  # of who plays now, by seat, as far as they are known
