"""A game in the terminal against bots, to learn the rules: numbered decisions, hints, and the rule that one breaks.

There is no table here: chance is drawn by the program, as for whole games of bots. A game brings the words and the map.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from citytable.bots.bot import Bot
from citytable.bots.greedy import Greedy
from citytable.bots.planner import ChanceOf, Planner
from citytable.rules.budget import Budget
from citytable.rules.errors import GameError, OutcomeOpen

HELP = """A number plays that decision.  all: every decision  hint: what a bot would do  city: the table
score: the points  help  quit
Anything else is read as an action in notation, for example: {example}
What breaks a rule is refused with the rule's number."""
FEW = 14

A = TypeVar("A")


class Left(Exception):
    """The person has left the table."""


class Practice(ABC, Generic[A]):
    """One person at `seat`, bots at the others. `ask(prompt)` reads a line and may raise EOFError."""

    example = ""
    """An action in notation."""
    dealer: ChanceOf
    """Makes the chance of the game."""
    hints: Budget
    """How far the bot looks ahead that gives hints."""

    def __init__(
        self, game: Any, rng: random.Random, seat: int, rival: Bot | None, console: Console, ask: Callable[[str], str]
    ) -> None:
        self.game = game
        self.seat = seat
        self.ask = ask
        self._chance = self.dealer(rng)
        self._rival = rival or Greedy()
        self._adviser = Planner(
            random.Random(0), self.dealer, self.hints
        )  # with luck of its own: a hint changes no game
        self._console = console

    @abstractmethod
    def goal(self) -> str:
        """Return how one wins, and what one does for it."""

    @abstractmethod
    def table(self) -> Iterable[tuple[str, str]]:
        """Yield the lines of the table with everything that all see, each with the style in which it is printed."""

    @abstractmethod
    def mine(self) -> str:
        """Return the line about the person's own things."""

    @abstractmethod
    def now(self) -> str:
        """Return what the turn allows, and how much of it is left."""

    @abstractmethod
    def decision(self, action: A) -> str:
        """Return a decision of the position as a person would announce it."""

    @abstractmethod
    def action(self, text: str) -> A:
        """Return the action of a notation; raises `Unreadable`."""

    @abstractmethod
    def points(self, reason: str, words: Mapping[str, str]) -> str:
        """Return the purpose of a score line."""

    def outcome(self, action: Any) -> str:
        """Return what the last action led to, if chance had a part in it; else nothing."""
        values = ((field, getattr(action, field)) for field in action.OUTCOME)
        return "; ".join(f"{field}: {_listed(value)}" for field, value in values if value not in (None, ()))

    def completed(self, chance: A) -> A:
        """Return how an action came out, as the person says or by chance; raises `GameError`."""
        return chance

    def play(self) -> None:
        """Play until the game is over or the person leaves."""
        self._deal()
        self.say(self.goal())
        self._help()
        try:
            while self.game.outcome() is None:
                if self.game.player == self.seat:
                    self._turn()
                else:
                    self._others()
        except (Left, EOFError):
            self.say("you left the table", "dim")
        self._end()

    def say(self, text: str, style: str = "") -> None:
        """Print a line."""
        self._console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)

    def _deal(self) -> None:
        self.game.push(self._chance.outcome(self.game, next(iter(self.game.legal_actions))))

    def _others(self) -> None:
        """Let a bot move; what no player decides is taken as it comes."""
        decisions = list(self.game.legal_actions)
        decision = self._rival.choose(self.game, decisions) if self.game.player else decisions[0]
        self._done(self._chance.outcome(self.game, decision), "dim")

    def _done(self, action: A, style: str) -> None:
        """Play a complete action and tell it; raises `GameError`."""
        words = self.decision(action) if action in self.game.legal_actions else str(action)
        self.game.push(action)
        seat = getattr(action, "player", None)
        details = "; ".join(text for text in (words, self.outcome(action)) if text)
        self.say(f"  {'the table' if seat is None else f'seat {seat}'}: {details}", style)

    def _turn(self) -> None:
        """Take the person's decisions until it is somebody else's turn."""
        self._city()
        self._choices()
        while self._mine_to_move():
            before = len(self.game.actions)
            self._answer(self.ask(f"seat {self.seat}> ").strip())
            if len(self.game.actions) > before and self._mine_to_move():
                self.say(self.mine())
                self._choices()

    def _mine_to_move(self) -> bool:
        return self.game.outcome() is None and self.game.player == self.seat

    def _choices(self) -> None:
        self.say(self.now(), "bold")
        self._list(FEW)

    def _help(self) -> None:
        self.say(HELP.format(example=self.example), "dim")

    def _hint(self) -> None:
        decisions = list(self.game.legal_actions)
        best = self._adviser.choose(self.game, decisions)
        self.say(f"  a bot would play {decisions.index(best) + 1}: {self.decision(best)}", "cyan")

    def _answer(self, text: str) -> None:
        match text:
            case "quit":
                raise Left
            case "" | "help" | "?":
                self._help()
            case "all":
                self._list(len(list(self.game.legal_actions)))
            case "hint":
                self._hint()
            case "city":
                self._city()
            case "score":
                self._scores()
            case _:
                try:
                    self._try(self._decision(text))
                except GameError as refusal:
                    self.say(f"  {refusal}", "yellow")

    def _decision(self, text: str) -> A:
        if not text.isdecimal():
            return self.action(text)
        decisions: list[A] = list(self.game.legal_actions)
        if not 1 <= int(text) <= len(decisions):
            raise GameError(f"there is no decision {text}: 1 to {len(decisions)}")
        return decisions[int(text) - 1]

    def _try(self, action: A) -> None:
        """Play it, asking or drawing what is open; raises `GameError`."""
        try:
            self._done(action, "green")
        except OutcomeOpen:
            self._done(self.completed(self._chance.outcome(self.game, action)), "green")

    def _list(self, limit: int) -> None:
        decisions = list(self.game.legal_actions)
        for number, decision in enumerate(decisions[:limit], start=1):
            self.say(f"{number:4d}  {self.decision(decision)}")
        if len(decisions) > limit:
            self.say(f"      and {len(decisions) - limit} more: all")

    def _city(self) -> None:
        for line, style in self.table():
            self.say(line, style)

    def _scores(self) -> None:
        table = Table("seat", "points", "for")
        for seat, score in self.game.scores().items():
            reasons = ", ".join(f"{line.points} {self.points(line.reason, line.words)}" for line in score.lines)
            table.add_row(str(seat), str(score.total), escape(reasons))
        self._console.print(table)

    def _end(self) -> None:
        self._scores()
        if (outcome := self.game.outcome()) is not None:
            won = ", ".join(f"seat {seat}" for seat in outcome.winners)
            why = "" if outcome.termination == "lost" else f" ({outcome.termination.replace('_', ' ')})"
            self.say(f"the game is over{why}: {f'{won} won' if won else 'nobody won'}")


def _listed(value: object) -> str:
    """Return an outcome in words: what nobody knows yet is a question mark."""
    if isinstance(value, tuple):
        return ", ".join(_listed(one) for one in value)
    return "?" if value is None else str(value)
