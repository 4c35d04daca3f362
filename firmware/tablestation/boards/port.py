"""The port of a board with MicroPython: clock, tasks, randomness, memory, watchdog. The modules are passed in."""

from errno import ETIMEDOUT

WATCHDOG_MS = 8388  # the longest an RP2040 can wait; an RP2350 could wait longer
_MASK = 0x3FFFFFFF


class Port:
    """The seam's port, on MicroPython's modules `asyncio`, `time`, `os` and `gc`.

    `uid` is the chip's id as bytes: it keeps two boards different that draw the same random number at power-on.
    `fell(context)` is called when a task ends with an error; asyncio defines the context.
    """

    def __init__(self, asyncio, time, os, gc, uid, fell):  # noqa: PLR0913, PLR0917 (one for each of the board's modules)
        self._asyncio = asyncio
        self._os = os
        self._gc = gc
        self._uid = uid
        self._watchdog = None
        self.ticks_us = time.ticks_us
        self.sleep_ms = asyncio.sleep_ms
        asyncio.get_event_loop().set_exception_handler(lambda _, context: fell(context))

    async def within(self, ms, coroutine):
        """Return the coroutine's result; raise OSError if it takes too long."""
        try:
            return await self._asyncio.wait_for_ms(coroutine, ms)
        except self._asyncio.TimeoutError:
            raise OSError(ETIMEDOUT, "no answer within {} ms".format(ms)) from None

    def spawn(self, coroutine):
        """Run a coroutine beside the others."""
        return self._asyncio.create_task(coroutine)

    def random30(self):
        """Return a number from 1 to 2**30 - 1."""
        lot = int.from_bytes(self._os.urandom(4), "little")
        own = int.from_bytes(self._uid[-4:], "little")
        return ((lot ^ own) & _MASK) or 1

    def free_bytes(self):
        """Return the free heap in bytes, without the garbage that a collection would free."""
        return self._gc.mem_free()

    def guard(self, watchdog):
        """Restart the board from now on whenever nobody feeds this `machine.WDT`."""
        self._watchdog = watchdog

    def feed(self):
        """Feed the watchdog."""
        if self._watchdog is not None:
            self._watchdog.feed()
