"""Scenarios: what is done to a station, and what it must say. Nothing here knows what the station runs on.

A scenario is a module with

    STATION             the kind of station it is for
    async play(table)   the hands; `table` is a `proving.table.Table`, or what stands for one on a bench of real parts
    judge(told)         complaints about the record, as sentences; none when all is as it must be

The record `told` is a list of dicts in the order in which they were written: {"us", "on", "message"} for what the
station published, {"us", "mark", ...} for what was done to it. `judge` runs where the record is read, `play` where the
station runs; both keep to MicroPython's subset.
"""

TICKS = 1 << 30
OLD_US = 30_000_000  # how long something may wait before it is told


def messages(told, kind):
    """The messages of one type, in order."""
    return [line["message"] for line in told if "on" in line and line["message"]["type"] == kind]


def lines(told, kind):
    """Their lines, which know when."""
    return [line for line in told if "on" in line and line["message"]["type"] == kind]


def marks(told, mark):
    """What was done, of one sort."""
    return [line for line in told if line.get("mark") == mark]


def _silence(message):
    """Whether an accelerometer says that nothing has knocked."""
    return message["type"] == "knocks" and not message["peak_mg"]


def unexpected(told, *expected):
    """A complaint about types that nobody expected."""
    others = [line["message"]["type"] for line in told if "on" in line and not _silence(line["message"])]
    others = [kind for kind in others if kind not in expected and kind not in ("birth", "inventory", "quiet", "health")]
    return ["it said {}, which nobody expected".format(others)] if others else []


def lost(told):
    """A complaint about conversions that the station itself counts as lost."""
    n = sum([message["lost"] for message in messages(told, "samples")])
    n += sum([cell["lost"] for message in messages(told, "quiet") for cell in message["cells"]])
    return ["{} conversions lost".format(n)] if n else []


def clock(told):
    """A complaint about a message whose clock reading is not of about the time at which it was told."""
    begun = None
    for line in told:
        at = line["message"].get("at") if "on" in line else None
        if at is None:
            continue
        ahead_us = at[0] * TICKS + at[1] - line["us"]
        if begun is None:
            begun = ahead_us
        if abs(ahead_us - begun) > OLD_US:
            return ["{} is told at {} us with the clock at {}".format(line["message"]["type"], line["us"], at)]
    return []


def events(told):
    """Complaints about clock readings, and event_seq that are not 1, 2, 3 ... (an event may be told twice)."""
    seen = [line["message"]["event_seq"] for line in told if line.get("on") == "event"]
    if sorted(set(seen)) != list(range(1, len(set(seen)) + 1)):
        return clock(told) + ["events are numbered {}".format(seen)]
    return clock(told)


def holes(told):
    """Complaints about event_seq and sample_seq that are not 1, 2, 3 ..."""
    samples = [line["message"]["sample_seq"] for line in told if line.get("on") == "samples"]
    if samples != list(range(1, len(samples) + 1)):
        return events(told) + ["sample messages are numbered {}".format(samples)]
    return events(told)


def fault_goes_on_and_off(told, spot, sensor, words, within_us):
    """Complaints unless exactly one fault of this sensor came and went; `words` must stand in what it says."""
    faults = lines(told, "fault")
    seen = [(line["message"]["spot"], line["message"]["sensor"], line["message"]["on"]) for line in faults]
    if seen != [(spot, sensor, True), (spot, sensor, False)]:
        return ["faults were {}".format([line["message"] for line in faults])]
    complaints = clock(told)
    if words not in faults[0]["message"]["what"]:
        complaints.append("the fault says {!r}".format(faults[0]["message"]["what"]))
    causes = [line for line in told if line.get("mark") in ("cell", "pace", "reader")]
    for k in range(2):
        took_us = faults[k]["us"] - causes[k]["us"]
        if not 0 < took_us <= within_us:
            complaints.append("fault {} after {} us".format(("on", "off")[k], took_us))
    return complaints
