"""A platform's tag arrives, flickers, is changed for another, and leaves."""

from scenarios import holes, lines, marks, messages, unexpected

STATION = "sector"
SPOT = "city/2/1"
FIRST, SECOND = "04a1b2c3d4e5f6", "0a0b0c0d"
WITHIN_US = 3_000_000


async def play(table):
    """Lay, flicker, change, take away."""
    await table.wait(3000)
    table.lay(SPOT, FIRST)
    await table.wait(4000)
    table.miss(SPOT, 1)
    await table.wait(4000)
    table.miss(SPOT, 2)
    await table.wait(4000)
    table.lay(SPOT, SECOND)
    await table.wait(4000)
    table.lay(SPOT, None)
    await table.wait(4000)


def judge(told):
    """Four events, each in time; a flicker is none."""
    complaints = unexpected(told, "tag") + holes(told)
    seen = [(tag["spot"], tag["uid"], tag["here"]) for tag in messages(told, "tag")]
    if seen != [(SPOT, FIRST, True), (SPOT, FIRST, False), (SPOT, SECOND, True), (SPOT, SECOND, False)]:
        return complaints + ["tags came and went as {}".format(seen)]
    arrival, change, departure = marks(told, "lay")
    for cause, k in ((arrival, 0), (change, 1), (change, 2), (departure, 3)):
        took_us = lines(told, "tag")[k]["us"] - cause["us"]
        if not 0 < took_us <= WITHIN_US:
            complaints.append("tag event {} took {} us".format(k + 1, took_us))
    return complaints
