"""Plausible: what rests on a spot, held against its calibration. What does not fit is said, not guessed.

A wrong zero, two cells whose plugs were swapped, or a building that is not the one the start describes all give a load
that rests as calmly as a right one.
"""

from collections.abc import Sequence

from citytable.sensing.calibration import Start

START_G, START = 5.0, 0.1  # a start that weighs otherwise by more than this, and this share, is not the start told
LIGHT_G, LIGHT = 30.0, 0.35  # a cell of several shows no less than this below nothing, and than this share of the load
BELOW_G = 8.0  # nothing weighs so much less than an empty spot


class Plausible:
    """Judges the loads of one spot whenever they rest; each doubt is reported once, and again after it was cleared."""

    def __init__(self, start: Start, tile_g: float) -> None:
        self._start = start
        self._tile_g = tile_g
        self._first = True
        self._doubted = ""

    def rests(self, mass_g: float, cells_g: Sequence[float]) -> list[str]:
        """Return what is odd about a load that rests: `mass_g` less the platform, `cells_g` of each cell, all of it."""
        said: list[str] = []
        if self._first and self._start != Start():
            off_g = mass_g - self._start.mass_g
            if abs(off_g) > max(START_G, START * self._start.mass_g):
                said.append(
                    f"{mass_g:.1f} g rest here at first, and the start says {self._start.mass_g:.1f} g: "
                    "correct `start`, or calibrate"
                )
        self._first = False
        doubt = self._doubt(mass_g + self._tile_g, cells_g)
        if doubt and not self._doubted:
            said.append(doubt)
        self._doubted = doubt
        return said

    @staticmethod
    def _doubt(total_g: float, cells_g: Sequence[float]) -> str:
        if total_g < -BELOW_G:
            return f"the spot weighs {total_g:.1f} g, less than nothing: check `zero_counts`, or calibrate"
        lowest_g = min(cells_g)
        if len(cells_g) > 1 and lowest_g < -LIGHT_G - LIGHT * total_g:
            index = list(cells_g).index(lowest_g)
            return (
                f"cell {index} shows {lowest_g:.1f} g of {total_g:.1f} g: check whether the cells' plugs or "
                "calibrations are swapped"
            )
        return ""
