"""MegaCity in the terminal. How a building came out the person says, or leaves to chance."""

import random
from collections.abc import Iterator, Mapping

import msgspec

from citytable.bots.bot import Bot
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
from citytable.rehearsal.practice import Practice, Room
from citytable.rules.budget import Budget
from citytable.rules.errors import GameError

GOAL = """You win with the most points: the prestige of the contracts that you complete, tokens, and awards, less a
point for each three pieces left over. Take a contract, a platform of its type, and pieces; build; then deliver. The
game ends after the last contract was completed, or when somebody wants pieces and the bag is empty."""
SIMPLIFIED = """You win with the most points: the prestige of the contracts that you complete, and awards, less a point
for each three pieces left over, and two for a park that you did not place. The game ends with the last contract or the
last piece of the bag."""
HINT = Budget(nodes=10_000)  # about a second, if the machine has nothing else to do
MAP = """p public, i industrial, c commercial, r residential, then seat and height; ! the tallest, x fallen,
  * a monument; a hex where one may deliver has its name"""

HOW_HIGH = "  how high is it, in mm? (fell: it fell; Enter: leave it to chance) "
NO_HEIGHT = "{seen} is not a height: write a number of mm, fell, or nothing"
HOW_MANY = "  how many of {material}? ({here} here; Enter: {proposed}) "
STACK = "{stack} in the stack, {bag} pieces in the bag"
OWN = "{pieces}; contracts {contracts}; platforms {platforms}; {completed} completed, {tokens} tokens"


class Terminal(Practice[Action]):
    """MegaCity, whose buildings a person may build for themselves."""

    game: MegaCity
    example = "p1 take_contract contract=PU1"
    dealer = Dealer
    hints = HINT

    def goal(self) -> str:
        """Return how one wins; the easier rules count less."""
        return self.words(SIMPLIFIED if self.game.position.options.simplified else GOAL)

    def action(self, text: str) -> Action:
        """Return the action of a notation; raises `Unreadable`."""
        return action_from_text(text)

    def decision(self, action: Action) -> str:
        """Return a decision as a person would announce it."""
        return decision_text(self.game, action, self.words)

    def outcome(self, action: Action) -> str:
        """Return what the last action led to."""
        return outcome_text(self.game, action, self.words)

    def points(self, reason: str, words: Mapping[str, str]) -> str:
        """Return the purpose of a score line."""
        return points_text(reason, words, self.words)

    def now(self) -> str:
        """Return what the turn allows."""
        position = self.game.position
        left = allowance(position.options) - position.actions_used
        if position.deciding:
            text = self.words("the last decision: recycle your pieces, or deliver a landmark")
        elif position.phase == "option":
            text = self.words("your building stands: a park, a monument, or pass the bag")
        elif position.phase == "over":
            text = self.words("nothing is left but to pass the bag")
        else:
            text = self.words("{left} {left:action|actions} left", left=left)
            text += "" if position.actions_used else self.words(", or one delivery")
        final = self.words("; these are the final turns") if position.final else ""
        return self.words("turn {turn}: {text}{final}", turn=position.turn, text=text, final=final)

    def completed(self, chance: Action) -> Action:
        """Return how it came out; of a delivery the person may say."""
        return self._built(chance) if isinstance(chance, Deliver) else chance

    def _built(self, chance: Deliver) -> Deliver:
        """Return how the delivery came out, as the person says or by chance; raises `GameError`."""
        text = self.typed(self.ask(self.words(HOW_HIGH)).strip())
        if not text:
            return chance
        if text == "fell":
            return msgspec.structs.replace(chance, stood=False, height_mm=None, pieces=None, judged=None)
        if not text.isdecimal():
            raise GameError(self.words(NO_HEIGHT, seen=repr(text)))
        return msgspec.structs.replace(
            chance, stood=True, height_mm=int(text), pieces=self._materials(chance), judged=True
        )

    def _materials(self, chance: Deliver) -> Pieces:
        mine = self.game.position.players[self.seat - 1].pieces
        counts: dict[str, int] = {}
        for material in MATERIALS:
            proposed = 0 if chance.pieces is None else getattr(chance.pieces, material)
            here = getattr(mine, material)
            asked = self.words(HOW_MANY, material=self.words(material), here=here, proposed=proposed)
            text = self.ask(asked).strip()
            if text and not text.isdecimal():
                raise GameError(self.words("{seen} is not a number of pieces", seen=repr(text)))
            counts[material] = int(text or proposed)
        return Pieces(**counts)

    def table(self) -> Iterator[tuple[str, str]]:
        """Yield the contracts, the supply, the city and the players."""
        position, deck = self.game.position, self.game.deck
        yield "", ""
        for kind, column in zip(TYPES, position.columns, strict=True):
            below = self.words("   ({count} below)", count=len(column) - 1) if len(column) > 1 else ""
            top = contract_text(deck.contracts[column[0]], self.words) if column else self.words("no more")
            yield f"{self.words(kind):>12}  {top}{below}", ""
        faces = "  ".join(face_text(face, self.words) for face in position.supply)
        stack = self.words(STACK, stack=len(position.stack), bag=position.bag)
        yield f"{self.words('platforms'):>12}  {faces}   ({stack})", ""
        for line in board(position, delivery_hexes(position)):
            yield f"  {line}", ""
        yield f"  {self.words(MAP)}", "dim"
        for seat in range(1, len(position.players) + 1):
            yield self._player(seat), ""

    def mine(self) -> str:
        """Return what the person has."""
        return self._player(self.seat)

    def _player(self, seat: int) -> str:
        player = self.game.position.players[seat - 1]
        none = self.words("none")
        platforms = ", ".join(face_text(face, self.words) for face in player.platforms)
        has = self.words(
            OWN,
            pieces=pieces_text(player.pieces, self.words),
            contracts=", ".join(player.contracts) or none,
            platforms=platforms or none,
            completed=len(player.completed),
            tokens=player.tokens,
        )
        return f"{self._seat_text(seat):>12}  {has}"


def play_in_terminal(
    options: Options,
    rng: random.Random,
    seat: int,
    room: Room,
    rival: Bot | None = None,
) -> MegaCity:
    """Play until the game is over or the person quits; return the game as it stands.

    On the other seats sits `rival`, or a bot that follows the game's advice.
    """
    terminal = Terminal(MegaCity(options), rng, seat, rival, room)
    terminal.play()
    return terminal.game
