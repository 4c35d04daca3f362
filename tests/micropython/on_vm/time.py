"""MicroPython's `time` with the clock of the runner under it: microseconds, where the VM itself counts milliseconds."""

import host_clock
from utime import gmtime, localtime, mktime, ticks_add, ticks_diff, time, time_ns  # noqa: F401

ticks_us = host_clock.ticks_us
sleep_us = host_clock.spend_us


def ticks_ms():
    """Milliseconds, of the same moment as `ticks_us` and what asyncio counts by."""
    return host_clock.now_ms()


def ticks_cpu():
    """The finest there is."""
    return ticks_us()


def sleep_ms(ms):
    """Block."""
    host_clock.spend_us(1000 * ms)


def sleep(s):
    """Block."""
    host_clock.spend_us(int(1_000_000 * s))
