"""An HX711 says the same number for ever, then lives again."""

from scenarios import fault_goes_on_and_off

STATION = "sector"
SPOT = "city/1/1"
WITHIN_US = 2_000_000


async def play(table):
    """Broken for four seconds."""
    await table.wait(4000)
    table.break_cell(SPOT, "stuck")
    await table.wait(4000)
    table.break_cell(SPOT, None)
    await table.wait(4000)


def judge(told):
    """The fault comes, stays and goes."""
    return fault_goes_on_and_off(told, SPOT, "cell", "repeats one value", WITHIN_US)
