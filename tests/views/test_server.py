import asyncio
import dataclasses
import gzip
import json
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest
from msgspec.structs import replace

from citytable.journal.entry import ActionConfirmed, Entry, GameEnded
from citytable.table.health import Said
from citytable.table.word import (
    Amendment,
    Answer,
    ClearUp,
    GoBack,
    Insertion,
    ModeChoice,
    PaperPosition,
    PositionSet,
    Ruling,
    Statement,
    Strike,
    TableStays,
    TakeBack,
    UndoReply,
    UndoRequest,
)
from citytable.views.answers import other_way
from citytable.views.feed import SCHEMA
from citytable.views.gate import Gate
from citytable.views.keys import Keys
from citytable.views.mailbox import ROOM
from citytable.views.post import BODY_BYTES_MAX
from citytable.views.server import READERS_PER_ADDRESS_MAX, PortBusy, Server
from citytable.views.signal import Curve, Signal
from citytable.views.state import View

KEYS = Keys(b"secret", "salon", "game-1")
VALUES = {"height_mm": 57, "steel": 3, "concrete": 4, "glass": 0, "judged": True}
ASKED = "p2 deliver contract=CO4 platform=6 at=1/1"
REZONE = {"type": "statement", "action": "p2 rezone platform=1", "by": "seat 2"}
ANSWER = {"type": "answer", "question": ASKED, "values": VALUES, "by": "seat 2"}


async def post(site: Any, path: str, **how: Any) -> tuple[int, dict[str, Any]]:
    async with site.session.post(site.url(path), **how) as response:
        return response.status, json.loads(await response.read())


async def test_the_page_and_its_assets_are_served(site: Any) -> None:
    for path in ("/", "/display", "/assets/a.js"):
        async with site.session.get(site.url(path)) as response:
            assert response.status == 200


async def test_a_long_answer_is_compressed_for_clients_that_can_read_it(site: Any) -> None:
    async with site.session.get(site.url("/api/view"), headers={"Accept-Encoding": "gzip"}) as response:
        assert response.headers["Content-Encoding"] == "gzip"
        assert (await response.json())["type"] == "snapshot"
    async with site.session.get(site.url("/api/view"), headers={"Accept-Encoding": "identity"}) as response:
        assert "Content-Encoding" not in response.headers


async def test_assets_are_compressed_and_kept_for_good_and_the_page_is_asked_for_again(
    site: Any, tmp_path: Path
) -> None:
    text = b"export {}" * 100
    (tmp_path / "assets" / "b.js").write_bytes(text)
    (tmp_path / "assets" / "b.js.gz").write_bytes(gzip.compress(text))
    async with site.session.get(site.url("/assets/b.js"), headers={"Accept-Encoding": "gzip"}) as response:
        assert response.headers["Content-Encoding"] == "gzip"
        assert "immutable" in response.headers["Cache-Control"]
        assert not {"Last-Modified", "Accept-Ranges"} & set(response.headers)
        assert await response.read() == text
    async with site.session.get(site.url("/assets/none.js")) as response:
        assert "immutable" not in response.headers.get("Cache-Control", "")
    async with site.session.get(site.url("/display")) as response:
        assert response.headers["Cache-Control"] == "no-cache"


async def test_the_view_is_one_snapshot_of_what_the_public_sees(site: Any) -> None:
    async with site.session.get(site.url("/api/view")) as response:
        event = await response.json()
    assert (event["schema"], event["seq"], event["type"]) == (SCHEMA, 1000, "snapshot")
    assert event["data"]["scene"]["seat"] == 2
    assert event["data"]["questions"][0]["fields"] == []


async def test_the_asked_seat_reads_the_fields_of_its_question(site: Any) -> None:
    async with site.session.get(site.url("/api/view?as=seat/2")) as response:
        event = await response.json()
    assert [field["name"] for field in event["data"]["questions"][0]["fields"]] == list(VALUES)


@pytest.mark.parametrize("bits", [0, 15])
async def test_the_feed_begins_with_a_snapshot_and_goes_on_with_changes(site: Any, midgame: View, bits: int) -> None:
    async with site.session.ws_connect(site.url("/feed"), compress=bits) as feed:
        assert feed.compress == bits  # a browser that can inflate is sent compressed frames
        snapshot = await feed.receive_json()
        site.server.show(replace(midgame, scene=replace(midgame.scene, turn=20)))
        change = await feed.receive_json()
    assert snapshot["type"] == "snapshot"
    assert (change["seq"], change["type"], change["data"]["scene"]["turn"]) == (snapshot["seq"] + 1, "change", 20)
    assert change["data"].keys() == {"scene"}


async def test_a_reader_who_comes_back_gets_only_what_he_missed(site: Any, midgame: View) -> None:
    async with site.session.ws_connect(site.url("/feed")) as feed:
        await feed.receive_json()
    site.server.show(replace(midgame, table="parlour"))
    async with site.session.ws_connect(site.url("/feed?since=1000")) as feed:
        missed = await feed.receive_json()
    assert (missed["type"], missed["data"]) == ("change", {"table": "parlour"})


async def test_an_answer_reaches_the_app(site: Any) -> None:
    assert await post(site, "/api/say", json=ANSWER) == (202, {"accepted": True, "was": 41, "now": 42})
    assert site.heard.words == [Answer(question=ASKED, values=VALUES, by="seat 2")]


async def test_a_statement_reaches_the_app(site: Any) -> None:
    status, _ = await post(site, "/api/say", json={"type": "statement", "action": "p2 take_pieces", "by": "seat 2"})
    assert status == 202
    assert site.heard.words == [Statement(action="p2 take_pieces", by="seat 2")]


async def test_what_may_be_said_is_told_ready_to_be_worded(site: Any) -> None:
    site.heard.may_say = (
        "p2 refresh",
        "p2 deliver contract=PU1 platform=3 at=1/0 stood=no",
        "table monument_fell at=0/0",
    )
    async with site.session.get(site.url("/api/sayable")) as response:
        told = await response.json()
    delivery = {"contract": "PU1", "platform": "3", "at": "1/0", "stood": "no"}
    assert [(one["key"], one["words"], one["seat"]) for one in told] == [
        ("action.refresh", {}, 2),
        ("action.deliver", delivery, 2),
        ("action.monument_fell", {"at": "0/0"}, None),
    ]
    assert [one["action"] for one in told] == list(site.heard.may_say)


async def test_what_no_rule_allows_now_is_told_with_its_rule_and_reason(site: Any) -> None:
    async with site.session.get(site.url("/api/declined")) as response:
        (told,) = await response.json()
    assert (told["key"], told["seat"], told["rule"]) == ("action.refresh", 2, "R7")
    assert told["why"]["en"] == "You have used all your actions."


async def test_the_blanks_of_the_actions_are_there_to_be_filled_in(site: Any) -> None:
    async with site.session.get(site.url("/api/blanks")) as response:
        assert await response.json() == [{"do": "end_turn", "player": True, "fields": []}]


def changed(**how: Any) -> bytes:
    return json.dumps({**ANSWER, **how}).encode()


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        (b"{", 400, "cannot be read"),
        (b"\xff\xfe", 400, "cannot be read"),
        (b"[]", 400, "cannot be read"),
        (b'{"type":"answer","question":"q","by":"host"}', 400, "values"),
        (changed(type="shout"), 400, "shout"),
        (changed(sudo=1), 400, "sudo"),
        (changed(question="another"), 409, "'another'"),
        (changed(question="x" * 900), 409, "xx…"),
        (changed(values={}), 400, "height_mm"),
        (changed(values={**VALUES, "height_mm": -1}), 400, "0-300"),
        (changed(values={**VALUES, "height_mm": True}), 400, "0-300"),
        (changed(values={**VALUES, "height_mm": "57"}), 400, "'57'"),
        (changed(values={**VALUES, "judged": 1}), 400, "true / false"),
        (changed(values={**VALUES, "judged": None}), 400, "null"),
        (changed(by=""), 400, "by"),
    ],
)
async def test_a_bad_answer_gets_a_clear_sentence_and_never_reaches_the_app(
    site: Any, body: bytes, status: int, says: str
) -> None:
    code, told = await post(site, "/api/say", data=body, headers={"Content-Type": "application/json"})
    assert code == status
    assert says in told["text"]["en"]
    assert told["text"]["fr"] != told["text"]["en"]
    assert site.heard.words == []


@pytest.mark.parametrize("do", ["begin", "stop", "close"])
async def test_the_host_says_that_it_is_cleared_up(site: Any, do: str) -> None:
    assert (await post(site, "/api/say", json={"type": "clear_up", "do": do, "by": "host"}))[0] == 202
    assert site.heard.words == [ClearUp(do=do, by="host")]


async def test_nonsense_about_clearing_up_is_refused(site: Any) -> None:
    status, told = await post(site, "/api/say", json={"type": "clear_up", "do": "burn", "by": "host"})
    assert (status, site.heard.words) == (400, [])
    assert "burn" in told["text"]["en"]


async def test_what_the_rules_refuse_comes_back_with_the_rules_number(site: Any) -> None:
    status, told = await post(
        site, "/api/say", json={"type": "statement", "action": "p2 rezone platform=1", "by": "seat 2"}
    )
    assert (status, told["rule"], told["text"]["fr"]) == (409, "R12", "Pas votre plateforme.")


async def test_an_action_nobody_can_read_is_refused(site: Any) -> None:
    status, told = await post(site, "/api/say", json={"type": "statement", "action": "nonsense", "by": "host"})
    assert status == 400
    assert "'nonsense'" in told["text"]["en"]


async def test_a_question_that_is_asked_while_the_answer_arrives_counts(site: Any, midgame: View) -> None:
    site.server.show(replace(midgame, questions=()))
    sending, arriving = asyncio.Event(), asyncio.Event()

    async def slowly() -> Any:
        yield json.dumps(ANSWER)[:20].encode()
        sending.set()
        await arriving.wait()
        yield json.dumps(ANSWER)[20:].encode()

    how = {"data": slowly(), "headers": {"Content-Type": "application/json"}}
    answering = asyncio.create_task(post(site, "/api/say", **how))
    await sending.wait()
    async with site.session.get(site.url("/api/view")):  # by then the hub is at the answer, too
        site.server.show(midgame)
    arriving.set()
    assert (await answering)[0] == 202


async def test_a_form_of_a_foreign_web_page_cannot_answer_for_a_player(site: Any) -> None:
    status, told = await post(site, "/api/say", data=json.dumps(ANSWER), headers={"Content-Type": "text/plain"})
    assert status == 415
    assert "application/json" in told["text"]["en"]
    assert site.heard.words == []


async def test_a_message_too_big_is_refused_before_it_is_read(site: Any) -> None:
    body = b'{"question":"' + b"x" * BODY_BYTES_MAX + b'"}'
    status, told = await post(site, "/api/say", data=body, headers={"Content-Type": "application/json"})
    assert status == 413
    assert str(BODY_BYTES_MAX) in told["text"]["en"]


async def test_the_stations_are_told_as_they_are_now(site, midgame):
    async with site.session.get(site.url("/api/stations")) as response:
        told = await response.json()
    assert (told["t_us"], told["table"]) == (77, midgame.table)
    assert [one["station"] for one in told["stations"]] == [one.station for one in midgame.health]
    assert [(one["spot"], one["drift_g"], one["due"]) for one in told["zeros"]] == [("city/1/0", 1.5, "old")]
    assert told["turned_away"] == ["192.168.50.31"]


@pytest.mark.parametrize("path", ["/feed?since=soon", "/feed?since=-1", "/feed?as=king", "/api/view?as=seat/9"])
async def test_a_wrong_address_is_told_what_is_wrong_with_it(site: Any, path: str) -> None:
    async with site.session.get(site.url(path)) as response:
        told = json.loads(await response.read())
        assert response.status == 400
    assert "=" in path
    assert told["text"].keys() == {"en", "fr"}


async def test_brackets_within_brackets_are_unreadable_and_no_fault_of_the_hub(site: Any) -> None:
    body = b'{"paper":{"a":' + b"[" * 1900 + b"]" * 1900 + b'},"by":"host"}'
    status, told = await post(site, "/api/say", data=body, headers={"Content-Type": "application/json"})
    assert status == 400
    assert "cannot be read" in told["text"]["en"]


@pytest.mark.parametrize(
    ("method", "path", "status", "says"),
    [
        ("GET", "/dispaly", 404, "/dispaly"),
        ("GET", "/" + "a" * 2000, 404, "…"),
        ("GET", "/seat/9", 404, "/seat/4"),
        ("GET", "/api/entries/x/trace", 404, "/api/entries/x/trace"),
        ("GET", "/api/entries/999999999/trace", 404, "no entry 999999999"),
        ("GET", "/" + "a" * 20_000, 404, "…"),
        ("GET", "/assets/", 404, "/assets/"),
        ("GET", "/api/say", 405, "Send POST"),
        ("DELETE", "/api/entries", 405, "DELETE"),
        ("GET", "/feed", 400, "WebSocket"),
    ],
)
async def test_what_is_not_there_is_said_in_a_sentence(
    site: Any, method: str, path: str, status: int, says: str
) -> None:
    async with site.session.request(method, site.url(path)) as response:
        told = json.loads(await response.read())
        assert (response.status, told["text"].keys()) == (status, {"en", "fr"})
    assert says in told["text"]["en"]
    assert len(told["text"]["en"]) < 300


async def test_who_mistypes_an_address_gets_a_page_with_the_way_on_and_none_of_his_own_markup(site: Any) -> None:
    async with site.session.get(site.url("/<b>x"), headers={"Accept": "text/html,*/*"}) as response:
        page = await response.text()
        assert (response.status, response.content_type) == (404, "text/html")
    assert 'href="/display"' in page
    assert "<b>x" not in page


@pytest.mark.parametrize(
    "garbage",
    [b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\r\n\r\n", b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n"],
)
async def test_what_is_no_http_leaves_no_traceback_in_the_log(
    site: Any, garbage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    writer.write(garbage)
    assert (await reader.read()).startswith(b"HTTP/1.0 400")
    writer.close()
    await writer.wait_closed()
    assert [record for record in caplog.records if record.levelname not in {"DEBUG", "INFO"}] == []


async def test_paths_cannot_climb_out_of_the_assets(site: Any) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    writer.write(b"GET /assets/../index.html HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    assert answer.startswith((b"HTTP/1.1 403", b"HTTP/1.1 404"))


async def test_a_phone_that_never_reads_does_not_hold_up_the_others(site: Any, midgame: View) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    key = "dGhlIHNhbXBsZSBub25jZQ=="
    request = f"GET /feed HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}"
    writer.write(f"{request}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
    await reader.readuntil(b"\r\n\r\n")  # and from here on it reads nothing more
    async with site.session.ws_connect(site.url("/feed"), max_msg_size=0) as feed:
        await feed.receive_json()
        for turn in range(20 * ROOM):
            site.server.show(replace(midgame, table="x" * 20_000 + str(turn)))
            change = await feed.receive_json()
            assert change["data"]["table"].endswith(str(turn))
    writer.transport.abort()


async def test_a_reader_who_fell_behind_is_sent_the_whole_table(site: Any, midgame: View) -> None:
    async with site.session.ws_connect(site.url("/feed")) as feed:
        await feed.receive_json()
        for turn in range(2 * ROOM):  # all at once: the reader has no chance in between
            site.server.show(replace(midgame, table="x" * 100_000 + f"-{turn}"))
        event = await feed.receive_json()
        while event["type"] != "snapshot":  # what the system has taken for the reader stays
            event = await feed.receive_json()
    assert event["data"]["table"].endswith(f"-{2 * ROOM - 1}")


async def test_one_device_cannot_take_all_places_of_the_feed(site: Any) -> None:
    feeds = [await site.session.ws_connect(site.url("/feed")) for _ in range(READERS_PER_ADDRESS_MAX)]
    async with site.session.get(site.url("/feed")) as response:
        told = json.loads(await response.read())
    assert response.status == 503
    assert str(READERS_PER_ADDRESS_MAX) in told["text"]["en"]
    for feed in feeds:
        await feed.close()
    async with site.session.ws_connect(site.url("/feed")) as feed:
        assert (await feed.receive_json())["type"] == "snapshot"


async def test_strangers_take_no_place_of_the_host(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citytable.views.server.READERS_MAX", 2)
    monkeypatch.setattr("citytable.views.server.READERS_PER_ADDRESS_MAX", 2)
    strangers = [await site.session.ws_connect(site.url("/feed")) for _ in range(2)]
    async with site.session.get(site.url("/feed")) as response:
        assert response.status == 503
    async with site.session.ws_connect(site.url("/feed?as=host")) as feed:
        assert (await feed.receive_json())["type"] == "snapshot"
    for feed in strangers:
        await feed.close()


async def test_a_busy_port_is_one_sentence(site: Any, midgame: View) -> None:
    second = Server(midgame, site.heard.doors(midgame), Gate(KEYS, lambda: 0.0, 3), first_seq=1)
    with pytest.raises(PortBusy, match=f"port {site.port} on 127.0.0.1 is in use"):
        await second.start("127.0.0.1", site.port)


async def test_screens_that_are_not_built_say_how_to_build_them(midgame: View, site: Any, tmp_path: Any) -> None:
    server = Server(midgame, site.heard.doors(midgame), Gate(KEYS, lambda: 0.0, 3), 1, static=tmp_path / "nowhere")
    port = await server.start("127.0.0.1", 0)
    async with site.session.get(f"http://127.0.0.1:{port}/display") as response:
        told = json.loads(await response.read())
    await server.stop()
    assert response.status == 503
    assert "make setup" in told["text"]["en"]


async def test_stopping_lets_every_reader_go(site: Any) -> None:
    async with site.session.ws_connect(site.url("/feed")) as feed:
        await feed.receive_json()
        await site.server.stop()
        assert (await feed.receive()).type is aiohttp.WSMsgType.CLOSE


@pytest.mark.parametrize(
    ("body", "meant"),
    [
        ({"type": "take_back", "entry": 8, "by": "host"}, TakeBack(entry=8, by="host")),
        ({"type": "go_back", "to": 7, "by": "host", "why": "an elbow"}, GoBack(to=7, by="host", why="an elbow")),
        ({"type": "amend", "entry": 7, "action": "x", "by": "host"}, Amendment(entry=7, action="x", by="host")),
        ({"type": "insert", "before": 7, "action": "x", "by": "host"}, Insertion(before=7, action="x", by="host")),
        ({"type": "strike", "entry": 7, "by": "host"}, Strike(entry=7, by="host", why="")),
        ({"type": "stays", "by": "host"}, TableStays(by="host")),
    ],
)
async def test_a_correction_reaches_the_hub(site, body, meant):
    async with site.session.post(site.url("/api/say"), json=body) as response:
        assert response.status == 202
        assert await response.json() == {"accepted": True, "was": 41, "now": 42}
    assert site.heard.words == [meant]


async def test_the_signal_of_an_entry_is_given_or_it_is_said_why_not(site):
    kept = Signal(7, 1, 9_000_001, (Curve("city/1/0", (5, 15), (0.5, 60.25)),), ())
    site.heard.signals[7] = kept
    answers = {}
    for seq in (7, 99):
        async with site.session.get(site.url(f"/api/entries/{seq}/trace")) as response:
            answers[seq] = (response.status, await response.json())
    assert (answers[7][0], msgspec.convert(answers[7][1], Signal)) == (200, kept)
    assert answers[99][0] == 503
    assert "damaged on disk" in answers[99][1]["text"]["en"]
    assert "altéré sur son support" in answers[99][1]["text"]["fr"]


async def test_the_ways_to_put_an_action_right_are_worded_for_a_player_too(site):
    site.heard.ways[7] = (other_way("amend", "p1 take_contract contract=CO5"), other_way("strike", ""))
    answers = {}
    for seq in (7, 8):
        async with site.session.get(site.url(f"/api/entries/{seq}/otherwise")) as response:
            answers[seq] = (response.status, await response.json())
    taken = {"how": "amend", "action": "p1 take_contract contract=CO5", "key": "action.take_contract"}
    never = {"how": "strike", "action": "", "key": "action.", "words": {}, "seat": None}
    assert answers[7] == (200, [{**taken, "words": {"contract": "CO5"}, "seat": 1}, never])
    assert answers[8][0] == 404


async def test_what_the_host_lets_stand_reaches_the_hub(site):
    ruling = {"type": "ruling", "action": "p1 take_contract contract=CO5", "by": "host", "why": "it is late"}
    async with site.session.post(site.url("/api/say"), json=ruling) as response:
        assert response.status == 202
    assert site.heard.words == [Ruling(action="p1 take_contract contract=CO5", by="host", why="it is late")]


async def test_what_cannot_be_written_down_does_not_count_and_the_sender_is_told(site):
    ruling = {"type": "ruling", "action": "p1 end_turn", "by": "host", "why": "the disk is full"}
    async with site.session.post(site.url("/api/say"), json=ruling) as response:
        told = await response.json()
    assert response.status == 503
    assert "could not be saved" in told["text"]["en"]
    assert "the disk is full" in told["text"]["en"]
    assert "le disque est plein" in told["text"]["fr"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"type": "burn", "by": "host"}, "burn"),
        ({"type": "go_back", "to": "soon", "by": "host"}, "to"),
        ({"type": "go_back", "to": 7}, "by"),
        ({"type": "strike", "entry": 7, "by": "host", "also": 1}, "also"),
        ({"type": "strike", "entry": 99, "by": "host"}, "not an action that stands"),
    ],
)
async def test_a_correction_that_makes_no_sense_gets_a_sentence(site, body, said):
    async with site.session.post(site.url("/api/say"), json=body) as response:
        told = await response.json()
    assert response.status == 400
    assert said in told["text"]["en"]
    assert site.heard.words == []


async def test_the_entries_that_stand_come_with_their_words(site):
    fell = ActionConfirmed(action="table building_fell at=1/0 to_box=2 left=0", breaks="R25")
    site.heard.standing = (Entry(4, 5, "sensor", fell), Entry(9, 6, "system", GameEnded(termination="completed")))
    async with site.session.get(site.url("/api/entries")) as response:
        first, last = await response.json()
    assert (first["seq"], first["key"], first["breaks"]) == (4, "action.building_fell", "R25")
    assert first["words"] == {"at": "1/0", "to_box": "2", "left": "0"}
    assert (last["seq"], last["key"]) == (9, "action.game_ended")


@pytest.mark.parametrize(
    ("body", "meant"),
    [
        (
            {"type": "undo_request", "by": "seat 2", "to": 41, "why": "slipped"},
            UndoRequest(by="seat 2", to=41, why="slipped"),
        ),
        ({"type": "undo_reply", "by": "seat 1", "agrees": True}, UndoReply(by="seat 1", agrees=True)),
        ({"type": "undo_reply", "by": "host", "agrees": False}, UndoReply(by="host", agrees=False)),
    ],
)
async def test_what_players_say_of_an_undo_reaches_the_hub(site, body, meant):
    async with site.session.post(site.url("/api/say"), json=body) as response:
        assert response.status == 202
    assert site.heard.words == [meant]


async def test_the_mode_reaches_the_hub_and_another_word_does_not(site):
    async with site.session.post(
        site.url("/api/say"), json={"type": "mode", "mode": "advise", "by": "host"}
    ) as response:
        assert response.status == 202
    async with site.session.post(
        site.url("/api/say"), json={"type": "mode", "mode": "lenient", "by": "host"}
    ) as response:
        assert response.status == 400
    assert site.heard.words == [ModeChoice(mode="advise", by="host")]


async def test_the_city_as_it_stands_is_given_taken_and_refused_in_every_language(site):
    async with site.session.get(site.url("/api/paper")) as response:
        paper = await response.json()
    said = {"type": "paper", "by": "host"}
    assert (await post(site, "/api/say", json={**said, "paper": paper}))[0] == 202
    assert site.heard.words == [PaperPosition(paper=paper, by="host", why="")]
    async with site.session.post(site.url("/api/say"), json={**said, "paper": {}}) as response:
        told = await response.json()
    assert (response.status, told["text"]) == (409, {"en": "Nothing is written.", "fr": "Rien n'est noté."})


async def test_a_city_that_was_set_stands_in_the_record_with_who_and_why(site):
    site.heard.standing = (Entry(4, 5, "referee", PositionSet(position="{}", by="host", why="played on paper")),)
    async with site.session.get(site.url("/api/entries")) as response:
        (written,) = await response.json()
    assert (written["key"], written["words"]) == ("action.position_set", {"by": "host", "why": "played on paper"})


async def test_all_stations_come_with_their_latest_lines_and_one_with_all_of_its_log(site, monkeypatch):
    said = tuple(Said(k, "info", f"line {k}") for k in range(200))
    (station, *_) = site.server._doors.health()
    doors = dataclasses.replace(site.server._doors, health=lambda: (replace(station, said=said),))
    monkeypatch.setattr(site.server, "_doors", doors)
    async with site.session.get(site.url("/api/stations")) as response:
        (shown,) = (await response.json())["stations"]
    async with site.session.get(site.url(f"/api/stations/{station.station}/log")) as response:
        log = await response.json()
    assert [line["text"] for line in shown["said"]] == [f"line {k}" for k in range(180, 200)]
    assert [line["text"] for line in log] == [f"line {k}" for k in range(200)]
    async with site.session.get(site.url("/api/stations/nobody/log")) as response:
        assert response.status == 404
