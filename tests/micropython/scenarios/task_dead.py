"""A tag reader's driver never comes back. The watchdog, fed until then, must bite: only a restart can help."""

from scenarios import marks

STATION = "sector"
DOG_MS = 8388  # the longest an RP2040's watchdog waits
HANGS_AFTER_MS = 30_000


async def play(table):
    """Well for half a minute, then dead."""
    await table.wait(HANGS_AFTER_MS)
    table.hang("city/2/0")
    await table.wait(60_000)


def judge(told):
    """No bite while all is well, one soon after."""
    bites = [mark["us"] for mark in marks(told, "bite")]
    hung_us = marks(told, "hang")[0]["us"]
    if not bites:
        return ["the watchdog was fed although a task is dead"]
    if bites[0] < hung_us:
        return ["the watchdog bit while all tasks were alive"]
    if bites[0] > hung_us + 40_000_000:
        return ["the watchdog bit {} us after the task died".format(bites[0] - hung_us)]
    return []
