"""Adopting a newcomer: it gets a name, its place in the plan and credentials of its own.

First the station takes its name, because it alone knows whether it can be that; then the broker learns the login, for
which the station tries again and again; then it is heard under its name, and whoever asked writes the plan file.
"""

import secrets
from collections.abc import Callable
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from citytable.doctor.line import Line, NoAnswer
from citytable.link.wire_in import Birth, LogLine
from citytable.table.plan import Misconfigured, Plan, StationPlan, full_plan
from tablewire import topics

ANSWER_S = 20.0
RETURN_S = 60.0


class NotAdopted(RuntimeError):
    """The newcomer could not become that: the text is its reason, or what to check."""


class Logins(Protocol):
    """Who may log in at the table's broker."""

    def add(self, user: str, password: str) -> None:
        """Let a station in; ValueError for a name that cannot be a user's, OSError when it cannot be kept."""

    def reload(self) -> bool:
        """Have the running broker know; False when that is for somebody else to do."""


class Adopted(NamedTuple):
    """What was done: what the station says of itself now, and whether the broker was told of its login."""

    birth: Birth
    broker_knows: bool


def template(plan: Plan, station: str, columns: tuple[str, ...]) -> StationPlan:
    """The station of this name: from the plan, or as a full table has it; raises `Misconfigured` for other names.

    Whether a real one has an accelerometer it says itself.
    """
    whole = full_plan(plan.table, 4, columns, ()).stations
    for known in (*plan.stations, *(replace(one, accelerometer=False) for one in whole)):
        if known.station == station:
            return known
    names = ", ".join(sorted({known.station for known in (*plan.stations, *whole)}))
    raise Misconfigured(
        f"no table has a station {station!r}: name it one of {names}, or put it into the plan file first"
    )


class Adopting:
    """One adoption. `newcomers` is a line to the table `new`, `table` one to the table that takes the station."""

    def __init__(self, newcomers: Line, table: Line, logins: Logins, tell: Callable[[str], None]) -> None:
        self._newcomers = newcomers
        self._table = table
        self._logins = logins
        self._tell = tell

    async def run(self, uid: str, station: StationPlan) -> Adopted:
        """Until the station is heard under its name; raises `NotAdopted`, `NoAnswer`."""
        password = secrets.token_hex(16)
        await self._give(uid, station, password)
        self._tell(f"{uid} took its name and restarts")
        try:
            self._logins.add(station.station, password)
            broker_knows = self._logins.reload()
        except (ValueError, OSError) as error:
            raise NotAdopted(
                f"{uid} took the name {station.station!r}, but its login could not be kept ({error}): give the broker "
                f"the user {station.station!r} with the password {password!r} yourself"
            ) from error
        birth = await self._return(uid, station.station)
        await self._newcomers.forget(uid)
        return Adopted(birth, broker_knows)

    async def _give(self, uid: str, station: StationPlan, password: str) -> None:
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
        async for told in self._newcomers.hear(ANSWER_S):
            if told.station != uid or not isinstance(told.message, LogLine):
                continue
            if told.message.level == "error":
                raise NotAdopted(f"{uid}: {told.message.text}")
            return
        raise NoAnswer(f"the newcomer {uid} has not answered for {ANSWER_S:.0f} s: see `citytable station list`")

    async def _return(self, uid: str, station: str) -> Birth:
        async for told in self._table.hear(RETURN_S):
            if told.station == station and isinstance(told.message, Birth) and told.message.uid == uid:
                return told.message
        raise NoAnswer(
            f"{uid} took the name {station!r}, but was not heard under it for {RETURN_S:.0f} s: is its login known to "
            f"the broker (user {station!r}), and is nobody else called {station!r}?"
        )


def address(text: str) -> tuple[bool, str]:
    """(whether a newcomer is meant, its name): `new/<uid>` is how newcomers are listed."""
    table, slash, uid = text.partition("/")
    if slash and table == topics.NEWCOMERS:
        return True, uid
    return False, text
