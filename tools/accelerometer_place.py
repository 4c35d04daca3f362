"""Says in the guides where the module goes that feels what falls, and when: from `hardware/cad/dimensions.py`."""

from cable_lengths import dimensions

ACCELEROMETER = """\
Optional ([why](#accelerometer)). Do it now: later {above}. {where} Glue it flat onto the wood with superglue,
its chip up. The second drawing shows its place. {plug}"""
ABOVE = {
    "park": "the hex stands over it",
    "sector": "the hexes stand over it",
    "seat": "the top lies over it",
}
PLUG = {
    "park": "Its cable goes down through the round hole, and into A1 in the next step.",
    "sector": "Its cable goes down through the round hole beside it, and into A1 in the next step.",
    "seat": "Lead its cable down in front of the first pad or the second, where A1 is nearer, and plug it in.",
}
ON_TRAY = """\
{turn}The middle of the LIS3DH goes {right:g} mm to the right of the round hole's and {behind:g} mm behind it, its
long side from left to right."""
TURN = """\
Turn the tray so that all round holes are towards you; then three hexes are at the back, and the module goes into the
middle one of these. """
ON_FLOOR = """\
The middle of the LIS3DH goes {left:g} mm from the left edge of the floor and {front:g} mm from the front one, its long
side from front to back."""


def glued(kind: str) -> str:
    """Return the step of a station of this kind that weighs."""
    d = dimensions()
    if kind == "seat":
        x, y, _ = d.SEAT_LIS3DH_AT
        where = ON_FLOOR.format(left=x - d.SEAT[0], front=y - d.SEAT[2])
    else:
        x, y, _ = d.HEX_LIS3DH_AT
        where = ON_TRAY.format(turn=TURN if kind == "sector" else "", right=x, behind=y - d.CABLE[1])
    return ACCELEROMETER.format(where=where, above=ABOVE[kind], plug=PLUG[kind])
