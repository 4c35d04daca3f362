"""The rings of a table: their last pictures, the lamp that dims them, and a trial of their LEDs."""

from citytable.link.link import Link
from citytable.table.plan import Plan
from citytable.table.spot import Spot
from citytable.views.lamp import Lamp
from citytable.views.lights import Ring, commands, forget, frame, lit, tried
from citytable.views.state import View

TRIAL_US = 60_000_000


class Rings:
    """Lets rings show views by a `lamp`; a trial hides the game on the rings of one station, for a minute at most."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self.lamp = Lamp()
        self._sent: dict[Spot, Ring] = {}
        self._tried: dict[Spot, Ring] = {}
        self._tried_until_us = 0

    async def show(self, view: View, plan: Plan, now_us: int) -> None:
        """Send the changes to the connected stations."""
        rings = self.lamp.dimmed(frame(lit(view), plan))
        rings |= self._tried if now_us < self._tried_until_us else {}
        for station, message in sorted(commands(rings, self._sent, plan).items()):
            if await self._link.publish_light(station, message["rings"]):
                told = {ring["spot"] for ring in message["rings"]}
                self._sent |= {spot: ring for spot, ring in rings.items() if spot in told}

    def forget(self, station: str, plan: Plan) -> None:
        """Note that a station has started: its rings are dark, whatever they were sent before."""
        self._sent = forget(self._sent, station, plan)

    def test_leds(self, station: str, trial: str, plan: Plan, now_us: int) -> None:
        """Show a trial by a word of `TRIALS` with the next view; any other word ends it."""
        self._tried, self._tried_until_us = tried(station, trial, plan), now_us + TRIAL_US
