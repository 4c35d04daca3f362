"""A tower is put on a hex: the samples around it, with two seconds from before it, then rest at the new level."""

from scenarios import holes, lost, marks, messages, unexpected

STATION = "sector"
SPOT = "city/2/0"
GRAMS = 250


async def play(table):
    """Rest, a load, rest."""
    await table.wait(6000)
    table.put(SPOT, GRAMS)
    await table.wait(8000)


def judge(told):
    """The movement is told whole and nothing fell."""
    complaints = unexpected(told, "samples") + lost(told) + holes(told)
    moved_us = marks(told, "deviates")[0]["us"]
    samples = messages(told, "samples")
    if [message["spot"] for message in samples if message["spot"] != SPOT]:
        complaints.append("another spot moved: {}".format([message["spot"] for message in samples]))
    counts = [count for message in samples for count in message["counts"]]
    before = len([count for count in counts if count < counts[0] + 2000])
    if not 130 <= before <= 190:
        complaints.append("{} samples from before the movement, expected 2 s of them".format(before))
    if not 130 <= len(counts) - before <= 260:
        complaints.append("{} samples from after the movement, expected 2 s of them".format(len(counts) - before))
    gaps = [gap for message in samples for gap in message["dt_us"]]
    if max(gaps) > 20_000 or min(gaps) < 10_000:
        complaints.append("between samples lie {} to {} us".format(min(gaps), max(gaps)))
    late = [line for line in told if line.get("on") == "samples" and line["us"] > moved_us + 4_000_000]
    if [line for line in late if line["message"]["type"] not in ("quiet", "knocks")]:
        complaints.append("it never came to rest")
    means = [cell["mean"] for message in messages(told, "quiet") for cell in message["cells"] if cell["spot"] == SPOT]
    if not means[-1] - means[0] > 200 * GRAMS:
        complaints.append("the level at rest went from {} to {}".format(means[0], means[-1]))
    return complaints
