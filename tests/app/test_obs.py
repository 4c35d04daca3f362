"""Clips: what the hub says to OBS, against what a real OBS said."""

import asyncio
import base64
import hashlib
import json
from pathlib import Path

import msgpack
import pytest
from aiohttp import web

from citytable.obs import Clips, ObsTrouble, check_replay, save_replay
from citytable.session.worth_a_clip import WorthAClip

RECORDED = Path(__file__).parent / "obs"
FRAMES = json.loads((RECORDED / "frames.json").read_text())
PASSWORD = "lantern-1"


class Obs:
    """Plays the frames of a real OBS. `saved` counts the requests to save."""

    def __init__(self) -> None:
        self.state = "running"
        self.saved = 0
        self.url = ""

    def _expected(self) -> str:
        asked = FRAMES["hello"]["d"]["authentication"]
        secret = base64.b64encode(hashlib.sha256((PASSWORD + asked["salt"]).encode()).digest())
        return base64.b64encode(hashlib.sha256(secret + asked["challenge"].encode()).digest()).decode()

    async def talk(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(protocols=("obswebsocket.msgpack",))
        await socket.prepare(request)
        await socket.send_bytes(msgpack.packb(FRAMES["hello"]))
        async for message in socket:
            told = msgpack.unpackb(message.data)
            if told["op"] == 1:
                if told["d"].get("authentication") != self._expected():
                    wrong = FRAMES["wrong password"]
                    await socket.close(code=wrong["code"], message=wrong["reason"].encode())
                    break
                await socket.send_bytes(msgpack.packb(FRAMES["identified"]))
                continue
            response = FRAMES[self.state][told["d"]["requestType"]]
            self.saved += told["d"]["requestType"] == "SaveReplayBuffer" and response["requestStatus"]["result"]
            data = {**response, "requestId": told["d"]["requestId"]}
            await socket.send_bytes(msgpack.packb({"op": 7, "d": data}))
        return socket


@pytest.fixture
async def obs():
    playing, app = Obs(), web.Application()
    app.router.add_get("/", playing.talk)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    playing.url = f"ws://127.0.0.1:{runner.addresses[0][1]}"
    yield playing
    await runner.cleanup()


async def test_obs_saves_its_replay_buffer(obs):
    await check_replay(obs.url, PASSWORD)
    await save_replay(obs.url, PASSWORD)
    assert obs.saved == 1


@pytest.mark.parametrize("ask", [check_replay, save_replay])
async def test_without_a_running_buffer_the_producer_is_told_where_to_start_it(obs, ask):
    obs.state = "stopped"
    with pytest.raises(ObsTrouble, match="no replay buffer running: enable it in OBS under Settings, Output"):
        await ask(obs.url, PASSWORD)


@pytest.mark.parametrize(("password", "said"), [("", "wants a password"), ("torch-2", "refuses the password")])
async def test_a_wrong_password_is_named_as_one(obs, password, said):
    with pytest.raises(ObsTrouble, match=said):
        await save_replay(obs.url, password)


async def test_what_is_no_obs_is_called_so(obs):
    """A page of some other program ended the hub with a traceback."""
    with pytest.raises(ObsTrouble, match="is not an OBS with obs-websocket 5"):
        await check_replay(f"{obs.url}/elsewhere", PASSWORD)


async def test_where_nothing_listens_obs_is_to_be_started(unused_port):
    with pytest.raises(ObsTrouble, match=r"does not respond at ws://127\.0\.0\.1:.*: start OBS"):
        await save_replay(f"ws://127.0.0.1:{unused_port}", PASSWORD)


@pytest.fixture
async def unused_port():
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    return port


async def test_what_goes_wrong_is_said_and_the_next_clip_is_tried_again():
    said, tried, twice = [], [], asyncio.Event()

    async def save() -> None:
        tried.append(len(tried))
        if len(tried) == 2:
            twice.set()
        else:
            raise ObsTrouble("OBS is away")

    worth = WorthAClip(lambda _: (), dict)
    worth.show = lambda view: view
    clips = Clips(worth, save, said.append)
    running = asyncio.create_task(clips.run())
    clips.show("collapse")
    clips.show(None)
    clips.show("record")
    await twice.wait()
    running.cancel()
    assert said == ["no clip of the collapse: OBS is away"]
    assert len(tried) == 2
