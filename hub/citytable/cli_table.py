"""The commands that look after a running table."""

import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from citytable.console import fail, say
from citytable.journal.database import JournalUnavailable, locked
from citytable.journal.owner import given_to
from citytable.table.plan import Misconfigured
from citytable.views import host_note, keys
from citytable.views.answers import Wellness

HEALTH_S = 5.0  # a hub that is alive answers at once


def host(
    journal: Annotated[Path, typer.Option(help="File of the journal, as given to `citytable run`.")],
    new: Annotated[
        bool, typer.Option("--new", help="Make all links and PINs invalid; the hub creates new ones at its next start.")
    ] = False,
) -> None:
    """Print the link that opens the host's page, and the PIN while it is valid."""
    if new:
        _revoke(journal)
        return
    try:
        note = host_note.read_note(host_note.beside(journal))
    except Misconfigured as error:
        raise fail(error) from None
    say(note.sentence)
    if note.play:
        say(note.play_sentence)


def _revoke(journal: Path) -> None:
    """Give a table another secret; a hub that runs would go on with the one that it has read."""
    kept = keys.beside(journal)
    if not kept.exists():
        raise fail(f"there are no keys in {kept}: give the journal of a hub that has run")
    try:
        with closing(locked(journal)):
            keys.renew(kept)
            given_to(kept.parent, kept)
            host_note.beside(journal).unlink(missing_ok=True)
    except JournalUnavailable as error:
        raise fail(error) from None
    except OSError as error:
        raise fail(f"{kept}: {error.strerror}: the old keys are still valid; check who may write there") from None
    say("the links and PINs of the host, the players and the producer are no longer valid")
    say(f"start the hub: citytable host --journal {journal} prints the new link; phones enter again")


def health(
    at: Annotated[str, typer.Option(help="Address of the hub's pages.")] = "http://127.0.0.1:8080",
) -> None:
    """Print whether the hub of a running table works; the exit code is 1 if it does not."""
    try:
        wellness = msgspec.json.decode(_asked(f"{at}/healthz"), type=Wellness)
    except (OSError, ValueError) as error:  # another program may answer no JSON, which is a ValueError
        raise fail(f"no hub answers at {at} ({error}): look whether it runs, and at which address") from None
    if not wellness.ok:
        raise fail(f"not well: {', '.join(wellness.wrong)}")
    say("well")


def _asked(address: str) -> bytes:
    """Return the answer of a hub in this network, even with a status that reports an error."""
    directly = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with directly.open(address, timeout=HEALTH_S) as answer:
            return bytes(answer.read())
    except urllib.error.HTTPError as refused:
        with refused:
            return bytes(refused.read())


def add_to(app: typer.Typer) -> None:
    """Add these commands to `citytable`."""
    app.command()(host)
    app.command()(health)
