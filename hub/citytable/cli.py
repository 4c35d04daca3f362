"""The `citytable` command. It reports every failure that a person can mend in one sentence, with exit code 1 or 2."""

import asyncio
import os
import random
import sys
import webbrowser
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.markup import escape
from rich.table import Table

from citytable import app as wiring
from citytable import (
    cli_bots,
    cli_box,
    cli_calibrate,
    cli_games,
    cli_hardware,
    cli_print,
    cli_producer,
    cli_rehearse,
    cli_sense,
    cli_station,
    cli_table,
    cli_venue,
    filming,
)
from citytable import cli_run as ask
from citytable.at_venue import at_venue
from citytable.book_keeping import record_book
from citytable.bots.names import BOTS, BotName
from citytable.box_choice import BoxChoice, as_chosen
from citytable.caring import caring
from citytable.chosen_game import game_box, gone_on
from citytable.cli_options import options_of
from citytable.cli_run import Shown
from citytable.console import command_app, fail, log_to_people, only_people_read, out, say, warn
from citytable.games import NAMES, budget_of, chance_of
from citytable.hub import Hub
from citytable.journal.entry import Entry, GameStarted
from citytable.journal.export import NotAnExport, read_export
from citytable.journal.replay import Unreplayable
from citytable.journal.store import JournalUnavailable
from citytable.lasting import lasting, with_what_lasts
from citytable.link.broker import BrokerUnavailable, running_broker
from citytable.link.table_link import TickUnmet
from citytable.other_games import TableGames
from citytable.phones import check_options, was_given
from citytable.plan_watch import taking_up_plan
from citytable.rehearsal.company import Stuck
from citytable.rehearsal.judge import Verdict, breakdown, outcome_dict
from citytable.rehearsal.people import people_of
from citytable.rehearsal.practice import Room
from citytable.rehearsal.twin import TwinError
from citytable.rehearsal.words import languages_of, spoken_here
from citytable.session.records import RecordBook
from citytable.settings import Settings, Sitting
from citytable.stopping import Stopped, until_stopped
from citytable.supervised import supervised
from citytable.table.mode import Mode
from citytable.table.plan import Misconfigured
from citytable.table.word import ModeChoice
from citytable.table_things import desk_of, tags_of
from citytable.views import host_note, kept_overlay
from citytable.views.address import LOOPBACK, At, reachable
from citytable.views.extras import Extras
from citytable.views.host_note import HostNote, KeptNote
from citytable.views.keys import Keys
from citytable.views.server import PortBusy
from citytable.virtual_games import bots_play_until

app = command_app()

Players = Annotated[int | None, typer.Option(help="Number of players; default: a number that the game allows.")]
Simplified = Annotated[bool, typer.Option("--simplified", help="The easier rules, where the game has some.")]
Agreed = Annotated[
    list[str] | None,
    typer.Option(
        "--ruling", metavar="NAME=VALUE", help="A ruling your group agreed on: yes, no or a number; repeat it for more."
    ),
]
Seed = Annotated[int, typer.Option(help="Seed of the random numbers; the same seed gives the same game.")]
Deck = Annotated[Path | None, typer.Option(help="File with your own cards; default: the house deck.")]
GameName = Annotated[str, typer.Option(help=f"Which game: {', '.join(NAMES)}.")]
Starter = Annotated[bool, typer.Option("--starter", help="A virtual table with seats only; people report the rest.")]

FAILURES = (
    BrokerUnavailable,
    JournalUnavailable,
    Misconfigured,
    PortBusy,
    Stuck,
    TickUnmet,
    TwinError,
    Unreplayable,
)
"""Failures whose text is a sentence for people; any other one is our fault, and its traceback shows where."""


# one piece: the options of the command, which typer reads from the function itself
@app.command()
def run(
    context: typer.Context,
    game: GameName = NAMES[0],
    players: Players = None,
    ruling: Agreed = None,
    seed: ask.BotSeed = None,
    speed: ask.Speed = None,
    port: ask.PagePort = 8080,
    host: ask.PageHost = None,
    name: ask.PageNames = None,
    broker: ask.BrokerAddress = None,
    broker_user: ask.BrokerUser = "",
    broker_port: ask.BrokerPort = 0,
    broker_dir: ask.BrokerFolder = None,
    listen: ask.Listen = None,
    serial: ask.Serial = None,
    tls_cert: ask.Certificate = None,
    tls_key: ask.Key = None,
    deck: Deck = None,
    box: ask.BoxName = None,
    faults: ask.Faults = False,
    twin: ask.Twin = True,
    starter: Starter = False,
    phones: ask.Phones = False,
    table: ask.TableNames = None,
    plan: ask.PlanFiles = None,
    journal: ask.JournalFile = None,
    home_assistant: ask.HomeAssistant = False,
    venue: ask.Venue = False,
    venue_bridge: ask.VenueBridge = None,
    delay: ask.Delay = 0,
    hold: ask.Hold = False,
    obs: ask.ObsAddress = "",
    theme: ask.ThemeFile = None,
    mode: ask.Illegal = None,
    open_page: ask.OpenPage = True,
) -> None:
    """Run a table: bots on a virtual table, or a table of your own, with a page to watch it."""
    if phones:
        check_options(context)
        twin = False
    named = was_given(context, "game")
    asked = ask.Asked(
        ask.Played(
            game=game, named=named, box=box, deck=deck, players=players, rulings=ruling, seed=seed, journal=journal
        ),
        ask.Table(
            twin=twin, phones=phones, starter=starter, faults=faults, speed=speed, names=table or (), plans=plan or ()
        ),
        ask.Wire(
            broker=broker,
            user=broker_user,
            port=broker_port,
            folder=broker_dir,
            listen=listen,
            bridge=venue_bridge,
            serial=serial,
            certificate=tls_cert,
            key=tls_key,
        ),
        ask.Public(
            host=host,
            port=port,
            names=name or (),
            open_page=open_page,
            delay_s=delay,
            hold=hold,
            obs=obs,
            theme=theme,
            home_assistant=home_assistant,
            venue=venue,
            mode=mode,
        ),
    )
    settings = asked.settings()
    log_to_people()
    try:
        asyncio.run(until_stopped(_show_games(_beside_each_other(settings, table or [], plan or []), asked.shown())))
    except FAILURES as error:
        raise fail(error) from None
    except Stopped:
        warn("the table is closed")


def _beside_each_other(settings: Settings, names: list[str], plans: list[Path]) -> list[Settings]:
    """Return the settings of each table, one for each name or plan, each with its own seed and journal."""
    if len(names) <= 1 and len(plans) <= 1:
        return [msgspec.structs.replace(settings, table=name) for name in names] or [settings]
    several = [{"table": name, "seed": settings.seed + k} for k, name in enumerate(names)]
    several += [{"plan_path": path, "serial": ""} for path in plans]
    tables = [msgspec.structs.replace(settings, **changes) for changes in several]
    called = [one.plan().table for one in tables]
    if len(set(called)) < len(called):
        raise fail(f"two of the tables {', '.join(called)} have the same name: give each a name of its own", 2)
    if settings.journal_path is None:
        return tables
    settings.journal_path.mkdir(parents=True, exist_ok=True)
    paths = [settings.journal_path / f"{name}.sqlite3" for name in called]
    return [msgspec.structs.replace(one, journal_path=path) for one, path in zip(tables, paths, strict=True)]


async def _show_games(tables: list[Settings], shown: Shown) -> None:
    """Run each table with its own hub and page; they share a broker, and the first failure ends all."""
    if len(tables) == 1:
        await _show_a_game(tables[0], shown)
        return
    first = tables[0]
    async with running_broker(external=first.external(), port=first.broker_port, private=first.private) as broker:
        try:
            async with asyncio.TaskGroup() as group:
                for k, settings in enumerate(tables):
                    at = msgspec.structs.replace(shown, port=shown.port and shown.port + k)
                    shared = msgspec.structs.replace(settings, broker=broker, broker_address=None)
                    group.create_task(_show_a_game(shared, at))
        except BaseExceptionGroup as several:
            raise several.exceptions[0] from None


async def _show_a_game(settings: Settings, shown: Shown) -> None:
    """Run a table, and restart it when the host chooses another game or box: at the same port, with its pages open."""
    home, trouble = settings, ""
    if (settings := gone_on(home)) is home and not shown.fixed_box:
        settings, trouble = as_chosen(home, shown.game)
    if trouble:
        warn(trouble, "yellow")
    async with lasting(home) as home:
        settings = with_what_lasts(settings, home)
        while True:
            settings, port = await _show_until_chosen(settings, home, shown)
            shown = msgspec.structs.replace(shown, port=port, open_page=False)
            say(f"game     {settings.box.name} is played from now on, with the box {settings.box.deck}", "bold")


async def _show_until_chosen(settings: Settings, home: Settings, shown: Shown) -> tuple[Settings, int]:
    """Run a table until the host chooses another game or box; return the settings with it, and the port of the page.

    `home` are the settings of the command line.
    """
    host = shown.host
    async with AsyncExitStack() as stack:
        hub = await stack.enter_async_context(wiring.running_hub(settings))
        await _take_mode(hub, settings.sitting, shown.mode)
        keys = wiring.keys_of(settings, hub)
        kept = settings.journal_path
        note = KeptNote(host_note.beside(hub.journal.path))
        at, overlay = At(host, shown.port, shown.names), kept_overlay.beside(kept)
        book = await stack.enter_async_context(record_book(settings, hub))
        care = await stack.enter_async_context(caring(settings, hub))
        choice = BoxChoice(
            settings,
            lambda: hub.play.umpire.observed.lying,
            fixed=shown.fixed_box,
            options=lambda: settings.box.options_in(hub.play.umpire.position),
        )
        hub.shelf.others = TableGames(home, settings, choice)
        await stack.enter_async_context(taking_up_plan(settings, hub, lambda: care.at_work, choice))
        extras = Extras(book, tags_of(settings, hub), care, desk_of(settings, hub, choice), shown.theme)
        page_port = await stack.enter_async_context(
            wiring.screens(hub, keys, at, note.forget_pin, overlay=overlay, extras=extras)
        )
        await _tell_others(stack, settings, hub, shown, book)
        pages = f"http://{reachable(host)}:{page_port}"
        address = f"{pages}/display"
        if hub.wire is not None:
            say(f"broker   {hub.wire.host}:{hub.wire.port} ({hub.wire.kind}), table {settings.plan().table!r}")
        for notice in hub.notices:
            warn(notice, "yellow")
        say(f"display  {address}", "bold")
        _say_what_waits(settings)
        note.keep(opens := host_note.note_of(keys, pages, played=settings.twin))
        say(f"host     {opens.sentence if only_people_read() else f'citytable host --journal {hub.journal.path}'}")
        _say_how_people_join(settings, host, f"{pages}/table", opens)
        hub.session.on_next_game(partial(_say_who_may_play_now, settings, hub, keys, pages, note))
        if shown.open_page and (
            os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or sys.platform in {"darwin", "win32"}
        ):
            webbrowser.open(opens.play or address)
        alive = supervised(lambda: not hub.session.vitals().stuck, goes_on=lambda: choice.is_made)
        await stack.enter_async_context(alive)
        found = await _until_chosen(settings, hub, choice)
        here = found.sitting or Sitting(hub.session.people, hub.play.names)
        here = msgspec.structs.replace(here, secret=keys.secret, mode=hub.play.umpire.mode, work=care.work)
        return msgspec.structs.replace(found, sitting=here), page_port


async def _take_mode(hub: Hub, before: Sitting | None, named: Mode | None) -> None:
    """Treat illegal acts as people chose before they chose another game or box, or else as the command line says."""
    mode = named if before is None else before.mode
    if mode is not None and mode != hub.play.umpire.mode:
        await hub.session.say(ModeChoice(mode=mode, by="host", why="--mode" if before is None else ""))


async def _until_chosen(settings: Settings, hub: Hub, choice: BoxChoice) -> Settings:
    """Let people play until the host has chosen another game or box; return the settings with it."""
    if settings.twin:
        say(f"seed     {settings.seed}   (Ctrl-C ends everything)")
        return await bots_play_until(choice.made(), settings, hub)
    if settings.phones:
        say(f"journal  {settings.journal_path}   (Ctrl-C ends everything; the game goes on at the next start)")
    else:
        say("the table waits for its stations   (Ctrl-C ends everything)")
    return await choice.made()


def _say_what_waits(settings: Settings) -> None:
    if settings.delay_s:
        say(f"delay    everything public is {settings.delay_s} s behind the table")
    if settings.hold:
        say("hold     everything public waits until what is under way is resolved")


async def _tell_others(stack: AsyncExitStack, settings: Settings, hub: Hub, shown: Shown, book: RecordBook) -> None:
    """Connect the other programs that the user asked for, until the stack is closed."""
    if shown.obs:
        await stack.enter_async_context(filming.clips_by_obs(shown.obs, settings, hub, book))
    if shown.home_assistant:
        await stack.enter_async_context(wiring.at_home(settings, hub))
    if shown.venue:
        await stack.enter_async_context(at_venue(settings, hub))


def _say_how_people_join(settings: Settings, host: str, table: str, opens: HostNote) -> None:
    """Print how players open their pages; keys are printed only in a terminal."""
    if settings.twin:
        how = opens.play_sentence if only_people_read() else f"{table}   (you take seat 1 over from its bot)"
        say(f"play     {how}", "bold")
    say("phones   scan the codes on the host's page, or enter their PINs; stations /stations")
    if settings.phones and reachable(host) == LOOPBACK:
        warn("this computer is in no network: join one, or open a hotspot, and start again", "yellow")


def _say_who_may_play_now(settings: Settings, hub: Hub, keys: Keys, pages: str, note: KeptNote) -> None:
    """Print the first player's new link if the next game has new people, because the old one is invalid then."""
    opens = host_note.note_of(keys.of(hub.session.people), pages, played=settings.twin)
    try:
        changed = note.let_play(opens)
    except Misconfigured as error:  # a full disk is no reason to play no game
        warn(error)
        changed = True
    if changed and only_people_read():
        say(f"play     {opens.play_sentence}", "bold")


rehearsals = typer.Typer(invoke_without_command=True)
app.add_typer(rehearsals, name="rehearse")
cli_rehearse.add_to(rehearsals)


@rehearsals.callback()
def rehearse(
    context: typer.Context,
    game: GameName = NAMES[0],
    players: Players = None,
    seed: Seed = 1,
    faults: Annotated[bool, typer.Option("--faults", help="Let things go wrong during play.")] = False,
    bot: Annotated[BotName, typer.Option(help="Which bot decides for the simulated people.")] = "greedy",
    lose_sector: Annotated[
        bool, typer.Option("--lose-sector", help="Let a sector's station fail for good in mid-game.")
    ] = False,
    starter: Starter = False,
    plan: Annotated[
        Path | None, typer.Option(help="Plan file of the table to rehearse; people report whatever it does not sense.")
    ] = None,
    simplified: Simplified = False,
    ruling: Agreed = None,
    deck: Deck = None,
    journal: Annotated[Path | None, typer.Option(help="File of the journal; default: a temporary one.")] = None,
    export: Annotated[Path | None, typer.Option(help="Export the journal to this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Play one whole game on a virtual table as fast as possible, and judge the hub by it."""
    if context.invoked_subcommand is not None:
        return
    box = game_box(game, deck)
    if plan and (starter or lose_sector):
        raise fail("--plan describes the whole table: leave out --starter and --lose-sector", 2)
    settings = Settings(
        box=box,
        options=options_of(box, players, simplified=simplified, rulings=ruling),
        seed=seed,
        faults=faults,
        bot=bot,
        lose_sector=lose_sector,
        starter=starter,
        plan_path=plan,
        rehearsed=plan is not None,
        journal_path=journal,
    )
    try:
        verdict = asyncio.run(until_stopped(wiring.rehearse(settings, export)))
    except FAILURES as error:
        raise fail(error) from None
    except Stopped:
        raise fail("stopped before the game was over", 130) from None
    if as_json:
        sys.stdout.write(msgspec.json.encode(verdict).decode() + "\n")
    else:
        _print_verdict(game, verdict)
    if not verdict.passed:
        raise typer.Exit(1)


def _print_verdict(game: str, verdict: Verdict) -> None:
    _print_outcome(game, verdict.outcome, verdict.breakdown)
    for name, count in msgspec.structs.asdict(verdict.counts).items():
        say(f"{name.replace('_', ' '):>22}  {count}")
    for one in verdict.reliability:
        say(f"{f'shown from {one.low:.2f} on':>22}  {one.confirmed} confirmed, {one.dissolved} dissolved")
    say(f"{'equal':>22}  {verdict.equal}\n{'replay equal':>22}  {verdict.replay_equal}")


def _print_outcome(game: str, outcome: dict[str, Any], lines: dict[str, list[dict[str, Any]]]) -> None:
    winners = " and ".join(f"seat {seat}" for seat in outcome["winners"])
    ended = f"ended by {outcome['termination']}; {f'won by {winners}' if winners else 'everybody lost'}"
    say(ended if outcome["termination"] else "not over yet; the points if it ended here:")
    for seat, points in lines.items():
        table = Table(title=f"seat {seat}: {sum(line['points'] for line in points)}", title_justify="left")
        for column in ("points", "for", "action"):
            table.add_column(column)
        for line in points:
            reason = people_of(game).points(line["reason"], line["words"])
            table.add_row(str(line["points"]), escape(reason), str(line["action_no"] or ""))
        out.print(table)


@app.command()
def replay(file: Annotated[Path, typer.Argument(help="An exported journal.")], deck: Deck = None) -> None:
    """Replay an exported journal and print the result of the game.

    If the file is damaged, its sound part is replayed, and the exit code is 1.
    """
    try:
        exported = read_export(file)
        box = game_box(_game_of(exported.entries), deck)
        if exported.damage:
            warn(exported.damage, "yellow")
        again = wiring.replayed(exported.entries, box, () if exported.deck is None else (exported.deck,))
    except (*FAILURES, NotAnExport) as error:
        raise fail(error) from None
    _print_outcome(box.name, outcome_dict(again), breakdown(again.scores()))
    if exported.damage:
        raise typer.Exit(1)


def _game_of(entries: tuple[Entry, ...]) -> str:
    """Return the game of these entries; raises `Unreplayable` for one that is not here."""
    body = entries[0].body if entries else None
    if not isinstance(body, GameStarted):
        return NAMES[0]  # the replay refuses it and lists the games that there are
    if body.game not in NAMES:
        raise Unreplayable(f"this is a game of {body.game!r}, and only {', '.join(NAMES)} can be replayed here")
    return body.game


@app.command()
def play(
    game: GameName = NAMES[0],
    players: Players = None,
    seed: Seed = 1,
    seat: Annotated[int, typer.Option(min=1, max=4, help="Your seat.")] = 1,
    simplified: Simplified = False,
    ruling: Agreed = None,
    bot: Annotated[BotName, typer.Option(help="Which bot plays on the other seats.")] = "greedy",
    language: Annotated[str, typer.Option(help="Language of the game, such as fr; default: the terminal's own.")] = "",
) -> None:
    """Play in the terminal against bots, to learn the rules. Type `hint` to see what a bot would do."""
    options = options_of(game_box(game), players, simplified=simplified, usual=2, rulings=ruling)
    if seat > options.players:
        raise fail(f"there is no seat {seat} at a table for {options.players}: give --seat 1 to {options.players}", 2)
    in_terminal = people_of(game).in_terminal
    if in_terminal is None:
        raise fail(f"{game} cannot be played in the terminal yet: give citytable run --game {game}", 2)
    if language and language not in (there := languages_of(in_terminal.__module__.rpartition(".")[0])):
        raise fail(f"{game} has no words in {language!r}: give --language {', '.join(there)}", 2)
    rival = BOTS[bot](random.Random(f"{seed} {bot}"), partial(chance_of, game), budget_of(game))
    try:
        in_terminal(options, random.Random(seed), seat, Room(out, language=language or spoken_here()), rival)
    except KeyboardInterrupt:
        warn("you left the table")


cli_bots.add_to(app)
cli_games.add_to(app)
cli_sense.add_to(app)
cli_hardware.add_to(app)
cli_print.add_to(app)
cli_station.add_to(app)
cli_calibrate.add_to(app)
cli_table.add_to(app)
cli_venue.add_to(app)
cli_producer.add_to(app)
cli_box.add_to(app)
