"""Models how high a tower becomes and whether it survives being slid into the city, from its pieces.

The figures are in `building_model.json`, which `tools/fit_building.py` fits to the lab's physics; `version` names their
meaning. People imagine several designs and build the lowest one that is high enough, because it is the safest. A
requirement that shapes a building (R23: an archway, a courtyard) adds its share to both; one that forbids a material
acts through the pieces, and one that the engine has no word for has no effect.
"""

import math
import random
from collections.abc import Mapping, Sequence
from importlib.resources import files

import msgspec

from citytable.games.megacity.pieces import Contract, Requirement
from citytable.games.megacity.position import Pieces

DESIGNS = 6
CUBE_MM = 8  # on top of the building, and part of its height (R18, R22)
LOWEST_MM = 8  # of any piece, however it lies


class Shape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The share that a requirement adds to the mean height of a design, and to the odds that it stands."""

    mean_mm: float
    survives: float


_NO_SHAPE = Shape(0.0, 0.0)


class BuildingModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Straight lines over the number of pieces, and a logistic regression.

    `mean_mm` and `spread_mm` are intercept and slope of the height of a design. `survives` are intercept and
    coefficients of the odds that it stands at the end of the slide: pieces, height in cm, share of steel. `shapes` are
    what requirements add.
    """

    version: int
    towers: int
    seed: int
    mean_mm: tuple[float, float]
    spread_mm: tuple[float, float]
    survives: tuple[float, float, float, float]
    shapes: Mapping[Requirement, Shape]

    def _shaped(self, requirements: Sequence[Requirement]) -> Shape:
        shapes = [self.shapes.get(one, _NO_SHAPE) for one in requirements]
        return Shape(sum(one.mean_mm for one in shapes), sum(one.survives for one in shapes))

    def chance_to_stand(self, pieces: Pieces, height_mm: int, contract: Contract) -> float:
        """Return the probability that a tower of these pieces and that height stands at the end of the slide."""
        known = pieces.steel + pieces.concrete + pieces.glass
        steel = pieces.steel / known if known else 0.0
        intercept, by_piece, by_cm, by_steel = self.survives
        odds = intercept + by_piece * pieces.total + by_cm * height_mm / 10 + by_steel * steel
        odds += self._shaped(contract.requirements).survives
        return 1 / (1 + math.exp(-odds))

    def built_mm(self, rng: random.Random, pieces: Pieces, contract: Contract) -> int | None:
        """Draw how high the pieces are built for a contract; None if no design is high enough."""
        count = pieces.total
        mean = self.mean_mm[0] + self.mean_mm[1] * count + self._shaped(contract.requirements).mean_mm
        spread = max(1.0, self.spread_mm[0] + self.spread_mm[1] * count)
        designs = [max(LOWEST_MM, round(rng.gauss(mean, spread))) + CUBE_MM for _ in range(DESIGNS)]
        return min((design for design in designs if design >= contract.height_mm), default=None)


MODEL: BuildingModel = msgspec.json.decode(
    files(__package__).joinpath("building_model.json").read_bytes(), type=BuildingModel
)
