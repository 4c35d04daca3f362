"""Call the roll: find out which stations are there from the states that the broker has retained."""

from citytable.doctor.line import Line, NoAnswer
from citytable.link.wire_in import Birth, Death
from tablewire import topics


async def roll_call(line: Line) -> dict[str, Birth]:
    """Return the stations that are there, by name; a death counts for its own start only.

    Call it once for each line.
    """
    births: dict[str, Birth] = {}
    async for heard in line.retained():
        match heard.message:
            case Birth():
                births[heard.station] = heard.message
            case Death(boot=boot) if heard.station in births and births[heard.station].boot == boot:
                del births[heard.station]
    return dict(sorted(births.items()))


async def present(line: Line, station: str) -> Birth:
    """Return a station's birth message; raise `NoAnswer` when the station is not there."""
    births = await roll_call(line)
    if station not in births:
        there = ", ".join(births) or "none"
        if line.table == topics.NEWCOMERS:
            raise NoAnswer.of("no_newcomer", seen=repr(station), there=there)
        raise NoAnswer.of("no_station", seen=repr(station), table=repr(line.table), there=there)
    return births[station]
