"""One cell on a Raspberry Pi's pins, in its own process: `python -m tablestation.boards.pi_gpio_child DOUT SCK`.

It reads with the `hx711` package. It writes one line when that is set up, and one for every two conversions: the
monotonic clock in microseconds, the microseconds they took, and the two counts. The package waits for ever for a dead
or saturated cell; the process that reads the lines then ends this one. This process also ends when its standard input
does, because then its parent is gone.
"""

import os
import sys
import threading
import time

NOT_INSTALLED = 3  # the exit code
CONVERSIONS = 2  # the fewest that the package reads at a time


def main(dout: int, sck: int) -> None:
    """Read for ever."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        from hx711 import HX711  # noqa: PLC0415 (the extras `pi` and `pi5` bring both)
        from RPi import GPIO  # noqa: PLC0415
    except ImportError as error:
        sys.stderr.write("{}; install citytable[pi], or citytable[pi5] on a Raspberry Pi 5\n".format(error))
        sys.exit(NOT_INSTALLED)
    cell = HX711(dout_pin=dout, pd_sck_pin=sck, gain=128, channel="A")
    GPIO.setup(dout, GPIO.IN, pull_up_down=GPIO.PUD_UP)  # the package lets a wire float that is torn off
    since_us = time.monotonic_ns() // 1000
    _say(since_us, 0)
    while True:
        counts = cell.get_raw_data(CONVERSIONS)
        now_us = time.monotonic_ns() // 1000
        _say(now_us, now_us - since_us, *counts)
        since_us = now_us


def _say(*numbers: int) -> None:
    sys.stdout.write(" ".join([str(number) for number in numbers]) + "\n")
    sys.stdout.flush()


def _end_with_parent() -> None:
    while os.read(0, 64):
        pass
    os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
