"""The kiosk: the files it makes, word by word, and the watch over its browser, with programs that note their words."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

QRENCODE = '#!/bin/sh\nfor text; do :; done\nprintf "<svg><!-- %s --></svg>" "$text"\n'
NOTIFY = '#!/bin/sh\necho "$*" >>"$NOTES"\n'
CURL = """#!/bin/sh
# the hub is there; the browser has the page that the test says
for address; do :; done
case $address in */json) echo asked >>"$NOTES"; echo "{\\"url\\": \\"$SHOWN\\"}" ;; esac
"""
CAGE = """#!/bin/sh
# a browser that ends when it was looked at three times; what was asked of it is noted first
echo "cage $*" >>"$NOTES"
until [ "$(grep -c asked "$NOTES")" -gt 3 ]; do sleep 0.01; done
exit 7
"""
WIFI = r"""[connection]
id=citytable
type=wifi
autoconnect=true
autoconnect-priority=100

[wifi]
mode=ap
band=bg
ssid=Café\; \\1/

[wifi-security]
key-mgmt=wpa-psk
proto=rsn
psk=secret234567

[ipv4]
method=shared
address1=10.42.0.1/24

[ipv6]
method=disabled
"""
HUB = """# written by kiosk.sh
[Service]
ExecStart=
ExecStart=/opt/citytable/.venv/bin/citytable run {} --no-open --journal /var/lib/citytable/journal.sqlite3
"""
WITH_PLAN = "--plan /etc/citytable/plan.json --no-twin --listen"


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, script in (("qrencode", QRENCODE), ("systemd-notify", NOTIFY), ("curl", CURL), ("cage", CAGE)):
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
    return folder


def run(programs: Path, *command: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"PATH": os.pathsep.join((str(programs), os.environ["PATH"])), **more}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=env)


@pytest.fixture
def image(root: Path, programs: Path, tmp_path: Path):
    """`image("--screen", plan=True)`: the files below a clean root after kiosk.sh has run twice."""

    def made(*words: str, plan: bool = True) -> Path:
        there = tmp_path / "image"
        (there / "etc/citytable").mkdir(parents=True, exist_ok=True)
        (there / "etc/citytable/wifi-password").write_text("secret234567")
        if plan:
            (there / "etc/citytable/plan.json").write_text("{}")
        for _ in range(2):
            done = run(programs, root / "hub/deploy/kiosk.sh", "--image", "--root", there, *words)
            assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        return there

    return made


def test_a_wifi_of_the_tables_own_and_the_codes_that_lead_there(image):
    there = image("--screen", "--access-point", "Café; \\1/")
    secret = there / "etc/NetworkManager/system-connections/citytable.nmconnection"
    assert secret.read_text() == WIFI
    assert secret.stat().st_mode & 0o777 == 0o600
    assert (
        there / "etc/NetworkManager/dnsmasq-shared.d/citytable.conf"
    ).read_text() == "address=/table.lan/10.42.0.1\n"
    page = (there / "etc/citytable/join.html").read_text()
    assert r"<svg><!-- WIFI:T:WPA;S:Café\; \\1/;P:secret234567;; --></svg>" in page
    assert "<svg><!-- http://10.42.0.1:8080/display --></svg>" in page
    unit = there / "etc/systemd/system/citytable.service.d/kiosk.conf"
    assert unit.read_text() == HUB.format(f"{WITH_PLAN} 0.0.0.0:1883 --host 0.0.0.0")


@pytest.mark.parametrize(
    ("words", "plan", "runs"),
    [
        (("--screen",), True, f"{WITH_PLAN} 127.0.0.1:1883"),
        (("--screen", "--network"), True, f"{WITH_PLAN} 0.0.0.0:1883 --host 0.0.0.0"),
        (("--screen", "--network"), False, "--phones --host 0.0.0.0"),
    ],
)
def test_the_cafes_network_or_none_and_phones_where_no_plan_is(image, words, plan, runs):
    there = image(*words, plan=plan)
    assert (there / "etc/systemd/system/citytable.service.d/kiosk.conf").read_text() == HUB.format(runs)
    for file in ("citytable/limits.nft", "systemd/system/citytable-limits.service"):
        assert (there / "etc" / file).exists() == ("--network" in words)
    assert not (there / "etc/NetworkManager").exists()


@pytest.mark.parametrize(
    ("words", "listens"),
    [
        (("--access-point", "Table 1"), "0.0.0.0:1883 --tls-cert {0}.crt --tls-key {0}.key --host 0.0.0.0"),
        (("--screen",), "127.0.0.1:1883"),
    ],
)
def test_stations_of_a_network_go_on_speaking_tls(image, tmp_path, words, listens):
    """The screen opens its page on the loopback all the same (0121)."""
    certificate = Path("var/lib/citytable/tls/citytable")
    key = tmp_path / "image" / certificate.with_suffix(".key")
    key.parent.mkdir(parents=True)
    key.touch()
    there = image(*words)
    unit = there / "etc/systemd/system/citytable.service.d/kiosk.conf"
    assert unit.read_text() == HUB.format(f"{WITH_PLAN} {listens.format(Path('/') / certificate)}")


def test_the_screen_opens_the_page_of_this_computer_which_the_hub_serves_without_tls(root):
    assert "page=${CITYTABLE_PAGE:-http://127.0.0.1:8080/display}" in (root / "hub/deploy/citytable-kiosk").read_text()


@pytest.mark.parametrize(("words", "shut"), [(("--network",), False), (("--access-point", "Table 1"), True)])
def test_only_a_wifi_of_the_tables_own_leads_nowhere(image, root, words, shut):
    rules = (image(*words) / "etc/citytable/limits.nft").read_text()
    shipped = [(root / "hub/deploy" / name).read_text() for name in ("limits.nft", "guests.nft")]
    assert rules == "".join(shipped if shut else shipped[:1])
    assert "address1=10.42.0.1/24" in WIFI
    assert shipped[1].count(" 10.42.0.0/24 counter drop") == 2


@pytest.mark.skipif(shutil.which("nft") is None or os.geteuid() != 0, reason="nftables is missing, or this is not root")
def test_nftables_takes_the_rules(image):
    rules = image("--access-point", "Table 1") / "etc/citytable/limits.nft"
    done = subprocess.run(["nft", "--check", "--file", rules], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes a kiosk")
def test_a_wifi_is_not_started_where_its_guests_would_get_into_other_networks(root, programs, tmp_path):
    said = tmp_path / "said"
    scripts = {"systemctl": '[ "$*" != "restart citytable-limits" ]', "nmcli": f'echo "$*" >>{said}', "apt-get": ""}
    for name, script in scripts.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    done = run(programs, root / "hub/deploy/kiosk.sh", "--root", tmp_path / "image", "--access-point", "Table 1")
    assert done.returncode == 1
    assert "its guests would get into other networks" in done.stderr
    assert not said.exists()


def test_a_wifi_of_an_earlier_run_is_taken_down(image):
    there = image("--screen", "--access-point", "Table 1")
    assert image("--screen") == there
    left = {path.name for path in there.rglob("*") if path.is_file()}
    assert not left & {
        "citytable.nmconnection",
        "citytable.conf",
        "join.html",
        "limits.nft",
        "citytable-limits.service",
    }
    assert "wifi-password" in left  # the same one, when it comes back


def test_a_password_is_made_up_once(root, programs, tmp_path):
    passwords = set()
    for _ in range(2):
        done = run(programs, root / "hub/deploy/kiosk.sh", "--image", "--root", tmp_path, "--access-point", "Table 1")
        assert done.returncode == 0
        passwords.add((tmp_path / "etc/citytable/wifi-password").read_text())
    (password,) = passwords
    assert len(password) == 12


@pytest.mark.skipif(shutil.which("nmcli") is None, reason="NetworkManager is missing on this machine")
def test_networkmanager_reads_the_name_as_it_was_given(image):
    there = image("--access-point", "Café; \\1/")
    text = (there / "etc/NetworkManager/system-connections/citytable.nmconnection").read_text()
    command = ["nmcli", "--offline", "connection", "modify", "connection.id", "same"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    name = ";".join(map(str, "Café; \\1/".encode()))
    assert f"ssid={name};" in done.stdout or "ssid=Café\\; \\\\1/" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"), [(("--speed",), "I do not know --speed"), (("--access-point", "x" * 33), "32 letters")]
)
def test_what_it_cannot_do_it_says(root, programs, tmp_path, words, said):
    done = run(programs, root / "hub/deploy/kiosk.sh", "--image", "--root", tmp_path, *words)
    assert done.returncode == 1
    assert said in done.stderr


@pytest.fixture
def screen(root, programs, tmp_path):
    """`screen(shown)`: the kiosk's program while its browser shows that page; with what it told systemd."""
    notes = tmp_path / "notes"

    def ran(shown: str):
        notes.write_text("")
        program = root / "hub/deploy/citytable-kiosk"
        words = {"NOTES": str(notes), "HOME": str(tmp_path), "CITYTABLE_LOOK_S": "0.01", "SHOWN": shown}
        done = run(programs, program, **words)
        return done.returncode, [line for line in notes.read_text().splitlines() if line != "asked"]

    return ran


def test_a_browser_with_its_page_is_ready_and_alive_and_its_end_is_the_end(screen):
    code, said = screen("http://127.0.0.1:8080/display")
    assert code == 7
    (opened,) = (line for line in said if line.startswith("cage -d -- chromium --kiosk "))
    told = [line for line in said if line != opened]  # who looks at the page is another process, and may be quicker
    assert opened.endswith(" http://127.0.0.1:8080/display")
    assert told[:3] == ["--ready WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"]


def test_a_browser_that_lost_its_page_is_not_called_alive(screen):
    _, (_, *told) = screen("chrome-error://chromewebdata/")
    assert told == []
