"""The sizes of the real game and of the crane over it, from `sizes.toml`, which the mechanics read too."""

import tomllib
from importlib.resources import files

import msgspec


class Sizes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hold the sizes that a builder measures, in millimetres."""

    platform_flat_mm: float
    platform_thick_mm: float
    card_mm: tuple[float, float]
    sleeve_mm: tuple[float, float]
    sleeved_card_thick_mm: float
    tower_mm: float
    paddle_range_mm: float


def read_sizes(text: str) -> Sizes:
    """Read the text of such a file; raises `ValueError` if a size is missing, unknown or not a number."""
    return msgspec.convert(tomllib.loads(text), Sizes)


SIZES = read_sizes(files(__package__ or "").joinpath("sizes.toml").read_text(encoding="utf-8"))
