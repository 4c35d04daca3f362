"""A tag reader stops answering while a tag lies on it: a fault, and the tag is believed to lie there still."""

from scenarios import fault_goes_on_and_off, messages

STATION = "sector"
SPOT = "city/1/2"
WITHIN_US = 4_000_000


async def play(table):
    """Silent for five seconds."""
    table.lay(SPOT, "04a1b2c3d4e5f6")
    await table.wait(4000)
    table.silence(SPOT, True)
    await table.wait(5000)
    table.silence(SPOT, False)
    await table.wait(5000)


def judge(told):
    """The fault comes and goes; the tag does neither."""
    complaints = fault_goes_on_and_off(told, SPOT, "reader", "does not answer", WITHIN_US)
    if [tag for tag in messages(told, "tag") if not tag["here"]]:
        complaints.append("the tag left with the reader's voice")
    return complaints
