"""How high a tower becomes and whether it survives being slid into the city, by what it is built of.

The figures stand in `building_model.json`, which `tools/fit_building.py` fits to the lab's physics; `version` says what
they mean. People draw several designs in their heads and build the lowest that is high enough, since it is the safest.
What a requirement does to the shape (an archway, a courtyard) is not fitted: the lab builds none on purpose.
"""

import math
import random
from importlib.resources import files

import msgspec

from citytable.games.megacity.pieces import Contract
from citytable.games.megacity.position import Pieces

DESIGNS = 6
CUBE_MM = 8  # on top of the building, and part of its height (R18, R22)
LOWEST_MM = 8  # of any piece, however it lies


class BuildingModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Straight lines over the number of pieces, and a logistic regression.

    `mean_mm` and `spread_mm` are intercept and slope of the height of a design. `survives` are intercept and
    coefficients of the odds that it stands at the end of the slide: pieces, height in cm, share of steel.
    """

    version: int
    towers: int
    seed: int
    mean_mm: tuple[float, float]
    spread_mm: tuple[float, float]
    survives: tuple[float, float, float, float]

    def chance_to_stand(self, pieces: Pieces, height_mm: int) -> float:
        """Return how likely a tower of these pieces and that height stands at the end of the slide."""
        known = pieces.steel + pieces.concrete + pieces.glass
        steel = pieces.steel / known if known else 0.0
        intercept, by_piece, by_cm, by_steel = self.survives
        odds = intercept + by_piece * pieces.total + by_cm * height_mm / 10 + by_steel * steel
        return 1 / (1 + math.exp(-odds))

    def built_mm(self, rng: random.Random, pieces: Pieces, contract: Contract) -> int | None:
        """Draw how high the pieces are built for a contract; None if no design is high enough."""
        count = pieces.total
        mean = self.mean_mm[0] + self.mean_mm[1] * count
        spread = max(1.0, self.spread_mm[0] + self.spread_mm[1] * count)
        designs = [max(LOWEST_MM, round(rng.gauss(mean, spread))) + CUBE_MM for _ in range(DESIGNS)]
        return min((design for design in designs if design >= contract.height_mm), default=None)


MODEL: BuildingModel = msgspec.json.decode(
    files(__package__).joinpath("building_model.json").read_bytes(), type=BuildingModel
)
