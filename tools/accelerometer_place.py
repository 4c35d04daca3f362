"""Writes the guides' step that fits the accelerometer, with its place from `hardware/cad/dimensions.py`."""

from cable_lengths import dimensions

ACCELEROMETER = """\
Optional ([why](#accelerometer)). Do it now: later {above}. {where} Glue it flat onto the wood with superglue,
its chip up. The second drawing shows its place. {plug}"""
ABOVE = {
    "park": "the hex covers the place",
    "sector": "the hexes cover the place",
    "seat": "the top covers the place",
}
PLUG = {
    "park": "Lead its cable down through the round hole, and plug it into A1 in the next step.",
    "sector": "Lead its cable down through the round hole beside it, and plug it into A1 in the next step.",
    "seat": "Lead its cable down in front of the first or the second pad, whichever is nearer to A1, and plug it in.",
}
ON_TRAY = """\
{turn}The middle of the LIS3DH goes {right:g} mm to the right of the middle of the round hole and {behind:g} mm behind
it, its long side from left to right."""
TURN = """\
Turn the tray so that all round holes are towards you; then three hexes are at the back, and the module goes into the
middle one of these. """
ON_FLOOR = """\
The middle of the LIS3DH goes {left:g} mm from the left edge of the floor and {front:g} mm from the front one, its long
side from front to back."""


def glued(kind: str) -> str:
    """Return the step that glues the module into a station of this kind, which must have scales."""
    d = dimensions()
    if kind == "seat":
        x, y, _ = d.SEAT_LIS3DH_AT
        where = ON_FLOOR.format(left=x - d.SEAT[0], front=y - d.SEAT[2])
    else:
        x, y, _ = d.HEX_LIS3DH_AT
        where = ON_TRAY.format(turn=TURN if kind == "sector" else "", right=x, behind=y - d.CABLE[1])
    return ACCELEROMETER.format(where=where, above=ABOVE[kind], plug=PLUG[kind])
