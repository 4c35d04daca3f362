"""The supervisor feeds the watchdog while every task is alive, and names a dead task before the watchdog restarts the
board.

A task shows that it is alive with `pulse.beat()`, each within its own time limit. A task that returns has finished. A
task that raises is dead for good: its error is logged and not caught, so that the board restarts.
"""

CHECK_MS = 500


class Pulse:
    """The heartbeat of one task, due every `limit_ms` and checked every half second; 0: never due."""

    def __init__(self, name, limit_ms):
        self.name = name
        self._checks = limit_ms // CHECK_MS
        self._left = self._checks
        self.dead = False

    def beat(self):
        """Show that the task is alive."""
        self._left = self._checks

    def check(self):
        """Count half a second; report whether the task is alive."""
        if self._checks and not self.dead:
            self._left -= 1
            return self._left >= 0
        return not self.dead


class Supervisor:
    """All tasks of a station. `log(level, text)` writes a line for people."""

    def __init__(self, port, log):
        self._port = port
        self._log = log
        self._pulses = []
        self._blamed = None

    def spawn(self, name, limit_ms, work):
        """Start `work(pulse)`, a coroutine that must beat at least every `limit_ms`."""
        pulse = Pulse(name, limit_ms)
        self._pulses.append(pulse)
        self._port.spawn(self._guard(pulse, work))

    async def run(self):
        """Check all tasks for ever."""
        while True:
            self.check()
            await self._port.sleep_ms(CHECK_MS)

    def check(self):
        """Feed the watchdog, or log why not."""
        late = None
        for pulse in self._pulses:
            if not pulse.check():
                late = pulse
        if late is None:
            self._port.feed()
        elif late is not self._blamed:
            self._log("error", "task {} does not respond: the board is about to restart".format(late.name))
        self._blamed = late

    async def _guard(self, pulse, work):
        try:
            await work(pulse)
        except Exception as error:
            self._log("error", "task {}: {}: {}".format(pulse.name, type(error).__name__, error))
            pulse.dead = True
            raise
        self._pulses.remove(pulse)
