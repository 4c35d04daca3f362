"""A table goes from the version before to this one, and back from one that is broken: with pip and hubs themselves.

Wheels are built of the release before and of this commit. The installer of each makes real environments and runs pip,
which takes the packages of others from the tests' own environment, since there is no network. `systemctl` starts and
stops the hub with the words of the unit that was installed, below the test's root.
"""

import io
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from citytable.games.megacity.pieces import HOUSE, things
from citytable.games.megacity.spots import shared_spots
from citytable.journal.store import Store
from citytable.table.plan import full_plan

pytestmark = [pytest.mark.soak, pytest.mark.broker, pytest.mark.skipif(os.geteuid() != 0, reason="only root installs")]

ROOT = Path(__file__).resolve().parents[2]
INSTALLER = "hub/deploy/install.sh"
BACK = 150  # commits, where no release before has an installer
STATIC = "hub/citytable/views/static"
PYTHON = """#!/bin/sh
# a new environment also finds the packages of the tests' own one
REAL "$@" || exit
[ "$1 $2" != "-m venv" ] || echo PACKAGES >"$(echo "$3"/lib/python3*/site-packages)/others.pth"
"""
CURL = """#!/bin/sh
# the installer of the version before asks with it
exec REAL -fs "http://127.0.0.1:$PAGES/healthz"
"""
SYSTEMCTL = """#!REAL
# starts and stops the hub as the installed unit says, below the root of the test
import os, re, subprocess, sys
root = os.environ["ROOT"]
if sys.argv[1:] not in (["restart", "citytable"], ["stop", "citytable"]):
    sys.exit()
subprocess.run([sys.executable, os.environ["END"], root + "/hub.pid"], check=True)
if sys.argv[1] == "stop":
    sys.exit()
with open(root + "/etc/systemd/system/citytable.service") as file:
    words = re.search("^ExecStart=(.*)$", file.read(), re.M)[1].split()
words = [re.sub("^/(opt|etc|var)/", root + r"/\\1/", word) for word in words]
words[words.index("--listen") + 1] = "127.0.0.1:" + os.environ["BROKER"]
words += ["--port", os.environ["PAGES"], "--serial", "", "--broker-dir", root + "/var/lib/citytable/broker"]
with open(root + "/hub.log", "ab") as log:
    hub = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=root, start_new_session=True)
with open(root + "/hub.pid", "w") as file:
    file.write(str(hub.pid))
"""
END = """
import os, signal, sys
def runs(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
if os.path.exists(sys.argv[1]):
    with open(sys.argv[1]) as file:
        pid = int(file.read())
    if runs(pid):
        os.kill(pid, signal.SIGINT)
    while runs(pid):
        pass
"""


class Release(NamedTuple):
    """A wheel, and the installer that came with it."""

    wheel: Path
    installer: Path = ROOT / INSTALLER


def build(source: Path, out: Path) -> Path:
    """Build the hub's wheel of a folder of sources, with nothing from the network."""
    uv = shutil.which("uv") or str(ROOT / ".uv/bin/uv")
    out.mkdir()
    command = [uv, "build", "--quiet", "--offline", "--wheel", "--package", "citytable", "--out-dir", out, source]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = out.glob("*.whl")
    return wheel


def broken(wheel: Path, out: Path) -> Path:
    """Return a copy of a wheel whose hub ends at once."""
    out.mkdir()
    with zipfile.ZipFile(wheel) as good, zipfile.ZipFile(out / wheel.name, "w") as bad:
        for name in good.namelist():
            text = good.read(name)
            bad.writestr(name, b"raise SystemExit('broken')\n" if name == "citytable/app.py" else text)
    return out / wheel.name


def git(*words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=False)


def version_before() -> str:
    """Return the release before this commit, by its tag: 0.1.0 had no installer (test_first_release.py)."""
    tag = git("describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD^").stdout.decode().strip()
    return tag if tag and not git("cat-file", "-e", f"{tag}:{INSTALLER}").returncode else f"HEAD~{BACK}"


@pytest.fixture(scope="module")
def releases(root: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Release]:
    """Return the version before as a release, this commit, and one that is broken."""
    folder = tmp_path_factory.mktemp("wheels")
    older = folder / "source"
    done = git("archive", version_before())
    if done.returncode:
        pytest.skip("this clone does not reach back to the version before")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as files:
        files.extractall(older, filter="data")
    shutil.copytree(root / STATIC, older / STATIC, dirs_exist_ok=True)
    now = build(root, folder / "now")
    before = Release(build(older, folder / "before"), older / INSTALLER)
    return {"before": before, "now": Release(now), "broken": Release(broken(now, folder / "broken"))}


class Machine:
    """A root to install into, and the hub that runs there."""

    def __init__(self, folder: Path, pages: int, broker: int) -> None:
        self.root = folder / "root"
        programs = folder / "bin"
        programs.mkdir()
        packages = next(path for path in sys.path if path.endswith("site-packages"))
        curl = shutil.which("curl") or "curl"
        scripts = {"python3": PYTHON.replace("REAL", sys._base_executable).replace("PACKAGES", packages)}  # type: ignore[attr-defined]
        scripts |= {"curl": CURL.replace("REAL", curl), "systemctl": SYSTEMCTL.replace("REAL", sys.executable)}
        scripts |= dict.fromkeys(("apt-get", "useradd", "getent"), "#!/bin/sh\n")
        for name, script in scripts.items():
            (programs / name).write_text(script)
            (programs / name).chmod(0o755)
        self._env = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        self._env |= {"PATH": f"{programs}:{os.environ['PATH']}", "ROOT": str(self.root), "PAGES": str(pages)}
        self._env |= {"CITYTABLE_HEALTH": f"http://127.0.0.1:{pages}/healthz"}
        (folder / "end.py").write_text(END)
        self._env |= {"END": str(folder / "end.py"), "BROKER": str(broker), "PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1"}

    def install(self, release: Release) -> subprocess.CompletedProcess[str]:
        """Run the release's installer."""
        words = [release.installer, "--root", self.root, release.wheel]
        env = self._env | {"CITYTABLE_PATIENCE_S": "10" if "broken" in str(release.wheel) else "60"}
        return subprocess.run(words, capture_output=True, text=True, check=False, env=env)

    def log(self) -> str:
        """What all the hubs said."""
        return (self.root / "hub.log").read_text()

    def release(self) -> Path:
        """The folder of the release that is to run."""
        return (self.root / "opt/citytable/.venv").resolve()

    def games(self) -> list[str]:
        """Which games the journal holds."""
        with Store.read(self.root / "var/lib/citytable/journal.sqlite3") as store:
            return list(store.ids())

    def stop(self) -> None:
        """End the hub."""
        subprocess.run([sys.executable, self._env["END"], self.root / "hub.pid"], check=True)


@pytest.fixture
def machine(tmp_path: Path, new_port: Callable[[], int]) -> Iterator[Machine]:
    """A machine whose table has a plan."""
    machine = Machine(tmp_path, new_port(), new_port())
    for folder in ("etc/citytable", "var/lib/citytable"):
        (machine.root / folder).mkdir(parents=True)
    plan = full_plan("table", 4, shared_spots(), things(HOUSE, 4))
    (machine.root / "etc/citytable/plan.json").write_bytes(msgspec.json.encode(plan))
    yield machine
    machine.stop()


def test_journal_and_settings_stay_and_a_broken_version_is_taken_back(
    machine: Machine, releases: dict[str, Release]
) -> None:
    first = machine.install(releases["before"])
    assert first.returncode == 0, first.stderr
    old, games = machine.release(), machine.games()
    kept = {
        name: (machine.root / name).read_bytes()
        for name in (
            "etc/citytable/plan.json",
            "var/lib/citytable/journal.keys",
            "var/lib/citytable/broker/logins.json",
        )
    }
    assert len(games) == 1

    update = machine.install(releases["now"])
    assert update.returncode == 0, update.stderr
    new = machine.release()
    assert new != old
    assert f"going on with game {games[0]}" in machine.log()

    refused = machine.install(releases["broken"])
    assert refused.returncode == 1
    assert f"release {new.name} runs again" in refused.stderr
    assert machine.release() == new
    assert machine.log().count(f"going on with game {games[0]}") == 2
    assert "broken" in machine.log()

    back = machine.install(releases["before"])  # a journal that this version has written is read by the one before
    assert (back.returncode, machine.release()) == (0, old), back.stderr
    assert machine.log().count(f"going on with game {games[0]}") == 3
    assert machine.games() == games
    assert {name: (machine.root / name).read_bytes() for name in kept} == kept
