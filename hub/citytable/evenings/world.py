"""The world: where every thing and every piece really is, whatever any sensor says."""

from collections import Counter
from collections.abc import Iterator

from citytable.table.spot import Spot


class Piece:
    """One building piece with its own mass; also a player's marker, which is no building piece."""

    __slots__ = ("mass_g", "material", "number")

    def __init__(self, number: int, material: str, mass_g: float) -> None:
        self.number = number
        self.material = material
        self.mass_g = mass_g


class Thing:
    """A tagged thing.

    `faces` are its tags, one for each side that has one; `pieces` are on it or in it.
    """

    __slots__ = ("askew", "face_down", "faces", "mass_g", "name", "pieces", "side")

    def __init__(self, name: str, mass_g: float, faces: tuple[str, ...], side: int = 0) -> None:
        self.name = name
        self.mass_g = mass_g
        self.faces = faces
        self.side = side
        self.pieces: list[Piece] = []
        self.askew = False  # half on its spot: no reader reaches the tag
        self.face_down = False  # a card that was turned over

    @property
    def tag(self) -> str:
        """Return the tag that a reader below can see."""
        return self.faces[self.side]

    @property
    def whole_g(self) -> float:
        """Return its mass with everything on it."""
        return self.mass_g + sum(piece.mass_g for piece in self.pieces)

    def __repr__(self) -> str:
        return f"<{self.tag} with {len(self.pieces)}>"


class World:
    """Things on spots, pieces in heaps, hands and phones that press on spots, metal over readers."""

    def __init__(self) -> None:
        self.things: dict[str, Thing] = {}
        self._lying: dict[Spot, list[Thing]] = {}
        self._spot_of: dict[str, Spot] = {}
        self.heaps: dict[str, list[Piece]] = {}  # seat/1, lap/1, box, floor
        self.pressed_g: dict[Spot, float] = {}
        self.unsteady: Counter[Spot] = Counter()
        """Where hands are that do not hold still: no load comes to rest there."""
        self.metal: set[Spot] = set()
        self.piles: set[Spot] = set()
        """Spots of which a reader sees the top thing only."""

    def make(self, thing: Thing) -> Thing:
        """Take a thing out of the box."""
        self.things[thing.name] = thing
        return thing

    def lay(self, spot: Spot, thing: Thing, *, below: bool = False) -> None:
        """Lay a thing on a spot, on top of what is there or below it."""
        lying = self._lying.setdefault(spot, [])
        lying.insert(0 if below else len(lying), thing)
        self._spot_of[thing.name] = spot

    def lift(self, thing: Thing) -> Spot | None:
        """Take a thing from its place, and return that place."""
        spot = self._spot_of.pop(thing.name, None)
        if spot is not None:
            self._lying[spot].remove(thing)
        return spot

    def spot_of(self, thing: Thing) -> Spot | None:
        """Return the spot of a thing; None while it is in a hand, in a lap or on the bare table."""
        return self._spot_of.get(thing.name)

    def lying(self, spot: Spot) -> tuple[Thing, ...]:
        """Return what is on a spot, the top last."""
        return tuple(self._lying.get(spot, ()))

    def top(self, spot: Spot) -> Thing | None:
        """Return the thing on top at a spot."""
        lying = self._lying.get(spot)
        return lying[-1] if lying else None

    def free(self, *spots: Spot) -> Spot | None:
        """Return the first empty one of these spots."""
        return next((spot for spot in spots if not self._lying.get(spot)), None)

    def press(self, spot: Spot, grams: float) -> None:
        """Press on a spot, or let go with negative grams."""
        now_g = self.pressed_g.get(spot, 0.0) + grams
        self.pressed_g[spot] = 0.0 if abs(now_g) < 1e-9 else now_g

    def mass_g(self, spot: Spot) -> float:
        """Return the whole load of a scale below a spot."""
        return sum(thing.whole_g for thing in self._lying.get(spot, ())) + self.pressed_g.get(spot, 0.0)

    def tags(self, spot: Spot, *, face_down: bool) -> frozenset[str]:
        """Return the tags that a reader below a spot can see; `face_down`: also those of cards turned over."""
        lying = self._lying.get(spot)
        if not lying or spot in self.metal:
            return frozenset()
        seen = lying[-1:] if spot in self.piles else lying
        return frozenset(one.tag for one in seen if not one.askew and (face_down or not one.face_down))

    def everything(self) -> Iterator[Piece]:
        """Yield every piece there is, wherever it is."""
        for thing in self.things.values():
            yield from thing.pieces
        for heap in self.heaps.values():
            yield from heap
