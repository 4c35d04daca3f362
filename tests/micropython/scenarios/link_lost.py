"""The link goes while a tower is put down and a button is pressed: events wait, samples are lost and that shows."""

from scenarios import marks, messages

STATION = "seat"
SPOT = "seat/2/pad/0"


async def play(table):
    """Away for six seconds."""
    await table.wait(4000)
    table.disconnect()
    await table.wait(1000)
    table.press()
    table.put(SPOT, 150)
    table.lay(SPOT, "0a0b0c0d")
    await table.wait(5000)
    table.connect()
    await table.wait(5000)


def judge(told):
    """Birth again, the events of the meantime once, and a hole in the numbers of the samples."""
    complaints = []
    if len(messages(told, "birth")) != 2:
        complaints.append("{} births, expected 2".format(len(messages(told, "birth"))))
    back_us = marks(told, "link")[-1]["us"]
    for kind in ("button", "tag"):
        when = [line["us"] for line in told if "on" in line and line["message"]["type"] == kind]
        if len(when) != 1 or when[0] < back_us:
            complaints.append("{} told at {}, expected once after {}".format(kind, when, back_us))
    numbers = [line["message"]["sample_seq"] for line in told if line.get("on") == "samples"]
    if len(numbers) == numbers[-1]:
        complaints.append("samples of the meantime are missing, and their numbers do not show it")
    return complaints
