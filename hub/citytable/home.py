"""A table in a home: its hub reports to Home Assistant, which may dim the rings."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from citytable.doctor.bundle import firmware_version
from citytable.hub import Hub
from citytable.session.home_assistant import HomeAssistant, Lights, lasting, telling
from citytable.settings import Settings
from citytable.views import kept_lamp
from citytable.views.home_assistant import Firmware


@asynccontextmanager
async def at_home(settings: Settings, hub: Hub) -> AsyncIterator[None]:
    """Report the table to Home Assistant at the hub's broker while inside, and let it dim the rings."""
    session = hub.session
    lights = Lights(lamp=lambda: session.rings.lamp, set=session.light)
    if settings.journal_path is not None:
        lights = await lasting(lights, kept_lamp.beside(settings.journal_path))
    firmware = Firmware(hub=version("citytable"), latest=firmware_version())
    home = HomeAssistant(settings.plan(), hub.delay.public, lights, firmware, random.random)
    hub.delay.show_on(lambda _now, public: home.show(public))
    async with telling(home, hub.broker):
        yield
