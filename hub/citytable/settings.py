"""Hold the settings of a run of the hub."""

import os
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from citytable.bots.names import BotName
from citytable.games import NAMES, box_of
from citytable.link.broker import (
    PASSWORD_VARIABLE,
    Broker,
    StationListener,
    external_broker,
    station_listener,
    with_bridge,
)
from citytable.link.credentials import Credentials, default_directory
from citytable.session.box import Box, GameOptions
from citytable.table.mode import Mode
from citytable.table.plan import (
    Misconfigured,
    Plan,
    check_calibrated,
    full_plan,
    load_plan,
    phones_plan,
    starter_plan,
    tag_uid,
)
from citytable.views.care import Work


class Sitting(msgspec.Struct, frozen=True):
    """Hold the people of a table from before it began with another box: their phones stay connected in the new game.

    `people` is the game to which these phones were connected, empty for other people; `secret` is the source of their
    keys, `mode` how they treat illegal acts. `by` is the person who chose another game; empty: the journal's last game
    continues if it is the same. `agreed`: they chose its rulings. `work` is the latest job of the stations page.
    """

    people: str
    names: tuple[str, ...]
    secret: bytes = b""
    mode: Mode | None = None
    by: str = ""
    agreed: bool = False
    work: Work | None = None


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Hold which game is played, on which table, and at which pace."""

    box: Box[Any, Any] = msgspec.field(default_factory=lambda: box_of(NAMES[0]))
    options: GameOptions = msgspec.field(default_factory=lambda: box_of(NAMES[0]).options(3))  # the options of `box`
    seed: int = 1
    faults: bool = False
    lose_sector: bool = False  # a sector's station goes for good in mid-game
    bot: BotName = "greedy"  # the bots at the seats of a virtual table
    starter: bool = False  # the virtual table has only seats; people report everything else on a phone
    twin: bool = True  # a virtual table, and bots who play on it
    phones: bool = False  # no stations, no broker, no bots: people report everything on their phones
    table: str = "table"  # the virtual one's name
    plan_path: Path | None = None  # the plan of a real table; None: that of a virtual one
    rehearsed: bool = False  # on a virtual table, where each thing has a tag even if the plan does not know it yet
    scratch: Path | None = None  # a folder for a temporary journal, which lasts as long as the command
    broker: Broker | None = None  # one that several tables of this process share
    broker_address: str | None = None  # of a broker that runs already
    broker_user: str = ""
    broker_port: int = 0
    broker_dir: Path | None = None  # the logins and retained messages of our own broker; None: `default_directory`
    listen: str | None = None  # where stations of a network reach our own broker; None: only this machine can
    venue_bridge: Path | None = (
        None  # from our own broker to a venue's, with `listen`: the output of citytable venue bridge
    )
    serial: str = ""  # serial ports on which stations may be, as a pattern of paths; empty: none
    certificate: Path | None = None  # TLS for stations of a network
    key: Path | None = None
    asked_for: str = ""  # the game that the command line leads to; people may have chosen another one at the table
    box_path: Path | None = None  # the file of the owner's copy on the table; None: no named box
    journal_path: Path | None = None  # None: a temporary one
    go_on: bool = False  # continue the journal's last game, whatever its options
    ruled: bool = False  # the group agreed on rulings: not with a game that has others
    delay_s: int = 0  # by how much the public is behind the table
    hold: bool = False  # the public waits until an act that is watched is resolved
    sitting: Sitting | None = None  # people who sat here before; None: all are newcomers
    speed: float | None = None  # virtual seconds per second; None: lock-step, as fast as possible

    def external(self) -> Broker | None:
        """Return the external broker, if there is one; raises `BrokerUnavailable` for a bad address.

        The password is in the environment, where other users of the machine and the shell's history do not see it.
        """
        if self.broker_address is None:
            return self.broker
        return external_broker(self.broker_address, self.broker_user, os.environ.get(PASSWORD_VARIABLE, ""))

    @property
    def private(self) -> bool:
        """Return whether only the hub and its own processes use its broker: nobody chose a port for it."""
        return self.broker_port == 0

    def stations(self) -> StationListener | None:
        """Return where the broker listens to stations of a network; raises `BrokerUnavailable`, `Misconfigured`."""
        if self.listen is None:
            return None
        credentials = Credentials(self.broker_dir or default_directory(), self.plan().table)
        listener = station_listener(self.listen, credentials, self.certificate, self.key)
        return listener if self.venue_bridge is None else with_bridge(listener, self.venue_bridge)

    def plan(self) -> Plan:
        """Return the table's own plan, or a virtual table's for this game; raise `Misconfigured`."""
        players = self.options.players
        if self.phones:
            return phones_plan(self.table, self.box.players[-1])
        if self.plan_path is None:
            things = self.box.things(players)
            if self.starter:
                return starter_plan(self.table, players, things)
            return full_plan(self.table, players, self.box.shared_spots(), things)
        plan = load_plan(self.plan_path)
        check_calibrated(plan, self.plan_path)
        if plan.seats < players:
            raise Misconfigured(
                f"plan {self.plan_path}: this table has {plan.seats} seats, which are too few for "
                f"{players} players: give fewer --players"
            )
        return self._rehearsable(plan) if self.rehearsed else plan

    def _rehearsable(self, plan: Plan) -> Plan:
        """Return the plan with a tag for each thing; raise `Misconfigured` if only some players have a seat."""
        players = self.options.players
        owners = {spot.split("/")[1] for spot in plan.spot_plans() if spot.startswith("seat/")}
        missing = [f"seat-{n}" for n in range(1, players + 1) if str(n) not in owners]
        if 0 < len(missing) < players:
            raise Misconfigured(
                f"plan {self.plan_path}: it has no {' and no '.join(missing)}, and a rehearsal needs a station at "
                "every player's seat or at none: adopt what is missing, or leave out --plan"
            )
        tagged = set(plan.tags.values())
        new = {tag_uid(thing): thing for thing in self.box.things(players) if thing not in tagged}
        return replace(plan, tags=new | plan.tags)
