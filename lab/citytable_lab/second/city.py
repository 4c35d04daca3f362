"""Act out a hex of the city: platforms with buildings come, touch and go, things fall, and nobody takes a piece."""

from collections.abc import Callable

import numpy as np

from citytable_lab.second.acts import Players

TOUCH_G = 0.5  # what a platform that is pushed against this one takes over or leaves, in the mean
FALLS_MAX = 2


def bring(players: Players) -> None:
    """Take this platform away, and bring another one with a building."""
    players.lift()
    _other(players)
    players.put()


def _other(players: Players) -> None:
    spot, rng = players.spot, players.rng
    spot.lent = np.zeros(3)
    spot.pieces = []
    for number in range(int(rng.integers(3, 12))):
        x, y = (rng.uniform(-1, 1, 2) * 24).tolist()
        rise = float(rng.choice([0, 9, 14, 19, 24, 33]))
        spot.pieces.append((float(rng.uniform(*players.low_high)), x, y, rise if number else 14.0))


def pushed(players: Players) -> None:
    """Push another platform against this one: its edge rubs and knocks, and lies on this one a little from then on."""
    spot, rng, person = players.spot, players.rng, players.person
    onset, before = spot.now, (spot.mass_g, spot.height_mm)
    goals = [(float(rng.uniform(0.05, 0.4)), float(rng.normal(0, 0.4)) * person.press_g) for _ in range(3)]
    force = person.follow([*goals, (0.3, 0.0)])
    spot.add(onset, force * np.linspace(1, 0, len(force)), *rng.normal(0, 30, 2))
    spot.rest_until(onset + int(rng.integers(40, len(force))))
    old = spot.resting()
    x, y = rng.normal(0, 30, 2).tolist()
    spot.lent = (spot.lent if rng.random() < 0.5 else np.zeros(3)) + rng.laplace(0, TOUCH_G) * np.array([1.0, -y, x])
    way = np.linspace(0, 1, int(rng.integers(8, 150)))[:, None]
    spot.run(old * (1 - way) + spot.resting() * way)
    spot.rest_until(onset + len(force))
    spot.note("disturbance", "neighbour", onset, spot.now, before)


ACTS: tuple[tuple[Callable[[Players], None], float], ...] = (
    (pushed, 3),
    (Players.slide, 1.2),
    (Players.lift_and_put, 0.5),
    (bring, 0.4),
    (Players.lean, 0.8),
    (Players.straighten, 0.6),
    (Players.bump, 2),
    (Players.neighbour, 1),
)
"""What people do around a building of the city, and how often against each other."""


def play_city(rng: np.random.Generator, players: Players, seconds: float) -> None:
    """Play for so long; in two traces of three something falls, once or twice."""
    spot = players.spot
    if rng.random() < 0.5 or len(spot.pieces) < 2:
        bring(players)
    acts, weights = zip(*ACTS, strict=True)
    shares = np.array(weights) / sum(weights)
    pause_s = float(rng.uniform(0.6, 3.0))
    falls = int(rng.choice([0, 1, FALLS_MAX]))
    falls_ms = sorted(rng.uniform(3, seconds, falls) * 1000)
    while spot.now < 1000 * seconds:
        spot.rest(float(rng.exponential(pause_s)) + 0.3)
        if not falls_ms or spot.now < falls_ms[0]:
            acts[int(rng.choice(len(acts), p=shares))](players)
            continue
        falls_ms.pop(0)
        if len(spot.pieces) < 2:
            bring(players)
            spot.rest(float(rng.uniform(0.8, 3.0)))
        players.falls()
        spot.rest(float(rng.uniform(1.5, 8.0)))
        _put_right(rng, players)
    spot.rest(2.6)


def _put_right(rng: np.random.Generator, players: Players) -> None:
    """Let hands do what they do after a fall: nothing, put a piece back, or take all away.

    What is left of a building that collapsed they may gather (R35); what lost a few pieces stands on.
    """
    match int(rng.integers(4)):
        case 1:
            players.add()
        case 2 if players.spot.labels[-1]["kind"] == "collapse":
            while players.spot.pieces:
                players.take()
                players.spot.rest(float(rng.uniform(0.2, 1.5)))
        case 3:
            bring(players)
        case _:
            pass
    players.spot.rest(2.6)
