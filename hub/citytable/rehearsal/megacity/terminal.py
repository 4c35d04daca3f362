"""MegaCity in the terminal against bots, to learn the rules: numbered decisions, hints, and the rule that one breaks.

There is no table here: chance is drawn by the program, as for whole games of bots. How a building came
out the person says, or leaves to chance.
"""

import random
from collections.abc import Callable

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from citytable.bots.bot import Bot
from citytable.bots.greedy import Greedy
from citytable.bots.planner import Planner
from citytable.games.megacity.actions import Action, Deliver
from citytable.games.megacity.city import delivery_hexes
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.drawing import board
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import action_from_text
from citytable.games.megacity.position import MATERIALS, TYPES, Options, Pieces
from citytable.games.megacity.turn import allowance
from citytable.rehearsal.megacity.spoken import (
    contract_text,
    decision_text,
    face_text,
    outcome_text,
    pieces_text,
    points_text,
)
from citytable.rules.budget import Budget
from citytable.rules.errors import GameError, OutcomeOpen

GOAL = """You win with the most points: the prestige of the contracts that you complete, tokens, and awards, less a
point for each three pieces left over. Take a contract, a platform of its type, and pieces; build; then deliver. The
game ends after the last contract was completed, or when somebody wants pieces and the bag is empty."""
SIMPLIFIED = """You win with the most points: the prestige of the contracts that you complete, and awards, less a point
for each three pieces left over, and two for a park that you did not place. The game ends with the last contract or the
last piece of the bag."""
HELP = """A number plays that decision.  all: every decision  hint: what a bot would do  city: the table
score: the points  help  quit
Anything else is read as an action in notation, for example: p1 take_contract contract=PU1
What breaks a rule is refused with the rule's number."""
FEW = 14
HINT = Budget(nodes=10_000)  # about a second, if the machine has nothing else to do
MAP = """p public, i industrial, c commercial, r residential, then seat and height; ! the tallest, x fallen,
  * a monument; a hex where one may deliver has its name"""


class Left(Exception):
    """The person has left the table."""


class Terminal:
    """One person at `seat`, bots at the others. `ask(prompt)` reads a line and may raise EOFError."""

    def __init__(
        self, game: MegaCity, rng: random.Random, seat: int, rival: Bot, console: Console, ask: Callable[[str], str]
    ) -> None:
        self.game = game
        self._dealer = Dealer(rng)
        self._rival = rival
        self._adviser = Planner(random.Random(0), Dealer, HINT)  # with luck of its own: a hint changes no game
        self._seat = seat
        self._console = console
        self._ask = ask

    def play(self) -> None:
        """Play until the game is over or the person leaves."""
        self.game.push(self._dealer.outcome(self.game, next(iter(self.game.legal_actions))))
        self._say(SIMPLIFIED if self.game.position.options.simplified else GOAL)
        self._say(HELP, "dim")
        try:
            while self.game.outcome() is None:
                if self.game.position.player == self._seat:
                    self._turn()
                else:
                    self._bot()
        except (Left, EOFError):
            self._say("you left the table", "dim")
        self._scores()

    def _say(self, text: str, style: str = "") -> None:
        self._console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)

    def _bot(self) -> None:
        decision = self._rival.choose(self.game, list(self.game.legal_actions))
        self._done(self._dealer.outcome(self.game, decision), "dim")

    def _done(self, action: Action, style: str) -> None:
        """Play a complete action and tell it; raises `GameError`."""
        words = decision_text(self.game, action) if action in self.game.legal_actions else str(action)
        self.game.push(action)
        seat = getattr(action, "player", None)
        details = "; ".join(text for text in (words, outcome_text(self.game, action)) if text)
        self._say(f"  {'the table' if seat is None else f'seat {seat}'}: {details}", style)

    def _turn(self) -> None:
        """Take the person's decisions until it is somebody else's turn."""
        self._city()
        self._now()
        self._list(FEW)
        while self.game.outcome() is None and self.game.position.player == self._seat:
            before = len(self.game.actions)
            self._answer(self._ask(f"seat {self._seat}> ").strip())
            if len(self.game.actions) > before and self.game.position.player == self._seat:
                self._mine()
                self._now()
                self._list(FEW)

    def _now(self) -> None:
        """Say what the turn allows."""
        position = self.game.position
        left = allowance(position.options) - position.actions_used
        if position.deciding:
            text = "the last decision: recycle your pieces, or deliver a landmark"
        elif position.phase == "option":
            text = "your building stands: a park, a monument, or pass the bag"
        elif position.phase == "over":
            text = "nothing is left but to pass the bag"
        else:
            text = f"{left} action{'s' * (left != 1)} left" + ("" if position.actions_used else ", or one delivery")
        final = "; these are the final turns" if position.final else ""
        self._say(f"turn {position.turn}: {text}{final}", "bold")

    def _hint(self) -> None:
        decisions = list(self.game.legal_actions)
        best = self._adviser.choose(self.game, decisions)
        self._say(f"  a bot would play {decisions.index(best) + 1}: {decision_text(self.game, best)}", "cyan")

    def _answer(self, text: str) -> None:
        match text:
            case "quit":
                raise Left
            case "" | "help" | "?":
                self._say(HELP)
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
                    self._say(f"  {refusal}", "yellow")

    def _decision(self, text: str) -> Action:
        if not text.isdecimal():
            return action_from_text(text)
        decisions = list(self.game.legal_actions)
        if not 1 <= int(text) <= len(decisions):
            raise GameError(f"there is no decision {text}: 1 to {len(decisions)}")
        return decisions[int(text) - 1]

    def _try(self, action: Action) -> None:
        """Play it, asking or drawing what is open; raises `GameError`."""
        try:
            self._done(action, "green")
        except OutcomeOpen:
            whole = self._dealer.outcome(self.game, action)
            self._done(self._built(whole) if isinstance(whole, Deliver) else whole, "green")

    def _built(self, chance: Deliver) -> Deliver:
        """Return how the delivery came out, as the person says or by chance; raises `GameError`."""
        text = self._ask("  how high is it, in mm? (fell: it fell; Enter: leave it to chance) ").strip()
        if not text:
            return chance
        if text == "fell":
            return msgspec.structs.replace(chance, stood=False, height_mm=None, pieces=None, judged=None)
        if not text.isdecimal():
            raise GameError(f"{text!r} is not a height: write a number of mm, fell, or nothing")
        return msgspec.structs.replace(
            chance, stood=True, height_mm=int(text), pieces=self._materials(chance), judged=True
        )

    def _materials(self, chance: Deliver) -> Pieces:
        mine = self.game.position.players[self._seat - 1].pieces
        counts: dict[str, int] = {}
        for material in MATERIALS:
            proposed = 0 if chance.pieces is None else getattr(chance.pieces, material)
            text = self._ask(f"  how many of {material}? ({getattr(mine, material)} here; Enter: {proposed}) ").strip()
            if text and not text.isdecimal():
                raise GameError(f"{text!r} is not a number of pieces")
            counts[material] = int(text or proposed)
        return Pieces(**counts)

    def _list(self, limit: int) -> None:
        decisions = list(self.game.legal_actions)
        for number, decision in enumerate(decisions[:limit], start=1):
            self._say(f"{number:4d}  {decision_text(self.game, decision)}")
        if len(decisions) > limit:
            self._say(f"      and {len(decisions) - limit} more: all")

    def _city(self) -> None:
        position, deck = self.game.position, self.game.deck
        self._say("")
        for kind, column in zip(TYPES, position.columns, strict=True):
            below = f"   ({len(column) - 1} below)" if len(column) > 1 else ""
            top = contract_text(deck.contracts[column[0]]) if column else "no more"
            self._say(f"{kind:>12}  {top}{below}")
        faces = "  ".join(face_text(face) for face in position.supply)
        self._say(
            f"{'platforms':>12}  {faces}   ({len(position.stack)} in the stack, {position.bag} pieces in the bag)"
        )
        for line in board(position, delivery_hexes(position)):
            self._say(f"  {line}")
        self._say(f"  {MAP}", "dim")
        for seat in range(1, len(position.players) + 1):
            self._player(seat)

    def _mine(self) -> None:
        self._player(self._seat)

    def _player(self, seat: int) -> None:
        player = self.game.position.players[seat - 1]
        platforms = ", ".join(face_text(face) for face in player.platforms)
        self._say(
            f"{f'seat {seat}':>12}  {pieces_text(player.pieces)}; contracts {', '.join(player.contracts) or 'none'}; "
            f"platforms {platforms or 'none'}; {len(player.completed)} completed, {player.tokens} tokens"
        )

    def _scores(self) -> None:
        table = Table("seat", "points", "for")
        for seat, score in self.game.scores().items():
            reasons = ", ".join(f"{line.points} {points_text(line.reason, line.words)}" for line in score.lines)
            table.add_row(str(seat), str(score.total), escape(reasons))
        self._console.print(table)


def play_in_terminal(
    options: Options,
    rng: random.Random,
    seat: int,
    console: Console,
    ask: Callable[[str], str] = input,
    rival: Bot | None = None,
) -> MegaCity:
    """Play until the game is over or the person quits; return the game as it stands.

    `ask` reads a line. On the other seats sits `rival`, or a bot that follows the game's advice.
    """
    terminal = Terminal(MegaCity(options), rng, seat, rival or Greedy(), console, ask)
    terminal.play()
    return terminal.game
