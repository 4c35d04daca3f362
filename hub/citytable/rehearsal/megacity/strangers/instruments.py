"""Sensors of a table that nobody has measured: errors of their own, drawn for each evening."""

import random

from msgspec.structs import replace

from citytable.evenings.rates import Figure, Sensing, load_figures

FACTOR_MAX = 5.0
SLOWER = (0.6, 2.5)  # how much longer or shorter than usual sensors take, drawn per evening
FIGURES = load_figures(__package__)


def _varied(figure: Figure, rng: random.Random) -> Figure:
    """Return a figure with its error 0 to 5 times the usual one, on average the usual one; a share stays a share."""
    value = figure.value
    if isinstance(value, tuple):
        slower = rng.uniform(*SLOWER)
        return replace(figure, value=(value[0] * slower, value[1] * slower))
    if figure.perfect is None:
        return figure
    factor = FACTOR_MAX * rng.betavariate(1, 4)
    varied = max(0.0, figure.perfect + factor * (value - figure.perfect))
    is_share = figure.perfect in {0.0, 1.0} and value <= 1.0
    return replace(figure, value=min(1.0, varied) if is_share else varied)


def drawn_sensing(rng: random.Random, *, perfect: bool) -> Sensing:
    """Return the sensors of one evening."""
    return Sensing(perfect=perfect, figures={name: _varied(one, rng) for name, one in FIGURES.items()})
