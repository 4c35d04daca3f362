"""The commands for looking after stations: `citytable station ...`, `doctor` and `level`.

They talk to a running table through its broker, beside its hub.
"""

import asyncio
import json
import os
import shlex
import sys
import tempfile
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import typer
from rich import box
from rich.table import Table

from citytable.bench import Voice
from citytable.console import Spoken, fail, out, say, show_command, warn
from citytable.doctor import flashing
from citytable.doctor.adopting import NoLogins, NotAdopted, address, all_spots, join, template
from citytable.doctor.bundle import NoBundle, build_bundle, read_bundle
from citytable.doctor.calibration import BadCalibration
from citytable.doctor.diagnosis import Finding, diagnose
from citytable.doctor.examining import examine
from citytable.doctor.level import listen, sentence_of
from citytable.doctor.line import Line, NoAnswer
from citytable.doctor.pinning import NoCertificate, Pinned, pinned
from citytable.doctor.plan_file import station_of, write_plan
from citytable.doctor.roll_call import present, roll_call
from citytable.doctor.signing import NoKey, SigningKey, kept_or_new_key
from citytable.doctor.updating import UpdateRefused, Updating
from citytable.languages import ENGLISH, Language
from citytable.link.broker import PASSWORD_VARIABLE, Broker, BrokerUnavailable, external_broker
from citytable.link.credentials import HUB_USER, NEWCOMER_USER, Credentials, default_directory
from citytable.link.port_lock import locked
from citytable.link.wire_in import Birth, Button, LogLine, TagSeen
from citytable.sensing.level import Level, judged
from citytable.stopping import Stopped, until_stopped
from citytable.table.plan import Misconfigured, Plan, StationPlan, check_calibrated, full_plan, load_plan
from tablewire import topics

station = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Flash, adopt, update and maintain stations.",
)

FAILURES = (
    BrokerUnavailable,
    Misconfigured,
    NoAnswer,
    NoBundle,
    NoCertificate,
    NoKey,
    BadCalibration,
    NotAdopted,
    UpdateRefused,
    flashing.NotFlashed,
)
WIFI_VARIABLE = "CITYTABLE_WIFI_KEY"
SEATS_MAX = 4

Address = Annotated[str, typer.Option("--broker", help="host:port of the table's broker.")]
User = Annotated[
    str, typer.Option("--broker-user", help="User name at the broker; the password is in CITYTABLE_BROKER_PASSWORD.")
]
Directory = Annotated[Path | None, typer.Option("--broker-dir", help="Folder with the logins of the hub's own broker.")]
PlanFile = Annotated[
    Path | None, typer.Option("--plan", help="Plan file of the table; default: the virtual table's plan.")
]
Named = Annotated[str, typer.Argument(help="Name of the station, or new/<uid> for a newcomer.")]
HERE = "127.0.0.1:1883"
_ENGLISH = Voice()


class Reach(NamedTuple):
    """Hold a table's broker, its plan, and its broker's logins if they are stored on this machine."""

    broker: Broker
    plan: Plan
    logins: Credentials | None


def find_table(text: str, user: str, directory: Path | None, plan_file: Path | None) -> Reach:
    """Find the table; raise `BrokerUnavailable`, `Misconfigured`."""
    return _find_table_of(_plan(plan_file), text, user, directory)


def _find_table_of(plan: Plan, text: str, user: str, directory: Path | None) -> Reach:
    logins = Credentials(directory or default_directory(), plan.table)
    kept = logins if logins.passwords.exists() else None
    password = os.environ.get(PASSWORD_VARIABLE, "")
    if kept is not None and not user:  # the hub's own broker, and we are its owner
        user, password = HUB_USER, kept.login(HUB_USER)
    return Reach(external_broker(text, user, password), plan, kept)


def _plan(path: Path | None) -> Plan:
    """Return the plan of a file, or that of a full table without things."""
    return full_plan("table", SEATS_MAX, all_spots(), ()) if path is None else load_plan(path)


def carry_out(work: Coroutine[Any, Any, None], voice: Voice = _ENGLISH) -> None:
    """Run a command; report a problem that the user can solve in one sentence, with exit code 1."""
    try:
        asyncio.run(until_stopped(work))
    except FAILURES as error:
        raise fail(voice.error(error)) from None
    except Stopped:
        raise fail(voice("stopped"), 130) from None


@asynccontextmanager
async def line_to(reach: Reach, *, newcomers: bool = False) -> AsyncIterator[Line]:
    """Hold a line to the stations of a table, or to its newcomers."""
    async with Line(reach.broker, topics.NEWCOMERS if newcomers else reach.plan.table) as line:
        yield line


@station.command("list")
def list_stations(
    broker: Address = HERE, user: User = "", directory: Directory = None, plan_file: PlanFile = None
) -> None:
    """List the connected stations, and the newcomers that wait for a name."""

    async def work() -> None:
        reach = find_table(broker, user, directory, plan_file)
        async with line_to(reach) as line, line_to(reach, newcomers=True) as new:
            there, waiting = await asyncio.gather(roll_call(line), roll_call(new))
        _print_stations(reach.plan, there, waiting, _at(broker), plan_file)

    carry_out(work())


def _print_stations(
    plan: Plan, there: dict[str, Birth], waiting: dict[str, Birth], at: str, plan_file: Path | None
) -> None:
    """Print the connected stations in a table of 80 columns, and below it one line for each thing to do."""
    known = {one.station for one in plan.stations} if plan_file else set(there)
    missing = sorted(known - set(there))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("station", "kind", "board", "chip", "program"):
        table.add_column(column, no_wrap=True)  # a name is copied from here
    for name, birth in there.items():
        table.add_row(name, birth.kind, birth.hardware, birth.uid, _program(birth))
    for uid, birth in waiting.items():
        table.add_row(f"{topics.NEWCOMERS}/{uid}", birth.kind, birth.hardware, uid, _program(birth))
    if table.row_count:
        out.print(table)
    for name in sorted(set(there) - known):
        say(f"{name} is not in the plan file")
    if missing:
        say(f"not there: {', '.join(missing)}")
    free = next((name for name in ("park", *_names_of_a_table()) if name not in known | set(there)), "spare")
    plan_words = f"--plan {shlex.quote(str(plan_file))}" if plan_file else "--plan cafe.json --table cafe"
    for uid in waiting:
        say(f"{topics.NEWCOMERS}/{uid} needs a name, for example {free}:")
        show_command(f"citytable station adopt {uid} --name {free} {plan_words}{at}")
    if not table.row_count:
        say("no board answers; one needs half a minute after it was plugged in")
        say("  on a cable: does the hub run, and has the cable wires for data?")
        say("  on Wi-Fi: did you flash it with the right name and key?")
    if plan_file is None:
        say(f"the table is {plan.table!r}: for another one give its plan file with --plan")


def _names_of_a_table() -> list[str]:
    """Return the names of the stations of a whole table."""
    return [one.station for one in _plan(None).stations]


def _program(birth: Birth) -> str:
    return f"{birth.firmware} {birth.bundle[:8] or 'by USB'}"


@station.command()
def adopt(
    uid: Annotated[str, typer.Argument(help="The newcomer's chip id, as `citytable station list` shows it.")],
    name: Annotated[
        str, typer.Option(help="The new name: seat-1, sector-3, park, supply, or a station of the plan file.")
    ],
    plan_file: Annotated[Path, typer.Option("--plan", help="Plan file of the table; it is updated.")],
    table_name: Annotated[str, typer.Option("--table", help="Create the plan file, for a table of this name.")] = "",
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
) -> None:
    """Give a newcomer its name, its place in the plan and its own login."""

    async def work() -> None:
        reach = _find_table_of(_plan_or_new(plan_file, table_name), broker, user, directory)
        placed = template(reach.plan, name, all_spots())
        logins = reach.logins or (_LoginsElsewhere() if reach.broker.user else NoLogins())
        async with line_to(reach) as table, line_to(reach, newcomers=True) as new:
            done, planned = await join(address(uid)[1], placed, reach.plan, (new, table), logins, say)
        if planned != reach.plan:
            write_plan(plan_file, planned)
        spots = len(done.birth.spots)
        say(f"{name} has joined the table: {done.birth.hardware}, {spots} spot{'' if spots == 1 else 's'}")
        what, command = _after_adoption(station_of(planned, name))
        say(f"start the hub anew with --plan {plan_file}, then {what}:")
        show_command(f"{command} --plan {plan_file}{_at(broker)}")
        if not done.broker_knows:
            warn("the broker runs on another machine: make it reload its logins")

    carry_out(work())


def _after_adoption(one: StationPlan) -> tuple[str, str]:
    """Return the maker's next step with a station, in words and as a command without its plan and broker."""
    if not any(spot.cells for spot in one.spots):
        return "ask the doctor", f"citytable doctor {one.station}"
    cranes = any(spot.crane_zero_mm is not None for spot in one.spots)
    blocks = " --blocks 20,50,100" if cranes else ""  # the edges of the printed gauge block
    return "calibrate it", f"citytable calibrate {one.station} --grams 500 --second 200{blocks}"


def _plan_or_new(path: Path, table_name: str) -> Plan:
    """Return the plan of a file, or a plan for a new table that is not written yet."""
    if path.exists():
        return load_plan(path)
    if not table_name:
        raise Misconfigured(f"there is no plan file {path} yet: --table NAME makes one for a table of that name")
    return Plan(_named(table_name), SEATS_MAX, (), {})


def _at(broker: str) -> str:
    """Return the option for this broker, for a command that is to be copied."""
    return "" if broker == HERE else f" --broker {broker}"


def _named(table: str) -> str:
    if not topics.is_name(table) or table == topics.NEWCOMERS:
        raise Misconfigured(f"{table!r} cannot be a table's name: use 1 to 32 letters, digits or dashes, and not 'new'")
    return table


class _LoginsElsewhere:
    """Stand for a broker whose owner keeps the logins: ask for each login to be added."""

    def add(self, user: str, password: str) -> None:
        """Print the login once; it is not stored anywhere."""
        say(f"add the user {user!r} with the password {password!r} to the broker's logins")

    def reload(self) -> bool:
        """Return True: there is nothing to reload."""
        return True


@station.command()
def update(
    name: Named,
    bundle_file: Annotated[
        Path | None, typer.Option("--bundle", help="Bundle file to send; default: build one from this program.")
    ] = None,
    save: Annotated[Path | None, typer.Option("--save", help="Save the bundle to this file, too.")] = None,
    language: Spoken = ENGLISH,
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
    plan_file: PlanFile = None,
) -> None:
    """Send a station another program over the link, and wait until the program has passed its trial."""
    voice = Voice(language)

    async def work() -> None:
        bundle = build_bundle() if bundle_file is None else read_bundle(bundle_file)
        if save is not None:
            save.write_bytes(bundle.content)
        about = {"name": bundle.name[:12], "firmware": bundle.firmware, "files": bundle.files}
        say(voice("bundle", **about, n=len(bundle.content)))
        async with line_to(find_table(broker, user, directory, plan_file)) as line:
            await present(line, name)
            key = SigningKey(directory or default_directory())
            await Updating(line, name, bundle, key.seal(bundle), lambda told: say(voice.of(told))).run()
        say(voice("updated", name=name))

    carry_out(work(), voice)


@station.command()
def identify(
    name: Named,
    seconds: Annotated[int, typer.Option(min=1, max=600, help="How many seconds.")] = 10,
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
    plan_file: PlanFile = None,
) -> None:
    """Make a station blink its lights, so that you can find it."""

    async def work() -> None:
        newcomer, who = address(name)
        async with line_to(find_table(broker, user, directory, plan_file), newcomers=newcomer) as line:
            await present(line, who)
            await line.ask(who, "identify", seconds=seconds)
        say(f"{name} blinks for {seconds} s")

    carry_out(work())


@station.command()
def log(
    name: Named,
    seconds: Annotated[
        float, typer.Option(min=0.1, help="How many seconds to listen; Ctrl-C ends it earlier.")
    ] = 3600.0,
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
    plan_file: PlanFile = None,
) -> None:
    """Show new log lines of a station as they arrive."""

    async def work() -> None:
        newcomer, who = address(name)
        async with line_to(find_table(broker, user, directory, plan_file), newcomers=newcomer) as line:
            say(f"listening to {name}, Ctrl-C ends this: its page shows what it said before (/stations at the hub)")
            async for heard in line.hear(seconds):
                if heard.station == who and isinstance(heard.message, LogLine):
                    say(f"{heard.message.at.total_us / 1e6:10.1f} s  {heard.message.level:7}  {heard.message.text}")

    carry_out(work())


@station.command()
def tags(
    name: Annotated[str, typer.Argument(help="Name of the station.")],
    seconds: Annotated[
        float, typer.Option(min=0.1, help="How many seconds to listen; Ctrl-C ends it earlier.")
    ] = 3600.0,
    language: Spoken = ENGLISH,
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
    plan_file: PlanFile = None,
) -> None:
    """Show each tag that arrives at a spot of a station or leaves it, with its thing, and each press of the button."""
    voice = Voice(language)

    async def work() -> None:
        reach = find_table(broker, user, directory, plan_file)
        station_of(reach.plan, name)
        things = {uid.lower(): thing for uid, thing in reach.plan.tags.items()}
        async with line_to(reach) as line:
            say(voice("tags", name=name))
            async for heard in line.hear(seconds):
                if heard.station != name:
                    continue
                if isinstance(heard.message, Button):
                    say(voice("button"))
                if isinstance(heard.message, TagSeen):
                    seen, uid = heard.message, heard.message.uid.lower()
                    thing = things.get(uid, voice("unknown"))
                    say(f"{seen.spot:16} {uid:14} {voice('came' if seen.here else 'left_spot')}  {thing}")

    carry_out(work(), voice)


@station.command()
def flash(
    port: Annotated[str, typer.Option(help="Serial port of the board, such as /dev/ttyACM0.")] = "",
    uf2: Annotated[Path | None, typer.Option(help="MicroPython for this board, copied first; needs --drive.")] = None,
    drive: Annotated[
        Path | None, typer.Option(help="Drive that the board shows when it is plugged in with BOOTSEL held.")
    ] = None,
    broker: Annotated[
        str, typer.Option(help="host:port at which stations reach the broker; leave it out for a USB cable.")
    ] = "",
    ssid: Annotated[str, typer.Option(help="Name of the stations' Wi-Fi; its key is in CITYTABLE_WIFI_KEY.")] = "",
    country: Annotated[str, typer.Option(help="Country of the radio, in two letters.")] = "",
    certificate: Annotated[
        Path | None, typer.Option(help="Certificate of the broker: the board then speaks TLS, and nothing else.")
    ] = None,
    directory: Directory = None,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the board's name and secrets.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print what would be done.")] = False,
) -> None:
    """Copy MicroPython and the station program to a board over USB; the board starts as a newcomer."""
    if not port and uf2 is None:
        raise fail(
            "give a board: first MicroPython with --uf2 FILE --drive FOLDER (hold BOOTSEL while you plug the board "
            "in), then the program with --port /dev/ttyACM0; --dry-run shows what would be done",
            2,
        )
    if (uf2 is None) != (drive is None):
        raise fail("give --uf2 and --drive together: the file, and the drive that the board shows", 2)
    try:
        if uf2 is not None and drive is not None:
            say(f"{uf2.name} to {drive}")
            if not dry_run:
                flashing.put_micropython(uf2, drive)
        if port:
            keys = () if dry_run else (kept_or_new_key(directory or default_directory()).public_hex,)
            secrets = _first_secrets(broker, ssid, country, directory)
            now = datetime.now(UTC)
            tls = Pinned() if certificate is None else pinned(certificate, secrets.host, now)
            kept = [flashing.SECRETS] if keep else []
            if keep and certificate is None:
                kept.append(flashing.TLS)
            _put_program(port, (secrets, keys, tls, int(now.timestamp())), tuple(kept), dry_run=dry_run)
    except FAILURES as error:
        raise fail(error) from None


def _first_secrets(broker: str, ssid: str, country: str, directory: Path | None) -> flashing.Secrets:
    """Return how a board finds its broker as a newcomer; raise `BrokerUnavailable` for a bad address."""
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


def _put_program(
    port: str, own: tuple[flashing.Secrets, tuple[str, ...], Pinned, int], kept: tuple[str, ...], *, dry_run: bool
) -> None:
    with tempfile.TemporaryDirectory(prefix="citytable-flash-") as folder:
        commands = flashing.copy_commands(port, flashing.stage(Path(folder), *own), kept)
        for command in commands:
            say(" ".join(command))
        if not dry_run:
            with locked(port):  # a running hub listens on it
                flashing.run_commands(commands)
            say("done: the board is starting; `citytable station list` will show it")


def doctor(
    name: Annotated[str, typer.Argument(help="Name of the station.")],
    seconds: Annotated[float, typer.Option(min=1.0, help="How many seconds to measure.")] = 10.0,
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
    plan_file: PlanFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    language: Spoken = ENGLISH,
) -> None:
    """Measure a station's sensors, clock and link. A line ends in `ok`, or the next line says what to check."""
    found: list[Finding] = []
    voice = Voice(language)

    async def work() -> None:
        reach = find_table(broker, user, directory, plan_file)
        planned = station_of(reach.plan, name)
        async with line_to(reach) as line:
            if not as_json:
                say(voice("measuring", name=name, seconds=seconds))
            found.extend(diagnose(planned, await examine(line, name, seconds), today()))

    carry_out(work(), voice)
    if as_json:
        told = [_as_json(one, language) for one in found]
        answer = {"station": name, "ok": all(one.ok for one in found), "findings": told}
        sys.stdout.write(json.dumps(answer) + "\n")
    else:
        for finding in found:
            _print_finding(finding, language)
        _print_verdict(name, found, voice)
    if not all(one.ok for one in found):
        raise typer.Exit(1)


def _print_finding(finding: Finding, language: Language) -> None:
    """Print a line of 80 columns that ends in `ok`, or the next line says what to check."""
    ok, label = "ok" if finding.ok else "", finding.label(language)
    say(f"{label:36} {finding.seen[language]:37} {ok}".rstrip(), "" if ok else "bold red")
    if not finding.ok:
        say(f"  {finding.check[language]}", "bold red")


def _print_verdict(name: str, found: list[Finding], voice: Voice) -> None:
    """Print a last line, because the lines above have scrolled away."""
    bad = sum(not finding.ok for finding in found)
    if bad:
        say(voice("lines_bad", bad=bad, n=len(found)), "bold red")
    else:
        say(voice("lines_ok", name=name, n=len(found)))


def _as_json(finding: Finding, language: Language) -> dict[str, object]:
    check = finding.check[language] if finding.check else ""
    return {"what": finding.label(language), "seen": finding.seen[language], "check": check, "ok": finding.ok}


def level(
    seconds: Annotated[float, typer.Option(min=3.0, help="How many seconds to listen.")] = 6.0,
    language: Spoken = ENGLISH,
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
    plan_file: PlanFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Check before a game that every scale of the table is steady and level. Clear the table, and do not touch it."""
    found: list[tuple[Level, str]] = []

    async def work() -> None:
        reach = find_table(broker, user, directory, plan_file)
        check_calibrated(reach.plan, plan_file)
        async with line_to(reach) as line:
            heard = await listen(line, reach.plan, seconds)
        station_of = reach.plan.station_of()
        found.extend((one, sentence_of(one, station_of[one.spot], language)) for one in judged(heard))

    carry_out(work())
    wrong = [one for one, _ in found if one.answer != "rests"]
    if as_json:
        answers = [{**msgspec.structs.asdict(one), "text": text} for one, text in found]
        sys.stdout.write(json.dumps({"ok": not wrong, "spots": answers}) + "\n")
    else:
        for one, text in found:
            say(f"{one.spot:16} {text}", "bold red" if one in wrong else "")
    if wrong:
        raise typer.Exit(1)


def today() -> date:
    """Return the day here."""
    return datetime.now().astimezone().date()


def add_to(app: typer.Typer) -> None:
    """Add these commands to `citytable`."""
    app.add_typer(station, name="station")
    app.command()(doctor)
    app.command()(level)
