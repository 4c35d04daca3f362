"""A seat's crane is lowered on a tower and parked again: one height, averaged, and the button beside it."""

from scenarios import messages, unexpected

STATION = "seat"
SPOT = "seat/2/pad/2"
PARKED_MM, LOWERED_MM = 45, 183


async def play(table):
    """Lower, press, park."""
    await table.wait(4000)
    table.lower(SPOT, LOWERED_MM)
    await table.wait(5000)
    table.press()
    await table.wait(1000)
    table.lower(SPOT, PARKED_MM)
    await table.wait(5000)


def judge(told):
    """One reading near the truth, from several ranges, at which the beam was broken."""
    complaints = unexpected(told, "height", "button")
    heights = messages(told, "height")
    right = [height for height in heights if abs(height["range_mm"] - LOWERED_MM) < 2 and height["n"] >= 10]
    right = [height for height in right if height.get("contact") is True]
    if [height["spot"] for height in heights] != [SPOT] or right != heights:
        complaints.append("heights were {}".format(heights))
    if len(messages(told, "button")) != 1:
        complaints.append("{} presses told, expected 1".format(len(messages(told, "button"))))
    return complaints
