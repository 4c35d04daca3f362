"""A person in the terminal, typed by a script."""

import io
import random
from collections.abc import Callable

import pytest
from rich.console import Console

from citytable.bots.bot import Bot
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.position import Options, Rulings
from citytable.rehearsal.megacity.terminal import play_in_terminal
from citytable.rehearsal.practice import Room


class Typed:
    """A game in the terminal that is over; what it said, and how often the person was asked."""

    def __init__(
        self,
        answer: Callable[[str], str],
        players: int,
        seed: int,
        *,
        simplified: bool,
        rival: Bot | None,
    ) -> None:
        self.asked: list[str] = []
        screen = io.StringIO()

        def ask(prompt: str) -> str:
            self.asked.append(prompt)
            return answer(prompt)

        rulings = Rulings(round_limit=6)  # A46: whoever only draws pieces never ends a game
        options = Options(players=players, simplified=simplified, rulings=rulings)
        console = Console(file=screen, width=200, color_system=None)
        self.game: MegaCity = play_in_terminal(options, random.Random(seed), 1, Room(console, ask), rival)
        self.said = screen.getvalue()


@pytest.fixture
def typed() -> Callable[..., Typed]:
    """`typed(answer)`: play with what `answer(prompt)` types; a list is typed in order, then the person leaves."""

    def play(
        answer: Callable[[str], str] | list[str],
        players: int = 2,
        seed: int = 1,
        *,
        simplified: bool = False,
        rival: Bot | None = None,
    ) -> Typed:
        lines = iter(answer) if isinstance(answer, list) else None
        given = (lambda _: next(lines, "quit")) if lines is not None else answer
        return Typed(given, players, seed, simplified=simplified, rival=rival)

    return play
