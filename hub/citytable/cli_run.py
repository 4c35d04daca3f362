"""The options of `citytable run` by their subjects, and the settings that follow from them."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from citytable.chosen_game import Chosen, chosen_game
from citytable.cli_options import options_of
from citytable.console import fail
from citytable.link.broker import PORT_MAX
from citytable.obs import PASSWORD_VARIABLE
from citytable.phones import usual_journal
from citytable.settings import Settings
from citytable.table.mode import Mode
from citytable.views.address import EVERYWHERE, LOOPBACK
from citytable.views.delay import SECONDS_MAX
from citytable.views.theme import Theme
from citytable.views.theme_file import read_theme

SERIAL_PORTS = "/dev/ttyACM*"
SPEEDS = {True: 3.0, False: 1.0}  # of a virtual table, and of one's own

# the game
BotSeed = Annotated[int | None, typer.Option(help="Seed of the bots' random numbers; default: a new one each time.")]
BoxName = Annotated[
    str | None,
    typer.Option(help="Name of your own copy of the game; during play the hub asks for cards not entered yet."),
]
Faults = Annotated[bool, typer.Option("--faults", help="Let things go wrong during play.")]
Illegal = Annotated[
    Mode | None,
    typer.Option(help="Illegal acts must be undone (enforce), count with a remark (advise), or just count (record)."),
]
JournalFile = Annotated[
    Path | None,
    typer.Option(
        help="File of the journal, a folder for several tables; with --no-twin or --phones its last game continues."
    ),
]

# the table
Speed = Annotated[
    float | None, typer.Option(min=0.1, max=20, help="Virtual seconds per second; default: 3, or 1 with --no-twin.")
]
Twin = Annotated[bool, typer.Option("--twin/--no-twin", help="Use a virtual table with bots, or your own stations.")]
Phones = Annotated[
    bool, typer.Option("--phones", help="Your own table without sensors: people report everything on their phones.")
]
TableNames = Annotated[list[str] | None, typer.Option(help="Name of a virtual table; repeat it for more tables.")]
PlanFiles = Annotated[
    list[Path] | None, typer.Option(help="Plan file of your own table, with --no-twin; repeat it for more tables.")
]

# the broker and the stations
BrokerAddress = Annotated[str | None, typer.Option(help="host:port of a broker that is running already.")]
BrokerUser = Annotated[
    str, typer.Option(help="User name at that broker; the password is in CITYTABLE_BROKER_PASSWORD.")
]
BrokerPort = Annotated[
    int,
    typer.Option(
        min=0,
        max=PORT_MAX,
        help="Port of the hub's own broker for programs of this computer, which log in only with --listen; 0: any.",
    ),
]
BrokerFolder = Annotated[Path | None, typer.Option(help="Folder with the logins of the hub's own broker.")]
Listen = Annotated[
    str | None, typer.Option(help="host:port on which the hub's own broker listens to stations of a network.")
]
Serial = Annotated[
    str | None, typer.Option(help=f"Ports of wired stations, '' for none; default with --no-twin: {SERIAL_PORTS}.")
]
Certificate = Annotated[Path | None, typer.Option(help="Certificate for --listen, with --tls-key.")]
Key = Annotated[Path | None, typer.Option(help="Key of that certificate.")]
HomeAssistant = Annotated[
    bool, typer.Option("--home-assistant", help="Announce the table to Home Assistant through this broker.")
]
Venue = Annotated[
    bool, typer.Option("--venue", help="Report results and standings to a venue of several tables through this broker.")
]
VenueBridge = Annotated[
    Path | None,
    typer.Option(help="File that `citytable venue bridge` printed, for the hub's own broker; with --listen."),
]

# the pages
PagePort = Annotated[int, typer.Option(min=0, max=PORT_MAX, help="Port of the web page; 0 takes a free one.")]
PageHost = Annotated[
    str | None,
    typer.Option(help="Address on which the web page listens; default: 127.0.0.1, or all addresses with --phones."),
]
PageNames = Annotated[
    list[str] | None, typer.Option(help="Name that a proxy or a router gives the web page; repeat it for more.")
]
OpenPage = Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser if there is a screen.")]
Delay = Annotated[int, typer.Option(min=0, max=SECONDS_MAX, help="Delay of everything public, in seconds.")]
Hold = Annotated[
    bool,
    typer.Option("--hold", help="Hold back the public view until a delivery (or the like in other games) is over."),
]
ObsAddress = Annotated[
    str, typer.Option(help=f"Address of the OBS that saves clips: ws://127.0.0.1:4455; {PASSWORD_VARIABLE}: password.")
]
ThemeFile = Annotated[Path | None, typer.Option(help="File with your venue's colours, logo, name and font.")]


class Shown(msgspec.Struct, frozen=True):
    """Hold where and how a table is shown; port 0 takes any free one."""

    host: str
    port: int
    mode: Mode | None
    home_assistant: bool
    venue: bool
    open_page: bool
    names: tuple[str, ...]
    obs: str
    theme: Theme | None
    fixed_box: bool
    game: str  # that somebody named


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """Hold which game somebody asked for. `named`: by hand."""

    game: str
    named: bool
    box: str | None
    deck: Path | None
    players: int | None
    rulings: Sequence[str] | None
    seed: int | None
    journal: Path | None

    def chosen(self, on: "Table") -> Chosen:
        """Return the game; ends the command with a sentence for one that cannot be."""
        return chosen_game(self.game, self.box, self.deck, self.journal, named=self.named, twin=on.twin)


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """Hold on which table somebody wants to play: a virtual one, one with stations, or one of phones."""

    twin: bool
    phones: bool
    starter: bool
    faults: bool
    speed: float | None
    names: Sequence[str]
    plans: Sequence[Path]

    @property
    def plan(self) -> Path | None:
        """The plan of the first table."""
        return self.plans[0] if self.plans else None

    def check(self, wire: "Wire", box: str | None) -> None:
        """End the command with a sentence for options that do not go together."""
        if self.plans and self.twin:
            raise fail("--plan is for a table of your own: add --no-twin", 2)
        if self.names and not self.twin and not self.phones:
            raise fail("--table names a virtual table: leave it out, your own table has its name in its --plan", 2)
        if self.starter and not self.twin:
            raise fail("--starter is for a virtual table: leave it out, your own table is described in its --plan", 2)
        if len(self.plans) > 1 and (wire.broker is None or wire.serial):
            raise fail(
                "several tables of your own need a common broker and no cables: give --broker, and leave out --serial",
                2,
            )
        wire.check(elsewhere=self.twin or wire.broker is not None)
        if box is not None and self.twin:
            raise fail("--box is the copy on a table of your own: add --phones, or --no-twin and --plan", 2)


class Wire(msgspec.Struct, frozen=True, kw_only=True):
    """Hold by which broker and cables the hub hears stations."""

    broker: str | None
    user: str
    port: int
    folder: Path | None
    listen: str | None
    bridge: Path | None
    serial: str | None
    certificate: Path | None
    key: Path | None

    def check(self, *, elsewhere: bool) -> None:
        """End the command with a sentence if options of the hub's own broker need a broker for stations."""
        if self.listen is not None and elsewhere:
            raise fail(
                "--listen is for stations of your own at the hub's own broker: add --no-twin, and leave out --broker", 2
            )
        if self.bridge is not None and self.listen is None:
            raise fail(
                "--venue-bridge is for the hub's own broker: add --listen, or give the file to your mosquitto", 2
            )


class Public(msgspec.Struct, frozen=True, kw_only=True):
    """Hold the address of the pages, and what the public sees of the table and when."""

    host: str | None
    port: int
    names: Sequence[str]
    open_page: bool
    delay_s: int
    hold: bool
    obs: str
    theme: Path | None
    home_assistant: bool
    venue: bool
    mode: Mode | None


class Asked(msgspec.Struct, frozen=True):
    """Hold everything that somebody asked for."""

    played: Played
    on: Table
    wire: Wire
    public: Public

    def settings(self) -> Settings:
        """Return the settings of the first table; ends the command if something is impossible."""
        played, on, wire, public = self.played, self.on, self.wire, self.public
        on.check(wire, played.box)
        chosen = played.chosen(on)
        usual = chosen.usual_players(on.plan)
        wired = "" if on.twin or on.phones else SERIAL_PORTS
        return Settings(
            box=chosen.box,
            box_path=chosen.box_path,
            options=options_of(chosen.box, played.players, usual=usual, rulings=played.rulings),
            seed=random.SystemRandom().getrandbits(20) if played.seed is None else played.seed,
            faults=on.faults,
            twin=on.twin,
            phones=on.phones,
            starter=on.starter,
            plan_path=on.plan,
            broker_address=wire.broker,
            broker_user=wire.user,
            broker_port=wire.port,
            broker_dir=wire.folder,
            listen=wire.listen,
            venue_bridge=wire.bridge,
            serial=wired if wire.serial is None else wire.serial,
            certificate=wire.certificate,
            key=wire.key,
            asked_for=chosen.box.name,
            journal_path=usual_journal(chosen.box.name) if on.phones and played.journal is None else played.journal,
            go_on=played.players is None and (on.phones or chosen.before is not None),
            ruled=bool(played.rulings),
            delay_s=public.delay_s,
            hold=public.hold,
            speed=on.speed or SPEEDS[on.twin],
        )

    def shown(self) -> Shown:
        """Return how the tables are shown; raises `Misconfigured` for a theme that cannot be."""
        played, public = self.played, self.public
        return Shown(
            public.host or (EVERYWHERE[0] if self.on.phones else LOOPBACK),
            public.port,
            public.mode,
            public.home_assistant,
            public.venue or self.wire.bridge is not None,
            public.open_page,
            tuple(public.names),
            public.obs,
            None if public.theme is None else read_theme(public.theme),
            fixed_box=played.box is not None or played.deck is not None or not self.on.plans,
            game=played.game if played.named else "",
        )
