"""The true state of the virtual table: the place of every thing. Hands change it, sensors measure it.

A load that a hand takes leaves its cells over a time, one that it sets down is pressed, and one that falls may strike
the cells. The position of a load decides how the cells of its spot share it, and it leaves from there: an empty spot
presses on none of its cells.
"""

from collections.abc import Callable, Iterable
from random import Random

from tabletwin.forces import Force, Laid, Landed, Push, Taken
from tabletwin.loadcell import LoadCell
from tabletwin.pieces import Piece
from tabletwin.plan import Plan
from tabletwin.scheduler import Impossible
from tabletwin.shocks import ON_BASE, ON_CELLS, SOFTLY, Shocks
from tabletwin.things import Bag, Card, LooseTag, Park, Pile, Platform, Thing

CUBES_A_SEAT = 8
CITY_RADIUS = 3


def places(seats: int) -> tuple[str, ...]:
    """Return every place of the table where the rulebook lays things, sensed or not; columns come with their types."""
    around = range(-CITY_RADIUS, CITY_RADIUS + 1)
    city = [f"city/{q}/{r}" for q in around for r in around if abs(q + r) <= CITY_RADIUS]
    own = [
        f"seat/{seat}/{place}"
        for seat in range(1, seats + 1)
        for place in ("pad/0", "pad/1", "pad/2", "card/0", "card/1", "card/2", "bag")
    ]
    supply = [*(f"supply/platform/{k}" for k in range(3)), *(f"supply/landmark/{k}" for k in range(4))]
    return (*city, *own, *supply)


class Seat:
    """A player's things in the play area outside the sensed spots."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.pieces: list[Piece] = []
        self.cubes = CUBES_A_SEAT
        self.completed: list[Card] = []
        self.park: Park | None = Park(number)


class Chairs:
    """The seats that people at browsers wish for, and those whose things they move; bots move all others."""

    def __init__(self) -> None:
        self.wished: set[int] = set()
        self.given: set[int] = set()


class World:
    """All things of one table: each on one spot, in somebody's hands, or in the box. The plan says what is sensed."""

    def __init__(self, plan: Plan, pieces: list[Piece], rng: Random, now_us: Callable[[], int], shocks: Shocks) -> None:
        self._plan = plan
        self.shocks = shocks
        self.chairs = Chairs()
        self._rng = rng
        self._now_us = now_us
        self._pieces = pieces
        sensed = [spot.spot for station in plan.stations for spot in station.spots]
        self._lying: dict[str, list[Thing]] = {spot: [] for spot in (*sensed, *places(plan.seats))}
        self._loaded_g = dict.fromkeys(self._lying, 0.0)
        self._cells: dict[str, list[LoadCell]] = {}
        self._carried_g: dict[str, list[float]] = {}  # what each cell under a spot carries of what lies there
        self._leaving: dict[str, tuple[Thing, int]] = {}  # lifted, and in the reader's field until then
        self.claimed: set[str] = set()
        self.presses: dict[int, int] = {}
        self.cranes: dict[str, float] = {}
        self.missed_until_us: dict[str, int] = {}
        self.clear()

    def clear(self) -> None:
        """Put everything back into the box."""
        self.box: list[Piece] = list(self._pieces)
        self.bag = Bag([])
        self.stack: list[Platform] = []
        self.aside: list[Card] = []
        self.landmarks: list[Card] = []
        self.piles: dict[str, Pile] = {}
        self.seats = {number: Seat(number) for number in range(1, self._plan.seats + 1)}
        for spot in self._lying:
            self._lying[spot].clear()
            self.feel(spot)

    # what lies where

    @property
    def spots(self) -> tuple[str, ...]:
        """Return every spot of the table."""
        return tuple(self._lying)

    def open(self, spot: str) -> str:
        """Make sure that things can lie on a spot, also where nothing senses it; return it."""
        self._lying.setdefault(spot, [])
        self._loaded_g.setdefault(spot, 0.0)
        return spot

    def lying(self, spot: str) -> list[Thing]:
        """Return what lies on a spot, from below; raise Impossible when the table has no such spot."""
        try:
            return list(self._lying[spot])
        except KeyError:
            raise Impossible(f"this table has no spot {spot!r}") from None

    def top(self, spot: str) -> Thing | None:
        """Return what lies on top of a spot."""
        things = self.lying(spot)
        return things[-1] if things else None

    def spot_of(self, thing: Thing) -> str | None:
        """Return the spot where a thing lies."""
        return next((spot for spot, things in self._lying.items() if thing in things), None)

    def seat(self, number: int) -> Seat:
        """Return a player's things; raise Impossible if there is no such seat."""
        try:
            return self.seats[number]
        except (KeyError, TypeError):
            raise Impossible(f"nobody sits at seat {number!r}: this table has seats 1-{len(self.seats)}") from None

    def free_spot(self, prefix: str) -> str:
        """Return the first empty spot of a kind for which nobody is reaching; raise Impossible."""
        free = [spot for spot in self._lying if spot.startswith(prefix) and self.is_free(spot)]
        if not free:
            raise Impossible(f"no free spot at {prefix}: take something away first")
        return free[0]

    def is_free(self, spot: str) -> bool:
        """Return whether a thing can be laid there."""
        return not self._lying[spot] and spot not in self.claimed

    def find(self, prefix: str, name: str) -> str:
        """Return the spot with this beginning that holds a thing whose name begins with `name`; raise Impossible."""
        for spot, things in self._lying.items():
            if spot.startswith(prefix) and any(f"{thing.name}/".startswith(f"{name}/") for thing in things):
                return spot
        raise Impossible(f"no {name!r} lies at {prefix or 'any spot'}")

    # what hands do

    def put(self, spot: str, thing: Thing, *, below: bool = False) -> int:
        """Lay a thing on a spot, on top of what lies there or below it; return how many microseconds the hand needs."""
        things = self._lying[spot]
        things.insert(0 if below else len(things), thing)
        return self.feel(spot)

    def lift(self, spot: str, thing: Thing) -> int:
        """Take a thing off a spot; return the microseconds until it is off, and out of the reader's field.

        Raise Impossible if it is no longer there.
        """
        if thing not in self.lying(spot):
            raise Impossible(f"{thing} no longer lies on {spot}: somebody else took it")
        on_top = self._lying[spot][-1] is thing
        self._lying[spot].remove(thing)
        takes_us = self.feel(spot)
        if on_top:
            self._leaving[spot] = (thing, self._now_us() + takes_us)
        return takes_us

    def feel(self, spot: str) -> int:
        """Change the load of a spot by hand: its cells feel it, for as many microseconds as are returned."""
        load_g = self._load_g(spot)
        delta_g, self._loaded_g[spot] = load_g - self._loaded_g[spot], load_g
        if abs(delta_g) < 1e-9:
            return 0
        handled = (Laid if delta_g > 0 else Taken)(self._now_us(), delta_g, self._rng)
        self._shift(spot, handled)
        if delta_g < 0:
            self.shocks.taken(spot, handled.at_us, handled.done_us)
        else:
            way = SOFTLY if self.bag in self._lying[spot] else ON_CELLS if spot in self._cells else ON_BASE
            self.shocks.laid(spot, handled.at_us, delta_g, way)
        return handled.done_us - handled.at_us

    def fall(self, spot: str, forces: Iterable[Force]) -> None:
        """Change what lies on a spot by a fall: its cells feel these forces, some of them not at once."""
        self._loaded_g[spot] = self._load_g(spot)
        for force in forces:
            self._shift(spot, force)
            self._knock(spot, force)

    # what sensors feel

    def uid(self, spot: str) -> str | None:
        """Return the tag in a reader's field."""
        now_us = self._now_us()
        if self.missed_until_us.get(spot, -1) > now_us:
            return None
        lying, (leaving, until_us) = self._lying[spot], self._leaving.get(spot, (None, 0))
        thing = leaving if until_us > now_us else lying[-1] if lying else None
        if thing is None:
            return None
        return thing.uid if isinstance(thing, LooseTag) else self._plan.uids.get(thing.name)

    def acceleration_mg(self, station: str, t_us: int) -> tuple[float, float, float]:
        """Return what a chip on the base of a station feels at a moment of the last second, gravity included."""
        return self.shocks.acceleration_mg(station, t_us)

    def under(self, spot: str, cells: list[LoadCell]) -> None:
        """Return the cells under a spot, new after a station's restart; they begin with what lies there."""
        self._cells[spot] = cells
        if spot not in self._carried_g:
            self._carried_g[spot] = [self._loaded_g[spot] * share for share in self._shares(len(cells))]
        for cell, carried_g in zip(cells, self._carried_g[spot], strict=True):
            cell.carry(carried_g)

    def cell(self, spot: str, number: int) -> LoadCell:
        """Return one cell under a spot; raise Impossible if there is none."""
        cells = self._cells.get(spot, [])
        if not 0 <= number < len(cells):
            raise Impossible(f"under {spot} is no cell {number}: it has {len(cells)}")
        return cells[number]

    def push(self, spot: str, grams: float, duration_us: int, tremble: float = 0.2) -> None:
        """Press on a spot with a hand or an elbow for a while (negative: pull)."""
        self.press(spot, Push(self._now_us(), duration_us, grams, tremble))
        self.shocks.pressed(spot, self._now_us(), grams)

    def press(self, spot: str, force: Force) -> None:
        """Apply a force to a spot, somewhere on its plate."""
        cells = self._cells.get(spot, [])
        for cell, share in zip(cells, self._shares(len(cells)), strict=True):
            cell.press(force, share)
        self._knock(spot, force)

    def _knock(self, spot: str, force: Force) -> None:
        """Strike the base through the cells with what lands on the tile."""
        if isinstance(force, Landed):
            for at_us, impulse in force.blows:
                self.shocks.strike(spot, at_us, impulse, ON_CELLS)

    def _load_g(self, spot: str) -> float:
        """Return the weight of all that lies on a spot."""
        return sum(thing.mass_g for thing in self._lying[spot])

    def _shift(self, spot: str, force: Force) -> None:
        """Place a load that comes somewhere on the plate; a load that goes was carried as all that lies there is."""
        if spot not in self._cells:
            return
        carried_g = self._carried_g[spot]
        shares = self._shares(len(carried_g)) if force.left_g > 0 else [one_g / sum(carried_g) for one_g in carried_g]
        self._carried_g[spot] = [one_g + force.left_g * share for one_g, share in zip(carried_g, shares, strict=True)]
        for cell, share in zip(self._cells[spot], shares, strict=True):
            cell.press(force, share)

    def _shares(self, cells: int) -> list[float]:
        """Divide a load among several cells, by where on the plate it lies."""
        weights = [1.0 + self._rng.uniform(-0.35, 0.35) for _ in range(cells)]
        total = sum(weights)
        return [weight / total for weight in weights]
