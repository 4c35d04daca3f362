"""Roll call: which stations are there, by what they left at the broker when they last began or ended."""

from citytable.doctor.line import Line, NoAnswer
from citytable.link.wire_in import Birth, Death
from tablewire import topics


async def roll_call(line: Line) -> dict[str, Birth]:
    """Who is there, by name: a death counts for its own start only. The broker says it once for each line."""
    births: dict[str, Birth] = {}
    async for told in line.retained():
        match told.message:
            case Birth():
                births[told.station] = told.message
            case Death(boot=boot) if told.station in births and births[told.station].boot == boot:
                del births[told.station]
    return dict(sorted(births.items()))


async def present(line: Line, station: str) -> Birth:
    """What a station said when it began; raises `NoAnswer` when it is not there."""
    births = await roll_call(line)
    if station not in births:
        there = ", ".join(births) or "nobody"
        what = "newcomer" if line.table == topics.NEWCOMERS else "station"
        raise NoAnswer(f"there is no {what} {station!r} at table {line.table!r} now: {there} is there")
    return births[station]
