"""A tag reader's driver never comes back from a question: it counts as silent, and the others go on being read."""

from scenarios import messages

STATION = "sector"
SPOT, OTHER = "city/2/0", "city/2/1"


async def play(table):
    """One hangs, on another a tag is laid."""
    await table.wait(3000)
    table.hang(SPOT)
    await table.wait(5000)
    table.lay(OTHER, "0a0b0c0d")
    await table.wait(6000)


def judge(told):
    """A fault of the one, a tag on the other."""
    complaints = []
    faults = [(fault["spot"], fault["sensor"], fault["on"]) for fault in messages(told, "fault")]
    if faults != [(SPOT, "reader", True)]:
        complaints.append("faults were {}".format(faults))
    if [tag["spot"] for tag in messages(told, "tag")] != [OTHER]:
        complaints.append("tags were {}".format(messages(told, "tag")))
    return complaints
