"""The port of a board with MicroPython: clock, tasks, chance, memory, watchdog. The modules are handed in."""

from errno import ETIMEDOUT

WATCHDOG_MS = 8388  # the longest an RP2040 can wait; an RP2350 could wait longer
_MASK = 0x3FFFFFFF


class Port:
    """What `seam.py` asks of a port, on MicroPython's modules `asyncio`, `time`, `os` and `gc`.

    `uid` is the chip's id as bytes: two boards that draw the same lot at power on still differ. `fell(context)` hears
    of tasks that ended with an error, as asyncio tells it.
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
        """What the coroutine returns; OSError when that takes longer."""
        try:
            return await self._asyncio.wait_for_ms(coroutine, ms)
        except self._asyncio.TimeoutError:
            raise OSError(ETIMEDOUT, "no answer within {} ms".format(ms)) from None

    def spawn(self, coroutine):
        """Run it beside the others."""
        return self._asyncio.create_task(coroutine)

    def random30(self):
        """1 to 2**30 - 1."""
        lot = int.from_bytes(self._os.urandom(4), "little")
        own = int.from_bytes(self._uid[-4:], "little")
        return ((lot ^ own) & _MASK) or 1

    def free_bytes(self):
        """Of the heap, what is free now and what a collection would free is not told apart."""
        return self._gc.mem_free()

    def guard(self, watchdog):
        """From now on the board restarts when nobody feeds this `machine.WDT`."""
        self._watchdog = watchdog

    def feed(self):
        """Alive."""
        if self._watchdog is not None:
            self._watchdog.feed()
