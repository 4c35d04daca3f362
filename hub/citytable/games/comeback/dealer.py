"""Chance: what dice, shuffled decks and face-down cards decide (`citytable.rules.chance`)."""

import random

from msgspec.structs import replace

from citytable.games.comeback.actions import Action, Flip, Roll, SetUp, Strike, TurnUp
from citytable.games.comeback.constructing import HAND, ROW
from citytable.games.comeback.deck import DISASTERS, Deck, Disaster
from citytable.games.comeback.game import ComebackCity
from citytable.games.comeback.position import Position


class Dealer:
    """Draws and rolls. `disasters`: those that are in the pile; all five unless a practice game leaves some out."""

    def __init__(self, rng: random.Random, disasters: tuple[Disaster, ...] = DISASTERS) -> None:
        self._rng = rng
        self._disasters = disasters

    def outcome(self, game: ComebackCity, decision: Action) -> Action:
        """Return the decision with every open field filled in."""
        match decision:
            case SetUp():
                return self._deal(game.deck)
            case Flip():
                return replace(decision, card=self._rng.choice(to_flip(game.position)))
            case Strike():
                return replace(decision, disaster=self._rng.choice(self._disasters))
            case Roll():
                return replace(decision, blue=self._rng.randint(1, 6), white=self._rng.randint(1, 6))
            case TurnUp():
                meteors = self._rng.sample(sorted(game.deck.meteors), len(game.position.meteors))
                return replace(decision, meteors=tuple(meteors))
        return decision

    def _deal(self, deck: Deck) -> SetUp:
        cards = self._rng.sample(sorted(deck.cards), ROW + HAND)
        first, *rest = self._rng.sample(sorted(deck.bonuses), len(deck.bonuses))
        zone = deck.bonuses[first].zone
        second = next(k for k, bonus in enumerate(rest) if deck.bonuses[bonus].zone != zone)
        return SetUp(
            bonuses=(first, rest[second]), redrawn=tuple(rest[:second]), row=tuple(cards[:ROW]), hand=tuple(cards[ROW:])
        )


def to_flip(position: Position) -> tuple[str, ...]:
    """Return the cards that the next flip may turn up: the deck, or the discard pile where it is empty (CR8)."""
    aside = position.discarded if position.built else ()
    return position.deck or tuple(sorted((*position.discard_pile, *aside)))
