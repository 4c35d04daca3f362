"""Nobody touches the table: birth, inventory, one summary a second, and nothing else."""

from scenarios import holes, lost, messages, unexpected

STATION = "sector"
SECONDS = 12


async def play(table):
    """Wait."""
    await table.wait(1000 * SECONDS)


def judge(told):
    """Only what a table at rest has to say, and every conversion accounted for."""
    complaints = unexpected(told) + lost(told) + holes(told)
    first = [line["message"]["type"] for line in told if "on" in line][:1]
    if first != ["birth"]:
        complaints.append("the first message is {}, not a birth".format(first))
    if len(messages(told, "inventory")) != 1:
        complaints.append("{} inventories, expected 1".format(len(messages(told, "inventory"))))
    quiet = messages(told, "quiet")
    if not SECONDS - 2 <= len(quiet) <= SECONDS:
        complaints.append("{} summaries in {} s".format(len(quiet), SECONDS))
    for cell in quiet[-1]["cells"]:
        if not 70 <= cell["n"] <= 90:
            complaints.append("{}: {} conversions in the last second".format(cell["spot"], cell["n"]))
    return complaints
