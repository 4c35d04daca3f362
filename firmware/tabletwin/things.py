"""The things on the table, with their weights and the tags that a reader below them reads."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from tabletwin.pieces import Piece
from tabletwin.tower import Tower

CARD_G = 2.0
PLATFORM_G = 16.0
PARK_G = 14.0
BAG_G = 35.0
LOOSE_TAG_G = 1.0


class Thing(ABC):
    """Anything that can lie on a spot."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Return the name its tag is registered as; a tile's says which side is up."""

    @property
    @abstractmethod
    def mass_g(self) -> float:
        """Return its weight with everything on it or in it."""

    def __str__(self) -> str:
        return self.name


class Card(Thing):
    """A contract card."""

    def __init__(self, contract: str, kind: str) -> None:
        self.contract = contract
        self.kind = kind  # a building type, or "landmark"

    @property
    def name(self) -> str:
        """Return contract/<id>."""
        return f"contract/{self.contract}"

    @property
    def mass_g(self) -> float:
        """Return the weight of a card."""
        return CARD_G


class Platform(Thing):
    """A platform tile with a tag for each side, and the tower on it."""

    def __init__(self, number: int, sides: tuple[str, str], up: str) -> None:
        self.number = number
        self.sides = sides
        self.up = up
        self.tower = Tower()

    @property
    def name(self) -> str:
        """Return platform/<number>/<type of the side up>."""
        return f"platform/{self.number}/{self.up}"

    @property
    def mass_g(self) -> float:
        """Return the weight of tile and tower."""
        return PLATFORM_G + self.tower.mass_g

    def turn_over(self) -> None:
        """Turn the other side up."""
        self.up = self.sides[1] if self.up == self.sides[0] else self.sides[0]


class Park(Thing):
    """A park tile of a seat, or Central Park (`seat` None); perhaps with a monument."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self.monument: Piece | None = None

    @property
    def name(self) -> str:
        """Return central-park, or park/<seat>."""
        return "central-park" if self.seat is None else f"park/{self.seat}"

    @property
    def mass_g(self) -> float:
        """Return the weight of tile and monument."""
        return PARK_G + (self.monument.mass_g if self.monument is not None else 0.0)


class Bag(Thing):
    """The bag and the pieces in it."""

    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = pieces

    @property
    def name(self) -> str:
        """Return the name of the only bag."""
        return "bag"

    @property
    def mass_g(self) -> float:
        """Return the weight of cloth and pieces."""
        return BAG_G + sum(piece.mass_g for piece in self.pieces)


class Token(Thing):
    """A card, tile or token of a game whose hands know nothing about it but its name."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def name(self) -> str:
        """Return the name its tag is registered as."""
        return self._name

    @property
    def mass_g(self) -> float:
        """Return what a card weighs."""
        return CARD_G


@dataclass
class Pile:
    """Things on top of each other where nothing senses them, by their names, the last on top; perhaps of a seat."""

    face_up: bool
    things: list[str]
    seat: int | None = None


class LooseTag(Thing):
    """A bare tag, registered or not."""

    def __init__(self, uid: str) -> None:
        self.uid = uid

    @property
    def name(self) -> str:
        """Return its number, for a tag has no other name."""
        return f"tag {self.uid}"

    @property
    def mass_g(self) -> float:
        """Return the weight of a sticker on a piece of card."""
        return LOOSE_TAG_G


class Weight(Thing):
    """A calibration weight."""

    def __init__(self, mass_g: float) -> None:
        self._mass_g = mass_g

    @property
    def name(self) -> str:
        """Return the name engraved on it."""
        return f"weight of {self._mass_g:g} g"

    @property
    def mass_g(self) -> float:
        """Return its weight, which is known exactly."""
        return self._mass_g
