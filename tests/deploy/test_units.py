"""The shipped units, judged by systemd itself."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

EXPOSURE_MAX = 3.5  # systemd's own score, 0 to 10; above 5 it says "medium"


OWN = ("citytable.service", "citytable-venue.service", "citytable-venue-broker.service")
"""Those whose programs reach a network."""


@pytest.fixture(
    params=[
        *OWN,
        "citytable-pi.service",
        "citytable-kiosk.service",
        "citytable-limits.service",
        "citytable-settle.service",
    ]
)
def unit(request: pytest.FixtureRequest, root: Path, tmp_path: Path) -> Path:
    """A unit whose program is there: what systemd would find after the installation."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is missing on this machine")
    text = (root / "hub/deploy" / request.param).read_text("utf-8")
    path = tmp_path / request.param
    path.write_text(re.sub(r"(/opt/citytable/(\.venv/)?|/usr/s)bin/[\w-]+", "/bin/true", text))
    return path


def test_systemd_has_nothing_to_say_against_a_unit(unit: Path) -> None:
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    ours = [line for line in done.stderr.splitlines() if unit.name in line]
    assert (done.returncode, ours) == (0, [])


def test_what_reaches_a_network_is_watched_and_shut_in(unit: Path) -> None:
    if unit.name not in OWN:
        return
    lines = unit.read_text().splitlines()
    assert {"Restart=always", "NoNewPrivileges=yes", "ProtectSystem=strict", "LimitNOFILE=65536"} <= set(lines)
    assert ("Type=notify" in lines) == ("WatchdogSec=30" in lines) == (unit.name != "citytable-venue-broker.service")
    command = ["systemd-analyze", "security", "--offline=yes", unit]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found = re.search(r"Overall exposure level for [\w.-]+: ([\d.]+)", said)
    assert found
    assert float(found[1]) <= EXPOSURE_MAX


def test_a_hub_has_time_to_read_its_journal_at_the_start(root: Path) -> None:
    lines = (root / "hub/deploy/citytable.service").read_text().splitlines()
    assert "TimeoutStartSec=15min" in lines, "systemd's own 90 s may be over before a long journal is read"
