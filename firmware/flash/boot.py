# Runs at every start and soft reset, also when a person takes the board over through USB: the watchdog of the last
# program would restart the board in the middle of their work. RP2040 and RP2350: CTRL of the watchdog, bit 30 ENABLE.
import os
import sys

import machine

machine.mem32[(0x400D8000 if "RP2350" in sys.implementation._machine else 0x40058000) + 0x3000] = 1 << 30

from slots import Slots  # noqa: E402 (the watchdog first)
from store import Files  # noqa: E402

sys.path.insert(0, "/" + Slots(Files(os, open, "/")).choose())
