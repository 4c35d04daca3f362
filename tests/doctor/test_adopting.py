"""From a board nobody knows to a station of the table, over a real broker, with and without logins."""

import socket

import pytest

from citytable.doctor.adopting import Adopting, NotAdopted, address, all_spots, join, template
from citytable.doctor.line import Line, NoAnswer
from citytable.doctor.roll_call import present, roll_call
from citytable.games.megacity.spots import shared_spots
from citytable.link.broker import running_broker, station_listener
from citytable.link.credentials import Credentials
from citytable.link.mqtt import MqttConnection, Publication
from citytable.table.plan import Misconfigured, Plan, full_plan
from tablestation.boards.pins import park, places, seat, sector, supply
from tablestation.care.adoption import load_secrets
from tablewire.messages import encode

pytestmark = pytest.mark.broker
UID = "e66138528355a82f"
SHARED = shared_spots(())
PLAN = full_plan("cafe", 4, shared_spots(("public", "private")), ())


class Book:
    """Logins of a broker that asks for none."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}

    def add(self, user: str, password: str) -> None:
        self.known[user] = password

    def reload(self) -> bool:
        return True


@pytest.mark.parametrize(("name", "pins"), [("seat-1", seat), ("sector-1", sector), ("park", park), ("supply", supply)])
def test_every_station_of_a_full_table_has_only_spots_for_which_its_board_has_a_place(name, pins):
    """`station adopt --name supply` gave it the spots of another game, and the board refused its name."""
    placed = template(Plan(table="cafe", seats=4, stations=(), tags={}), name, all_spots())
    spots = [spot.spot for spot in placed.spots]
    assert len(places(pins.PINS, spots)) == len(spots)


async def test_a_newcomer_is_seen_named_and_heard_under_its_name(broker, desk, come):
    board, book, said = desk(UID), Book(), []
    async with Line(broker, "new") as newcomers, Line(broker, "cafe") as table:
        assert (await come(broker, "new", UID)).hardware == "pico_2_w"
        assert await roll_call(table) == {}
        adopted = await Adopting(newcomers, table, book, said.append).run(UID, template(PLAN, "seat-2", SHARED))
        assert adopted.broker_knows
        assert (adopted.birth.kind, adopted.birth.uid) == ("seat", UID)
        assert [spot.spot for spot in adopted.birth.spots][:2] == ["seat/2/pad/0", "seat/2/pad/1"]
        assert board.starts == 2
        secrets = load_secrets(board.files)
        assert (secrets["station"], secrets["seat"], secrets["password"]) == ("seat-2", 2, book.known["seat-2"])
    async with Line(broker, "new") as newcomers, Line(broker, "cafe") as table:
        assert await roll_call(newcomers) == {}
        assert list(await roll_call(table)) == ["seat-2"]


def test_a_station_begins_without_an_accelerometer_unless_its_plan_has_one():
    assert not template(Plan("cafe", 1, (), {}), "seat-1", SHARED).accelerometer
    assert template(PLAN, "seat-1", SHARED).accelerometer


async def test_a_board_that_cannot_be_that_says_why_and_stays_a_newcomer(broker, desk, come):
    board, book = desk(UID), Book()
    sector = template(PLAN, "sector-1", SHARED)
    async with Line(broker, "new") as newcomers, Line(broker, "cafe") as table:
        await come(broker, "new", UID)
        with pytest.raises(NotAdopted, match=rf"{UID}: this board cannot be sector-1: spot city/.* has no place"):
            await Adopting(newcomers, table, book, print).run(UID, sector.__class__("sector-1", "seat", sector.spots))
        assert book.known == {}
    async with Line(broker, "new") as newcomers:
        assert list(await roll_call(newcomers)) == [UID]
    assert board.starts == 1


async def test_where_stations_log_in_each_gets_a_login_of_its_own(tmp_path, desk, come, caplog):
    """The hub's own broker with its access list: a newcomer may only be a newcomer, an adopted station only itself."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    logins = Credentials(tmp_path / "broker", "cafe")
    async with running_broker(stations=station_listener(f"127.0.0.1:{port}", logins)) as broker:
        board = desk(UID, broker, user="new", password=logins.login("new"))
        async with Line(broker, "new") as newcomers, Line(broker, "cafe") as table:
            await come(broker, "new", UID)
            adopted = await Adopting(newcomers, table, logins, print).run(UID, template(PLAN, "sector-1", SHARED))
            assert adopted.broker_knows
            assert logins.users() == ("sector-1",)
            assert load_secrets(board.files)["user"] == "sector-1"
            assert load_secrets(board.files)["password"] != logins.login("new")


async def test_the_death_of_an_older_start_takes_nobody_away(broker):
    birth = {"type": "birth", "kind": "park", "firmware": "0.1.0", "at": [0, 0], "spots": [], "boot": 7}
    async with Line(broker, "cafe") as line, MqttConnection(broker, (), lambda: 0) as speaker:
        for name, deaths in (("park", (6,)), ("supply", (6, 7))):
            topic = f"citytable/1/cafe/{name}/state"
            await speaker.publish(Publication(topic, encode(dict(birth)), 1))
            for boot in deaths:
                await speaker.publish(Publication(topic, encode({"type": "death", "boot": boot}), 1))
        assert list(await roll_call(line)) == ["park"]


async def test_who_stops_listening_finds_the_rest_the_next_time(broker):
    async with Line(broker, "cafe") as line, MqttConnection(broker, (), lambda: 0) as speaker:
        for boot in range(1, 6):
            await speaker.publish(
                Publication("citytable/1/cafe/park/state", encode({"type": "death", "boot": boot}), 1)
            )
        await roll_call(line)
        for boot in range(6, 11):
            await speaker.publish(
                Publication("citytable/1/cafe/park/state", encode({"type": "death", "boot": boot}), 1)
            )
        heard = []
        for _ in range(5):
            async for told in line.hear(10.0):
                heard.append(told.message.boot)
                break
        assert heard == [6, 7, 8, 9, 10]


async def test_who_is_not_there_is_told_with_who_is(broker, desk, adopted, come):
    desk(UID, **adopted)
    await come(broker, "cafe", "seat-1")
    async with Line(broker, "cafe") as line:
        with pytest.raises(NoAnswer, match="no station 'seat-2' at table 'cafe' now; there are: seat-1"):
            await present(line, "seat-2")


async def test_one_that_does_not_answer_is_told_of(broker, monkeypatch):
    monkeypatch.setattr("citytable.doctor.adopting.ANSWER_S", 0.2)
    async with Line(broker, "new") as newcomers, Line(broker, "cafe") as table:
        with pytest.raises(NoAnswer, match="the new station 00ff has not answered"):
            await Adopting(newcomers, table, Book(), print).run("00ff", template(PLAN, "park", SHARED))


def test_a_name_that_no_table_has_is_refused_with_those_there_are():
    with pytest.raises(Misconfigured, match=r"no table has a station 'kitchen': name it one of park, seat-1, .*supply"):
        template(PLAN, "kitchen", SHARED)


def test_newcomers_are_told_from_stations_by_their_address():
    assert address(f"new/{UID}") == (True, UID)
    assert address("seat-1") == (False, "seat-1")


async def test_a_name_that_a_board_has_already_is_refused_before_the_newcomer_takes_it(broker, desk, come, adopted):
    desk("0123456789abcdef", **adopted)
    board = desk(UID)
    async with Line(broker, "new") as newcomers, Line(broker, "cafe") as table:
        await come(broker, "cafe", "seat-1")
        await come(broker, "new", UID)
        with pytest.raises(NotAdopted, match="the board 0123456789abcdef already has the name 'seat-1': unplug"):
            await join(UID, template(PLAN, "seat-1", SHARED), PLAN, (newcomers, table), Book(), print)
    assert board.starts == 1


async def test_a_seat_that_the_table_has_not_is_refused(broker):
    """It was written into the plan file, which nobody could read after that."""
    small = Plan("cafe", 2, (), {})
    async with Line(broker, "new") as newcomers, Line(broker, "cafe") as table:
        with pytest.raises(NotAdopted, match=r"'seat-3' belongs to a seat that this table does not have: .* 2 seats"):
            await join(UID, template(small, "seat-3", SHARED), small, (newcomers, table), Book(), print)
