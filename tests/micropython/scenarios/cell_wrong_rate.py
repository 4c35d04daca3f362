"""An HX711 whose RATE pin is on ground gives 10 conversions a second instead of 80, until somebody lifts it."""

from scenarios import fault_goes_on_and_off

STATION = "sector"
SPOT = "city/1/1"
WITHIN_US = 6_000_000


async def play(table):
    """Slow for seven seconds."""
    await table.wait(4000)
    table.pace_cell(SPOT, 100_000)
    await table.wait(7000)
    table.pace_cell(SPOT, 12_500)
    await table.wait(7000)


def judge(told):
    """The fault comes, stays and goes."""
    return fault_goes_on_and_off(told, SPOT, "cell", "RATE pin", WITHIN_US)
