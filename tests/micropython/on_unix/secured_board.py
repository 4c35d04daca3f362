"""A Pico's own program on MicroPython's unix port, which has TLS. Its flash is the folder that is given, its chips are
models behind the seam, and its network is this machine's.

    micropython secured_board.py FIRMWARE RIG FLASH SECONDS
"""

import asyncio
import sys


def program(flash):
    """Import the Pico's program, as `main.py` does, for a board with this flash; return its class."""
    from proving.blank import Anything, BoardOs
    from proving.seam_level import Furniture

    from tablestation.care.store import Files

    for name in ("machine", "network", "rp2"):
        sys.modules[name] = Anything()
    from tablestation.boards import pico

    furniture = Furniture("sector")

    class Shop:
        def board(self, _spots, _about, _seat):
            return furniture.board

    pico.os = BoardOs()
    pico.Files = lambda os, open_file, _root: Files(os, open_file, flash)
    pico.Workshop = lambda *_: Shop()
    return pico.Pico


async def live(firmware, rig, flash, seconds):
    """Run the program for so long."""
    sys.path += [firmware, rig]
    try:
        await asyncio.wait_for(program(flash)().run(), float(seconds))
    except asyncio.TimeoutError:
        pass


if __name__ == "__main__":
    asyncio.run(live(*sys.argv[1:]))
