"""OBS: asks it to save its replay buffer over its WebSocket (obs-websocket 5) at moments worth a clip.

The buffer holds the past seconds, so a clip shows a collapse although people have to confirm it first.
"""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

from citytable.session.worth_a_clip import Reason, WorthAClip
from citytable.views.state import View

PASSWORD_VARIABLE = "CITYTABLE_OBS_PASSWORD"
PATIENCE_S = 5.0
NOT_RUNNING, NOT_THERE = 501, 604  # of obs-websocket: the output is not active, or does not exist
WRONG_PASSWORD = 4009  # the code with which it closes
_LOGGER = logging.getLogger(__name__)


class ObsTrouble(Exception):
    """OBS saves nothing: the text gives the reason and the solution."""


async def save_replay(url: str, password: str) -> None:
    """Let OBS save its replay buffer; raises `ObsTrouble`."""
    await _ask(url, password, "SaveReplayBuffer")


async def check_replay(url: str, password: str) -> None:
    """Check whether OBS would save its replay buffer; raises `ObsTrouble`."""
    told = await _ask(url, password, "GetReplayBufferStatus")
    if not told.get("outputActive"):
        raise _no_buffer(url)


def _no_buffer(url: str) -> ObsTrouble:
    return ObsTrouble(
        f"OBS at {url} has no replay buffer running: enable it in OBS under Settings, Output, give it a hotkey for "
        "saving, and press Start Replay Buffer"
    )


def _no_obs(url: str) -> ObsTrouble:
    return ObsTrouble(f"what listens at {url} is not an OBS with obs-websocket 5: OBS 28 or newer has it")


async def _ask(url: str, password: str, request: str) -> dict[str, Any]:
    """Send one request over a new connection, because OBS may have restarted since the last one."""
    try:
        simpleobsws = import_module("simpleobsws")  # an extra: only tables that are filmed install it
        strange = import_module("websockets.exceptions").WebSocketException
    except ImportError:
        raise ObsTrouble(
            "the library for OBS is not installed on the hub's computer: install citytable there with its extra `obs`"
        ) from None
    client = simpleobsws.WebSocketClient(url=url, password=password)
    try:
        async with asyncio.timeout(PATIENCE_S):
            await client.connect()
        await _identified(client, url, password)
        response = await client.call(simpleobsws.Request(request), timeout=PATIENCE_S)
    except (OSError, TimeoutError, simpleobsws.MessageTimeout) as error:
        raise ObsTrouble(
            f"OBS does not respond at {url} ({error or 'no answer'}): start OBS, and enable its server under Tools, "
            "WebSocket Server Settings; the port stands there, too"
        ) from None
    except strange:
        raise _no_obs(url) from None
    finally:
        await client.disconnect()
    status = response.requestStatus
    if status.code in {NOT_RUNNING, NOT_THERE}:
        raise _no_buffer(url)
    if not status.result:
        raise ObsTrouble(f"OBS at {url} refuses {request} (code {status.code}): {status.comment or 'it says no more'}")
    return response.responseData or {}


async def _identified(client: Any, url: str, password: str) -> None:
    """Wait until OBS has accepted the login; raises `ObsTrouble`."""
    for _ in range(int(PATIENCE_S * 20)):
        if await client.wait_until_identified(timeout=0.05):
            return
        if client.ws.close_code == WRONG_PASSWORD:
            wrong = "refuses the password in" if password else "wants a password: put it into"
            raise ObsTrouble(
                f"OBS at {url} {wrong} {PASSWORD_VARIABLE}; it is shown in OBS under Tools, WebSocket Server Settings"
            )
        if client.ws.close_code is not None:
            break
    raise _no_obs(url)


class Clips:
    """Receives views; `run` lets OBS save the clips and reports errors, until cancelled."""

    def __init__(self, worth: WorthAClip, save: Callable[[], Awaitable[None]], warn: Callable[[str], None]) -> None:
        self._worth = worth
        self._save = save
        self._warn = warn
        self._wanted: asyncio.Queue[Reason] = asyncio.Queue(maxsize=4)  # more at once are one clip anyway
        self.saved = 0
        """How many clips OBS saved."""

    def begin(self, view: View) -> None:
        """Take note of a new game on the table."""
        self._worth.begin(view)

    def show(self, view: View) -> None:
        """Take a view that is shown."""
        reason = self._worth.show(view)
        if reason is not None and not self._wanted.full():
            self._wanted.put_nowait(reason)

    async def run(self) -> None:
        """Save the requested clips, one after the other."""
        while True:
            reason = await self._wanted.get()
            try:
                await self._save()
            except ObsTrouble as error:
                self._warn(f"no clip of the {reason}: {error}")
            else:
                self.saved += 1
                _LOGGER.info("OBS saved a clip of the %s", reason)


@asynccontextmanager
async def saving_clips(clips: Clips) -> AsyncIterator[None]:
    """Save clips while inside."""
    saving = asyncio.create_task(clips.run(), name="clips")
    try:
        yield
    finally:
        saving.cancel()
        await asyncio.gather(saving, return_exceptions=True)


def password() -> str:
    """Return the password of OBS from the environment, which other users of the machine cannot see."""
    return os.environ.get(PASSWORD_VARIABLE, "")
