"""Chance in MegaCity (`citytable.rules.chance`): the dealer shuffles, draws, builds, and drops a building now and then.

A dealer keeps nothing. What may lie in bag and stack follows from the position, and is drawn from with the random
numbers that the dealer was given.
"""

import random
from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from citytable.games.megacity.actions import (
    Action,
    BuildingFell,
    Deliver,
    PiecesLost,
    PlaceCentralParkMonument,
    PlaceMonument,
    Refresh,
    ReturnPieces,
    SetUp,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.building_model import MODEL
from citytable.games.megacity.city import building_at
from citytable.games.megacity.deal import DEALT
from citytable.games.megacity.ending import excess
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.hands import outside_bag
from citytable.games.megacity.pieces import TYPE_MIN, Contract, Deck
from citytable.games.megacity.position import MATERIALS, TYPES, Face, Material, Pieces, Position
from citytable.games.megacity.stack import SUPPLY, Faces, Pile, pile_of, refreshed_pile, seen_platforms
from citytable.games.megacity.standard import RANDOM_DRAW


class Dealer:
    """Fills in what chance and hands would.

    `falls` is the share of deliveries that fall; without it, that and the height follow from what is built
    (`building_model.py`). `unknown` is the share of draws of which only the count is known.
    """

    def __init__(self, rng: random.Random, falls: float | None = None, unknown: float = 0.0) -> None:
        self._rng = rng
        self._falls = falls
        self._unknown = unknown

    def outcome(self, game: MegaCity, decision: Action) -> Action:
        """Return the decision with every open field filled in, so that `game.push` takes it."""
        position, deck = game.position, game.deck
        match decision:
            case SetUp():
                return self._deal(position, deck)
            case TakePlatform():
                return replace(decision, revealed=self._turn_up(position, pile_of(position), 1, deck))
            case Refresh():
                return replace(decision, revealed=self._turn_up(position, refreshed_pile(position), SUPPLY, deck))
            case TakePieces():
                return replace(decision, drawn=self._drawn(position, decision, deck))
            case ReturnPieces():
                return replace(decision, returned=self._returned(position, deck))
            case Deliver():
                return self._delivery(position, decision, deck)
            case PlaceMonument() | PlaceCentralParkMonument():
                return replace(decision, piece=self._some(position.players[decision.player - 1].pieces, 1))
            case BuildingFell() | PiecesLost():
                return self._accident(position, decision)
        return decision

    def _deal(self, position: Position, deck: Deck) -> SetUp:
        players = position.options.players
        while True:
            dealt = self._rng.sample(deck.standard, DEALT[players])
            columns = tuple(tuple(name for name in dealt if deck.contracts[name].type == kind) for kind in TYPES)
            if all(len(column) >= TYPE_MIN for column in columns):
                break
        start = self._rng.randint(1, players)
        drawn = tuple(self._random(Counter(deck.pieces), (seat - start) % players) for seat in range(1, players + 1))
        tiles = self._rng.sample(sorted(deck.platforms), SUPPLY)
        supply = tuple(Face(tile, self._rng.choice(deck.platforms[tile])) for tile in tiles)
        return SetUp(columns=columns, supply=supply, start=start, drawn=drawn)

    def _turn_up(self, position: Position, pile: Pile, count: int, deck: Deck) -> tuple[Face, ...]:
        unseen = sorted(deck.platforms.keys() - seen_platforms(position))
        faces: list[Face] = []
        for _ in range(min(count, len(pile.stack))):
            group: Faces = pile.next_group or pile.stack[:1]
            face = self._rng.choice(group)
            if face is None:
                tile = unseen.pop(self._rng.randrange(len(unseen)))
                face = Face(tile, self._rng.choice(deck.platforms[tile]))
            faces.append(face)
            pile = pile.without_top(face)
        return tuple(faces)

    def _drawn(self, position: Position, decision: TakePieces, deck: Deck) -> Pieces:
        pool = _pool(position, deck)
        announced = decision.announced
        if announced is not None and position.bag and pool[announced]:
            return Pieces(**{announced: 1})
        drawn = self._random(pool, min(RANDOM_DRAW, position.bag))
        return Pieces(unknown=drawn.total) if self._rng.random() < self._unknown else drawn

    def _random(self, pool: Counter[Material], count: int) -> Pieces:
        return _pieces(self._rng.sample(list(pool.elements()), count))

    def _some(self, hand: Pieces, count: int) -> Pieces:
        """Draw pieces from a hand; unknown ones stay unknown."""
        there = [name for name in (*MATERIALS, "unknown") for _ in range(getattr(hand, name))]
        return Pieces(**Counter(self._rng.sample(there, count)))

    def _returned(self, position: Position, deck: Deck) -> Pieces:
        """Choose what to return: first what the open contracts cannot use."""
        me = position.players[position.player - 1]
        useless: set[str] = {material for name in me.contracts for material in deck.contracts[name].forbidden}
        first = _pieces([material for material in sorted(useless) for _ in range(getattr(me.pieces, material))])
        count = excess(position)
        if first.total >= count:
            return self._some(first, count)
        rest = replace(me.pieces, **dict.fromkeys(useless, 0))
        more = self._some(rest, count - first.total)
        return replace(more, **{material: getattr(first, material) for material in useless})

    def _delivery(self, position: Position, decision: Deliver, deck: Deck) -> Deliver:
        contract = deck.contracts[decision.contract]
        pieces = self._built_of(position, contract, deck)
        height_mm = None if pieces is None else self._height_mm(pieces, contract)
        if height_mm is None:
            return replace(decision, stood=False)
        return replace(decision, stood=True, height_mm=height_mm, pieces=pieces, judged=True)

    def _height_mm(self, pieces: Pieces, contract: Contract) -> int | None:
        """Draw how high a building stands in the end; None if it falls, or becomes too low to be delivered."""
        if self._falls is not None:
            return None if self._rng.random() < self._falls else contract.height_mm + self._rng.randrange(0, 25)
        height_mm = MODEL.built_mm(self._rng, pieces, contract)
        if height_mm is None or self._rng.random() >= MODEL.chance_to_stand(pieces, height_mm, contract):
            return None
        return height_mm

    def _built_of(self, position: Position, contract: Contract, deck: Deck) -> Pieces | None:
        """Return the pieces of the building, known ones first; None if the hand turns out not to have them."""
        me = position.players[position.player - 1]
        allowed = [material for material in MATERIALS if material not in contract.forbidden]
        known = [material for material in allowed for _ in range(getattr(me.pieces, material))]
        count = contract.pieces + (self._rng.randrange(3) if contract.plus else 0)
        pool = _pool(position, deck)
        found = [m for m in self._rng.sample(list(pool.elements()), pool.total()) if m in allowed][: me.pieces.unknown]
        chosen = (known if self._rng.random() < 0.5 else self._rng.sample(known, len(known))) + found
        return _pieces(chosen[:count]) if len(chosen) >= contract.pieces else None

    def _accident(self, position: Position, accident: BuildingFell | PiecesLost) -> Action:
        building = building_at(position, accident.at)
        if building is None:
            return accident
        count = building.pieces.total
        if isinstance(accident, BuildingFell):
            to_box = self._rng.randint(0, count)
            return replace(accident, to_box=to_box, left=self._rng.randint(0, min(1, count - to_box)))
        lost = self._some(building.pieces, 1) if count > 1 else Pieces()
        height_mm = max(1, building.height_mm - self._rng.randint(1, 20))
        return replace(accident, to_box=lost, to_bag=Pieces(), height_mm=height_mm)


def _pool(position: Position, deck: Deck) -> Counter[Material]:
    """Return what the bag may hold, by material, without the known pieces elsewhere."""
    about = outside_bag(position)
    return Counter({material: deck.pieces[material] - getattr(about, material) for material in MATERIALS})


def _pieces(materials: Sequence[str]) -> Pieces:
    return Pieces(**Counter(materials))
