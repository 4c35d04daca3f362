"""The games that bots play on the virtual table of `citytable run`, one after the other.

Failures of bots end at most their own game: the hub continues, and people can begin the next game on its page.
"""

import asyncio
import logging
from collections.abc import Awaitable
from typing import NoReturn, TypeVar

import msgspec

from citytable import app as wiring
from citytable.console import say, warn
from citytable.hub import Hub
from citytable.rehearsal.company import Stuck
from citytable.rehearsal.twin import Twin, TwinError
from citytable.settings import Settings

T = TypeVar("T")
_LOGGER = logging.getLogger(__name__)
_GO_ON = "the host's page begins the next one, Ctrl-C ends everything"


async def bots_play(settings: Settings, hub: Hub) -> NoReturn:
    """Play whole games for ever, the next one when somebody begins it: its table is fresh from the box again.

    Raises `TwinError`, `OSError` or `ValueError` when the first table does not come up: the hub is of no use then.
    """
    began, came_up = asyncio.Event(), False
    hub.session.on_next_game(began.set)
    while True:
        began.clear()
        try:
            async with wiring.virtual_table(settings, hub) as twin:
                came_up = True
                await _until_the_next(began, settings, hub, twin)
        except (TwinError, OSError, ValueError) as error:  # the table did not come up, or did not go away
            if not came_up:
                raise
            _report(error)
            await began.wait()
        settings = msgspec.structs.replace(settings, seed=settings.seed + 1)


async def bots_play_until(chosen: Awaitable[T], settings: Settings, hub: Hub) -> T:
    """Let bots play until the host has chosen another game or box for this table; return the choice."""
    playing = asyncio.create_task(bots_play(settings, hub))
    choosing = asyncio.ensure_future(chosen)
    try:
        await asyncio.wait((playing, choosing), return_when=asyncio.FIRST_COMPLETED)
        return choosing.result() if choosing.done() else await playing
    finally:
        playing.cancel()
        choosing.cancel()
        await asyncio.gather(playing, choosing, return_exceptions=True)


async def _until_the_next(began: asyncio.Event, settings: Settings, hub: Hub, twin: Twin) -> None:
    """Play a game on a table, and leave the table as it is until another game begins."""
    playing = asyncio.create_task(_play_a_game(settings, hub, twin))
    changing = asyncio.create_task(began.wait())
    try:
        await asyncio.wait((playing, changing), return_when=asyncio.FIRST_COMPLETED)
        if playing.done():
            _report(playing.exception())
        await changing
    except asyncio.CancelledError:  # the hub ends, or another box was chosen
        await hub.hands.say_goodbye()
        raise
    finally:  # they must not play on without a table
        playing.cancel()
        changing.cancel()
        await asyncio.gather(playing, changing, return_exceptions=True)


async def _play_a_game(settings: Settings, hub: Hub, twin: Twin) -> None:
    playing = msgspec.structs.replace(settings, options=settings.box.options_in(hub.play.umpire.position))
    await wiring.company(playing, hub, twin, lambda _: None).play()


def _report(error: BaseException | None) -> None:
    """Report how a game ended; an error without a sentence is our fault, and the log shows its place."""
    if error is None:
        say(f"the game is over; {_GO_ON}")
        return
    if not isinstance(error, Stuck | TwinError | OSError):
        _LOGGER.error("the bots met something that they do not know", exc_info=error)
    warn(f"the virtual game stopped: {error or type(error).__name__}; {_GO_ON}")
