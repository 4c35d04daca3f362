"""Set-up on machines that lack something: one clear sentence, and what to do."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

MACHINE = (
    "bash",
    "dirname",
    "sort",
    "head",
    "tail",
    "cut",
    "grep",
    "mkdir",
    "rm",
    "stat",
    "printf",
    "tr",
    "env",
    "id",
    "cat",
    "find",
)


@pytest.fixture
def machine(tmp_path, root):
    """A bare machine: an empty checkout with tools/setup.sh, and a PATH with little on it."""
    return Machine(tmp_path, root)


class Machine:
    """Runs the set-up with only the programs that were put on it."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.checkout, self.bin = folder / "checkout", folder / "bin"
        (self.checkout / "tools").mkdir(parents=True)
        shutil.copy(root / "tools/setup.sh", self.checkout / "tools")
        self.bin.mkdir()
        for name in MACHINE:
            if there := shutil.which(name):
                (self.bin / name).symlink_to(there)

    def has(self, name: str, script: str) -> None:
        """Put a program on the machine, in the place of the one it may have."""
        (self.bin / name).unlink(missing_ok=True)  # a link to the real one: never write through it
        (self.bin / name).write_text(f"#!{shutil.which('bash')}\n{script}\n")
        (self.bin / name).chmod(0o755)

    def set_up(self, step: str, **env: str) -> tuple[int, str]:
        """Exit code, and what people are told."""
        done = subprocess.run(
            [self.bin / "bash", self.checkout / "tools/setup.sh", step],
            env={"PATH": str(self.bin), "HOME": str(self.checkout), **env},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stderr


UV = 'if [ "$1" = --version ]; then echo "uv 9.0.0"; exit; fi\n'


def test_an_unknown_step_is_refused_with_the_ones_there_are(machine):
    code, told = machine.set_up("kitchen")
    assert code == 1
    assert "packages-dev" in told
    assert "kitchen" in told


def test_without_python_and_without_apt_the_reader_learns_what_to_install(machine):
    code, told = machine.set_up("packages")
    assert code == 1
    assert "install python3 python3-venv" in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        ("error: No space left on device (os error 28)", "the disk is full"),
        ("error: Failed to fetch: `https://example.invalid/x`", "the network did not answer"),
        ("cause: dns error: failed to lookup address", "the network did not answer"),
        ("cause: invalid peer certificate: UnknownIssuer", "certificates that this machine does not trust"),
        ("error: Permission denied (os error 13)", "this user may not write here"),
        ("error: something nobody thought of", "it said: error: something nobody thought of"),
        ("something without the word", "it said: something without the word"),
    ],
)
def test_a_failed_step_says_why_in_one_sentence(machine, seen, said):
    machine.has("uv", f"{UV}echo '{seen}' >&2; exit 2")
    code, told = machine.set_up("packages")
    assert code == 1
    assert said in told.splitlines()[-1]
    assert "var/setup/packages.log" in told.splitlines()[-1]


def test_a_checkout_that_cannot_be_written_to_is_named(machine):
    machine.has("uv", UV)
    (machine.checkout / "var").write_text("in the way of the folder for logs")
    code, told = machine.set_up("packages")
    assert code == 1
    assert f"cannot write {machine.checkout}/var/setup/packages.log" in told


def test_a_new_enough_uv_of_the_machine_is_used_and_no_other_is_fetched(machine):
    machine.has("uv", f'{UV}echo "$@" > called')
    code, _ = machine.set_up("packages")
    assert code == 0
    assert (machine.checkout / "called").read_text().split()[:2] == ["sync", "--frozen"]
    assert not (machine.checkout / ".uv").exists()


def test_without_a_home_assistant_core_set_up_goes_on_and_in_ci_it_does_not(machine):
    machine.has("uv", f"{UV}echo 'error: No interpreter found for Python >=3.11, <3.13' >&2; exit 2")
    code, told = machine.set_up("home-assistant")
    assert code == 0
    assert "No interpreter found" in told
    assert "the tests that need it will be skipped" in told.splitlines()[-1]
    code, told = machine.set_up("home-assistant", CI="true")
    assert code == 1
    assert "step 'home-assistant' failed" in told


def test_an_old_uv_of_the_machine_is_left_alone(machine):
    machine.has("uv", "echo 'uv 0.4.30'")
    code, told = machine.set_up("packages")
    assert code == 1
    assert "python3 with venv is missing" in told


def test_a_new_enough_node_of_the_machine_builds_the_screens(machine):
    machine.has("node", "echo v22.12.0")
    machine.has("npm", 'echo "$@" > called')
    code, _ = machine.set_up("screens")
    assert code == 0
    assert (machine.checkout / "called").read_text().split() == ["--prefix", "dashboard", "run", "build"]


def test_an_old_node_is_replaced_by_the_one_from_a_package(machine):
    machine.has("node", "echo v18.19.0")
    machine.has("npm", "echo npm-of-the-machine >> called")
    machine.has("uv", f'{UV}echo "uv $@" >> called')
    machine.set_up("screens")
    assert "--group node" in (machine.checkout / "called").read_text().splitlines()[0]


def test_missing_test_tools_that_may_not_be_installed_are_named(machine):
    machine.has("id", "echo 1000")
    code, told = machine.set_up("system")
    present = [tool for tool in ("mosquitto",) if shutil.which(tool, path="/usr/sbin:/usr/local/sbin")]
    assert code == 0
    assert "chromium missing" in told
    assert all(f"{tool} " not in told for tool in present)


APT = 'echo "$@" >> called'


@pytest.mark.parametrize(("known", "installed"), [("true", "chromium-headless-shell"), ("false", "chromium")])
def test_the_chromium_without_windows_is_installed_where_there_is_one(machine, known, installed):
    machine.has("id", "echo 0")
    machine.has("apt-get", APT)
    machine.has("apt-cache", known)
    assert machine.set_up("system")[0] == 0
    update, install = (machine.checkout / "called").read_text().splitlines()
    assert update == "update -q"
    assert install.split()[0] == "install"
    assert install.split()[-1] == installed


@pytest.mark.parametrize("present", ["chromium-headless-shell", "chromium"])
def test_with_a_chromium_of_either_kind_none_is_installed(machine, present):
    for tool in (present, "mosquitto", "mosquitto_pub", "nats-server", "initdb", "dot"):
        machine.has(tool, "exit 1")
    machine.has("id", "echo 0")
    machine.has("apt-get", APT)
    assert machine.set_up("system") == (0, "")
    assert not (machine.checkout / "called").exists()


def test_obs_is_installed_for_a_soak_and_not_for_the_tests(machine):
    for tool in ("chromium", "mosquitto", "mosquitto_pub", "nats-server", "initdb", "dot", "nft", "Xvfb"):
        machine.has(tool, "exit 1")
    machine.has("id", "echo 0")
    machine.has("apt-get", APT)
    machine.has("apt-cache", "true")
    assert machine.set_up("system") == (0, "")
    assert machine.set_up("system-soak")[0] == 0
    _, install = (machine.checkout / "called").read_text().splitlines()
    assert install.split()[-1] == "obs-studio"


def test_every_target_of_the_makefile_is_explained(root):
    makefile = (root / "Makefile").read_text()
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony is not None
    told = subprocess.run(["make", "help"], cwd=root, capture_output=True, text=True, check=True, env=os.environ).stdout
    assert re.findall(r"^  make ([\w-]+)", told, re.MULTILINE)[: len(phony[1].split())] == phony[1].split()
