"""A tower on a pad of three cells leans from one to another: nothing fell. Then a part falls off: an alert."""

from scenarios import holes, lines, lost, marks, unexpected

STATION = "seat"
SPOT = "seat/2/pad/1"
WITHIN_US = 75_000
LOADS = ((100, 100, 100), (180, 60, 60), (60, 180, 60), (90, 100, 60))  # grams on each cell, one after another


async def play(table):
    """Lean, lean, fall."""
    for load in LOADS:
        for cell in range(3):
            table.put(SPOT, load[cell], cell)
        await table.wait(3800)


def judge(told):
    """One alert, after the last change."""
    complaints = unexpected(told, "samples", "alert") + lost(told) + holes(told)
    alerts = lines(told, "alert")
    if len(alerts) != 1:
        return complaints + ["{} alerts, expected 1".format(len(alerts))]
    first_us = min([mark["us"] for mark in marks(told, "deviates")[-3:]])
    took_us = alerts[0]["us"] - first_us
    if not 0 <= took_us <= WITHIN_US:
        complaints.append("the alert came {} us after the fall".format(took_us))
    return complaints
