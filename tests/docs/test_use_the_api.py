"""The programs of the page are short and do at a running hub what the page says, in both languages."""

import asyncio
import os
import shutil
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.patience import PATIENCE_S

from citytable import app
from citytable.games import box_of
from citytable.settings import Settings
from citytable.table.word import Naming, PaperPosition, Statement
from citytable.views.address import At

PAGE = "docs/howto/use-the-api.md"
LANGUAGES = ("python", "javascript")
NODE = shutil.which(
    "node", path=os.pathsep.join([os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent)])
)
DEAL = (
    "table set_up columns=PU1,PU2,PU3|IN1,IN2,IN3|CO1,CO2,CO3|RE1,RE2,RE3 "
    "supply=1/public,2/public,9/public start=1 drawn=none|unknown:1"
)


@pytest.fixture
async def hub():
    """A running hub with pages, the address of these, and the key of a producer."""
    async with AsyncExitStack() as stack:
        box = box_of("megacity")
        settings = Settings(box=box, options=box.options(2), twin=False, phones=True, speed=1.0)
        hub = await stack.enter_async_context(app.running_hub(settings))
        keys = app.keys_of(settings, hub)
        port = await stack.enter_async_context(app.screens(hub, keys, At("127.0.0.1")))
        yield hub, f"http://127.0.0.1:{port}", keys.producer_key()


@pytest.fixture
def command(blocks, tmp_path):
    """`command("score", "python")`: how a program of the page is started."""

    def written(name, language):
        (block,) = [block for block in blocks(PAGE) if (block.language, block.name) == (language, name)]
        assert len(block.text.splitlines()) <= 20
        file = tmp_path / f"{name}{'.py' if language == 'python' else '.mjs'}"
        file.write_text(block.text, "utf-8")
        if language == "javascript" and NODE is None:
            if os.environ.get("CI"):
                pytest.fail("node is missing on this machine, and in CI no test may be skipped", pytrace=False)
            pytest.skip("node is missing on this machine")
        return [sys.executable, file] if language == "python" else [NODE, "--experimental-websocket", file]

    return written


async def run(words, **environment):
    process = await asyncio.create_subprocess_exec(
        *words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, env={**os.environ, **environment}
    )
    out, error = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    return process.returncode, out.decode().strip(), error.decode()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_score_is_followed(hub, command, language):
    hub, pages, _ = hub
    follower = await asyncio.create_subprocess_exec(
        *command("score", language), pages, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )

    async def until(text):
        async with asyncio.timeout(PATIENCE_S):
            while (line := (await follower.stdout.readline()).decode().strip()) != text:
                assert line, "the program has ended"

    try:
        await until("1: 0, 2: 0")
        await hub.session.say(Naming(names=("Ada", "Bo"), by="host"))
        await until("Ada: 0, Bo: 0")
        await hub.session.say(Statement(action=DEAL, by="table"))
        paper = hub.session.play.paper()
        hand = paper["players"][0] | {"tokens": 4}
        await hub.session.say(PaperPosition(paper=paper | {"players": [hand, paper["players"][1]]}, by="host"))
        await until("Ada: 4, Bo: 0")
    finally:
        follower.kill()
        await follower.communicate()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_an_element_goes_off_air_and_comes_back(hub, command, language):
    hub, pages, key = hub
    words = command("on_air", language)
    for trigger, said in (("hide", "off air: score"), ("show", "off air: nothing")):
        assert await run([*words, pages, "score", trigger], CITYTABLE_KEY=key) == (0, said, "")
    code, _, error = await run([*words, pages, "score", "hide"], CITYTABLE_KEY="wrong")
    assert code == 1
    assert ("401" if language == "python" else "key") in error
