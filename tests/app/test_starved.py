"""The demo on a processor that others keep busy: everything is late, and nothing ends."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

RUN = ("run", "--no-open", "--port", "0", "--players", "2", "--seed", "5", "--speed", "20")
BUSY = 3
"""How many programs want all of the processor that the demo has."""
HAPPENED = 2
LOOK_S = 0.5  # more often would be a load of its own


@pytest.fixture
def crowded() -> Iterator[Callable[[Callable[[], object]], object]]:
    """`crowded(start)`: what is started runs on one processor, on which programs that never rest run, too."""
    ours, busy = os.sched_getaffinity(0), []

    def on_one(start: Callable[[], object]) -> object:
        os.sched_setaffinity(0, {min(ours)})
        try:
            busy.extend(subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY))
            return start()
        finally:
            os.sched_setaffinity(0, ours)

    yield on_one
    for one in busy:
        one.kill()
        one.wait()


@pytest.mark.broker
def test_bots_play_on_a_processor_of_which_they_get_a_quarter(crowded, started):
    running = crowded(lambda: started(*RUN))
    running.says("seed ")
    tick = threading.Event()
    while len([line for line in running.view()["happened"] if not line["provisional"]]) < HAPPENED:
        assert running.process.poll() is None, running.said
        tick.wait(LOOK_S)
    assert "stopped" not in running.said
    assert running.end(signal.SIGINT) == 0
    assert "Traceback" not in running.said
