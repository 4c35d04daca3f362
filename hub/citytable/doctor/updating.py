"""Update a station over the link: it asks for chunks, and we send them until it runs the bundle and reports it good."""

import asyncio
import base64
from collections.abc import Callable

from citytable.doctor.bundle import Bundle
from citytable.doctor.line import Line, NoAnswer
from citytable.doctor.routine import Text
from citytable.doctor.signing import Seal
from citytable.doctor.told import SENTENCES, Told
from citytable.link.wire_in import Birth, UpdateState

AGAIN_S = 3.0
"""After this silence the offer is repeated; the station continues where it was."""
PATIENCE_S = 60.0
"""After this silence the update is given up."""
TRIAL_S = 120.0
"""The same while the new program proves itself: it is good a minute after its station is linked again."""


class UpdateRefused(Told):
    """The station did not take the bundle, or went back to the program before; the text gives its reason."""


class Updating:
    """Carry out one update; `report` gets each step in every language, and `seal` is the owner's signature."""

    def __init__(self, line: Line, station: str, bundle: Bundle, seal: Seal, report: Callable[[Text], None]) -> None:
        self._line = line
        self._station = station
        self._bundle = bundle
        self._seal = seal
        self._report = report
        self._last_sent = -1

    async def run(self) -> None:
        """Update the station and wait until the bundle is good; raise `UpdateRefused` or `NoAnswer`."""
        loop = asyncio.get_running_loop()
        heard_s = loop.time()
        patience_s = PATIENCE_S
        while loop.time() - heard_s < patience_s:
            if patience_s == PATIENCE_S:
                await self._offer()
            async for heard in self._line.hear(AGAIN_S):
                if heard.station != self._station or heard.retained:
                    continue
                if isinstance(heard.message, Birth) and heard.message.bundle == self._bundle.name:
                    self._report(SENTENCES.text("began"))
                if not isinstance(heard.message, UpdateState) or heard.message.bundle != self._bundle.name:
                    continue
                heard_s = loop.time()
                if await self._act_on(heard.message):
                    return
                if heard.message.state in {"ready", "running"}:
                    patience_s = TRIAL_S
        raise NoAnswer.of("update_silent", station=self._station, seconds=patience_s)

    async def _offer(self) -> None:
        bundle = self._bundle
        self._last_sent = -1
        await self._line.ask(
            self._station,
            "offer",
            bundle=bundle.name,
            version=bundle.wire,
            bytes=len(bundle.content),
            chunks=bundle.chunks,
            serial=self._seal.serial,
            signature=self._seal.signature,
        )

    async def _act_on(self, state: UpdateState) -> bool:
        """Act on the station's message; return True once the bundle is good."""
        match state.state:
            case "good":
                return True
            case "refused":
                raise UpdateRefused.of("refused", station=self._station, why=state.why)
            case "rolled_back":
                raise UpdateRefused.of("went_back", station=self._station, why=state.why)
            case "ready":
                self._report(SENTENCES.text("has_bundle"))
            case "running":
                self._report(SENTENCES.text("runs"))
            case _:
                await self._send_chunk(state.have)
        return False

    async def _send_chunk(self, k: int) -> None:
        """Send the chunk that the station wants, once; the station's answer asks for the next."""
        if k == self._last_sent or k >= self._bundle.chunks:
            return
        self._last_sent = k
        if k % 10 == 0:
            self._report(SENTENCES.text("chunks", k=k, n=self._bundle.chunks))
        data = base64.b64encode(self._bundle.chunk(k)).decode()
        await self._line.ask(self._station, "chunk", bundle=self._bundle.name, k=k, data=data)
