"""A browser that leaves between its request for the feed and the answer is no error of the hub's."""

import aiohttp
import pytest
from aiohttp import web

from citytable.views.lost import log, send_refusals


@pytest.mark.parametrize("hangs_up", [True, False])
async def test_only_who_is_still_there_is_told_of_an_error(caplog, hangs_up):
    async def feed(request):
        if not hangs_up:
            raise ConnectionResetError("of the hub's own")
        request.transport.abort()
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        return socket

    app = web.Application(middlewares=[send_refusals])
    app.router.add_get("/feed", feed)
    runner = web.AppRunner(app, logger=log)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        async with aiohttp.ClientSession() as browser:
            with pytest.raises(aiohttp.ClientError):
                await browser.ws_connect(f"http://127.0.0.1:{runner.addresses[0][1]}/feed")
    finally:
        await runner.cleanup()
    assert [record.name for record in caplog.records if record.levelname == "ERROR"] == (
        [] if hangs_up else ["citytable.web"]
    )
