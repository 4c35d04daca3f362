"""Comeback City in the terminal."""

import random
from collections.abc import Callable, Iterator, Mapping

from rich.console import Console

from citytable.bots.bot import Bot
from citytable.games.comeback.actions import Action, action_from_text
from citytable.games.comeback.dealer import Dealer
from citytable.games.comeback.game import ComebackCity
from citytable.games.comeback.points import POINTS_TO_WIN, goal_met, total_points
from citytable.games.comeback.pool import discards_left, helpers, pool
from citytable.games.comeback.position import Options
from citytable.rehearsal.comeback.spoken import amount_text, bonus_text, card_text, counted, decision_text, map_lines
from citytable.rehearsal.practice import Practice
from citytable.rules.budget import Budget

GOAL = """You are alone. Build a city of six columns; when 16 buildings stand a disaster strikes, and you rebuild with
the action points that it brings. You win with 65 points, or by the disaster's own goal. A card that you cannot pay for
is not wasted: what it brings unbuilt pays for the next one."""
MAP = "~ rubble, ! occupied, + guarded; behind the colon the points that lie on it"
WANTED = {
    "aliens": "more free than occupied residential buildings, and 25 residential points",
    "earthquake": "all rubble built over by the same building or a taller one, and 25 commercial points",
    "hurricane": "60 points",
    "meteors": "all buildings connected by roads, and 25 government points",
    "giant_bird": "6 adjacent industrial buildings, and 25 industrial points",
}
REASONS = {"zone": "on {zone} buildings", "saved": "{zone}, kept by the Engineering Corps"}
NOW = {
    "laying": "two more cards go on columns",
    "build": "build until 16 buildings stand",
    "disaster": "the disaster strikes",
    "rebuild": "rebuild",
}
HINT = Budget(nodes=10_000, horizon=120)  # about a second, if the machine has nothing else to do


class Terminal(Practice[Action]):
    """Comeback City for one person."""

    game: ComebackCity
    example = "p1 flip"
    dealer = Dealer
    hints = HINT

    def goal(self) -> str:
        """Return how one wins."""
        return GOAL

    def action(self, text: str) -> Action:
        """Return the action of a notation; raises `Unreadable`."""
        return action_from_text(text)

    def decision(self, action: Action) -> str:
        """Return a decision as a person would announce it."""
        return decision_text(self.game.position, action, self.game.deck)

    def points(self, reason: str, words: Mapping[str, str]) -> str:
        """Return the purpose of a score line."""
        return (
            f"on {words['zone']} buildings" if reason == "zone" else f"{words['zone']}, kept by the Engineering Corps"
        )

    def now(self) -> str:
        """Return the phase, what pays for a building, and in the rebuild the action points that are left."""
        position, deck = self.game.position, self.game.deck
        parts = [NOW.get(position.phase, position.phase)]
        if position.phase == "rebuild":
            parts.append(f"{counted(position.action_points, 'action point')} left")
        parts.append(f"{len(position.deck)} cards in the deck")
        if position.phase in {"build", "rebuild"}:
            parts.append(f"in the pool {amount_text(pool(position, deck), deck)}")
            parts.append(f"{discards_left(position, deck)} free discards")
        return "; ".join(parts)

    def mine(self) -> str:
        """Return the flipped card, and the points."""
        position, deck = self.game.position, self.game.deck
        shown = card_text(deck.cards[position.current], deck) if position.current else ""
        total = f"{total_points(position)} of {POINTS_TO_WIN} points"
        return f"  {'; '.join(part for part in (shown, total) if part)}"

    def table(self) -> Iterator[tuple[str, str]]:
        """Yield the bonuses, the disaster, the city, and the cards of the hand."""
        position, deck = self.game.position, self.game.deck
        yield "", ""
        for bonus in position.bonuses:
            state = f" (taken: {bonus.used})" if bonus.used else " (completed)" if bonus.completed else ""
            yield f"{'bonus':>8}  {bonus_text(deck.bonuses[bonus.card])}{state}", ""
        if position.disaster:
            met = " (met)" if goal_met(position, deck) else ""
            yield f"{'disaster':>8}  {position.disaster.replace('_', ' ')}; goal: {WANTED[position.disaster]}{met}", ""
        if found := helpers(position, deck):
            yield f"{'helpers':>8}  {', '.join(sorted(found)).replace('_', ' ')}", ""
        for line in map_lines(position):
            yield line, ""
        yield f"{'':8}  {MAP}", "dim"
        for card in position.hand:
            yield f"{'hand':>8}  {card_text(deck.cards[card], deck)}", ""
        yield self.mine(), ""


def play_in_terminal(
    options: Options,
    rng: random.Random,
    seat: int,
    console: Console,
    ask: Callable[[str], str] = input,
    rival: Bot | None = None,
) -> ComebackCity:
    """Play until the game is over or the person quits; return the game as it stands. `ask` reads a line."""
    terminal = Terminal(ComebackCity(options), rng, seat, rival, console, ask)
    terminal.play()
    return terminal.game
