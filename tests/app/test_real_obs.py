"""Clips by a real OBS, under a screen in memory: what is saved at a confirmed collapse, and what it refuses.

`test_obs.py` plays what this OBS said. It starts without anybody's help because it finds its settings: a server with
a password, a replay buffer with a hotkey, and a scene with one source.
"""

import asyncio
import json
import os
import socket
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import simpleobsws
from tests.patience import PATIENCE_S

from citytable import filming
from citytable.games import box_of
from citytable.hub import Hub, running_hub
from citytable.obs import PASSWORD_VARIABLE, ObsTrouble, check_replay, save_replay
from citytable.session.records import RecordBook
from citytable.settings import Settings
from citytable.table.word import Amendment, Statement

pytestmark = [pytest.mark.soak, pytest.mark.obs]  # `make test` is to run where no OBS is

PASSWORD = "lantern-1"
WRITES_S = 5  # OBS has written a clip of so few seconds long before
MATROSKA = b"\x1a\x45\xdf\xa3"
GLOBAL = """\
[General]
FirstRun=true
[OBSWebSocket]
FirstLoad=false
ServerEnabled=true
ServerPort={port}
AlertsEnabled=false
AuthRequired=true
ServerPassword={password}
[Basic]
Profile=table
ProfileDir=table
SceneCollection=table
SceneCollectionFile=table
"""
PROFILE = """\
[General]
Name=table
[Output]
Mode=Simple
[SimpleOutput]
FilePath={clips}
RecFormat=mkv
RecQuality=Small
RecEncoder=x264
RecRB=true
RecRBTime=5
RecRBSize=16
[Video]
BaseCX=320
BaseCY=180
OutputCX=320
OutputCY=180
FPSCommon=10
[Hotkeys]
ReplayBuffer={{"ReplayBuffer.Save":[{{"key":"OBS_KEY_F9"}}]}}
"""
SCENES = {
    "name": "table",
    "current_scene": "Table",
    "current_program_scene": "Table",
    "scene_order": [{"name": "Table"}],
    "sources": [
        {"id": "scene", "name": "Table", "settings": {"items": [{"name": "Felt", "id": 1, "visible": True}]}},
        {"id": "color_source_v3", "name": "Felt", "settings": {"width": 320, "height": 180}},
    ],
}


@dataclass
class RealObs:
    """A running OBS, and the folder into which it saves."""

    url: str
    folder: Path

    def clips(self) -> list[Path]:
        """The clips that begin as a film does."""
        return [path for path in self.folder.iterdir() if path.read_bytes()[:4] == MATROSKA]

    async def until_saved(self, number: int) -> None:
        """Wait until OBS has saved so many clips."""
        async with asyncio.timeout(PATIENCE_S):
            async for _ in often():
                if len(self.clips()) >= number:
                    return


async def often() -> AsyncIterator[None]:
    """Ten times a second."""
    while True:
        yield
        await asyncio.sleep(0.1)


async def refusals(ask: Callable[[str, str], Awaitable[None]], url: str) -> AsyncIterator[str]:
    """Ask OBS again and again; why it refuses, or nothing where it does as asked."""
    async for _ in often():
        try:
            await ask(url, PASSWORD)
        except ObsTrouble as trouble:
            yield str(trouble)
        else:
            yield ""


@contextmanager
def _running(*command: str, **more: object) -> Iterator[None]:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    program = subprocess.Popen(command, **quiet, **more)
    try:
        yield
    finally:
        program.terminate()
        try:
            program.wait(PATIENCE_S / 10)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()


@contextmanager
def _screen() -> Iterator[str]:
    """A screen in memory; the number that Xvfb chose for it."""
    told, tells = os.pipe()
    try:
        with _running("Xvfb", "-displayfd", str(tells), "-nolisten", "tcp", pass_fds=[tells]):
            yield f":{os.read(told, 16).decode().strip()}"
    finally:
        os.close(told)
        os.close(tells)


def _write_settings(home: Path, port: int) -> Path:
    """Write what OBS would otherwise ask a person, and return the folder for its clips."""
    settings, clips = home / ".config/obs-studio", home / "clips"
    for folder in (settings / "basic/profiles/table", settings / "basic/scenes", clips):
        folder.mkdir(parents=True)
    (settings / "global.ini").write_text(GLOBAL.format(port=port, password=PASSWORD))
    (settings / "basic/profiles/table/basic.ini").write_text(PROFILE.format(clips=clips))
    (settings / "basic/scenes/table.json").write_text(json.dumps(SCENES))
    return clips


@pytest.fixture
async def obs(tmp_path: Path) -> AsyncIterator[RealObs]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    clips = _write_settings(tmp_path, port)
    with ExitStack() as stack:
        where = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / ".config")}
        environment = os.environ | where | {"DISPLAY": stack.enter_context(_screen()), "LIBGL_ALWAYS_SOFTWARE": "1"}
        stack.enter_context(_running("obs", "--multi", "--startreplaybuffer", env=environment))
        one = RealObs(f"ws://127.0.0.1:{port}", clips)
        async with asyncio.timeout(PATIENCE_S):
            async for trouble in refusals(check_replay, one.url):
                if not trouble:
                    break
        yield one


STOOD = "p2 deliver contract=IN1 platform=2 at=1/0 stood=yes height=30mm pieces=steel:5 judged=yes"
FELL = "p2 deliver contract=IN1 platform=2 at=1/0 stood=no"
COLUMNS = "PU3,PU2,PU1|IN1,IN2,IN3|CO1,CO2,CO3|RE1,RE2,RE3"
BEFORE = (
    f"table set_up columns={COLUMNS} supply=1/public,2/public,9/public start=1 drawn=none|unknown:1",
    *("p1 take_contract contract=PU3", "p1 take_platform platform=1 revealed=4/public", "p1 end_turn"),
    *("p2 take_contract contract=IN1", "p2 take_platform platform=2 revealed=5/public", "p2 rezone platform=2"),
    *("p2 end_turn", "p1 take_pieces drawn=unknown:3", "p1 take_pieces drawn=unknown:3", "p1 end_turn"),
    *("p2 take_pieces drawn=unknown:3", "p2 take_pieces drawn=unknown:3", "p2 end_turn"),
)
COLLAPSE = "p1 deliver contract=PU3 platform=1 at=0/1 stood=no"


BOX = box_of("megacity")
SETTINGS = Settings(box=BOX, options=BOX.options(2), twin=False, phones=True, speed=1.0)


@pytest.fixture
async def hub() -> AsyncIterator[Hub]:
    async with running_hub(SETTINGS) as hub:
        for action in BEFORE:
            await hub.session.say(Statement(action=action, by="table"))
        yield hub


async def test_a_collapse_saves_one_clip_and_a_correction_to_a_collapse_saves_none(obs, hub, monkeypatch):
    monkeypatch.setenv(PASSWORD_VARIABLE, PASSWORD)
    say = hub.session.say
    async with filming.clips_by_obs(obs.url, SETTINGS, hub, RecordBook(None, BOX)):
        for action in ("p1 end_turn", STOOD, "p2 end_turn", COLLAPSE, "p1 end_turn"):
            await say(Statement(action=action, by="table"))
        assert COLLAPSE in map(str, hub.play.actions)
        await obs.until_saved(1)
        first = min(line.no for line in hub.session.view().happened if line.key == "action.deliver")
        await say(Amendment(entry=first, action=FELL, by="host"))
        await say(Statement(action="p2 end_turn", by="table"))
        assert {FELL, "p2 end_turn"} <= set(map(str, hub.play.actions))
        await asyncio.sleep(WRITES_S)
    assert len(obs.clips()) == 1


async def test_obs_refuses_as_the_recorded_one_does(obs):
    with pytest.raises(ObsTrouble, match="wants a password"):
        await save_replay(obs.url, "")
    with pytest.raises(ObsTrouble, match="refuses the password"):
        await save_replay(obs.url, "torch-2")
    client = simpleobsws.WebSocketClient(url=obs.url, password=PASSWORD)
    await client.connect()
    await client.wait_until_identified()
    assert (await client.call(simpleobsws.Request("StopReplayBuffer"))).ok()
    await client.disconnect()
    for ask in (check_replay, save_replay):
        async with asyncio.timeout(PATIENCE_S):
            async for trouble in refusals(ask, obs.url):  # it needs a moment to stop
                if "no replay buffer running" in trouble:
                    break
