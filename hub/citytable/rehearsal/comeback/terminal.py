"""Comeback City in the terminal."""

import random
from collections.abc import Iterator, Mapping

from citytable.bots.bot import Bot
from citytable.games.comeback.actions import Action, action_from_text
from citytable.games.comeback.dealer import Dealer
from citytable.games.comeback.game import ComebackCity
from citytable.games.comeback.points import POINTS_TO_WIN, goal_met, total_points
from citytable.games.comeback.pool import discards_left, helpers, pool
from citytable.games.comeback.position import Options
from citytable.rehearsal.comeback.spoken import amount_text, bonus_text, card_text, decision_text, map_lines, spelt
from citytable.rehearsal.practice import Practice, Room
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
        return self.words(GOAL)

    def action(self, text: str) -> Action:
        """Return the action of a notation; raises `Unreadable`."""
        return action_from_text(text)

    def decision(self, action: Action) -> str:
        """Return a decision as a person would announce it."""
        return decision_text(self.game.position, action, self.game.deck, self.words)

    def points(self, reason: str, words: Mapping[str, str]) -> str:
        """Return the purpose of a score line."""
        return self.words(REASONS[reason], zone=self.words(words["zone"]))

    def now(self) -> str:
        """Return the phase, what pays for a building, and in the rebuild the action points that are left."""
        position, deck = self.game.position, self.game.deck
        parts = [self.words(NOW.get(position.phase, position.phase))]
        if position.phase == "rebuild":
            parts.append(self.words("{n} {n:action point|action points} left", n=position.action_points))
        parts.append(self.words("{n} cards in the deck", n=len(position.deck)))
        if position.phase in {"build", "rebuild"}:
            amount = amount_text(pool(position, deck), deck, self.words)
            parts.append(self.words("in the pool {amount}", amount=amount))
            parts.append(self.words("{n} free discards", n=discards_left(position, deck)))
        return "; ".join(parts)

    def mine(self) -> str:
        """Return the flipped card, and the points."""
        position, deck = self.game.position, self.game.deck
        shown = card_text(deck.cards[position.current], deck, self.words) if position.current else ""
        total = self.words("{n} of {wanted} points", n=total_points(position), wanted=POINTS_TO_WIN)
        return f"  {'; '.join(part for part in (shown, total) if part)}"

    def table(self) -> Iterator[tuple[str, str]]:
        """Yield the bonuses, the disaster, the city, and the cards of the hand."""
        position, deck = self.game.position, self.game.deck
        yield "", ""
        for bonus in position.bonuses:
            state = self.words(f" (taken: {bonus.used})" if bonus.used else " (completed)" if bonus.completed else "")
            yield f"{self.words('bonus'):>8}  {bonus_text(deck.bonuses[bonus.card], self.words)}{state}", ""
        if position.disaster:
            met = self.words(" (met)") if goal_met(position, deck) else ""
            named, goal = self.words(spelt(position.disaster)), self.words(WANTED[position.disaster])
            line = self.words("{disaster}; goal: {goal}{met}", disaster=named, goal=goal, met=met)
            yield f"{self.words('disaster'):>8}  {line}", ""
        if found := helpers(position, deck):
            yield f"{self.words('helpers'):>8}  {', '.join(self.words(spelt(one)) for one in sorted(found))}", ""
        for line in map_lines(position, self.words):
            yield line, ""
        yield f"{'':8}  {self.words(MAP)}", "dim"
        for card in position.hand:
            yield f"{self.words('hand'):>8}  {card_text(deck.cards[card], deck, self.words)}", ""
        yield self.mine(), ""


def play_in_terminal(
    options: Options,
    rng: random.Random,
    seat: int,
    room: Room,
    rival: Bot | None = None,
) -> ComebackCity:
    """Play until the game is over or the person quits; return the game as it stands."""
    terminal = Terminal(ComebackCity(options), rng, seat, rival, room)
    terminal.play()
    return terminal.game
