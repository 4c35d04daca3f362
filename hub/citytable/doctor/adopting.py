"""Adopt a newcomer: give it a name, its place in the plan and credentials of its own.

The station takes its name first, because it alone knows whether its pins fit. Then the broker gets the login, which the
station tries again and again. When the station is heard under its name, the caller writes the plan file.
"""

import re
import secrets
from collections.abc import Callable
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from citytable.doctor.line import Line, NoAnswer
from citytable.doctor.plan_file import with_station
from citytable.doctor.roll_call import present, roll_call
from citytable.doctor.told import Told
from citytable.games import NAMES, box_of
from citytable.link.wire_in import Birth, LogLine
from citytable.table.plan import Misconfigured, Plan, SharedSpots, StationPlan, full_plan
from tablewire import topics

_UID = re.compile("[0-9a-f]{16}")

ANSWER_S = 20.0
RETURN_S = 60.0


class NotAdopted(Told):
    """The newcomer did not take its name: the text gives its reason, or what to check."""


class Logins(Protocol):
    """Keep the logins of the table's broker."""

    def add(self, user: str, password: str) -> None:
        """Add a station's login.

        Raise ValueError for a name that no user may have, OSError when it cannot be stored.
        """

    def reload(self) -> bool:
        """Make the running broker read its logins; return False when somebody else must do that."""


class Adopted(NamedTuple):
    """Hold the result: the station's birth message under its new name, and whether the broker has read its login."""

    birth: Birth
    broker_knows: bool


class NoLogins:
    """Stand for a broker that admits us without a login: it has no logins."""

    def add(self, user: str, password: str) -> None:
        """Do nothing."""

    def reload(self) -> bool:
        """Return True: there is nothing to reload."""
        return True


def all_spots() -> SharedSpots:
    """Return the spots between the players of a table that is complete for every game.

    Of the supply only those that a station has: at a game's other spots people report what happens.
    """
    shared: list[SharedSpots] = [box_of(name).shared_spots() for name in NAMES]
    hexes = dict.fromkeys(cell for one in shared for cell in one.hexes)
    supply = dict.fromkeys(spot for one in shared for spot in one.supply if spot.startswith("supply/"))
    return SharedSpots(hexes=tuple(hexes), supply=tuple(supply))


def template(plan: Plan, station: str, shared: SharedSpots) -> StationPlan:
    """Return the station of this name, from the plan or as a full table with these spots has it.

    Raise `Misconfigured` for other names.

    A real station reports itself whether it has an accelerometer.
    """
    known = _known(plan, shared)
    if station in known:
        return known[station]
    names = ", ".join(sorted(known))
    raise Misconfigured(
        f"no table has a station {station!r}: name it one of {names}, or put it into the plan file first"
    )


async def join(
    uid: str,
    placed: StationPlan,
    plan: Plan,
    lines: tuple[Line, Line],
    logins: Logins,
    report: Callable[[str], None],
) -> tuple[Adopted, Plan]:
    """Give a newcomer this place at the table, and return the plan with it, unwritten.

    `lines` are those to the newcomers and to the table. Raises `NotAdopted`, `NoAnswer`, and `Misconfigured` if the
    place cannot be in this plan.
    """
    newcomers, table = lines
    seat = placed.button_seat or 0
    if seat > plan.seats:
        raise NotAdopted.of("no_seat", name=repr(placed.station), seats=plan.seats)
    planned = with_station(plan, placed)
    await present(newcomers, uid)
    if (there := (await roll_call(table)).get(placed.station)) is not None and there.uid != uid:
        raise NotAdopted.of("name_taken", name=repr(placed.station), uid=there.uid)
    done = await Adopting(newcomers, table, logins, report).run(uid, placed)
    if done.birth.accelerometer:
        planned = with_station(planned, replace(placed, accelerometer=True))
    return done, planned


def _known(plan: Plan, shared: SharedSpots) -> dict[str, StationPlan]:
    """Return the stations that a table may have, by name; those of the plan as they are there."""
    whole = full_plan(plan.table, 4, shared, ()).stations
    every = (*(replace(one, accelerometer=False) for one in whole), *plan.stations)
    return {one.station: one for one in every}


def places(plan: Plan, shared: SharedSpots) -> tuple[StationPlan, ...]:
    """Return the stations that a newcomer may become at this table, by name: those whose spots no other one has."""
    carried = {spot.spot: station.station for station in plan.stations for spot in station.spots}
    return tuple(
        one
        for name, one in sorted(_known(plan, shared).items())
        if (one.button_seat or 0) <= plan.seats and all(carried.get(spot.spot, name) == name for spot in one.spots)
    )


class Adopting:
    """Carry out one adoption.

    `newcomers` is a line to the table `new`, `table` one to the table that takes the station.
    """

    def __init__(self, newcomers: Line, table: Line, logins: Logins, report: Callable[[str], None]) -> None:
        self._newcomers = newcomers
        self._table = table
        self._logins = logins
        self._report = report

    async def run(self, uid: str, station: StationPlan) -> Adopted:
        """Adopt the newcomer and wait until it is heard under its name; raise `NotAdopted`, `NoAnswer`."""
        password = secrets.token_hex(16)
        await self._send_name(uid, station, password)
        self._report(f"{uid} has taken its name and is restarting")
        try:
            self._logins.add(station.station, password)
            broker_knows = self._logins.reload()
        except (ValueError, OSError) as error:
            raise NotAdopted.of(
                "no_login", uid=uid, seen=error, name=repr(station.station), password=repr(password)
            ) from error
        birth = await self._heard_under(uid, station.station)
        await self._newcomers.forget(uid)
        return Adopted(birth, broker_knows)

    async def _send_name(self, uid: str, station: StationPlan, password: str) -> None:
        fields = {} if station.button_seat is None else {"seat": station.button_seat}
        await self._newcomers.ask(
            uid,
            "adopt",
            table=self._table.table,
            station=station.station,
            plan=station.kind,
            spots=[spot.spot for spot in station.spots],
            user=station.station,
            password=password,
            **fields,
        )
        async for heard in self._newcomers.hear(ANSWER_S):
            if heard.station != uid or not isinstance(heard.message, LogLine):
                continue
            if heard.message.level == "error":
                raise NotAdopted.of("board_refused", uid=uid, seen=heard.message.text)
            return
        raise NoAnswer.of("newcomer_silent", uid=uid, seconds=ANSWER_S)

    async def _heard_under(self, uid: str, station: str) -> Birth:
        async for heard in self._table.hear(RETURN_S):
            if heard.station == station and isinstance(heard.message, Birth) and heard.message.uid == uid:
                return heard.message
        raise NoAnswer.of("not_heard_again", uid=uid, name=repr(station), seconds=RETURN_S)


def address(text: str) -> tuple[bool, str]:
    """Return whether a newcomer is meant, and its name; newcomers are listed as `new/<uid>`.

    The chip's number alone means the newcomer, too."""
    table, slash, uid = text.partition("/")
    if slash and table == topics.NEWCOMERS:
        return True, uid
    return bool(_UID.fullmatch(text)), text
