"""A driver has a defect and its task ends. The watchdog, fed until then, must bite: only a restart can help."""

from scenarios import marks

STATION = "sector"
DIES_AFTER_MS = 12_000


async def play(table):
    """Well for a while, then one of them dead."""
    await table.wait(DIES_AFTER_MS)
    table.spoil("city/2/0")
    await table.wait(22_000)


def judge(told):
    """No bite while all is well, one soon after."""
    bites = [mark["us"] for mark in marks(told, "bite")]
    died_us = marks(told, "spoil")[0]["us"]
    if not bites:
        return ["the watchdog was fed although a task is dead"]
    if bites[0] < died_us:
        return ["the watchdog bit while all tasks were alive"]
    if bites[0] > died_us + 20_000_000:
        return ["the watchdog bit {} us after the task died".format(bites[0] - died_us)]
    return []
