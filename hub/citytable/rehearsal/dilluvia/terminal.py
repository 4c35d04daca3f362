"""Dilluvia Project in the terminal."""

import random
from collections.abc import Iterator, Mapping

from citytable.bots.bot import Bot
from citytable.games.dilluvia.actions import NOTATION, Action
from citytable.games.dilluvia.dealer import Dealer
from citytable.games.dilluvia.game import Dilluvia, before_the_market
from citytable.games.dilluvia.position import TURNS, Options
from citytable.games.dilluvia.values import SPACES
from citytable.rehearsal.dilluvia.spoken import decision_text, map_lines, player_text, space_text
from citytable.rehearsal.practice import Practice, Room
from citytable.rules.budget import Budget

GOAL = """You win with the most population after seven turns: each ten prestige bring one or more, buildings of the turn
and some tiles bring it at once. In each turn place your zeppelin and buy in its line of the market, then send workers:
for ground, buildings, propellers, gardens, cubes and income. A building brings something in every turn."""
MAP = "a ground, A1 building 1 of seat 1 (b: seat 2, ...), * propeller, $ one for sale, g garden"
NOW = {
    "zeppelins": "place your zeppelin",
    "shopping": "buy in the line of your zeppelin",
    "workers": "send workers, or do what they are for",
    "income": "choose your cubes",
}
REASONS = {
    "tens": "tens of prestige",
    "timely": "buildings of the turn",
    "tiles": "market tiles",
    "gardens": "gardens",
    "spaces": "spaces of turn 7",
    "final": "majorities",
}
HINT = Budget(nodes=10_000)  # about a second, if the machine has nothing else to do
_ROW = 4
TURN = "turn {turn} of {turns}: {now}{due}; {workers} workers left"


class Terminal(Practice[Action]):
    """Dilluvia Project for one person and bots."""

    game: Dilluvia
    example = "p1 zeppelin at=left1"
    dealer = Dealer
    hints = HINT

    def goal(self) -> str:
        """Return how one wins."""
        return self.words(GOAL)

    def action(self, text: str) -> Action:
        """Return the action of a notation; raises `Unreadable`."""
        action: Action = NOTATION.from_text(text)
        return action

    def decision(self, action: Action) -> str:
        """Return a decision as a person would announce it."""
        return decision_text(self.game.position, action, self.game.values, self.words)

    def points(self, reason: str, words: Mapping[str, str]) -> str:  # noqa: ARG002  no reason has words
        """Return the purpose of a score line."""
        return self.words(REASONS[reason])

    def now(self) -> str:
        """Return the phase, and the workers that are left."""
        position = self.game.position
        mine = position.of(self.seat)
        kind = "" if position.due is None else self.words(position.due.kind.replace("_", " "))
        due = self.words("; now: {kind}", kind=kind) if kind else ""
        now = self.words(NOW[position.phase])
        return self.words(TURN, turn=position.turn, turns=TURNS, now=now, due=due, workers=mine.workers)

    def mine(self) -> str:
        """Return what the person has."""
        return player_text(self.seat, self.game.position.of(self.seat), self.game.values, self.words)

    def table(self) -> Iterator[tuple[str, str]]:
        """Yield the market, the city, the workers that stand, and the players."""
        position, values = self.game.position, self.game.values
        yield "", ""
        for first in range(1, SPACES + 1, _ROW):
            row = (f"{space} {space_text(position, space, values, self.words)}" for space in range(first, first + _ROW))
            yield f"{self.words('market') if first == 1 else '':>8}  {'  |  '.join(row)}", ""
        for line in map_lines(position, values, self.words):
            yield line, ""
        yield f"{'':8}  {self.words(MAP)}", "dim"
        if position.placed:
            stand = (
                self.words(
                    "{n} of seat {seat} for {space}", n=one.workers, seat=one.player, space=self.words(one.space)
                )
                for one in position.placed
            )
            yield f"{self.words('workers'):>8}  {', '.join(stand)}", ""
        for seat in position.order:
            yield player_text(seat, position.of(seat), values, self.words), ""


def play_in_terminal(
    options: Options,
    rng: random.Random,
    seat: int,
    room: Room,
    rival: Bot | None = None,
) -> Dilluvia:
    """Play until the game is over or the person quits; return the game as it stands."""
    terminal = Terminal(Dilluvia(before_the_market(options)), rng, seat, rival, room)
    terminal.play()
    return terminal.game
