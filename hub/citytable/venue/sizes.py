"""How many sit at each table."""

from citytable.venue.facts import Refused


def table_sizes(players: int, tables: int, players_min: int, players_max: int) -> tuple[int, ...]:
    """Return the sizes of the tables of a round, largest first: as many play as can, at few tables, evenly shared.

    The others sit out. Raise `Refused` where not even one table comes together.

    >>> table_sizes(13, 4, 2, 4)
    (4, 3, 3, 3)
    >>> table_sizes(5, 2, 3, 4)
    (4,)
    """
    for seated in range(min(players, tables * players_max), players_min - 1, -1):
        count = -(-seated // players_max)
        if seated >= count * players_min:
            small, larger = divmod(seated, count)
            return (small + 1,) * larger + (small,) * (count - larger)
    raise Refused(f"a round needs a table and {players_min} players or more: there are {tables} and {players}")
