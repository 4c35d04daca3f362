"""Towers fall: the alert is on its way within 75 ms of the first conversion that shows it, and comes once a fall."""

from scenarios import holes, lines, lost, marks, unexpected

STATION = "sector"
WITHIN_US = 75_000
FALLS = (("city/1/0", 300, 40), ("city/3/0", 60, 35))  # spot, grams before, grams after


async def play(table):
    """Two towers, and both of them fall at odd moments."""
    for spot, grams, _ in FALLS:
        table.put(spot, grams)
    await table.wait(5000)
    for spot, _, grams in FALLS:
        table.put(spot, grams)
        await table.wait(1037)
    await table.wait(1000)


def judge(told):
    """One alert a fall, in time, with the right drop."""
    complaints = unexpected(told, "samples", "alert") + lost(told) + holes(told)
    falls = marks(told, "deviates")[len(FALLS) :]
    alerts = lines(told, "alert")
    if [line["message"]["spot"] for line in alerts] != [spot for spot, _, _ in FALLS]:
        return complaints + ["alerts came from {}".format([line["message"]["spot"] for line in alerts])]
    for k in range(len(FALLS)):
        took_us = alerts[k]["us"] - falls[k]["us"]
        if not 0 <= took_us <= WITHIN_US:
            complaints.append("{}: the alert came {} us after the fall".format(FALLS[k][0], took_us))
    return complaints
