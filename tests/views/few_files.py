"""A web server in a process of its own that may open only a few files; driven by lines on stdin.

    few_files.py RECORDED_VIEW FILES HEADERS_S PER_ADDRESS FEWEST

It prints its port first. `use up` opens files until no more can be opened. `give back` closes them once the server has
complained. Each is answered with `done`. It ends with its stdin.
"""

import asyncio
import contextlib
import logging
import os
import resource
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec

from citytable.views.gate import Gate
from citytable.views.keys import Keys
from citytable.views.lost import log
from citytable.views.places import Limits
from citytable.views.server import Server
from citytable.views.state import View


class Complaints(logging.StreamHandler):
    """Writes each line of the log to stderr, and sets an event."""

    def __init__(self, complained: threading.Event) -> None:
        super().__init__(sys.stderr)
        self._complained = complained

    def emit(self, record: logging.LogRecord) -> None:
        super().emit(record)
        self._complained.set()


async def _serve(view: View, headers_s: float, per_address: int, fewest: int) -> None:
    doors: Any = SimpleNamespace(
        entries=None, record=None, tags=None, care=None, box=None, theme=None
    )  # nobody is let in
    limits = Limits(headers_s=headers_s, per_address=per_address, fewest=fewest, accept_again_s=0.02)
    server = Server(view, doors, Gate(Keys(b"secret", "salon", "game-1"), lambda: 0.0, 2), 1000, limits=limits)
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()

    complained = threading.Event()
    log.addHandler(Complaints(complained))

    async def close(files: list[int]) -> None:
        while files:
            os.close(files.pop())

    def obey() -> None:
        files: list[int] = []
        for line in sys.stdin:
            if line == "use up\n":
                with contextlib.suppress(OSError):
                    while True:
                        files.append(os.open(os.devnull, os.O_RDONLY))
            else:
                complained.wait()  # the server has met the shortage
                asyncio.run_coroutine_threadsafe(close(files), loop).result()  # all at once for the server
            print("done", flush=True)
        loop.call_soon_threadsafe(ended.set)

    print(await server.start("127.0.0.1", 0), flush=True)
    threading.Thread(target=obey, daemon=True).start()
    await ended.wait()
    await server.stop()


if __name__ == "__main__":
    _, recorded, files, headers_s, per_address, fewest = sys.argv
    resource.setrlimit(resource.RLIMIT_NOFILE, (int(files), int(files)))
    shown = msgspec.json.decode(Path(recorded).read_bytes(), type=View)
    asyncio.run(_serve(shown, float(headers_s), int(per_address), int(fewest)))
