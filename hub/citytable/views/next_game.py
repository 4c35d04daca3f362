"""The next game: what people may choose, and what they chose."""

import msgspec


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """What the host's page offers: `GET /api/game`. `players` and `simplified` are those of the game on the table."""

    after: str  # the game on the table: who begins the next one names it
    over: bool  # nobody plays it any more; else it would be given up
    players: int
    players_max: int  # the seats of the table; the fewest are 2
    simplified: bool
    names: tuple[str, ...]  # of who plays now, by seat, as far as they are known


class NextGame(msgspec.Struct, frozen=True, kw_only=True):
    """The game `after` is over, or given up, and this one begins. `same_people`: who sat there plays on."""

    after: str
    players: int
    simplified: bool
    same_people: bool
    names: tuple[str, ...] = ()
    by: str
