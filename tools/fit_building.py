"""Fit how towers come out to the lab's physics: `python tools/fit_building.py --towers 150 > FILE`.

Towers of 3 to 14 pieces are drawn as people might build them, on all three ports (R19), for each requirement that
shapes a building and for none, let stand, and slid as a careful hand slides a platform. Two things are fitted: how high
a tower of so many pieces becomes, a mean and a spread that grow with the pieces; and the odds that a tower that stood
survives the slide, by its pieces, its height, and its share of steel. What a requirement adds to either stands beside
its name.
"""

import argparse
import json
import sys

import numpy as np

from citytable_lab.episode import Episode
from citytable_lab.fall_labels import judge
from citytable_lab.requirements import SHAPED, Shaped, built_for
from citytable_lab.scene import random_surface
from citytable_lab.triggers import plan_trigger

VERSION = 3
PIECES = (3, 14)
TILE_MM = (80, 105)
CAREFUL = 0.35  # of the strength of a hasty slide
STEPS = 25  # of Newton's method, which needs about six
RIDGE = 1.0  # keeps a coefficient near 0 that few towers tell anything about

Slid = tuple[int, float, float, bool, Shaped | None]
"""Pieces, height in mm, share of steel, whether it survived, and the requirement it was built for."""


def towers(count: int, seed: int, wanted: Shaped | None = None) -> list[Slid]:
    """Return what became of towers that stood as built, for a requirement or for none."""
    found: list[Slid] = []
    while len(found) < count:
        rng = np.random.default_rng([seed, len(found), count])
        seed += 1
        tower = built_for(rng, rng.uniform(*TILE_MM), int(rng.integers(PIECES[0], PIECES[1] + 1)), wanted)
        if tower is None:
            continue
        episode = Episode(tower, plan_trigger(rng, tower, "slide", loaded=True), random_surface(rng))
        if not episode.stands():
            continue
        played = episode.play(CAREFUL, 0)
        verdict = None if played is None else judge(played.course)
        survived = verdict is not None and verdict.fallen == 0
        steel = sum(piece.material == "steel" for piece in tower.pieces) / len(tower.pieces)
        found.append((len(tower.pieces), tower.height_mm, steel, survived, wanted))
    return found


def _shapes(seen: list[Slid]) -> np.ndarray:
    """Return for each tower a row with 1 at the requirement it was built for."""
    return np.array([[float(wanted == shape) for shape in SHAPED] for *_, wanted in seen])


def odds(seen: list[Slid]) -> list[float]:
    """Return a logistic regression: intercept, coefficients of pieces, height in cm and share of steel, and shapes."""
    known = np.array([[1.0, pieces, height / 10, steel] for pieces, height, steel, *_ in seen])
    x = np.hstack([known, _shapes(seen)])
    y = np.array([float(survived) for *_, survived, _ in seen])
    weights = np.zeros(x.shape[1])
    ridge = np.diag([0.0, *[RIDGE] * (x.shape[1] - 1)])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (y - chance) - ridge @ weights
        weights += np.linalg.solve(x.T @ (x * (chance * (1 - chance))[:, None]) + ridge, slope)
    return [round(float(weight), 4) for weight in weights]


def heights(seen: list[Slid]) -> tuple[list[float], list[float]]:
    """Return the height in mm by least squares.

    The mean is intercept, slope over the pieces, and what each shape adds; the spread is intercept and slope.
    """
    pieces, height = (np.array([one[k] for one in seen], dtype=float) for k in (0, 1))
    x = np.hstack([np.ones((len(seen), 1)), pieces[:, None], _shapes(seen)])
    mean = np.linalg.lstsq(x, height, rcond=None)[0]
    spread = np.polynomial.Polynomial.fit(pieces, np.abs(height - x @ mean), 1).convert() * np.sqrt(np.pi / 2)
    return [round(float(c), 2) for c in mean], [round(float(c), 2) for c in spread.coef]


def fitted(seen: list[Slid], seed: int) -> dict[str, object]:
    """Return the model as it stands in `building_model.json`."""
    (mean, spread), survives = heights(seen), odds(seen)
    shapes = {
        shape: {"mean_mm": mean_mm, "survives": by}
        for shape, mean_mm, by in zip(SHAPED, mean[2:], survives[4:], strict=True)
    }
    known = {"mean_mm": mean[:2], "spread_mm": spread, "survives": survives[:4], "shapes": shapes}
    return {"version": VERSION, "towers": len(seen), "seed": seed, **known}


def main() -> None:
    """Print the model as JSON, and on standard error how many of each kind survived."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--towers", type=int, default=150, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    seen: list[Slid] = []
    for wanted in (None, *SHAPED):
        kind = towers(given.towers, given.seed, wanted)
        survived, high_mm = (np.mean([one[k] for one in kind]) for k in (3, 1))
        print(f"{wanted or 'no shape'}: {survived:.2f} survived, {high_mm:.0f} mm high on average", file=sys.stderr)
        seen += kind
    print(json.dumps(fitted(seen, given.seed), indent=2))


if __name__ == "__main__":
    main()
