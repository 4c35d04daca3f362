"""The commands of a venue: they run an evening of several tables, and print the configuration of its brokers."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from citytable.console import fail, log_to_people, say, warn
from citytable.link.broker import PORT_MAX, Broker, BrokerUnavailable, external_broker
from citytable.stopping import Stopped, until_stopped
from citytable.supervised import supervised
from citytable.venue.draw import draw
from citytable.venue.evening import Evening, coming
from citytable.venue.facts import (
    EveningBegun,
    Fact,
    PlayerLeft,
    Refused,
    ResultRuled,
    RoundWithdrawn,
    TableClosed,
    TableOpened,
)
from citytable.venue.naming import erasing, merging, renaming, showing
from citytable.venue.season import season as season_table
from citytable.venue.standings import standings as standings_of
from citytable.venue.wording import round_lines, season_lines, standing_lines
from citytable.venue_desk.bridge import (
    Node,
    bridge_configuration,
    desk_login,
    nats_configuration,
    players_key,
    producer_key,
)
from citytable.views.address import reachable

if TYPE_CHECKING:
    from types import ModuleType

_Done = TypeVar("_Done")
PAGES_PORT = 8090
_NO_LINK = "this page needs the desk's password in CITYTABLE_VENUE_PASSWORD"
LIKELY_POINTS = 200
"""More is a slip of the keyboard in any of our games, and so is less than nothing."""
LETTERS_MIN = 16
"""What a table knows is made from the desk's password, and programs that try shorter ones would find it."""
_ANOTHER = (
    f"choose one of at least {LETTERS_MIN} characters, such as "
    "python3 -c 'import secrets; print(secrets.token_hex(16))' prints"
)


def _long_enough(secret: str) -> str:
    if 0 < len(secret) < LETTERS_MIN:
        seen = "1 character" if len(secret) == 1 else f"{len(secret)} characters"
        raise fail(f"the password in CITYTABLE_VENUE_PASSWORD has {seen}, so a program could guess it: {_ANOTHER}", 2)
    return secret


PostgreSQL = Annotated[
    str,
    typer.Option(
        "--postgresql",
        envvar="CITYTABLE_POSTGRESQL",
        help="Address of the database, as libpq writes it: 'host=... dbname=...' or postgresql://...",
    ),
]
Name = Annotated[str | None, typer.Option("--evening", help="Name of the evening; default: the latest one.")]
Players = Annotated[list[str], typer.Argument(help="Names; put one with a space in quotes.")]
Secret = Annotated[
    str,
    typer.Option(
        "--password",
        envvar="CITYTABLE_VENUE_PASSWORD",
        hidden=True,
        callback=_long_enough,
        help="Password of the desk; tables get others.",
    ),
]
Certificate = Annotated[
    Path | None, typer.Option(help="Certificate of the venue's broker, as this computer has it: it speaks TLS then.")
]
PagesAt = Annotated[str, typer.Option("--pages", help="Address of the pages, as that browser reaches them.")]
Tables = Annotated[list[str], typer.Argument(help="Names of tables, as their plans and hubs have them.")]

venue = typer.Typer(no_args_is_help=True, help="Run an evening of several tables.")


def _acts() -> "ModuleType":
    """Yield a connection to PostgreSQL; if a package is missing, say in one sentence what to install."""
    try:
        from citytable.venue_desk import acts
    except ModuleNotFoundError as error:
        if error.name != "psycopg":
            raise
        raise fail("evenings are kept in PostgreSQL: install citytable with its extra `venue` first") from None
    return acts


def _done(work: Coroutine[Any, Any, _Done]) -> _Done:
    from citytable.venue_desk.store import StoreUnavailable

    try:
        return asyncio.run(work)
    except (Refused, StoreUnavailable) as error:
        raise fail(error) from None


def _change(postgresql: str, evening: str | None, *decisions: Callable[[Evening], Fact]) -> Evening:
    found: Evening = _done(_acts().change(postgresql, evening, decisions))
    return found


def _add(postgresql: str, evening: str | None, *facts: Fact) -> Evening:
    return _change(postgresql, evening, *(lambda _, fact=fact: fact for fact in facts))


def _how_many(evening: Evening) -> str:
    here = len(evening.present)
    return "1 player is here" if here == 1 else f"{here} players are here"


@venue.command()
def begin(
    name: Annotated[str, typer.Argument(help="Name of the evening, such as its date.")],
    season: Annotated[str, typer.Option(help="Season in which it counts.")] = "",
    rounds: Annotated[int, typer.Option(min=1, help="How many rounds are planned.")] = 4,
    players_min: Annotated[int, typer.Option(min=2, help="Fewest players of a game.")] = 2,
    players_max: Annotated[int, typer.Option(min=2, help="Most players of a game.")] = 4,
    seed: Annotated[int | None, typer.Option(help="Seed of the draw; default: a new one.")] = None,
    over_unfinished: Annotated[
        bool, typer.Option("--over-unfinished", help="Begin even if a round of the latest evening is not finished.")
    ] = False,
    postgresql: PostgreSQL = "",
) -> None:
    """Begin an evening; from now on results of tables count for it."""
    acts = _acts()
    fact = EveningBegun(players_min, players_max, rounds, acts.new_seed() if seed is None else seed)
    _done(acts.begin(postgresql, name, season, fact, over_unfinished=over_unfinished))
    say(f"{name} has begun: {rounds} rounds, {players_min} to {players_max} players at a table")


@venue.command()
def come(players: Players, evening: Name = None, postgresql: PostgreSQL = "") -> None:
    """Add players, from the next round on."""
    now = _change(postgresql, evening, *map(coming, players))
    say(_how_many(now))


@venue.command()
def leave(players: Players, evening: Name = None, postgresql: PostgreSQL = "") -> None:
    """Remove players from further rounds; their results stay."""
    now = _add(postgresql, evening, *map(PlayerLeft, players))
    say(_how_many(now))


@venue.command()
def rename(
    player: Annotated[str, typer.Argument(help="The present name.")],
    name: Annotated[str, typer.Argument(help="The new name.")],
    evening: Name = None,
    postgresql: PostgreSQL = "",
) -> None:
    """Rename a player on all evenings of the season; they keep all their results."""
    count = _done(_acts().change_season(postgresql, evening, renaming(player, name)))
    say(f"{player} is {name} now, on {_evenings(count)}")


@venue.command()
def merge(
    player: Annotated[str, typer.Argument(help="The name to remove.")],
    into: Annotated[str, typer.Argument(help="The name to keep.")],
    evening: Name = None,
    postgresql: PostgreSQL = "",
) -> None:
    """Merge two names of one person on all evenings of the season, with the results of both."""
    count = _done(_acts().change_season(postgresql, evening, merging(player, into)))
    say(f"{player} was {into}, on {_evenings(count)}")


@venue.command()
def agree(
    players: Players,
    no: Annotated[bool, typer.Option("--no", help="They do not agree, or no longer: show a number instead.")] = False,
    evening: Name = None,
    postgresql: PostgreSQL = "",
) -> None:
    """Note that players agree to be shown by name in the public table of the season."""
    for player in players:
        _done(_acts().change_season(postgresql, evening, showing(player, by_name=not no)))
    say(f"{', '.join(players)}: {'a number' if no else 'the name'} stands in the public table of the season")


@venue.command()
def erase(
    player: Annotated[str, typer.Argument(help="Name as in the standings.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    postgresql: PostgreSQL = "",
) -> None:
    """Forget a player who asks for it: remove their names from all evenings for good. Their points stay."""
    if not yes:
        typer.confirm(f"forget the name {player} on all evenings? It cannot be brought back", abort=True)
    count = _done(_acts().rewrite(postgresql, erasing(player)))
    say(f"{player} is forgotten, on {_evenings(count)}; backups of PostgreSQL still hold the name")


def _evenings(count: int) -> str:
    return "1 evening" if count == 1 else f"{count} evenings"


@venue.command("open")
def opened(tables: Tables, evening: Name = None, postgresql: PostgreSQL = "") -> None:
    """Use tables from the next round on."""
    now = _add(postgresql, evening, *map(TableOpened, tables))
    say(f"tables: {', '.join(now.tables)}")


@venue.command()
def close(tables: Tables, evening: Name = None, postgresql: PostgreSQL = "") -> None:
    """Stop using tables, from the next round on."""
    now = _add(postgresql, evening, *map(TableClosed, tables))
    say(f"tables: {', '.join(now.tables) or 'none'}")


@venue.command("draw")
def draw_round(evening: Name = None, postgresql: PostgreSQL = "") -> None:
    """Draw the next round, and print the seats."""
    _print(round_lines(_change(postgresql, evening, draw)))


@venue.command("round")
def show_round(evening: Name = None, postgresql: PostgreSQL = "") -> None:
    """Print the last round, with the results so far."""
    _print(round_lines(_change(postgresql, evening)))


@venue.command()
def withdraw(evening: Name = None, postgresql: PostgreSQL = "") -> None:
    """Cancel the last round, as long as none of its games is over."""
    now = _change(postgresql, evening, lambda found: RoundWithdrawn(len(found.rounds)))
    say(f"rounds drawn: {len(now.rounds)}")


@venue.command()
def result(
    round_no: Annotated[int, typer.Argument(help="Number of the round.")],
    table: Annotated[str, typer.Argument(help="Name of the table.")],
    points: Annotated[list[int], typer.Argument(help="Points of seats 1, 2, ...")],
    why: Annotated[str, typer.Option(help="Reason, stored with the result.")] = "",
    evening: Name = None,
    postgresql: PostgreSQL = "",
) -> None:
    """Enter or correct a result; it outranks the report of the table. Unlikely points need a reason."""
    odd = next((n for n in points if not 0 <= n <= LIKELY_POINTS), None)
    if odd is not None and not why:
        raise fail(f"a game hardly ends with {odd} points: if it did, give the reason with --why", 2)
    _print(round_lines(_add(postgresql, evening, ResultRuled(round_no, table, tuple(points), why)), round_no))


@venue.command()
def standings(evening: Name = None, postgresql: PostgreSQL = "") -> None:
    """Print the standings of the evening."""
    _print(standing_lines(standings_of(_change(postgresql, evening))))


@venue.command()
def season(
    name: Annotated[str | None, typer.Argument(help="Name of the season; default: that of the latest evening.")] = None,
    best: Annotated[int | None, typer.Option(min=1, help="How many evenings of each player count.")] = None,
    postgresql: PostgreSQL = "",
) -> None:
    """Print the table of a season."""
    _, evenings = _done(_acts().season_of(postgresql, name))
    _print(season_lines(season_table(evenings, best)))


@venue.command()
def serve(
    broker: Annotated[
        list[str] | None, typer.Option(help="host:port of the venue's broker, its MQTT port; repeat it for a cluster.")
    ] = None,
    certificate: Certificate = None,
    secret: Secret = "",
    host: Annotated[str, typer.Option(help="Address on which the pages listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=PORT_MAX, help="Port of the pages; 0 takes a free one.")] = PAGES_PORT,
    name: Annotated[
        list[str] | None, typer.Option(help="Name that a proxy or a router gives the pages; repeat it for more.")
    ] = None,
    postgresql: PostgreSQL = "",
) -> None:
    """Receive the reports of tables, and serve the pages: standings, seasons, and all tables for a producer."""
    _acts()
    try:
        login = desk_login(secret)
        at = broker or ["127.0.0.1:1883"]
        brokers = [external_broker(where, login.user, login.password, certificate) for where in at]
        _done(until_stopped(_serve(postgresql, brokers, host, port, secret, name or [])))
    except (BrokerUnavailable, OSError) as error:
        raise fail(error) from None
    except Stopped:
        warn("the desk is closed")


async def _serve(postgresql: str, brokers: list[Broker], host: str, port: int, secret: str, names: list[str]) -> None:
    from citytable.venue_desk.desk import running_desk
    from citytable.venue_desk.web import DeskKeys

    log_to_people()
    keys = DeskKeys(producer_key(secret), players_key(secret))
    async with running_desk(postgresql, brokers, host, port, keys, names) as page_port:
        pages = f"http://{reachable(host)}:{page_port}"
        say(f"standings  {pages}/   (Ctrl-C ends everything)")
        say(f"producer   {'citytable venue producer prints the link' if secret else _NO_LINK}")
        say(f"players    {'citytable venue players prints the link' if secret else _NO_LINK}")
        async with supervised(lambda: True):
            await asyncio.Event().wait()


@venue.command()
def producer(pages: PagesAt = f"http://127.0.0.1:{PAGES_PORT}", secret: Secret = "") -> None:
    """Print the link that opens the producer's page; run it on a computer with the desk's password."""
    if not secret:
        raise fail(_NO_LINK, 2)
    typer.echo(f"{pages.rstrip('/')}/producer?key={producer_key(secret)}")


@venue.command("players")
def players_page(pages: PagesAt = f"http://127.0.0.1:{PAGES_PORT}", secret: Secret = "") -> None:
    """Print the link to the desk's page where you rename, merge and forget players."""
    if not secret:
        raise fail(_NO_LINK, 2)
    typer.echo(f"{pages.rstrip('/')}/players?key={players_key(secret)}")


@venue.command()
def bridge(
    table: Annotated[str, typer.Argument(help="Name of the table.")],
    to: Annotated[
        list[str], typer.Option(help="host:port of the venue's broker, its MQTT port; repeat it for a cluster.")
    ],
    certificate: Annotated[
        Path | None, typer.Option(help="Where the table's computer has the certificate of the venue's broker.")
    ] = None,
    secret: Secret = "",
) -> None:
    """Print the mosquitto configuration of a table that reports to the venue.

    Run it on a computer with the desk's password.
    """
    for where in to:
        host, _, port = where.rpartition(":")
        if not host or not port.isdigit():
            raise fail(f"--to {where!r} is no address: give host:port, such as venue.local:1883", 2)
    typer.echo(bridge_configuration(table, to, secret, certificate), nl=False)


@venue.command("broker")
def broker_configuration(
    folder: Annotated[Path, typer.Option(help="Folder in which it keeps messages.")],
    table: Annotated[
        list[str] | None, typer.Option(help="Name of a table that may report; repeat it for more.")
    ] = None,
    host: Annotated[str, typer.Option(help="Address on which it listens.")] = "0.0.0.0",
    port: Annotated[int, typer.Option(min=1, max=PORT_MAX, help="Its MQTT port.")] = 1883,
    nats_port: Annotated[int, typer.Option(min=1, max=PORT_MAX, help="Its own port.")] = 4222,
    tls_cert: Annotated[Path | None, typer.Option(help="Its certificate, with --tls-key: it speaks TLS then.")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="Key of that certificate.")] = None,
    secret: Secret = "",
    name: Annotated[str, typer.Option(help="Its name, another one for each node of a cluster.")] = "venue",
    cluster: Annotated[
        list[str] | None, typer.Option(help="host:port at which a node of its cluster hears the others; one for each.")
    ] = None,
    cluster_port: Annotated[
        int, typer.Option(min=1, max=PORT_MAX, help="Port at which this node hears the others.")
    ] = 6222,
) -> None:
    """Print the configuration of the venue's broker, nats-server, or of one of the three nodes of a cluster."""
    if (tls_cert is None) != (tls_key is None):
        raise fail("TLS needs the certificate and its key: give both, or neither", 2)
    if not secret:
        raise fail(
            f"CITYTABLE_VENUE_PASSWORD is not set, so anybody in the network could report results: {_ANOTHER}", 2
        )
    node = Node(
        folder=folder.absolute(),
        host=host,
        port=nats_port,
        mqtt_port=port,
        name=name,
        cluster_port=cluster_port,
        routes=tuple(cluster or ()),
        certificate=None if tls_cert is None else tls_cert.absolute(),
        key=None if tls_key is None else tls_key.absolute(),
    )
    typer.echo(nats_configuration(node, secret, table or ()), nl=False)


def _print(lines: tuple[str, ...]) -> None:
    for line in lines:
        say(line)


def add_to(app: typer.Typer) -> None:
    """Add these commands to `citytable`."""
    app.add_typer(venue, name="venue")
