"""A game in the terminal against bots, to learn the rules: numbered decisions, hints, and the rule that one breaks.

There is no table here: chance is drawn by the program, as for whole games of bots. A game brings the words and the map.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from citytable.bots.bot import Bot
from citytable.bots.greedy import Greedy
from citytable.bots.planner import ChanceOf, Planner
from citytable.languages import ENGLISH
from citytable.rehearsal.words import Words
from citytable.rules.budget import Budget
from citytable.rules.errors import GameError, OutcomeOpen

COMMANDS = ("all", "hint", "city", "score", "help", "quit", "fell")
HELP = """A number plays that decision.  all: every decision  hint: what a bot would do  city: the table
score: the points  help  quit
Anything else is read as an action in notation, for example: {example}
What breaks a rule is refused with the rule's number."""
FEW = 14

A = TypeVar("A")


class Left(Exception):
    """The person has left the table."""


class Room(NamedTuple):
    """Where it is played: what prints, what reads a line at a prompt and may raise EOFError, and the language."""

    console: Console
    ask: Callable[[str], str] = input
    language: str = ENGLISH


class Practice(ABC, Generic[A]):
    """One person at `seat`, bots at the others."""

    example = ""
    """An action in notation."""
    dealer: ChanceOf
    """Makes the chance of the game."""
    hints: Budget
    """How far the bot looks ahead that gives hints."""

    def __init__(self, game: Any, rng: random.Random, seat: int, rival: Bot | None, room: Room) -> None:
        self.game = game
        self.words = Words(room.language, type(self).__module__.rpartition(".")[0])
        self.seat = seat
        self.ask = room.ask
        self._chance = self.dealer(rng)
        self._rival = rival or Greedy()
        self._adviser = Planner(
            random.Random(0), self.dealer, self.hints
        )  # with luck of its own: a hint changes no game
        self._console = room.console

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
        return "; ".join(f"{self.words(field)}: {_listed(value)}" for field, value in values if value not in (None, ()))

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
            self.say(self.words("you left the table"), "dim")
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
        who = self.words("the table") if seat is None else self._seat_text(seat)
        self.say(self.words("  {who}: {details}", who=who, details=details), style)

    def _seat_text(self, seat: int) -> str:
        return self.words("seat {seat}", seat=seat)

    def _turn(self) -> None:
        """Take the person's decisions until it is somebody else's turn."""
        self._city()
        self._choices()
        while self._mine_to_move():
            before = len(self.game.actions)
            self._answer(self.ask(f"{self._seat_text(self.seat)}> ").strip())
            if len(self.game.actions) > before and self._mine_to_move():
                self.say(self.mine())
                self._choices()

    def _mine_to_move(self) -> bool:
        return self.game.outcome() is None and self.game.player == self.seat

    def _choices(self) -> None:
        self.say(self.now(), "bold")
        self._list(FEW)

    def _help(self) -> None:
        self.say(self.words(HELP, example=self.example), "dim")

    def _hint(self) -> None:
        decisions = list(self.game.legal_actions)
        best = self._adviser.choose(self.game, decisions)
        number, decision = decisions.index(best) + 1, self.decision(best)
        self.say(self.words("  a bot would play {number}: {decision}", number=number, decision=decision), "cyan")

    def _answer(self, text: str) -> None:
        match self.typed(text):
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
                    self.say(f"  {self._refusal(refusal)}", "yellow")

    def typed(self, text: str) -> str:
        """Return the English word of a command that was typed in the person's language; other texts as they are."""
        return next((word for word in COMMANDS if text == self.words(word)), text)

    def _refusal(self, error: GameError) -> str:
        """Return the sentence of an error in the person's language, with the rule's number."""
        texts = getattr(error, "text", None) or {}
        if self.words.language not in texts or self.words.language == ENGLISH:
            return str(error)
        rule, said = getattr(error, "rule", ""), texts[self.words.language]
        return f"{rule} : {said}" if rule else said

    def _decision(self, text: str) -> A:
        if not text.isdecimal():
            return self.action(text)
        decisions: list[A] = list(self.game.legal_actions)
        if not 1 <= int(text) <= len(decisions):
            said = self.words("there is no decision {number}: 1 to {count}", number=text, count=len(decisions))
            raise GameError(said)
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
            self.say(self.words("      and {count} more: all", count=len(decisions) - limit))

    def _city(self) -> None:
        for line, style in self.table():
            self.say(line, style)

    def _scores(self) -> None:
        table = Table(*map(self.words, ("seat", "points", "for")))
        for seat, score in self.game.scores().items():
            reasons = ", ".join(f"{line.points} {self.points(line.reason, line.words)}" for line in score.lines)
            table.add_row(str(seat), str(score.total), escape(reasons))
        self._console.print(table)

    def _end(self) -> None:
        self._scores()
        if (outcome := self.game.outcome()) is not None:
            won = ", ".join(map(self._seat_text, outcome.winners))
            ended = outcome.termination.replace("_", " ")
            why = "" if outcome.termination == "lost" else f" ({self.words(ended)})"
            result = self.words("{who} won", who=won) if won else self.words("nobody won")
            self.say(self.words("the game is over{why}: {result}", why=why, result=result))


def _listed(value: object) -> str:
    """Return an outcome in words: what nobody knows yet is a question mark."""
    if isinstance(value, tuple):
        return ", ".join(_listed(one) for one in value)
    return "?" if value is None else str(value)
