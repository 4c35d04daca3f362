"""Fit how towers come out to the lab's physics: `python tools/fit_building.py --towers 600 > FILE`.

Towers of 3 to 14 pieces are drawn as people might build them, let stand, and slid as a careful hand slides a platform.
Two things are fitted: how high a tower of so many pieces becomes, a mean and a spread that grow with the pieces; and
the odds that a tower that stood survives the slide, by its pieces, its height, and its share of steel.
"""

import argparse
import json
import sys

import numpy as np

from citytable_lab.episode import Episode
from citytable_lab.fall_labels import judge
from citytable_lab.scene import random_surface
from citytable_lab.tower import random_tower
from citytable_lab.triggers import plan_trigger

VERSION = 1
PIECES = (3, 14)
TILE_MM = (80, 105)
CAREFUL = 0.35  # of the strength of a hasty slide
STEPS = 25  # of Newton's method, which needs about six
RIDGE = 1.0  # keeps a coefficient near 0 that few towers tell anything about


def towers(count: int, seed: int) -> list[tuple[int, float, float, bool]]:
    """Return pieces, height in mm, share of steel, and whether it survived, for towers that stood as built."""
    found = []
    while len(found) < count:
        rng = np.random.default_rng([seed, len(found), count])
        seed += 1
        tower = random_tower(rng, rng.uniform(*TILE_MM), int(rng.integers(PIECES[0], PIECES[1] + 1)))
        episode = Episode(tower, plan_trigger(rng, tower, "slide", loaded=True), random_surface(rng))
        if not episode.stands():
            continue
        played = episode.play(CAREFUL, 0)
        verdict = None if played is None else judge(played.course)
        survived = verdict is not None and verdict.fallen == 0
        steel = sum(piece.material == "steel" for piece in tower.pieces) / len(tower.pieces)
        found.append((len(tower.pieces), tower.height_mm, steel, survived))
    return found


def odds(seen: list[tuple[int, float, float, bool]]) -> list[float]:
    """Return intercept and coefficients of a logistic regression on pieces, height in cm, and share of steel."""
    x = np.array([[1.0, pieces, height / 10, steel] for pieces, height, steel, _ in seen])
    y = np.array([float(survived) for *_, survived in seen])
    weights = np.zeros(x.shape[1])
    ridge = np.diag([0.0, *[RIDGE] * (x.shape[1] - 1)])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (y - chance) - ridge @ weights
        weights += np.linalg.solve(x.T @ (x * (chance * (1 - chance))[:, None]) + ridge, slope)
    return [round(float(weight), 4) for weight in weights]


def heights(seen: list[tuple[int, float, float, bool]]) -> dict[str, list[float]]:
    """Return mean and spread of the height in mm as straight lines over the pieces."""
    pieces, height = (np.array([one[k] for one in seen], dtype=float) for k in (0, 1))
    mean = np.polynomial.Polynomial.fit(pieces, height, 1).convert()
    spread = np.polynomial.Polynomial.fit(pieces, np.abs(height - mean(pieces)), 1).convert() * np.sqrt(np.pi / 2)
    return {"mean_mm": [round(float(c), 2) for c in mean.coef], "spread_mm": [round(float(c), 2) for c in spread.coef]}


def main() -> None:
    """Print the model as JSON, and on standard error how well it fits."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--towers", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    seen = towers(given.towers, given.seed)
    survived = np.mean([one[3] for one in seen])
    print(f"{len(seen)} towers stood, {survived:.2f} of them survived a careful slide", file=sys.stderr)
    model = {"version": VERSION, "towers": len(seen), "seed": given.seed, **heights(seen), "survives": odds(seen)}
    print(json.dumps(model, indent=2))


if __name__ == "__main__":
    main()
