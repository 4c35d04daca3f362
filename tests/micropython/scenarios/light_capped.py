"""The hub asks for more light than the board can give, again and again: it is darkened, and no conversion is lost."""

from scenarios import lost, marks, messages, unexpected

STATION = "sector"
SPOTS = ("city/1/0", "city/2/0", "city/3/0", "city/1/1", "city/2/1", "city/1/2")
LIMIT_MA = 400


async def play(table):
    """All white, all red, pulses."""
    await table.wait(3000)
    for k in range(20):
        rgb = [255, 255, 255] if k % 2 else [255, 0, 0]
        rings = [{"spot": spot, "rgb": rgb, "pattern": ("solid", "pulse")[k // 10]} for spot in SPOTS]
        table.say("light", {"type": "light", "rings": rings})
        await table.wait(410)
        table.measure_light()


def judge(told):
    """Bright, but below the limit; the samples go on."""
    complaints = unexpected(told) + lost(told)
    drawn = [mark["ma"] for mark in marks(told, "light")]
    if max(drawn) > LIMIT_MA:
        complaints.append("the rings draw {} mA of {}".format(max(drawn), LIMIT_MA))
    if min(drawn) < LIMIT_MA * 2 // 3:
        complaints.append("the rings draw {} mA only".format(min(drawn)))
    summaries = [cell["n"] for message in messages(told, "quiet")[2:] for cell in message["cells"]]
    if min(summaries) < 70:
        complaints.append("{} conversions in a second of light".format(min(summaries)))
    return complaints
