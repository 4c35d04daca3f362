"""The commands of those who look after stations: `citytable station ...`, `doctor`, `level` and the calibrations.

They talk to a running table beside its hub, as one more client of its broker.
"""

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import typer
from rich.table import Table

from citytable.console import fail, out, say, warn
from citytable.doctor import flashing
from citytable.doctor.adopting import Adopting, NotAdopted, address, template
from citytable.doctor.bundle import NoBundle, build_bundle, read_bundle
from citytable.doctor.calibration import Nonsense, Rests, calibrated, check_empty, check_weight
from citytable.doctor.crane import LOWERINGS, check_alike, crane_figures, lowered
from citytable.doctor.diagnosis import Finding, diagnose
from citytable.doctor.examining import examine
from citytable.doctor.level import Language, listen, worded
from citytable.doctor.line import Line, NoAnswer
from citytable.doctor.plan_file import with_cells, with_crane, with_station, write_plan
from citytable.doctor.roll_call import present, roll_call
from citytable.doctor.updating import UpdateRefused, Updating
from citytable.doctor.weighing import weigh
from citytable.games.megacity.position import TYPES, Options
from citytable.link.broker import Broker, BrokerUnavailable, external_broker
from citytable.link.credentials import HUB_USER, NEWCOMER_USER, Credentials, default_directory
from citytable.link.port_lock import locked
from citytable.link.wire_in import Birth, LogLine
from citytable.sensing.level import Level, judged
from citytable.settings import PASSWORD_VARIABLE, Settings
from citytable.stopping import Stopped, until_stopped
from citytable.table.plan import Misconfigured, Plan, StationPlan, check_calibrated, load_plan
from tablewire import topics

station = typer.Typer(no_args_is_help=True, help="Stations: flash, adopt, update and look after them.")

FAILURES = (
    BrokerUnavailable,
    Misconfigured,
    NoAnswer,
    NoBundle,
    Nonsense,
    NotAdopted,
    UpdateRefused,
    flashing.NotFlashed,
)
WIFI_VARIABLE = "CITYTABLE_WIFI_KEY"
SEATS_MAX = 4

Address = Annotated[str, typer.Option("--broker", help="host:port of the table's broker.")]
User = Annotated[str, typer.Option("--broker-user", help="Who we are there; password in CITYTABLE_BROKER_PASSWORD.")]
Directory = Annotated[Path | None, typer.Option("--broker-dir", help="Folder of the hub's broker's logins.")]
PlanFile = Annotated[
    Path | None, typer.Option("--plan", help="The table's plan file; the virtual table's if not given.")
]
Named = Annotated[str, typer.Argument(help="A station's name, or new/<uid> for a newcomer.")]
HERE = "127.0.0.1:1883"


class Reach(NamedTuple):
    """How the table is reached: its broker, its plan, and the logins of its broker where they are kept here."""

    broker: Broker
    plan: Plan
    logins: Credentials | None


def _reach(text: str, user: str, directory: Path | None, plan_file: Path | None) -> Reach:
    """Raises `BrokerUnavailable`, `Misconfigured`."""
    plan = _plan(plan_file)
    logins = Credentials(directory or default_directory(), plan.table)
    kept = logins if logins.passwords.exists() else None
    password = os.environ.get(PASSWORD_VARIABLE, "")
    if kept is not None and not user:  # the hub's own broker, and we are its owner
        user, password = HUB_USER, kept.login(HUB_USER)
    return Reach(external_broker(text, user, password), plan, kept)


def _plan(path: Path | None) -> Plan:
    return Settings(options=Options(players=SEATS_MAX)).plan() if path is None else load_plan(path)


def _carry_out(work: Coroutine[Any, Any, None]) -> None:
    """Run a command; what a person can mend is one sentence and exit code 1."""
    try:
        asyncio.run(until_stopped(work))
    except FAILURES as error:
        raise fail(error) from None
    except Stopped:
        raise fail("stopped", 130) from None


@asynccontextmanager
async def _line(reach: Reach, *, newcomers: bool = False) -> AsyncIterator[Line]:
    async with Line(reach.broker, topics.NEWCOMERS if newcomers else reach.plan.table) as line:
        yield line


@station.command("list")
def list_stations(
    broker: Address = HERE, user: User = "", directory: Directory = None, plan_file: PlanFile = None
) -> None:
    """Which stations are there, and which newcomers wait for a name."""

    async def work() -> None:
        reach = _reach(broker, user, directory, plan_file)
        async with _line(reach) as line, _line(reach, newcomers=True) as new:
            there, waiting = await asyncio.gather(roll_call(line), roll_call(new))
        _print_stations(reach.plan, there, waiting)

    _carry_out(work())


def _print_stations(plan: Plan, there: dict[str, Birth], waiting: dict[str, Birth]) -> None:
    table = Table()
    for column in ("station", "kind", "hardware", "chip", "firmware", "bundle", ""):
        table.add_column(column, overflow="fold", no_wrap=column == "station")  # a name is copied from here
    known = {one.station for one in plan.stations}
    for name, birth in there.items():
        table.add_row(name, *_told(birth), "" if name in known else "not in the plan")
    for missing in sorted(known - set(there)):
        table.add_row(missing, "", "", "", "", "", "not there")
    for uid, birth in waiting.items():
        table.add_row(f"{topics.NEWCOMERS}/{uid}", *_told(birth), "wants a name: citytable station adopt")
    out.print(table)


def _told(birth: Birth) -> tuple[str, ...]:
    return birth.kind, birth.hardware, birth.uid, birth.firmware, birth.bundle[:12] or "by USB"


@station.command()
def adopt(
    uid: Annotated[str, typer.Argument(help="The newcomer's chip, as `citytable station list` shows it.")],
    name: Annotated[str, typer.Option(help="Its name: seat-1, sector-3, park, supply or one of the plan file's.")],
    plan_file: Annotated[Path, typer.Option("--plan", help="The table's plan file, which is written.")],
    table_name: Annotated[str, typer.Option("--table", help="Begin a plan file for a table of this name.")] = "",
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
) -> None:
    """Give a newcomer its name, its place in the plan and a login of its own."""

    async def work() -> None:
        if table_name and not plan_file.exists():
            write_plan(plan_file, Plan(_named(table_name), SEATS_MAX, (), {}))
        reach = _reach(broker, user, directory, plan_file)
        placed = template(reach.plan, name, TYPES)
        planned = with_station(reach.plan, placed)
        logins = reach.logins or _LoginsElsewhere()
        async with _line(reach) as table, _line(reach, newcomers=True) as new:
            chip = address(uid)[1]
            await present(new, chip)
            done = await Adopting(new, table, logins, say).run(chip, placed)
        if done.birth.accelerometer:
            planned = with_station(planned, msgspec.structs.replace(placed, accelerometer=True))
        if planned != reach.plan:
            write_plan(plan_file, planned)
        say(f"{name} is there: {done.birth.hardware}, {len(done.birth.spots)} spots")
        if not done.broker_knows:
            warn("the broker does not run here: have it read its logins again")

    _carry_out(work())


def _named(table: str) -> str:
    if not topics.is_name(table) or table == topics.NEWCOMERS:
        raise Misconfigured(f"{table!r} cannot be a table's name: 1-32 letters, digits or dashes, and not 'new'")
    return table


class _LoginsElsewhere:
    """A broker whose users its owner keeps: he is told whom to add."""

    def add(self, user: str, password: str) -> None:
        """Say it once: nobody can read it later."""
        say(f"where the broker asks for logins, give it the user {user!r} with the password {password!r}")

    def reload(self) -> bool:
        """Nothing of ours."""
        return True


@station.command()
def update(
    name: Named,
    bundle_file: Annotated[
        Path | None, typer.Option("--bundle", help="A bundle file; built from this program if not given.")
    ] = None,
    save: Annotated[Path | None, typer.Option("--save", help="Keep the bundle in this file, too.")] = None,
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
    plan_file: PlanFile = None,
) -> None:
    """Bring a station another program over the link, and wait until it has proved itself."""

    async def work() -> None:
        bundle = build_bundle() if bundle_file is None else read_bundle(bundle_file)
        if save is not None:
            save.write_bytes(bundle.content)
        say(f"bundle {bundle.name[:12]}: firmware {bundle.firmware}, {bundle.files} files, {len(bundle.content)} bytes")
        async with _line(_reach(broker, user, directory, plan_file)) as line:
            await present(line, name)
            await Updating(line, name, bundle, say).run()
        say(f"{name} runs it, and it is good")

    _carry_out(work())


@station.command()
def identify(
    name: Named,
    seconds: Annotated[int, typer.Option(min=1, max=600, help="For how long.")] = 10,
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
    plan_file: PlanFile = None,
) -> None:
    """Have a station show which one it is, by its lights."""

    async def work() -> None:
        newcomer, who = address(name)
        async with _line(_reach(broker, user, directory, plan_file), newcomers=newcomer) as line:
            await present(line, who)
            await line.ask(who, "identify", seconds=seconds)
        say(f"{name} shows itself for {seconds} s")

    _carry_out(work())


@station.command()
def log(
    name: Named,
    seconds: Annotated[float, typer.Option(min=0.1, help="For how long; Ctrl-C ends it earlier.")] = 3600.0,
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
    plan_file: PlanFile = None,
) -> None:
    """Show what a station has to say from now on."""

    async def work() -> None:
        newcomer, who = address(name)
        async with _line(_reach(broker, user, directory, plan_file), newcomers=newcomer) as line:
            async for told in line.hear(seconds):
                if told.station == who and isinstance(told.message, LogLine):
                    say(f"{told.message.at.total_us / 1e6:10.1f} s  {told.message.level:7}  {told.message.text}")

    _carry_out(work())


@station.command()
def flash(
    port: Annotated[str, typer.Option(help="The board's serial port, as /dev/ttyACM0.")] = "",
    uf2: Annotated[Path | None, typer.Option(help="MicroPython for this board, put on before, with --drive.")] = None,
    drive: Annotated[Path | None, typer.Option(help="The drive the board shows after BOOTSEL was held.")] = None,
    broker: Annotated[
        str, typer.Option(help="host:port at which stations reach the broker; none for a USB cable.")
    ] = "",
    ssid: Annotated[str, typer.Option(help="The stations' Wi-Fi; its key in CITYTABLE_WIFI_KEY.")] = "",
    country: Annotated[str, typer.Option(help="Where the radio is, by two letters.")] = "",
    directory: Directory = None,
    keep: Annotated[bool, typer.Option("--keep", help="Leave the board's name and secrets as they are.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")] = False,
) -> None:
    """Put MicroPython and the station program on a board over USB; it comes up as a newcomer."""
    if not port and uf2 is None:
        raise fail(
            "a board is needed: MicroPython with --uf2 FILE --drive FOLDER (BOOTSEL held while plugging it in), then "
            "the program with --port /dev/ttyACM0; --dry-run shows what would be done",
            2,
        )
    if (uf2 is None) != (drive is None):
        raise fail("--uf2 and --drive belong together: the file, and the drive the board shows", 2)
    try:
        if uf2 is not None and drive is not None:
            say(f"{uf2.name} to {drive}")
            if not dry_run:
                flashing.put_micropython(uf2, drive)
        if port:
            _put_program(port, _first_secrets(broker, ssid, country, directory), keep=keep, dry_run=dry_run)
    except FAILURES as error:
        raise fail(error) from None


def _first_secrets(broker: str, ssid: str, country: str, directory: Path | None) -> flashing.Secrets:
    """How a board finds its broker as a newcomer; raises `BrokerUnavailable` for an address that is none."""
    if not broker:
        return flashing.Secrets()
    there = external_broker(broker)
    logins = Credentials(directory or default_directory(), "")
    password = logins.login(NEWCOMER_USER) if logins.passwords.exists() else ""
    return flashing.Secrets(
        host=there.host,
        port=there.port,
        ssid=ssid,
        key=os.environ.get(WIFI_VARIABLE, ""),
        country=country,
        user=NEWCOMER_USER if password else "",
        password=password,
    )


def _put_program(port: str, secrets: flashing.Secrets, *, keep: bool, dry_run: bool) -> None:
    with tempfile.TemporaryDirectory(prefix="citytable-flash-") as folder:
        staged = flashing.stage(Path(folder), secrets)
        commands = flashing.copy_commands(port, staged, keep_secrets=keep)
        for command in commands:
            say(" ".join(command))
        if not dry_run:
            with locked(port):  # a running hub listens on it
                flashing.run_commands(commands)
            say("done: the board starts; citytable station list shows it")


def doctor(
    name: Annotated[str, typer.Argument(help="A station's name.")],
    seconds: Annotated[float, typer.Option(min=1.0, help="How long to measure.")] = 10.0,
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
    plan_file: PlanFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure a station's sensors, clock and link; every line ends in ok or in what to check."""
    found: list[Finding] = []

    async def work() -> None:
        reach = _reach(broker, user, directory, plan_file)
        planned = _planned(reach.plan, name)
        async with _line(reach) as line:
            if not as_json:
                say(f"measuring {name} for {seconds:g} s: keep hands off it")
            found.extend(diagnose(planned, await examine(line, name, seconds), _today()))

    _carry_out(work())
    if as_json:
        told = {"station": name, "ok": all(one.ok for one in found), "findings": [_as_json(one) for one in found]}
        sys.stdout.write(json.dumps(told) + "\n")
    else:
        for finding in found:
            say(f"{finding.what:36} {finding.seen:44} {finding.check or 'ok'}", "" if finding.ok else "bold red")
    if not all(one.ok for one in found):
        raise typer.Exit(1)


def _as_json(finding: Finding) -> dict[str, object]:
    return {**msgspec.structs.asdict(finding), "ok": finding.ok}


def _planned(plan: Plan, name: str) -> StationPlan:
    for one in plan.stations:
        if one.station == name:
            return one
    names = ", ".join(one.station for one in plan.stations)
    raise Misconfigured(f"the plan has no station {name!r}, but {names}: give the table's --plan")


def level(
    seconds: Annotated[float, typer.Option(min=3.0, help="How long to listen.")] = 6.0,
    language: Annotated[Language, typer.Option(help="en or fr.")] = "en",
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
    plan_file: PlanFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Before a game: whether every scale of the table stands still and even. Clear the table and keep hands off it."""
    found: list[tuple[Level, str]] = []

    async def work() -> None:
        reach = _reach(broker, user, directory, plan_file)
        check_calibrated(reach.plan, plan_file)
        async with _line(reach) as line:
            heard = await listen(line, reach.plan, seconds)
        station_of = reach.plan.station_of()
        found.extend((one, worded(one, station_of[one.spot], language)) for one in judged(heard))

    _carry_out(work())
    wrong = [one for one, _ in found if one.answer != "rests"]
    if as_json:
        answers = [{**msgspec.structs.asdict(one), "text": text} for one, text in found]
        sys.stdout.write(json.dumps({"ok": not wrong, "spots": answers}) + "\n")
    else:
        for one, text in found:
            say(f"{one.spot:16} {text}", "bold red" if one in wrong else "")
    if wrong:
        raise typer.Exit(1)


def calibrate(
    spot: Annotated[str, typer.Argument(help="The spot, as seat/1/pad/0 or city/1/-1.")],
    plan_file: Annotated[Path, typer.Option("--plan", help="The table's plan file, which is written.")],
    grams: Annotated[float, typer.Option(help="What the weight weighs.")],
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
    yes: Annotated[bool, typer.Option("--yes", help="Write the plan file without asking.")] = False,
) -> None:
    """Calibrate the load cells under a spot: empty, a known weight, empty again."""
    _carry_out(_calibrate(spot, plan_file, grams, lambda: _reach(broker, user, directory, plan_file), yes=yes))


async def _calibrate(spot: str, plan_file: Path, grams: float, how: Callable[[], Reach], *, yes: bool) -> None:
    reach = how()
    spots = reach.plan.spot_plans()
    if spot not in spots:
        raise Misconfigured(f"the plan has no spot {spot!r}: the names are in docs/reference/plan.md")
    cells, name = spots[spot].cells, reach.plan.station_of()[spot]
    check_weight(cells, grams)

    async def at_rest(asked: str) -> Rests:
        await asyncio.to_thread(typer.prompt, f"{asked}, then press Enter", "", show_default=False)
        async with _line(reach) as line:
            rests = await weigh(line, name, spot, len(cells))
        for number, rest in enumerate(rests):
            say(f"  cell {number}: {rest.mean:.0f} counts, noise {rest.noise:.0f}")
        return rests

    empty = await at_rest(f"take everything off {spot}")
    check_empty(empty)
    loaded = await at_rest(f"put {grams:g} g in the middle of {spot}")
    after = await at_rest(f"take everything off {spot} again")
    made = tuple(
        msgspec.structs.replace(cell, calibrated=_today()) for cell in calibrated(cells, empty, loaded, after, grams)
    )
    for number, (old, new) in enumerate(zip(cells, made, strict=True)):
        say(
            f"cell {number}: {old.counts_per_g:g} -> {new.counts_per_g:g} counts a gram, "
            f"zero {old.zero_counts} -> {new.zero_counts}"
        )
    if yes or await asyncio.to_thread(typer.confirm, f"write this into {plan_file}?"):
        write_plan(plan_file, with_cells(load_plan(plan_file), spot, made))
        say(f"{plan_file} is written; the hub reads it at its next start")


def calibrate_crane(
    spot: Annotated[str, typer.Argument(help="The pad under the crane, as seat/1/pad/0.")],
    plan_file: Annotated[Path, typer.Option("--plan", help="The table's plan file, which is written.")],
    block: Annotated[float, typer.Option(min=0, help="Height of a block in mm, for the scale; 0 leaves it out.")] = 0,
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
    yes: Annotated[bool, typer.Option("--yes", help="Write the plan file without asking.")] = False,
) -> None:
    """Calibrate a crane: three lowerings on the bare platform, and three on a block of known height."""
    _carry_out(_calibrate_crane(spot, plan_file, block, lambda: _reach(broker, user, directory, plan_file), yes=yes))


async def _calibrate_crane(spot: str, plan_file: Path, block_mm: float, how: Callable[[], Reach], *, yes: bool) -> None:
    reach = how()
    name = reach.plan.station_of().get(spot)
    if name is None:
        raise Misconfigured(f"the plan has no spot {spot!r}: the names are in docs/reference/plan.md")

    async def lowerings(on: str) -> tuple[float, ...]:
        say(f"lower the paddle on {on} {LOWERINGS} times, and raise it each time")
        async with _line(reach) as line:
            ranges_mm = await lowered(line, name, spot)
        say("  " + ", ".join(f"{range_mm:.1f}" for range_mm in ranges_mm) + " mm")
        check_alike(ranges_mm)
        return ranges_mm

    bare_mm = await lowerings(f"the bare platform on {spot}")
    figures = crane_figures(bare_mm, await lowerings("the block") if block_mm else (), block_mm)
    say(f"zero {figures.zero_mm:g} mm, scale {'not measured' if figures.scale is None else figures.scale}")
    if yes or await asyncio.to_thread(typer.confirm, f"write this into {plan_file}?"):
        write_plan(plan_file, with_crane(load_plan(plan_file), spot, *figures))
        say(f"{plan_file} is written; the hub reads it at its next start")


def _today() -> date:
    return datetime.now().astimezone().date()


def add_to(app: typer.Typer) -> None:
    """Add these commands to `citytable`."""
    app.add_typer(station, name="station")
    app.command()(doctor)
    app.command()(level)
    app.command()(calibrate)
    app.command("calibrate-crane")(calibrate_crane)
