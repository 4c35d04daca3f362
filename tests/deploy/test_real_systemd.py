"""The installer on a computer that systemd itself starts: namespaces of this one, with a root of their own.

The hub is a program that only says how it is: what is tried is what systemd makes of the units, of an update whose
installer is killed, and of one in whose midst the power goes.
"""

import os
import shutil
import signal
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

SYSTEMD = Path("/lib/systemd/systemd")
pytestmark = [
    pytest.mark.long(30),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root may make the namespaces of a computer"),
    pytest.mark.skipif(not SYSTEMD.exists(), reason="there is no systemd here"),
]

BOOT = """#!/bin/bash
# boots a computer whose disk is the folder $1, laid over this one's; the first process of its namespaces
set -e
root=$1/root
mount --make-rprivate /
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/disk,workdir=$1/work" "$root"
for at in run tmp dev sys; do mount -t tmpfs tmpfs "$root/$at" -o mode=755; done
chmod 1777 "$root/tmp"
mount -t proc proc "$root/proc"
for name in null zero full random urandom tty; do cp -a "/dev/$name" "$root/dev/"; done
mkdir -p "$root/dev/pts" "$root/dev/shm" "$root/sys/fs/cgroup"
ln -s pts/ptmx "$root/dev/ptmx" # without it no service gets devices of its own
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup" 2>/dev/null && [ -f "$root/sys/fs/cgroup/cgroup.procs" ] || exit 3
if [ -z "$(cat "$root/sys/fs/cgroup/cgroup.controllers")" ]; then # its controllers are another hierarchy's
  umount "$root/sys/fs/cgroup"
  mount -t tmpfs tmpfs "$root/sys/fs/cgroup"
  mkdir "$root/sys/fs/cgroup/systemd"
  mount -t cgroup -o none,name=systemd cgroup "$root/sys/fs/cgroup/systemd"
fi
ip link set lo up
mkdir "$root/run/before"
cd "$root"
pivot_root . run/before
umount --lazy /run/before
exec env -i container=tests PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd
"""
HUB = """#!/usr/bin/python3
import http.server, os, pathlib, socket, threading

wheel = pathlib.Path(os.path.realpath(__file__)).parents[1] / "wheel"

class Health(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(503 if b"sick" in wheel.read_bytes() else 200)
        self.end_headers()

    def log_message(self, *_):
        pass

def notify(text):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
        door.sendto(text, os.environ["NOTIFY_SOCKET"])

server = http.server.HTTPServer(("127.0.0.1", 8080), Health)
threading.Thread(target=server.serve_forever, daemon=True).start()
notify(b"READY=1")
try:
    while True:
        notify(b"WATCHDOG=1")
        threading.Event().wait(1)
except KeyboardInterrupt:
    pass
"""
PYTHON = """#!/bin/sh
# `python3 -m venv FOLDER` makes a release of a hub that is a few lines long
[ "$1 $2" = "-m venv" ] || exec /usr/bin/python3 "$@"
mkdir -p "$3/bin"
cp /usr/local/lib/hub.py "$3/bin/citytable"
printf '#!/bin/sh\\nfor wheel; do :; done\\ncp "${wheel%%%%[*}" "${0%%/bin/python}/wheel"\\n' >"$3/bin/python"
chmod +x "$3/bin/python" "$3/bin/citytable"
"""


class Computer:
    """A computer that can be switched on, asked, and cut off its power."""

    def __init__(self, folder: Path, root: Path) -> None:
        self._folder = folder
        self._power: subprocess.Popen[bytes] | None = None
        self.disk = folder / "disk"
        for name in ("disk", "work", "root"):
            (folder / name).mkdir()
        (folder / "boot.sh").write_text(BOOT)
        units = Path("/usr/lib/systemd/system")
        for name in ("sysinit", "basic", "local-fs", "sockets", "timers", "multi-user", "getty"):  # nothing but ours
            (self.disk / f"etc/systemd/system/{name}.target").parent.mkdir(parents=True, exist_ok=True)
            (self.disk / f"etc/systemd/system/{name}.target").write_text(f"[Unit]\nDescription={name} of a test\n")
        default = self.disk / "etc/systemd/system/default.target"
        default.symlink_to("multi-user.target")
        others = [*units.glob("*.wants/*"), *Path("/etc/systemd/system").glob("*.wants/*")]
        for name in {one.name for one in others} - {"mosquitto.service"}:  # which the installer has to switch off
            masked = self.disk / "etc/systemd/system" / name
            if not masked.exists() and not masked.is_symlink():
                masked.symlink_to("/dev/null")
        programs = self.disk / "usr/local/bin"
        programs.mkdir(parents=True)
        (programs / "python3").write_text(PYTHON)
        (programs / "python3").chmod(0o755)
        (self.disk / "usr/local/lib").mkdir()
        (self.disk / "usr/local/lib/hub.py").write_text(HUB)
        shutil.copytree(root / "hub/deploy", self.disk / "srv/deploy")
        for name in ("old", "new", "sick"):
            with zipfile.ZipFile(self.disk / f"srv/{name}.whl", "w") as wheel:
                wheel.writestr("citytable/constraints.txt", f"# {name}\n")
        (self.disk / "etc/citytable").mkdir()
        (self.disk / "etc/citytable/plan.json").write_text("{}")

    def switch_on(self) -> None:
        """Boot, and wait until systemd says that it is up."""
        spaces = ("--mount", "--pid", "--uts", "--ipc", "--cgroup", "--net", "--fork", "--kill-child")
        with (self._folder / "console").open("ab") as console:
            self._power = subprocess.Popen(
                ["unshare", *spaces, "bash", self._folder / "boot.sh", self._folder], stdout=console, stderr=console
            )
        until(self._is_up, self.console)

    def _is_up(self) -> bool:
        if self._power is None or self._power.poll() is not None:
            pytest.fail(f"the computer does not boot: {self.console()}")
        done = self.run("systemctl", "is-system-running")
        return done.stdout.strip() in {"running", "degraded"}

    def console(self) -> str:
        """Return what was said at boot."""
        return (self._folder / "console").read_text(errors="replace")[-2000:]

    def cut_power(self) -> None:
        """End everything at once."""
        if self._power is not None:
            with suppress(ProcessLookupError):
                os.kill(self._first(), signal.SIGKILL)
            self._power.wait()
            self._power = None

    def _first(self) -> int:
        if self._power is None:
            raise ProcessLookupError
        children = Path(f"/proc/{self._power.pid}/task/{self._power.pid}/children").read_text().split()
        if not children:
            raise ProcessLookupError
        return int(children[0])

    def begin(self, *command: str) -> subprocess.Popen[str]:
        """Start a program there."""
        try:
            inside = [
                "nsenter",
                "--target",
                str(self._first()),
                "--all",
                "--root",
                "sh",
                "-c",
                'cd / && exec "$@"',
                "-",
            ]
        except ProcessLookupError:
            inside = ["false"]
        env = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
        pipe = subprocess.PIPE
        return subprocess.Popen([*inside, *command], stdout=pipe, stderr=pipe, text=True, env=env)

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a program there to its end."""
        running = self.begin(*command)
        said = running.communicate()
        return subprocess.CompletedProcess(running.args, running.returncode, *said)

    def install(self, wheel: str) -> subprocess.CompletedProcess[str]:
        """Install a release."""
        return self.run("/srv/deploy/install.sh", f"/srv/{wheel}.whl")

    def shows(self, unit: str, name: str) -> str:
        """Return what systemd says of a unit."""
        return self.run("systemctl", "show", "--value", "--property", name, unit).stdout.strip()

    def release(self) -> str:
        """Return the wheel from which the release is that is to run."""
        constraints = self.disk / "opt/citytable" / (self.disk / "opt/citytable/.venv").readlink() / "constraints.txt"
        return constraints.read_text().strip("# \n")

    def settled(self) -> bool:
        """Report whether no update is under way."""
        return not (self.disk / "opt/citytable/update").exists()

    def set(self, unit: str, line: str) -> None:
        """Let a service have another setting, until its units are installed anew."""
        folder = f"/etc/systemd/system/{unit}.service.d"
        write = f"mkdir -p {folder}; printf '[Service]\\n{line}\\n' >{folder}/test.conf; systemctl daemon-reload"
        assert self.run("sh", "-c", write).returncode == 0


def until(true: Callable[[], bool], said: Callable[[], str] = str) -> None:
    """Wait for something; the time limit of the test ends it."""
    while not true():
        os.sched_yield()


def refusal(folder: Path) -> str:
    """Return why this machine lays no disk over its own, as a container without rights; empty if it does."""
    for name in ("upper", "work", "over"):
        (folder / name).mkdir(parents=True)
    lay = f'mount -t overlay overlay -o "lowerdir=/,upperdir={folder}/upper,workdir={folder}/work" {folder}/over'
    spaces = ("--mount", "--pid", "--uts", "--ipc", "--cgroup", "--net", "--fork")
    done = subprocess.run(["unshare", *spaces, "sh", "-c", lay], capture_output=True, text=True, check=False)
    return done.stderr.strip() or "it says nothing" if done.returncode else ""


@pytest.fixture
def computer(tmp_path: Path, root: Path) -> Iterator[Computer]:
    """A computer that is on."""
    if why := refusal(tmp_path / "probe"):
        pytest.skip(f"no computer can be made in namespaces here: {why}")
    one = Computer(tmp_path, root)
    try:
        one.switch_on()
        yield one
    finally:
        one.cut_power()


def is_well(computer: Computer) -> bool:
    """Report whether the hub that runs says so."""
    ask = "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/healthz')"
    return computer.run("python3", "-c", ask).returncode == 0


def test_systemd_runs_the_hub_as_its_unit_says_and_again_after_a_power_cut(computer: Computer) -> None:
    done = computer.install("old")
    assert done.returncode == 0, done.stderr
    assert computer.shows("citytable", "ActiveState") == "active"
    assert computer.shows("citytable", "User") == "citytable"
    assert computer.shows("mosquitto", "ActiveState") == "inactive"
    assert computer.shows("citytable-settle", "ConditionResult") == "no", "nothing was to be settled"
    computer.set("citytable", "WatchdogSec=2")
    computer.run("systemctl", "restart", "citytable")
    before = computer.shows("citytable", "MainPID")
    computer.run("kill", "-STOP", before)  # it stands still, and tells the watchdog nothing any more
    until(lambda: computer.shows("citytable", "MainPID") not in {before, "0"})
    computer.cut_power()
    computer.switch_on()
    until(lambda: is_well(computer))


def test_an_update_that_is_well_stays_and_one_that_is_sick_is_taken_back(computer: Computer) -> None:
    computer.install("old")
    done = computer.install("new")
    assert done.returncode == 0, done.stderr
    assert (computer.release(), computer.settled()) == ("new", True)
    computer.set("citytable-settle", "Environment=CITYTABLE_PATIENCE_S=2")
    done = computer.install("sick")
    assert done.returncode == 1
    assert "did not say within 2 s that it is well" in done.stderr
    assert (computer.release(), computer.settled()) == ("new", True)
    until(lambda: is_well(computer))


def half_updated(computer: Computer, patience_s: int) -> subprocess.Popen[str]:
    """Begin an update to a sick release; return the installer, which waits for the hub to be well."""
    computer.install("old")
    computer.set("citytable-settle", f"Environment=CITYTABLE_PATIENCE_S={patience_s}")
    running = computer.begin("/srv/deploy/install.sh", "/srv/sick.whl")
    until(lambda: computer.release() == "sick")
    return running


def test_systemd_settles_an_update_whose_installer_was_killed(computer: Computer) -> None:
    running = half_updated(computer, 4)
    computer.run("pkill", "-KILL", "-f", "install.sh")
    running.communicate()
    until(computer.settled)
    assert computer.release() == "old"
    until(lambda: is_well(computer))


def test_after_a_power_cut_in_an_update_the_next_boot_settles_it(computer: Computer) -> None:
    running = half_updated(computer, 2)
    computer.cut_power()
    running.communicate()
    assert (computer.release(), computer.settled()) == ("sick", False)
    computer.switch_on()
    until(computer.settled)
    assert computer.release() == "old"
    until(lambda: is_well(computer))
