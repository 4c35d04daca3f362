"""A seat's crane is lowered on a tower and lifted again: one height, averaged, and the button beside it."""

from scenarios import messages, unexpected

STATION = "seat"
SPOT = "seat/2/pad/2"
LIFTED_MM, LOWERED_MM = 300, 183


async def play(table):
    """Lower, press, lift."""
    await table.wait(4000)
    table.lower(SPOT, LOWERED_MM)
    await table.wait(5000)
    table.press()
    await table.wait(1000)
    table.lower(SPOT, LIFTED_MM)
    await table.wait(5000)


def judge(told):
    """A reading near the truth, from several ranges."""
    complaints = unexpected(told, "height", "button")
    heights = [height for height in messages(told, "height") if abs(height["range_mm"] - LOWERED_MM) < 3]
    if len(heights) != 1 or heights[0]["spot"] != SPOT or heights[0]["n"] < 8:
        complaints.append("heights were {}".format(messages(told, "height")))
    if len(messages(told, "button")) != 1:
        complaints.append("{} presses told, expected 1".format(len(messages(told, "button"))))
    return complaints
