"""Describe a tower to MuJoCo: tile, table, pieces, and one hand.

Masses are in grams, so forces come in millinewtons and MuJoCo's tolerances, meant for kilograms, fit pieces of ten. The
tile hangs on five joints and the hand on three; both are moved, not pushed, and the solver's force on the tile's joints
is the wrench of everything that touches it.
"""

import math
from typing import TYPE_CHECKING

import msgspec
from numpy.random import Generator

from citytable_lab.recording import DT_S
from citytable_lab.tower import Placed, Tower

if TYPE_CHECKING:
    import mujoco

STEP_S = DT_S  # so the force on the tile is known step by step
TILE_DOFS, HAND_DOFS = 5, 3  # x, y, z and tilts about x and y; x, y, z
MOVED_DOFS = TILE_DOFS + HAND_DOFS
MOVED_G = 2e4  # heavy beside any piece, light enough for the solver
TILE_THICK_MM = 5.0
AWAY_MM = 600.0  # where the hand waits
TWIST_MM = 0.8  # friction against twisting, as wide as a contact that did it by sliding
YIELDING = 'solimp="0.5 0.5 0.001"'  # of skin: nearer to 1, MuJoCo multiplies stiffness where a piece cannot give way
TOUCHED = 'contype="1" conaffinity="2"'  # by pieces, and by nothing else
SLIDES = "".join(f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1"))
TILTS = "".join(f'<joint type="hinge" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0"))


class Surface(msgspec.Struct, frozen=True):
    """Hold how things touch: friction, and how hard contacts are (time constant and damping of MuJoCo's).

    Contacts are damped beyond what is critical, or every fourth tower would hum at rest by a gram.
    """

    friction: float
    stiff_s: float
    damping: float
    table_below_mm: float  # from the tile's top down to where fallen pieces lie


class Hand(msgspec.Struct, frozen=True):
    """Hold the hand that reaches in: a fingertip (`half_length_mm` 0) or a forearm across the direction it moves in."""

    radius_mm: float = 8.0
    soft_per_s2: float = 3e4  # stiffness of its skin for each gram it meets
    half_length_mm: float = 0.0
    heading_rad: float = 0.0
    touches: bool = True  # a hand that only grips passes through everything else
    grips: int | None = None  # number of the piece it may take hold of


def random_surface(rng: Generator) -> Surface:
    """Draw the contact between some pieces and some tile."""
    return Surface(
        friction=rng.uniform(0.2, 0.6),
        stiff_s=rng.uniform(0.003, 0.005),
        damping=rng.uniform(2.0, 4.0),
        table_below_mm=rng.uniform(6, 60),
    )


def model(tower: Tower, newcomer: Placed | None, hand: Hand, surface: Surface) -> "mujoco.MjModel":
    """Return the compiled scene.

    Bodies are `tile`, `hand`, `piece0`...; a newcomer is the last piece and hangs beside.
    """
    import mujoco  # noqa: PLC0415  only drawing falls needs it

    pieces = [_piece(number, piece, tower.turn_rad, (0.0, 0.0, 0.0)) for number, piece in enumerate(tower.pieces)]
    if newcomer is not None:
        pieces.append(_piece(len(pieces), newcomer, tower.turn_rad, (AWAY_MM, 0.0, AWAY_MM)))
    grip = ""
    if hand.grips is not None:
        grip = f'<weld name="grip" body1="hand" body2="piece{hand.grips}" active="false" solref="0.006 1" {YIELDING}/>'
    touch = f'friction="{surface.friction:.4f} {TWIST_MM / 1000}" solref="{surface.stiff_s:.5f} {surface.damping:.3f}"'
    return mujoco.MjModel.from_xml_string(
        f"""<mujoco>
        <option timestep="{STEP_S}" cone="elliptic" impratio="5" tolerance="1e-10" iterations="30"/>
        <default><geom condim="4" {touch} solimp="0.95 0.99 0.0002"/></default>
        <asset><mesh name="tile" vertex="{_outline(tower.tile_mm)}"/></asset>
        <worldbody>
          <geom type="plane" size="2 2 1" pos="0 0 {-surface.table_below_mm / 1000:.5f}" {TOUCHED}/>
          {_tile()}
          {_hand(hand)}
          {"".join(pieces)}
        </worldbody>
        <equality>{grip}</equality>
        </mujoco>"""
    )


def _outline(tile_mm: float) -> str:
    """Return the corners of a hexagonal prism whose top is z = 0, two sides of it parallel to y."""
    radius_m = tile_mm / 2000 / math.cos(math.pi / 6)
    angles = [math.pi / 6 + corner * math.pi / 3 for corner in range(6)]
    return " ".join(
        f"{radius_m * math.cos(angle):.6f} {radius_m * math.sin(angle):.6f} {z_m}"
        for z_m in (0, -TILE_THICK_MM / 1000)
        for angle in angles
    )


def _tile() -> str:
    """Add the tile.

    It hangs on its joints about the centre of its top; a mesh lies about its own centre of mass, which is lower.
    """
    inertia = MOVED_G / 100
    return f"""<body name="tile" gravcomp="1">
        <inertial pos="0 0 0" mass="{MOVED_G}" diaginertia="{inertia} {inertia} {inertia}"/>
        {SLIDES}{TILTS}<geom type="mesh" mesh="tile" {TOUCHED}/></body>"""


def _hand(hand: Hand) -> str:
    """Add the hand. It touches pieces only, and only where it is meant to."""
    c, s = math.cos(hand.heading_rad), math.sin(hand.heading_rad)
    reach = hand.half_length_mm / 1000
    size = f"{hand.radius_mm / 1000:.5f}"
    mask = 'contype="4" conaffinity="2"' if hand.touches else 'contype="0" conaffinity="0"'
    k = hand.soft_per_s2
    mask += f' {YIELDING} priority="1" friction="0.6 {TWIST_MM / 1000}" solref="{-k:.0f} {-2 * math.sqrt(k):.1f}"'
    geom = f'<geom type="sphere" size="{size}" {mask}/>'
    if reach:
        ends = f"{-s * reach:.5f} {c * reach:.5f} 0 {s * reach:.5f} {-c * reach:.5f} 0"
        geom = f'<geom type="capsule" size="{size}" fromto="{ends}" {mask}/>'
    return f"""<body name="hand" gravcomp="1" pos="0 0 {AWAY_MM / 1000}">
        <inertial pos="0 0 0" mass="{MOVED_G}" diaginertia="{MOVED_G} {MOVED_G} {MOVED_G}"/>
        {SLIDES}{geom}</body>"""


def _piece(number: int, piece: Placed, tower_turn_rad: float, away_mm: tuple[float, float, float]) -> str:
    """Add a free body about the middle of its box, turned with the tower and a little itself.

    One that is away floats.
    """
    mx, my, mz = piece.middle
    c, s = math.cos(tower_turn_rad), math.sin(tower_turn_rad)
    x, y, z = c * mx - s * my + away_mm[0], s * mx + c * my + away_mm[1], mz + away_mm[2]
    volume = sum(box.volume_cm3 for box in piece.boxes)
    boxes = "".join(
        f'<geom type="box" size="{box.half[0] / 1000:.5f} {box.half[1] / 1000:.5f} {box.half[2] / 1000:.5f}" '
        f'pos="{(box.centre[0] - mx) / 1000:.6f} {(box.centre[1] - my) / 1000:.6f} {(box.centre[2] - mz) / 1000:.6f}" '
        f'mass="{piece.mass_g * box.volume_cm3 / volume:.5f}" contype="2" conaffinity="7"/>'
        for box in piece.boxes
    )
    turn = math.degrees(tower_turn_rad + piece.turn_rad)
    pose = f'pos="{x / 1000:.6f} {y / 1000:.6f} {z / 1000:.6f}" euler="0 0 {turn:.4f}"'
    return f'<body name="piece{number}" {pose} gravcomp="{int(any(away_mm))}"><freejoint/>{boxes}</body>'
