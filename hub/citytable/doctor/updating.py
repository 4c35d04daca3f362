"""Updating a station over the link: it pulls, we give, until it runs the bundle and says that it is good."""

import asyncio
import base64
from collections.abc import Callable

from citytable.doctor.bundle import Bundle
from citytable.doctor.line import Line, NoAnswer
from citytable.link.wire_in import Birth, UpdateState

AGAIN_S = 3.0
"""Silence after which the offer is repeated: the station goes on where it was."""
PATIENCE_S = 60.0
"""Silence after which nobody waits any longer."""
TRIAL_S = 120.0
"""A bundle is good a minute after its station is linked again."""


class UpdateRefused(RuntimeError):
    """The station did not take the bundle, or went back to the one before: the text is its reason."""


class Updating:
    """One update. `tell(sentence)` is called when something has moved."""

    def __init__(self, line: Line, station: str, bundle: Bundle, tell: Callable[[str], None]) -> None:
        self._line = line
        self._station = station
        self._bundle = bundle
        self._tell = tell
        self._given = -1

    async def run(self) -> None:
        """Until the bundle is good; raises `UpdateRefused` or `NoAnswer`."""
        loop = asyncio.get_running_loop()
        heard_s = loop.time()
        patience_s = PATIENCE_S
        while loop.time() - heard_s < patience_s:
            if patience_s == PATIENCE_S:
                await self._offer()
            async for told in self._line.hear(AGAIN_S):
                if told.station != self._station or told.retained:
                    continue
                if isinstance(told.message, Birth) and told.message.bundle == self._bundle.name:
                    self._tell("it has started the new program")
                if not isinstance(told.message, UpdateState) or told.message.bundle != self._bundle.name:
                    continue
                heard_s = loop.time()
                if await self._moved(told.message):
                    return
                if told.message.state in {"ready", "running"}:
                    patience_s = TRIAL_S
        raise NoAnswer(
            f"{self._station} has said nothing of the update for {patience_s:.0f} s: see `citytable station list`; "
            "the same command goes on where it was"
        )

    async def _offer(self) -> None:
        bundle = self._bundle
        self._given = -1
        await self._line.ask(
            self._station,
            "offer",
            bundle=bundle.name,
            version=bundle.wire,
            bytes=len(bundle.content),
            chunks=bundle.chunks,
        )

    async def _moved(self, state: UpdateState) -> bool:
        """Do what the station's message asks for; True when the bundle is good."""
        match state.state:
            case "good":
                return True
            case "refused":
                raise UpdateRefused(f"{self._station} refuses the bundle: {state.why}")
            case "rolled_back":
                raise UpdateRefused(f"{self._station} went back to the program before: {state.why}")
            case "ready":
                self._tell("it has all of it, and restarts")
            case "running":
                self._tell("the new program runs; it is good after a minute on the link")
            case _:
                await self._give(state.have)
        return False

    async def _give(self, k: int) -> None:
        """The chunk that is wanted, once: the answer to it asks for the next."""
        if k == self._given or k >= self._bundle.chunks:
            return
        self._given = k
        if k % 10 == 0:
            self._tell(f"{k} of {self._bundle.chunks} chunks")
        data = base64.b64encode(self._bundle.chunk(k)).decode()
        await self._line.ask(self._station, "chunk", bundle=self._bundle.name, k=k, data=data)
