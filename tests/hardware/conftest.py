"""The tools of `tools/` as modules, the pin plans, and boards behind pseudo-terminals."""

import os
import pty
import select
import shutil
import subprocess
import sys
import termios
import threading
import tty
from importlib import import_module
from pathlib import Path

import pytest

from citytable.doctor.parts import read_parts
from citytable.games.megacity.spots import shared_spots
from citytable.table.plan import full_plan
from tablestation.boards.pins import KINDS

NODE = shutil.which(
    "node", path=os.pathsep.join([os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent)])
)


@pytest.fixture(scope="module")
def stations(load_tool):
    """tools/stations.py."""
    return load_tool("stations")


@pytest.fixture(scope="module")
def carriers(load_tool):
    """tools/carriers.py."""
    return load_tool("carriers")


@pytest.fixture(scope="module")
def rules(load_tool):
    """tools/rule_check.py."""
    return load_tool("rule_check")


@pytest.fixture(scope="module")
def wire(load_tool):
    """tools/wire.py."""
    return load_tool("wire")


@pytest.fixture(scope="module")
def power(load_tool):
    """tools/power.py."""
    return load_tool("power")


@pytest.fixture(scope="session")
def parts(root):
    """The parts list, by name."""
    return {part.name: part for part in read_parts(root / "hardware/bom.csv")}


@pytest.fixture(scope="module")
def hil(load_tool):
    """tools/hil.py."""
    return load_tool("hil")


@pytest.fixture(scope="module")
def steps(load_tool):
    """tools/steps.py."""
    return load_tool("steps")


@pytest.fixture(scope="module")
def carrier_picture(load_tool):
    """tools/carrier_picture.py."""
    return load_tool("carrier_picture")


@pytest.fixture(scope="module")
def day(load_tool):
    """tools/first_bench_day.py."""
    return load_tool("first_bench_day")


@pytest.fixture(params=KINDS)
def kind(request):
    """Every kind of station."""
    return request.param


@pytest.fixture
def pins(kind):
    """The pin plan of a kind."""
    return import_module(f"tablestation.boards.pins.{kind}").PINS


@pytest.fixture(scope="session")
def full_table_of():
    """`full_table_of(seats)`: the plan of a table that senses everything."""
    return lambda seats: full_plan("table", seats, shared_spots(), ())


@pytest.fixture(scope="session")
def full_table(full_table_of):
    """The plan of such a table with four seats."""
    return full_table_of(4)


class SerialPort:
    """A pseudo-terminal with a program at its far end; `path` is what a serial port's name is."""

    def __init__(self, command, environment):
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self._peer = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    def _carry(self):
        said = self._peer.stdout.fileno()
        while True:
            readable, _, _ = select.select([self._master, said], [], [])
            if said in readable:
                data = os.read(said, 4096)
                if not data:
                    return
                os.write(self._master, data)
            if self._master in readable:
                self._peer.stdin.write(os.read(self._master, 4096))
                self._peer.stdin.flush()

    def close(self):
        self._peer.kill()
        self._peer.wait()
        while self._thread.is_alive():
            termios.tcflush(self._slave, termios.TCIFLUSH)  # it may wait for room to write what nobody reads any more
            self._thread.join(0.05)
        for pipe in (self._peer.stdin, self._peer.stdout):
            pipe.close()
        os.close(self._master)
        os.close(self._slave)


@pytest.fixture(scope="module")
def serial_port():
    opened = []

    def make(command, **environment):
        opened.append(SerialPort(command, os.environ | environment))
        return opened[-1].path

    yield make
    for port in opened:
        port.close()


@pytest.fixture(scope="module")
def board_of_vm(root, serial_port):
    """`board_of_vm(version)`: a port behind which this version of the real VM is."""

    def make(version):
        there = root / f"tests/micropython/node_modules/micropython-{version}/micropython.mjs"
        if NODE is None or not there.exists():
            reason = "node, or tests/micropython/node_modules (tools/setup.sh micropython), missing on this machine"
            if os.environ.get("CI"):
                pytest.fail(f"{reason}, and in CI no test may be skipped", pytrace=False)
            pytest.skip(reason)
        clock = (root / "tests/micropython/on_vm/time.py").read_text()
        return serial_port([NODE, root / "tests/hardware/board_of_vm.mjs", version], VM_TIME=clock)

    return make
