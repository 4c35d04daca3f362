"""The hub takes everything and acknowledges nothing: the outbox stays bounded, and what found no room is counted."""

from scenarios import events, messages

STATION = "seat"
PRESSES = 80
EVERY_MS = 260


async def play(table):
    """More presses than there is room for, then the hub is back."""
    await table.wait(3000)
    table.hub(False)
    for _ in range(PRESSES):
        table.press()
        await table.wait(EVERY_MS)
    table.hub(True)
    table.disconnect()
    await table.wait(500)
    table.connect()
    await table.wait(3000)


def judge(told):
    """Every press was delivered, or is in the count of what was lost."""
    complaints = events(told)
    delivered = {button["event_seq"] for button in messages(told, "button")}
    lost = [message["events_lost"] for message in messages(told, "inventory") if "events_lost" in message]
    if not lost:
        complaints.append("nobody was told of losses")
    if len(delivered) + sum(lost) != PRESSES:
        complaints.append("{} delivered and {} lost of {}".format(len(delivered), lost, PRESSES))
    if len(delivered) < 60:
        complaints.append("only {} were kept".format(len(delivered)))
    return complaints
