"""Act out what people do at one spot, by hands that are muscles; and what falls there, by `falling`."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from citytable_lab.second.falling import Ground, fall
from citytable_lab.second.hands import Goal, Person
from citytable_lab.second.table import Spot

Floats = NDArray[np.float64]

RANGES_G = {"heavy": (6.0, 16.0), "house": (0.6, 5.5)}
REACH_MM = 34.0


class Players:
    """The people at one spot, and the pieces they build with."""

    def __init__(self, rng: np.random.Generator, piece_set: str, spot: Spot) -> None:
        self.rng, self.spot = rng, spot
        self.low_high = RANGES_G[piece_set]
        self.person = Person(rng)
        self.plate_g = float(rng.uniform(90, 240))
        self.table_hz = float(rng.uniform(7, 45))

    def add(self) -> None:
        """Set a piece down: its weight comes as the hand sinks, is pressed or not, and let go."""
        spot, rng, person = self.spot, self.rng, self.person
        before, onset = (spot.mass_g, spot.height_mm), spot.now
        mass = float(rng.uniform(0.75, 1.25)) if rng.random() < 0.1 else float(rng.uniform(*self.low_high))
        x, y = (rng.uniform(-1, 1, 2) * REACH_MM * 0.7).tolist()
        weight = mass * person.transfer()
        goals: list[Goal] = [(float(rng.uniform(0.1, 0.6)), float(rng.uniform(0, 0.4)) * person.press_g)]
        for _ in range(int(rng.integers(0, 3))):
            goals.append((float(rng.uniform(0.05, 0.3)), person.press_g * float(rng.lognormal(0, 0.5))))
            goals.append((float(rng.uniform(0.05, 0.4)), 0.1 * person.press_g))
        held = person.follow([*goals, (0.25 * person.hurry, 0.0)])
        spot.add(onset, held * _ending(len(held), 40), x, y)
        rise = float(rng.choice([0, 9, 14, 19, 24, 33])) if spot.height_mm < 220 else 0.0
        spot.pieces.append((mass, x, y, max(rise, 9.0) if not spot.height_mm else rise))
        self._arrives(weight, mass, x, y)
        spot.rest_until(onset + len(held))
        spot.note("piece_added", "piece", onset, spot.now, before, piece_g=round(mass, 3), n=1)

    def take(self) -> None:
        """Take the newest pieces: gripped, loosened, and the weight goes as it came."""
        spot, rng, person = self.spot, self.rng, self.person
        if not spot.pieces:
            self.add()
            return
        before = (spot.mass_g, spot.height_mm)
        count = min(len(spot.pieces), 1 + int(rng.random() < 0.05) * int(rng.integers(1, 3)))
        taken = spot.pieces[-count:]
        mass = sum(piece[0] for piece in taken)
        x = sum(piece[0] * piece[1] for piece in taken) / mass
        y = sum(piece[0] * piece[2] for piece in taken) / mass
        grip = person.follow([(float(rng.uniform(0.1, 0.7)), float(rng.normal(0.2, 0.4)) * person.press_g)])
        spot.add(spot.now, grip * _ending(len(grip), 30), x, y)
        spot.rest_until(spot.now + len(grip))
        onset = spot.now
        del spot.pieces[-count:]
        self._arrives(-mass * person.transfer(), -mass, x, y)
        spot.note("piece_removed", "piece", onset, spot.now, before, piece_g=round(-mass, 3), n=count)

    def _arrives(self, change: Floats, whole: float, x: float, y: float) -> None:
        """Let a weight come or go along a curve; `spot.pieces` has it already."""
        lever = np.array([1.0, -y, x])
        self.spot.run(self.spot.resting() + (change - whole)[:, None] * lever)

    def lift_and_put(self) -> None:
        """Lift the platform with its building, corner by corner or at once, and put it back."""
        self.lift()
        self.put()

    def lift(self) -> None:
        """Lift the platform with its building, and hold it for a while."""
        spot, rng, person = self.spot, self.rng, self.person
        before, onset = (spot.mass_g, spot.height_mm), spot.now
        whole, goes = spot.resting(), np.clip(person.transfer(), 0, 1)
        pulled = person.follow([(float(rng.uniform(0.05, 0.5)), -float(rng.uniform(0, 0.3)) * whole[0])])
        spot.add(onset, pulled * _ending(len(pulled), 20), *rng.normal(0, 15, 2))
        spot.rest_until(onset + len(pulled))
        spot.away = True
        spot.run((1 - goes)[:, None] * whole)
        spot.note("platform_lifted", "lift", onset, spot.now, before)
        spot.rest(float(rng.uniform(0.6, 6)))

    def put(self) -> None:
        """Put the platform down as it is now."""
        spot, rng, person = self.spot, self.rng, self.person
        whole = spot.standing()
        back = (spot.mass_g, spot.height_mm)
        onset = spot.now
        spot.away = False
        comes = np.clip(person.transfer(), 0, 1)
        settles = person.follow([(0.2, float(rng.uniform(0, 1.5)) * person.press_g), (0.3, 0.0)])
        spot.add(onset, settles * _ending(len(settles), 30), *rng.normal(0, 15, 2))
        spot.run(comes[:, None] * whole)
        spot.rest_until(onset + len(settles))
        spot.note("platform_placed", "put", onset, spot.now, back)

    def lean(self) -> None:
        """Lean on it for a while."""
        rng = self.rng
        grams = float(np.exp(rng.uniform(np.log(3), np.log(700))))
        force = self.person.follow([(float(rng.uniform(0.15, 5)), grams), (0.4 * self.person.hurry, 0.0)])
        self.disturbs("lean", force)

    def straighten(self) -> None:
        """Straighten the tower: short pushes this way and that."""
        rng, press = self.rng, self.person.press_g
        goals = [(float(rng.uniform(0.05, 0.4)), float(rng.normal(0, 0.8)) * press) for _ in range(rng.integers(1, 6))]
        self.disturbs("touch", self.person.follow([*goals, (0.3, 0.0)]))

    def slide(self) -> None:
        """Slide the platform: it sticks and slips, and the hand presses while it pushes."""
        rng = self.rng
        n = int(rng.uniform(250, 1600))
        slips = (np.arange(n) % int(rng.uniform(25, 160))) / 100.0
        pressed = self.person.follow([(n / 1000, float(rng.uniform(-0.5, 1.2)) * self.person.press_g), (0.3, 0.0)])
        force = pressed + np.pad(slips * float(rng.uniform(0.3, 5)), (0, len(pressed) - n))
        self.disturbs("slide", force)

    def bump(self) -> None:
        """Bump the table, which throws what lies on the plate."""
        self.disturbs("bump", self._thrown())

    def _thrown(self) -> Floats:
        """Return the force of a bumped table, which swings in two ways."""
        rng, n = self.rng, 1500
        t = np.arange(n) / 1000
        throw = np.zeros(n)
        for hertz in (self.table_hz, self.table_hz * float(rng.uniform(1.4, 3))):
            share = float(np.exp(rng.uniform(np.log(0.004), np.log(0.15))))
            throw += share * np.exp(-t / float(rng.uniform(0.03, 0.3))) * np.sin(2 * np.pi * hertz * t)
        return throw * (self.plate_g + self.spot.mass_g + self.spot.tile_g)

    def neighbour(self) -> None:
        """Put something down beside it: a knock, of which a part is felt here."""
        rng = self.rng
        hit = self.person.follow([(float(rng.uniform(0.02, 0.2)), float(rng.uniform(-3, 3))), (0.3, 0.0)])
        self.disturbs("neighbour", hit)

    def disturbs(self, sub: str, force: Floats) -> None:
        """Let a force come and go, which changes nothing."""
        spot = self.spot
        onset = spot.now
        spot.add(onset, force * _ending(len(force), 60), *self.rng.normal(0, 20, 2))
        spot.rest_until(onset + len(force))
        spot.note("disturbance", sub, onset, spot.now, (spot.mass_g, spot.height_mm))

    def falls(self) -> None:
        """Let one piece, some or all fall: by themselves, touched, or swept by an arm."""
        spot, rng = self.spot, self.rng
        if not spot.pieces:
            return
        before, total, began = (spot.mass_g, spot.height_mm), len(spot.pieces), spot.now
        trigger = str(rng.choice(["none", "push", "bump", "sweep"], p=[0.2, 0.4, 0.15, 0.25]))
        count = max(1, round(total * rng.uniform(0.6, 1))) if trigger == "sweep" else int(rng.integers(1, total + 1))
        if trigger != "sweep" and rng.random() < 0.3:
            count = 1
        speed = self._caused(trigger)
        onset, going = spot.now, np.array(spot.pieces[total - count :])
        heights = np.cumsum([piece[3] for piece in spot.pieces])[total - count :] - going[:, 3] / 2
        ground = Ground(
            spot.tile_mm / 2, float(rng.uniform(25, 120)), float(rng.uniform(0.1, 0.7)), float(rng.uniform(0.1, 0.6))
        )
        heading = rng.uniform(0, 2 * np.pi)
        pushed = speed * np.array([np.cos(heading), np.sin(heading)])
        went = fall(rng, going[:, 0], going[:, 1:3], heights, ground, pushed)
        stayed = [
            (float(mass), float(x), float(y), 8.0 if not number else 0.0)
            for number, (mass, (x, y)) in enumerate(zip(going[went.stays, 0], went.at_mm[went.stays], strict=True))
        ]
        del spot.pieces[total - count :]
        under = spot.resting()
        spot.pieces += stayed
        spot.run(under + went.wrench)
        self._told(trigger, began, onset, before, (total, count, count - len(stayed)))

    def _told(self, trigger: str, began: int, onset: int, before: tuple[float, float], n: tuple[int, int, int]) -> None:
        total, count, off = n
        whole = count >= total / 2 or self.spot.height_mm <= before[1] / 2
        more = {"trigger": trigger, "t_trigger_us": 1000 * began, "n_pieces": total, "n_fallen": count, "n_off": off}
        kind = "collapse" if whole else "partial_collapse"
        self.spot.note(kind, "fall", onset, self.spot.now, before, **more)

    def _caused(self, trigger: str) -> float:
        """Act out the cause; return the speed in mm/s that pieces have from it, and leave time where they begin."""
        rng, spot = self.rng, self.spot
        if trigger == "none":
            return 0.0
        if trigger == "bump":
            spot.add(spot.now, self._thrown(), *rng.normal(0, 20, 2))
            spot.rest(float(rng.uniform(0.03, 0.9)))
            return 20.0
        grams = float(np.exp(rng.uniform(np.log(0.4), np.log(12))))
        force = self.person.follow([(float(rng.uniform(0.08, 0.7)), grams), (float(rng.uniform(0.1, 0.8)), 0.0)])
        spot.add(spot.now, force * _ending(len(force), 60) * float(rng.uniform(-0.5, 0.7)), *rng.normal(0, 25, 2))
        spot.rest(float(rng.uniform(0.05, 0.5)))
        return float(rng.uniform(80, 500)) if trigger == "sweep" else float(rng.uniform(5, 90))


def _ending(n: int, over: int) -> Floats:
    """Return ones that end in zero, as a hand that is gone."""
    over = min(over, n)
    return np.concatenate([np.ones(n - over), np.linspace(1, 0, over)])


CALM: tuple[tuple[Callable[[Players], None], float], ...] = (
    (Players.add, 9),
    (Players.take, 4.5),
    (Players.lift_and_put, 1.2),
    (Players.lean, 2.5),
    (Players.straighten, 2),
    (Players.slide, 1.2),
    (Players.bump, 2),
    (Players.neighbour, 1.2),
)
"""What people do when nothing falls, and how often against each other."""
