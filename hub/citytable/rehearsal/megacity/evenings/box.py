"""What is in the box: pieces that each have a mass, and every thing that a position knows, laid out as it says."""

import random
from collections.abc import Sequence
from typing import cast

from citytable.evenings.world import Piece, Thing, World
from citytable.games.megacity.layout import BAG, CENTRAL_PARK, contract_thing
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import MATERIALS, TYPES, Face, Pieces, Position
from citytable.games.megacity.spots import SUPPLY_PLATFORM_SLOTS, contract_column, landmark, supply_platform
from citytable.table import spot as spots
from citytable.table.hexes import CENTRE

AREAS_MM2 = (100, 200, 400, 400, 600, 800, 1200, 500, 1000, 390)
"""The shapes of the house set; with 5 mm of thickness and its spread a piece weighs 0.44 to 7.3 g, 2.9 g on average."""
GRAMS_PER_MM2 = 5 * 1.05e-3
HEAVY = 0.003  # now and then a piece was printed solid, or is a metal one from another game
HEAVY_G = (8.0, 18.0)
CARD_G, PLATFORM_G, PARK_G, BAG_G, MARKER_G = 2.0, 16.0, 14.0, 35.0, 1.0
MARKER = ""
"""The material of a player's marker, which is no building piece."""


def platform_name(number: int) -> str:
    """Return the name of a platform, whatever side is up."""
    return f"platform/{number}"


def marker_of(seat: int) -> Piece:
    """Return a marker of a player."""
    return Piece(1000 + seat, MARKER, MARKER_G)


def cut_pieces(deck: Deck, rng: random.Random) -> list[Piece]:
    """Return all pieces of the house set, each with its own mass."""
    pieces: list[Piece] = []
    for material in MATERIALS:
        for number in range(deck.pieces[material]):
            mass_g = AREAS_MM2[number % len(AREAS_MM2)] * GRAMS_PER_MM2 * rng.uniform(0.84, 1.16)
            if rng.random() < HEAVY:
                mass_g = rng.uniform(*HEAVY_G)
            pieces.append(Piece(len(pieces), material, mass_g))
    return pieces


class Components:
    """The things on a table, by their names in the game. `world` is where all of them are."""

    def __init__(self, world: World) -> None:
        self.world = world

    @property
    def bag(self) -> Thing:
        """Return the bag."""
        return self.world.things[BAG]

    def platform(self, number: int) -> Thing:
        """Return a platform."""
        return self.world.things[platform_name(number)]

    def card(self, contract: str) -> Thing:
        """Return a contract card."""
        return self.world.things[contract_thing(contract)]

    def heap(self, seat: int) -> list[Piece]:
        """Return the loose pieces in front of a seat."""
        return self.world.heaps[f"seat/{seat}"]

    def hand(self, seat: int) -> list[Piece]:
        """Return the loose pieces in a player's hand."""
        return self.world.heaps.setdefault(f"hand/{seat}", [])


class LaidOut:
    """Lays a position out in a world."""

    def __init__(self, world: World, position: Position, deck: Deck, rng: random.Random) -> None:
        self._world = world
        self._position = position
        self._deck = deck
        self._rng = rng
        self._left = cut_pieces(deck, rng)
        rng.shuffle(self._left)

    def lay_out(self) -> None:
        """Put everything where the position says."""
        self._make_things()
        self._lay_city()
        for seat in range(1, len(self._position.players) + 1):
            self._lay_seat(seat)
        self._lay_supply()
        position, heaps = self._position, self._world.heaps
        heaps["box"] = self._some(position.box + position.left_in_city)
        heaps["floor"] = []
        bag = self._world.make(Thing(BAG, BAG_G, (BAG,)))
        bag.pieces, self._left = self._left, []
        self._world.lay(spots.bag(position.player), bag)

    def _some(self, count: int) -> list[Piece]:
        taken, self._left = self._left[:count], self._left[count:]
        return taken

    def _of(self, pieces: Pieces) -> list[Piece]:
        """Take pieces of these materials; of unknown ones any, once all known ones are taken."""
        taken: list[Piece] = []
        for material in MATERIALS:
            fitting = [piece for piece in self._left if piece.material == material][: getattr(pieces, material)]
            taken += fitting
        gone = {piece.number for piece in taken}
        self._left = [piece for piece in self._left if piece.number not in gone]
        return taken + self._some(pieces.unknown)

    def _make_things(self) -> None:
        for number, sides in self._deck.platforms.items():
            faces = tuple(f"{platform_name(number)}/{side}" for side in sides)
            self._world.make(Thing(platform_name(number), PLATFORM_G, faces))
        for name in self._deck.contracts:
            self._world.make(Thing(contract_thing(name), CARD_G, (contract_thing(name),)))
        for seat in range(1, len(self._position.players) + 1):
            self._world.make(Thing(f"park/{seat}", PARK_G, (f"park/{seat}",)))
        self._world.make(Thing(CENTRAL_PARK, PARK_G, (CENTRAL_PARK,)))

    def platform(self, face: Face) -> Thing:
        """Return a platform with this side up."""
        thing = self._world.things[platform_name(face.platform)]
        thing.side = self._deck.platforms[face.platform].index(face.up)
        return thing

    def _lay_city(self) -> None:
        for building in self._position.buildings:
            thing = self.platform(building.face)
            thing.pieces = self._of(building.pieces)
            if building.standing:
                thing.pieces.append(marker_of(building.owner))
            self._world.lay(spots.city(building.at), thing)
        for park in self._position.parks:
            thing = self._world.things[CENTRAL_PARK if park.owner is None else f"park/{park.owner}"]
            thing.pieces = [] if park.monument is None else self._of(park.monument)
            self._world.lay(spots.city(park.at), thing)
        self._world.lay(spots.city(CENTRE), self._world.things[CENTRAL_PARK]) if not self._position.parks else None

    def _lay_seat(self, seat: int) -> None:
        player = self._position.players[seat - 1]
        heap = self._of(player.pieces)
        for k, name in enumerate(player.contracts):
            self._world.lay(spots.card(seat, k), self._world.things[contract_thing(name)])
        for k, face in enumerate(player.platforms):
            thing = self.platform(face)
            started = self._rng.choice((0, 0, 1, 2, 3, 4))
            thing.pieces, heap = heap[:started], heap[started:]
            self._world.lay(spots.pad(seat, k), thing)
        self._world.heaps[f"seat/{seat}"] = heap

    def _lay_supply(self) -> None:
        for kind, column in zip(TYPES, self._position.columns, strict=True):
            self._world.piles.add(contract_column(kind))
            for name in reversed(column):
                self._world.lay(contract_column(kind), self._world.things[contract_thing(name)])
        faces = cast("Sequence[Face]", self._position.supply)
        for k, face in enumerate(faces[:SUPPLY_PLATFORM_SLOTS]):
            self._world.lay(supply_platform(k), self.platform(face))
        for k, name in enumerate(self._position.landmarks):
            self._world.lay(landmark(k), self._world.things[contract_thing(name)])
