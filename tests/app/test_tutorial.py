"""The tutorial's station, typed by a person, at a real broker and a real hub: the display answers."""

import os
import re
import shlex
import signal
import subprocess

import pytest

pytestmark = [pytest.mark.broker, pytest.mark.long(6)]


@pytest.fixture
def blocks(root):
    """The tutorial's commands by the name of their block."""
    text = (root / "docs/tutorial/first-table.md").read_text()
    found: dict[str, list[str]] = {}
    for name, block in re.findall(r"^```bash (\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        found.setdefault(name, []).append(block)
    return found


@pytest.fixture
def hub(blocks, started, free_port):
    """The tutorial's hub, on ports that are free."""
    _, *words = shlex.split(blocks["hub"][0])
    words[words.index("--broker-port") + 1] = str(free_port)
    return started(*words, "--port", "0", "--no-open")


@pytest.fixture
def typist(hub):
    """A shell that is typed into."""
    host, port = hub.broker()
    env = os.environ | {"HOST": host, "PORT": port}
    shell = subprocess.Popen(["bash", "-eu"], stdin=subprocess.PIPE, text=True, env=env)
    yield shell
    assert shell.stdin is not None
    shell.stdin.close()
    assert shell.wait(30) == 0


def test_the_display_answers_a_person_who_is_a_station(blocks, hub, typist, until):
    def types(block: str) -> None:
        typist.stdin.write(block)
        typist.stdin.flush()

    def spot() -> dict:
        return next((live for live in hub.view()["live"] if live["spot"] == "city/1/0"), {})

    def lines() -> list[tuple[str, dict]]:
        return [(line["key"], line["words"]) for line in hub.view()["happened"]]

    setting, words, birth, platform, tower, fall, leave = blocks["station"]
    types(setting + words + birth)
    until(lambda: [station["online"] for station in hub.view()["stations"]] == [True])
    types(platform)
    until(lambda: spot().get("thing") == "platform/7/public")
    types(tower)
    until(lambda: spot().get("mass_g") == pytest.approx(400, abs=1))
    types(fall)
    until(lambda: ("sensed.fell", {"spot": "city/1/0", "lost_g": "150"}) in lines())
    assert spot()["mass_g"] == pytest.approx(250, abs=1)
    types(leave)
    until(lambda: ("sensed.station_went", {"station": "sector-1"}) in lines())
    assert hub.end(signal.SIGINT) == 0


def test_a_visitor_is_heard_and_not_believed_about_others_hexes(blocks, hub, typist, until):
    setting, words, birth, platform, *_ = blocks["station"]
    visiting = setting.replace("sector-1", "visitor")
    typist.stdin.write(visiting + words + birth + platform)
    typist.stdin.flush()
    until(lambda: any("city/1/0" in fault["en"] for one in hub.view()["stations"] for fault in one["faults"]))
    assert hub.view()["live"] == []
