"""Draw habits: what stays the same throughout one trace, that is the people, their pieces, the tile and the table."""

from typing import Literal, TypeAlias

import msgspec
import numpy as np

PieceSet: TypeAlias = Literal["heavy", "house"]
PIECE_G = {"heavy": (6.0, 17.0), "house": (0.5, 6.0)}
DEFT = 0.2  # share of tables whose people hardly touch what stands there: their pieces come and go by themselves


class Habits(msgspec.Struct, frozen=True):
    """Hold the ways of one group of people at one table. Forces in g are medians, from which each act draws its own."""

    piece_set: PieceSet
    tile_g: float
    tile_mm: float
    pace: float  # how long everything takes, 1 is usual
    press_g: float  # pressing a piece down
    hold_g: float  # a hand that still holds it
    wobble_g: float  # how restless it is
    wobble_hz: float
    tremor_g: float
    tremor_hz: float
    drops: float  # share of pieces let go above where they land
    taps: float  # share of pieces tapped before letting go
    fumbles: float  # share of pieces set down twice, knocked, or hesitated about
    stacks: float  # share of acts with several pieces at once
    two_handed: float
    hand_seen: float  # share of acts whose hand the range sensors see
    hand_share: float  # of their field of view
    hand_above_mm: float
    hand_roams_mm: float
    table_hz: float
    table_damping: float
    inertia_g: float  # plate, tile and half a building: what a shaken table throws at the cells


def _log(rng: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def draw_habits(rng: np.random.Generator, piece_set: PieceSet) -> Habits:
    """Draw habits as varied as people's are."""
    gentle = 1.0 if piece_set == "heavy" else 0.6
    if rng.random() < DEFT:
        gentle *= _log(rng, 0.04, 0.5)
    return Habits(
        piece_set=piece_set,
        tile_g=round(float(rng.uniform(12, 60)), 2),
        tile_mm=round(float(rng.uniform(80, 105) if rng.random() < 0.8 else rng.uniform(115, 140)), 1),
        pace=_log(rng, 0.55, 1.8),
        press_g=gentle * _log(rng, 1.5, 45),
        hold_g=gentle * _log(rng, 0.3, 12),
        wobble_g=gentle * _log(rng, 0.15, 9),
        wobble_hz=float(rng.uniform(1.5, 9)),
        tremor_g=gentle * _log(rng, 0.02, 1.5),
        tremor_hz=float(rng.uniform(7.5, 12.5)),
        drops=float(rng.uniform(0, 0.25)),
        taps=float(rng.uniform(0, 0.3)),
        fumbles=float(rng.uniform(0, 0.3)),
        stacks=float(rng.uniform(0, 0.06)),
        two_handed=float(rng.uniform(0, 0.5)),
        hand_seen=1.0 if rng.random() < 0.75 else float(rng.uniform(0.5, 1.0)),
        hand_share=1.0 if rng.random() < 0.6 else float(rng.uniform(0.6, 1.0)),
        hand_above_mm=float(rng.uniform(0, 130)),
        hand_roams_mm=float(rng.uniform(0, 3)) if rng.random() < 0.6 else 0.0,
        table_hz=_log(rng, 5, 60),
        table_damping=_log(rng, 0.02, 0.3),
        inertia_g=float(rng.uniform(70, 260)),
    )
