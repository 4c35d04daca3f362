"""The installer, run twice in a clean root, and on a machine whose programs only note what they were asked."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytestmark = pytest.mark.long(8)

JOURNAL = "image/var/lib/citytable/journal.sqlite3"

PYTHON = """#!/bin/sh
# `python3 -m venv FOLDER` makes a folder with a python that notes what it is to install, and keeps it
[ "$1" != -c ] || exec REAL "$@"
echo "python3 $*" >>"$NOTES"
[ "$2" = venv ] || exit 0
mkdir -p "$3/bin"
cat >"$3/bin/python" <<'END'
#!/bin/sh
echo "pip $*" >>"$NOTES"
for wheel; do :; done
cp "${wheel%%\\[*}" "${0%/bin/python}/wheel"
END
chmod +x "$3/bin/python"
"""
CURL = """#!/bin/sh
# Debian has none until somebody installs it
echo "curl $*" >>"$NOTES"
exit 127
"""
SYSTEMCTL = """#!/bin/sh
# the hub of a release that is called later makes of the journal what no other one reads
echo "systemctl $*" >>"$NOTES"
if [ "$*" = "start --no-block citytable-settle" ]; then  # a service is nobody's child
  setsid "$HUB/bin/citytable-settle" --root "${HUB%/opt/citytable}" </dev/null >"$NOTES.settled" 2>&1 &
  echo $! >"$NOTES.service"
fi
[ "$*" = "restart citytable" ] && grep -q later "$HUB/.venv/wheel" || exit 0
exec REAL -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute("PRAGMA user_version = 99")' "$JOURNAL"
"""


@contextmanager
def pages(folder: Path) -> Iterator[str]:
    """Answer whether a hub is well, and note that it was asked: the one whose release is called sick is not, and a
    slow one is not yet."""

    class Health(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            with (folder / "notes").open("a") as file:
                file.write("asked\n")
            wheel = (folder / "image/opt/citytable/.venv/wheel").read_bytes()
            ill = b"sick" in wheel or (folder / "all sick").exists() or (folder / "slow").exists()
            self.send_response(503 if ill else 200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Health) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/healthz"
        server.shutdown()
        thread.join()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Path]:
    """A folder with wheels, and programs that do nothing but note their words."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "python3").write_text(PYTHON.replace("REAL", sys.executable))
    (programs / "curl").write_text(CURL)
    (programs / "systemctl").write_text(SYSTEMCTL.replace("REAL", sys.executable))
    for name in ("apt-get", "useradd"):
        (programs / name).write_text(f'#!/bin/sh\necho "{name} $*" >>"$NOTES"\n')
    for program in programs.iterdir():
        program.chmod(0o755)
    for name in ("old", "new", "sick", "sick-and-later"):
        with zipfile.ZipFile(tmp_path / f"{name}.whl", "w") as wheel:
            wheel.writestr("citytable/constraints.txt", f"# {name}\naiohttp==3.0\n")
    with pages(tmp_path) as address:
        (tmp_path / "health").write_text(address)
        yield tmp_path


def environment(machine: Path, patience_s: int = 1) -> dict[str, str]:
    path = os.pathsep.join((str(machine / "bin"), os.environ["PATH"]))
    env = os.environ | {"PATH": path, "NOTES": str(machine / "notes"), "CITYTABLE_PATIENCE_S": str(patience_s)}
    env |= {"HUB": str(machine / "image/opt/citytable"), "JOURNAL": str(machine / JOURNAL)}
    env |= {"CITYTABLE_HEALTH": (machine / "health").read_text()}
    return env


def begin(machine: Path, root: Path, *words: str | Path, patience_s: int = 1) -> subprocess.Popen[str]:
    env = environment(machine, patience_s)
    hears = "--default-signal=HUP,INT"  # also where the tests themselves hear none of them, as under nohup
    command = ["env", hears, root / "hub/deploy/install.sh", *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=env, start_new_session=True)


def install(machine: Path, root: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    running = begin(machine, root, *words)
    said = running.communicate()
    return subprocess.CompletedProcess(running.args, running.returncode, *said)


def until(true: Callable[[], bool]) -> None:
    """Wait for something; the time limit of the test ends it."""
    while not true():
        os.sched_yield()


def is_asked(machine: Path, running: subprocess.Popen[str]) -> None:
    """Wait until the installer wants to know whether the hub is well."""
    until(lambda: "asked" in notes(machine) or running.poll() is not None)


def notes(machine: Path) -> list[str]:
    file = machine / "notes"
    return file.read_text().splitlines() if file.exists() else []


def test_installing_twice_into_a_clean_root_does_the_work_once(machine: Path, root: Path) -> None:
    image = machine / "image"
    for _ in range(2):
        done = install(machine, root, "--image", "--root", image, machine / "old.whl")
        assert done.returncode == 0, done.stderr
    home = image / "opt/citytable"
    assert [path.name for path in (home / "releases").iterdir()] == [(home / ".venv").readlink().name]
    assert (home / ".venv/bin/python").exists()
    assert (image / "etc/systemd/system/citytable.service").exists()
    assert sum(line.startswith("pip ") for line in notes(machine)) == 1
    assert not [line for line in notes(machine) if line.startswith(("systemctl", "apt-get"))]


def test_one_command_makes_a_kiosk_with_a_wifi_of_its_own_and_the_same_one_updates_it(
    machine: Path, root: Path
) -> None:
    image = machine / "image"
    (machine / "bin/qrencode").write_text("#!/bin/sh\n")
    (machine / "bin/qrencode").chmod(0o755)
    for _ in range(2):
        done = install(
            machine, root, "--image", "--root", image, machine / "old.whl", "--screen", "--access-point", "Table 1"
        )
        assert done.returncode == 0, done.stderr
    units = image / "etc/systemd/system"
    assert {path.name for path in units.iterdir()} == {
        "citytable.service",
        "citytable.service.d",
        "citytable-kiosk.service",
        "citytable-limits.service",
        "citytable-settle.service",
    }
    assert (image / "etc/citytable/join.html").exists()


def test_a_release_gets_the_versions_that_were_tested_with_it_and_what_stations_need(machine: Path, root: Path) -> None:
    assert install(machine, root, "--image", "--root", machine / "image", machine / "old.whl").returncode == 0
    (release,) = (machine / "image/opt/citytable/releases").iterdir()
    assert (release / "constraints.txt").read_text() == "# old\naiohttp==3.0\n"
    (pip,) = [line for line in notes(machine) if line.startswith("pip ")]
    assert pip.endswith(f" --constraint {release}/constraints.txt {machine}/old.whl[maker]")


def test_a_venues_desk_gets_its_units_its_packages_and_a_password_that_stays(machine: Path, root: Path) -> None:
    image, passwords = machine / "image", set()
    for _ in range(2):
        done = install(machine, root, "--image", "--root", image, machine / "old.whl", "--venue")
        assert done.returncode == 0, done.stderr
        passwords.add((image / "etc/citytable/venue.env").read_text())
    assert re.fullmatch(r"CITYTABLE_POSTGRESQL=dbname=venue\nCITYTABLE_VENUE_PASSWORD=[a-z0-9]{24}\n", *passwords)
    assert (image / "etc/citytable/venue.env").stat().st_mode & 0o777 == 0o600
    units = {path.name for path in (image / "etc/systemd/system").iterdir()}
    assert units == {
        "citytable.service",
        "citytable-settle.service",
        "citytable-venue.service",
        "citytable-venue-broker.service",
    }
    assert [line for line in notes(machine) if line.endswith("old.whl[maker,venue]")]


def test_a_release_that_was_not_unpacked_to_its_end_is_unpacked_again(machine: Path, root: Path) -> None:
    image = machine / "image"
    install(machine, root, "--image", "--root", image, machine / "old.whl")
    (whole,) = image.glob("opt/citytable/releases/*/whole")
    whole.unlink()
    assert install(machine, root, "--image", "--root", image, machine / "old.whl").returncode == 0
    assert whole.exists()


def test_an_update_keeps_the_release_before_beside_it(machine: Path, root: Path) -> None:
    image = machine / "image"
    for name in ("old.whl", "new.whl"):
        assert install(machine, root, "--image", "--root", image, machine / name).returncode == 0
    assert len(list((image / "opt/citytable/releases").iterdir())) == 2


def test_without_a_wheel_it_says_what_it_wants(machine: Path, root: Path) -> None:
    done = install(machine, root, machine / "none.whl")
    assert done.returncode == 1
    assert "give the wheel of a release" in done.stderr


@pytest.fixture
def service(machine: Path) -> Path:
    """The root of a machine whose table has a plan."""
    image = machine / "image"
    (image / "etc/citytable").mkdir(parents=True)
    (image / "etc/citytable/plan.json").write_text("{}")
    return image


as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root installs a service")


@as_root
def test_a_hub_that_is_well_runs_from_the_new_release(machine: Path, root: Path, service: Path) -> None:
    for name in ("old", "new"):
        done = install(machine, root, "--root", service, machine / f"{name}.whl")
        assert done.returncode == 0, done.stderr
        assert (service / "opt/citytable/.venv/constraints.txt").read_text().startswith(f"# {name}")
    assert notes(machine).count("systemctl restart citytable") == 2


@as_root
@pytest.mark.parametrize(("wheel", "stays"), [("new", "new"), ("sick-and-later", "clone")])
def test_a_clone_in_the_place_of_releases_is_the_release_before(
    machine: Path, root: Path, service: Path, wheel: str, stays: str
) -> None:
    journal = played(machine)
    home = service / "opt/citytable"
    (home / ".venv/bin").mkdir(parents=True)  # as the unit of 0.1.0 had it, from `make run` there
    for name in ("constraints.txt", "wheel"):
        (home / ".venv" / name).write_text("# clone\n")
    done = install(machine, root, "--root", service, machine / f"{wheel}.whl")
    assert done.returncode == (stays == "clone"), done.stderr
    assert (home / ".venv/constraints.txt").read_text().startswith(f"# {stays}")
    assert (home / "releases/clone/bin").is_dir(), "what names /opt/citytable/.venv/bin finds it there again"
    assert read(journal) == (3, ["monday"])


@as_root
def test_a_power_cut_as_a_clone_is_put_aside_leaves_it_to_the_next_run(
    machine: Path, root: Path, service: Path
) -> None:
    (service / "opt/citytable/releases/clone").mkdir(parents=True)
    done = install(machine, root, "--root", service, machine / "sick.whl")
    assert "release clone" in done.stderr
    assert (service / "opt/citytable/.venv").readlink().name == "clone"


@as_root
def test_a_kiosk_starts_without_a_plan_and_its_screen_comes_up_with_the_hub(machine: Path, root: Path) -> None:
    (machine / "bin/getent").write_text("#!/bin/sh\nexit 2\n")
    (machine / "bin/getent").chmod(0o755)
    done = install(machine, root, "--root", machine / "image", machine / "old.whl", "--screen", "--network")
    assert done.returncode == 0, done.stderr
    said = notes(machine)
    assert any(line.startswith("useradd ") and line.endswith(" citytable-kiosk") for line in said)
    assert any(line.startswith("apt-get install ") and " cage " in line for line in said)
    assert said.index("systemctl restart citytable") < said.index("systemctl restart citytable-kiosk")


@as_root
def test_a_release_that_is_not_well_is_taken_back_and_the_one_before_runs_again(
    machine: Path, root: Path, service: Path
) -> None:
    install(machine, root, "--root", service, machine / "old.whl")
    done = install(machine, root, "--root", service, machine / "sick.whl")
    assert done.returncode == 1
    assert "did not say within 1 s that it is well" in done.stderr
    assert (service / "opt/citytable/.venv/constraints.txt").read_text().startswith("# old")
    assert [line for line in notes(machine) if "citytable" in line or line == "asked"][-3:] == [
        "systemctl stop citytable",
        "systemctl restart citytable",
        "asked",
    ]


@as_root
def test_a_hub_with_a_long_journal_has_more_time_to_read_it(machine: Path, root: Path, service: Path) -> None:
    os.truncate(played(machine), 12_000_000)
    install(machine, root, "--root", service, machine / "old.whl")
    done = install(machine, root, "--root", service, machine / "sick.whl")
    assert "did not say within 3 s that it is well" in done.stderr, "1 s, and 1 s for each 5 MB"


@as_root
@pytest.mark.parametrize("end", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT])
def test_an_installer_that_is_interrupted_leaves_no_release_running_that_is_not_well(
    machine: Path, root: Path, service: Path, end: signal.Signals
) -> None:
    install(machine, root, "--root", service, machine / "old.whl")
    (machine / "notes").unlink()
    running = begin(machine, root, "--root", service, machine / "sick.whl", patience_s=30)
    is_asked(machine, running)
    assert running.stderr is not None
    running.stderr.close()  # the terminal goes with the session
    running.send_signal(end)
    assert running.wait() != 0
    until(lambda: settled(service))
    assert (service / "opt/citytable/.venv/constraints.txt").read_text().startswith("# old")
    assert running.stdout is not None
    running.stdout.close()
    said = [line for line in notes(machine) if line.endswith(" citytable")]
    assert said[-2:] == ["systemctl stop citytable", "systemctl restart citytable"]


@as_root
def test_an_update_whose_kiosk_cannot_be_made_leaves_the_release_before_running(
    machine: Path, root: Path, service: Path
) -> None:
    install(machine, root, "--root", service, machine / "old.whl")
    done = install(machine, root, "--root", service, machine / "new.whl", "--access-point", "a" * 33)
    assert done.returncode == 1
    assert "was started again" in done.stderr
    assert (service / "opt/citytable/.venv/constraints.txt").read_text().startswith("# old")


def settled(service: Path) -> bool:
    """Tell whether the release to run is one that was found well, or the one before."""
    return not (service / "opt/citytable/update").exists()


def power_cut(machine: Path, running: subprocess.Popen[str]) -> None:
    """End the installer and the service that settles, as nobody can hear it."""
    with suppress(ProcessLookupError):
        os.killpg(running.pid, signal.SIGKILL)
    running.communicate()
    service = machine / "notes.service"
    if service.exists():
        with suppress(ProcessLookupError):
            os.killpg(int(service.read_text()), signal.SIGKILL)


def cut_off(machine: Path, root: Path, service: Path, wheel: str) -> None:
    """Begin to install a release; the power goes while it is asked whether it is well."""
    (machine / "slow").touch()
    (machine / "notes").unlink()
    running = begin(machine, root, "--root", service, machine / f"{wheel}.whl", patience_s=30)
    is_asked(machine, running)
    power_cut(machine, running)
    (machine / "slow").unlink()


def boots(machine: Path, service: Path) -> subprocess.CompletedProcess[str]:
    """Start the hub with what its unit wants: the service that settles."""
    command = [service / "opt/citytable/bin/citytable-settle", "--root", service]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment(machine))


def units(service: Path) -> dict[str, str]:
    """Return the units by name."""
    return {path.name: path.read_text() for path in (service / "etc/systemd/system").glob("citytable*.service")}


def aged(service: Path) -> dict[str, str]:
    """Let the units be those of a release before, with one fewer."""
    folder = service / "etc/systemd/system"
    (folder / "citytable.service").write_text("# of the release before\n")
    (folder / "citytable-settle.service").unlink()
    return units(service)


def asking(
    machine: Path, root: Path, service: Path, wheel: str, patience_s: int
) -> tuple[dict[str, str], subprocess.Popen[str]]:
    """Begin to install a release over the old one, up to the question whether it is well.

    Return the units of the release before, and the installer, whose question nobody answers.
    """
    install(machine, root, "--root", service, machine / "old.whl")
    before = aged(service)
    (machine / "slow").touch()
    (machine / "notes").unlink()
    running = begin(machine, root, "--root", service, machine / f"{wheel}.whl", patience_s=patience_s)
    is_asked(machine, running)
    return before, running


@as_root
@pytest.mark.parametrize(("wheel", "stays"), [("sick", "old"), ("new", "new")])
def test_an_installer_that_is_killed_while_it_asks_leaves_its_question_to_a_service(
    machine: Path, root: Path, service: Path, wheel: str, stays: str
) -> None:
    before, running = asking(machine, root, service, wheel, patience_s=3)
    running.kill()
    (machine / "slow").unlink()
    until(lambda: settled(service))
    running.communicate()
    assert (service / "opt/citytable/.venv/constraints.txt").read_text().startswith(f"# {stays}")
    assert (units(service) == before) == (stays == "old")


@as_root
@pytest.mark.parametrize(("wheel", "stays"), [("sick-and-later", "old"), ("new", "new")])
def test_after_a_power_cut_while_it_was_asked_the_next_start_settles_the_update(
    machine: Path, root: Path, service: Path, wheel: str, stays: str
) -> None:
    journal = played(machine)
    before, running = asking(machine, root, service, wheel, patience_s=30)
    power_cut(machine, running)
    (machine / "slow").unlink()
    assert (service / "opt/citytable/.venv/constraints.txt").read_text().startswith(f"# {wheel}")
    done = boots(machine, service)
    assert done.returncode == (stays == "old"), done.stderr
    assert (service / "opt/citytable/.venv/constraints.txt").read_text().startswith(f"# {stays}")
    assert (units(service) == before) == (stays == "old")
    assert read(journal) == (3, ["monday"])
    assert settled(service)
    assert boots(machine, service).returncode == 0, "it has nothing to do any more"


@as_root
@pytest.mark.parametrize("word", ["daemon-reload", "enable citytable", "stop citytable", "restart citytable"])
def test_a_power_cut_at_any_step_leaves_a_release_with_its_own_units(
    machine: Path, root: Path, service: Path, word: str
) -> None:
    install(machine, root, "--root", service, machine / "old.whl")
    before = aged(service)
    program = machine / "bin/systemctl"
    usual = program.read_text()
    program.write_text(usual.replace("#!/bin/sh\n", f'#!/bin/sh\n[ "$*" != "{word}" ] || kill -9 $PPID\n', 1))
    running = begin(machine, root, "--root", service, machine / "sick.whl", patience_s=30)
    assert running.wait() == -signal.SIGKILL
    power_cut(machine, running)
    program.write_text(usual)
    assert boots(machine, service).returncode == 1
    assert (service / "opt/citytable/.venv/constraints.txt").read_text().startswith("# old")
    assert units(service) == before


@as_root
def test_a_power_cut_while_a_release_is_taken_back_is_made_good(machine: Path, root: Path, service: Path) -> None:
    journal = played(machine)
    install(machine, root, "--root", service, machine / "old.whl")
    before = aged(service)
    program = machine / "bin/mv"
    for n in range(1, 9):
        # the n-th time that anything is given its name while a release is taken back, the power goes
        program.write_text(
            f'#!/bin/sh\n/bin/mv "$@"\n[ -f "$NOTES.back" ] || exit 0\necho >>"$NOTES.back"\n'
            f'[ "$(wc -l <"$NOTES.back")" -lt {n} ] || kill -9 $PPID\n'
        )
        program.chmod(0o755)
        cut_off(machine, root, service, "sick-and-later")
        (machine / "notes.back").touch()
        was_cut = boots(machine, service).returncode == -signal.SIGKILL
        (machine / "notes.back").unlink()
        assert was_cut == (not settled(service))
        assert boots(machine, service).returncode == was_cut
        assert read(journal) == (3, ["monday"])
        assert units(service) == before
        if not was_cut:
            assert n > 2
            return
    pytest.fail("it never came to its end")


@as_root
def test_an_update_that_was_cut_off_is_settled_before_the_next_one(machine: Path, root: Path, service: Path) -> None:
    install(machine, root, "--root", service, machine / "old.whl")
    cut_off(machine, root, service, "sick")
    again = install(machine, root, "--root", service, machine / "sick.whl")
    assert again.returncode == 1
    assert (service / "opt/citytable/.venv/constraints.txt").read_text().startswith("# old")


def played(machine: Path) -> Path:
    """Make a journal that is of version 3 and holds a game."""
    journal = machine / JOURNAL
    journal.parent.mkdir(parents=True)
    with closing(sqlite3.connect(journal)) as db, db:
        db.executescript("CREATE TABLE game (id TEXT); PRAGMA user_version = 3; INSERT INTO game VALUES ('monday');")
    os.chown(journal, 4321, 4321)
    return journal


def read(journal: Path) -> tuple[int, list[str]]:
    """Return the version of a journal and its games."""
    with closing(sqlite3.connect(journal)) as db:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        return version, [game for (game,) in db.execute("SELECT id FROM game")]


@as_root
def test_a_journal_that_a_sick_release_has_made_newer_is_as_it_was(machine: Path, root: Path, service: Path) -> None:
    journal = played(machine)
    install(machine, root, "--root", service, machine / "old.whl")
    done = install(machine, root, "--root", service, machine / "sick-and-later.whl")
    assert "runs again" in done.stderr
    assert read(journal) == (3, ["monday"])
    assert journal.stat().st_uid == 4321
    (aside,) = journal.parent.glob("journal.sqlite3.of-*")
    assert read(aside) == (99, ["monday"])


@as_root
def test_what_was_played_while_the_new_release_ran_stays_where_the_one_before_reads_it(
    machine: Path, root: Path, service: Path
) -> None:
    journal = played(machine)
    install(machine, root, "--root", service, machine / "old.whl")
    running = begin(machine, root, "--root", service, machine / "sick.whl", patience_s=30)
    until(lambda: notes(machine).count("asked") > 1 or running.poll() is not None)
    with closing(sqlite3.connect(journal)) as db, db:
        db.execute("INSERT INTO game VALUES ('tuesday')")
    running.terminate()
    running.communicate()
    until(lambda: settled(service))
    assert read(journal) == (3, ["monday", "tuesday"])


@as_root
def test_where_the_release_before_is_not_well_either_nobody_says_that_it_runs(
    machine: Path, root: Path, service: Path
) -> None:
    install(machine, root, "--root", service, machine / "old.whl")
    (machine / "all sick").touch()
    done = install(machine, root, "--root", service, machine / "sick.whl")
    assert done.returncode == 1
    assert "runs again" not in done.stderr
    assert "neither release" in done.stderr


@as_root
def test_a_first_release_that_is_not_well_is_named(machine: Path, root: Path, service: Path) -> None:
    done = install(machine, root, "--root", service, machine / "sick.whl")
    assert done.returncode == 1
    assert "the hub does not say that it is well" in done.stderr


@as_root
def test_without_a_plan_nothing_is_started_and_the_next_step_is_said(machine: Path, root: Path) -> None:
    done = install(machine, root, "--root", machine / "image", machine / "old.whl")
    assert done.returncode == 0
    assert "Put the table's plan into /etc/citytable/plan.json" in done.stderr
    assert "systemctl restart citytable" not in notes(machine)
