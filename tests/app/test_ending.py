"""However a running table is ended, nothing of it stays behind, and people read one line."""

import asyncio
import os
import signal

import aiohttp
import pytest

pytestmark = [pytest.mark.broker, pytest.mark.long(27)]

PLAYING = ("run", "--port", "0", "--no-open", "--seed", "1")


@pytest.fixture
def table(request, started):
    """A table where bots play, and one that waits for its stations; with all its processes."""
    words = PLAYING if request.param == "playing" else (*PLAYING, "--no-twin")
    running = started(*words)
    running.says("Ctrl-C ends everything")
    names = ("mosquitto", "tabletwin") if request.param == "playing" else ("mosquitto",)
    return running, running.children(*names)


@pytest.mark.parametrize(
    ("table", "number"), [("playing", signal.SIGINT), ("waiting", signal.SIGTERM)], indirect=["table"]
)
def test_everything_ends_with_one_line(table, number, until, gone):
    running, children = table
    assert running.end(number) == 0
    until(lambda: all(gone(pid) for pid in children))
    assert running.said.splitlines()[-1] == "citytable: the table is closed"
    assert "Traceback" not in running.said


@pytest.mark.parametrize("table", ["playing"], indirect=True)
def test_impatience_changes_nothing(table, until, gone):
    running, children = table
    for _ in range(3):
        running.process.send_signal(signal.SIGINT)
    assert running.ended() == 0
    until(lambda: all(gone(pid) for pid in children))
    assert "Traceback" not in running.said


@pytest.mark.parametrize("table", ["playing"], indirect=True)
def test_a_killed_hub_takes_everything_with_it(table, until, gone):
    running, children = table
    running.end(signal.SIGKILL)
    until(lambda: all(gone(pid) for pid in children))
    assert "Traceback" not in running.said


def test_a_rehearsal_that_is_stopped_says_so(started, until, gone):
    running = started("rehearse")
    children = running.children("mosquitto", "tabletwin")
    assert running.end(signal.SIGINT) == 130
    until(lambda: all(gone(pid) for pid in children))
    assert running.said == "citytable: stopped before the game was over"


def test_when_the_virtual_table_is_killed_people_are_told_and_the_display_stays(started, until):
    running = started(*PLAYING)
    until(lambda: running.view()["scene"]["turn"] > 0)
    os.kill(running.pid_of("tabletwin"), signal.SIGKILL)
    running.says("citytable: the virtual game stopped: the virtual table ended with code -9")
    assert running.view()["table"] == "table"
    assert running.end(signal.SIGINT) == 0
    assert "Traceback" not in running.said


async def goodbye(running, port):
    """End a table; return what its public feed brings until it ends, and how it ends."""
    async with aiohttp.ClientSession() as session, session.ws_connect(f"http://127.0.0.1:{port}/feed") as feed:
        first = await feed.receive_json()
        running.process.send_signal(signal.SIGINT)
        return [first, *[message.json() async for message in feed]], feed.close_code


def test_the_pages_of_a_table_that_is_ended_read_goodbye_and_of_no_station_that_fails(started, until):
    running = started(*PLAYING)
    until(lambda: running.view()["scene"]["turn"] > 0)
    said, code = asyncio.run(goodbye(running, running.says(r"display  http://127\.0\.0\.1:(\d+)/display")[1]))
    assert code == aiohttp.WSCloseCode.GOING_AWAY
    stations = [one for event in said for one in event["data"].get("stations", ())]
    assert stations
    assert [one for one in stations if not one["online"]] == []
    assert running.ended() == 0
