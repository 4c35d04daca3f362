"""One game as learning programs see it: choices by number, and a seat's view as a row of numbers.

A game's part is in its `encoding.py`: `VERSION`, `words` and `numbers`.
"""

import random
from importlib import import_module
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from citytable import games
from citytable.bots.bot import Bot
from citytable.environments.choices import STOP, Choices

Row = NDArray[np.int16]
Mask = NDArray[np.int8]


class Learning:
    """A game between decisions. Chance fills in every outcome, and decides what no player does."""

    def __init__(self, game: str, players: int) -> None:
        """Begin with a game by its name; raises `citytable.games.UnknownGame`."""
        self._name = game
        self._box = games.box_of(game)
        self._table = self._box.table()
        self._encoding = import_module(f"citytable.games.{game}.encoding")
        self._options = self._box.options(players)
        self.version: int = self._encoding.VERSION
        self.most: int = self._encoding.MOST
        self._game: Any = self._box.begin(self._options)
        self.words: tuple[str, ...] = (STOP, *self._encoding.words(self._game))
        """All words, by the numbers of the actions."""
        self._numbers = {word: number for number, word in enumerate(self.words)}
        self._chosen = np.zeros(len(self.words), dtype=np.int16)
        self.begin(0)

    def begin(self, seed: int) -> None:
        """Start again: the same seed gives the same luck."""
        self._chance = games.chance_of(self._name, random.Random(seed))
        self._game = self._box.begin(self._options)
        self._go_on()

    def game(self) -> Any:
        """Return the game itself; change only a copy."""
        return self._game

    @property
    def seat(self) -> int:
        """Return the seat that chooses; 0 after the end."""
        seat: int = self._game.player
        return seat

    def choose(self, number: int) -> None:
        """Choose a word by its number; raises `KeyError` where the mask has no 1."""
        decision = self._choices.choose(self.words[number])
        self._chosen[number] = 1
        if decision is not None:
            self._game.push(self._chance.outcome(self._game, decision))
            self._go_on()

    def _go_on(self) -> None:
        """Play what nobody decides, then list the possible choices."""
        while not self._game.player and self._game.outcome() is None:
            self._game.push(self._chance.outcome(self._game, next(iter(self._game.legal_actions))))
        self._choices = Choices((self._written(one), one) for one in self._game.legal_actions)
        self._chosen[:] = 0

    def _written(self, decision: Any) -> list[str]:
        """Return the words of a decision without the player."""
        text: str = self._table.text(decision)
        return text.split()[1:]

    def row(self, seat: int) -> Row:
        """Return a seat's view, followed by the chosen words of the decision under way."""
        seen = self._encoding.numbers(self._game, seat)
        return np.concatenate([np.array(seen, dtype=np.int16), self._chosen])

    def mask(self, seat: int) -> Mask:
        """Return a 1 for each word that a seat may choose; for a seat that is not to act all are 0."""
        mask = np.zeros(len(self.words), dtype=np.int8)
        if seat == self.seat:
            mask[[self._numbers[word] for word in self._choices.words()]] = 1
        return mask

    def space(self) -> spaces.Box:
        """Return the space of `row`."""
        return spaces.Box(0, self.most, (len(self.row(1)),), np.int16)

    def drawn(self) -> str:
        """Return the game as text for people."""
        return str(self._game)

    def other(self, bot: Bot) -> None:
        """Let a bot decide for the seat that is to act, which must not be in the middle of a decision."""
        decision = bot.choose(self._game, list(self._game.legal_actions))
        self._game.push(self._chance.outcome(self._game, decision))
        self._go_on()

    def victories(self) -> dict[int, float] | None:
        """Return the share of the victory by seat; None while the game goes on."""
        outcome = self._game.outcome()
        if outcome is None:
            return None
        seats = range(1, self._options.players + 1)
        return {seat: 1 / len(outcome.winners) if seat in outcome.winners else 0.0 for seat in seats}
