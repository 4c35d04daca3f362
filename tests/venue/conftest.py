"""Evenings that tests play."""

import random
from collections.abc import Callable

import pytest

from citytable.venue.draw import draw
from citytable.venue.evening import Evening, after, evening_of
from citytable.venue.facts import EveningBegun, GamePlayed, PlayerCame, TableOpened


@pytest.fixture(scope="session")
def opened() -> Callable[..., Evening]:
    """Return an evening with so many players and tables, before its first round."""

    def of(players: int, tables: int, *, rounds: int = 4, seed: int = 1, sizes: tuple[int, int] = (2, 4)) -> Evening:
        came = [PlayerCame(f"player {k}") for k in range(players)]
        there = [TableOpened(f"table-{k}") for k in range(tables)]
        return evening_of([EveningBegun(*sizes, rounds=rounds, seed=seed), *came, *there])

    return of


@pytest.fixture(scope="session")
def play_round() -> Callable[[Evening, random.Random], Evening]:
    """Draw the next round and play it by chance."""

    def play(evening: Evening, rng: random.Random) -> Evening:
        drawn = draw(evening)
        evening = after(evening, drawn)
        for seating in drawn.seatings:
            points = tuple(rng.randrange(30) for _ in seating.players)
            evening = after(evening, GamePlayed(seating.table, f"game-{drawn.round_no}", drawn.round_no, points))
        return evening

    return play
