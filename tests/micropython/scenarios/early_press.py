"""A button is pressed before the station has looked at all its readers, some of which are slow to say nothing."""

from scenarios import messages

STATION = "seat"
SILENT = ("seat/2/card/0", "seat/2/card/1", "seat/2/card/2")


async def play(table):
    """Press at once."""
    for spot in SILENT:
        table.silence(spot, True)
    table.press()
    await table.wait(4000)


def judge(told):
    """The press is told, once, and behind the first inventory."""
    numbers = [button["event_seq"] for button in messages(told, "button")]
    first = [inventory["event_seq"] for inventory in messages(told, "inventory")][:1]
    if first != [1] or len(numbers) != 1 or numbers[0] < 2:
        return ["inventory is event {}, the press is {}".format(first, numbers)]
    return []
