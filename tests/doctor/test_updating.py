"""An update over a real broker: pulled, started, good; resumed, refused, rolled back."""

import asyncio
import hashlib

import msgspec
import pytest

from citytable.doctor import updating
from citytable.doctor.bundle import Bundle
from citytable.doctor.line import Line, NoAnswer
from citytable.doctor.roll_call import roll_call
from citytable.doctor.signing import kept_or_new_key
from citytable.doctor.updating import UpdateRefused, Updating
from tablestation.care.slots import TRIES, Slots

pytestmark = [pytest.mark.broker, pytest.mark.long(4)]


@pytest.fixture
def bundle() -> Bundle:
    """Of three chunks."""
    data = bytes(range(256)) * 20
    line = f"{hashlib.sha256(data).hexdigest()} {len(data)} tablestation/station.mpy\n"
    return Bundle(f"citytable-bundle 1 1 0.2.0 1\n{line}".encode() + data, 1, "0.2.0", 1)


async def updated(broker, key, bundle: Bundle) -> list[str]:
    said: list[str] = []
    async with Line(broker, "cafe") as line, asyncio.timeout(60):
        while "seat-1" not in await roll_call(line):
            pass
        await Updating(line, "seat-1", bundle, key.seal(bundle), lambda told: said.append(told["en"])).run()
    return said


async def test_a_station_pulls_it_starts_it_and_proves_it(broker, key, desk, adopted, bundle):
    board = desk(**adopted)
    said = await updated(broker, key, bundle)
    assert board.starts == 2
    assert (Slots(board.files).bundle(), Slots(board.files).good) == (bundle.name, True)
    assert said[0] == "0 of 3 chunks"
    assert "the station has the whole bundle and is restarting" in said
    async with Line(broker, "cafe") as line:
        assert (await roll_call(line))["seat-1"].bundle == bundle.name


async def test_what_runs_already_is_not_sent_again(broker, key, desk, adopted, bundle):
    board = desk(**adopted)
    await updated(broker, key, bundle)
    assert await updated(broker, key, bundle) == []
    assert board.starts == 2


async def test_a_chunk_lost_on_the_way_is_asked_for_again(broker, key, desk, adopted, bundle, monkeypatch):
    monkeypatch.setattr(updating, "AGAIN_S", 0.5)
    desk(**adopted)
    real, lost = Line.ask, []

    async def lossy(self, station, kind, /, **fields):
        if kind == "chunk" and fields["k"] == 1 and not lost:
            lost.append(fields["k"])
            return 0
        return await real(self, station, kind, **fields)

    monkeypatch.setattr(Line, "ask", lossy)
    await updated(broker, key, bundle)
    assert lost == [1]


async def test_an_update_that_was_broken_off_goes_on_where_it_was(broker, key, desk, adopted, bundle, monkeypatch):
    desk(**adopted)
    real, given = Line.ask, []

    async def noted(self, station, kind, /, **fields):
        if kind == "chunk":
            given.append(fields["k"])
            if given == [0, 1]:
                raise NoAnswer("the computer's lid was closed")
        return await real(self, station, kind, **fields)

    monkeypatch.setattr(Line, "ask", noted)
    with pytest.raises(NoAnswer, match="lid"):
        await updated(broker, key, bundle)
    await updated(broker, key, bundle)
    assert given == [0, 1, 1, 2]


async def test_a_program_that_does_not_come_up_is_rolled_back_and_told(broker, key, desk, adopted, bundle):
    board = desk(**adopted)
    board.broken.add(bundle.name)
    with pytest.raises(UpdateRefused, match=f"went back to its previous program: {TRIES} starts did not stay linked"):
        await updated(broker, key, bundle)
    assert board.starts == 1 + TRIES + 1
    async with Line(broker, "cafe") as line:
        assert (await roll_call(line))["seat-1"].bundle == ""


async def test_a_refusal_is_told_with_the_stations_reason(broker, key, desk, adopted, bundle):
    desk(**adopted)
    with pytest.raises(UpdateRefused, match="seat-1 refused the bundle: it speaks wire version 2, this table speaks 1"):
        await updated(broker, key, msgspec.structs.replace(bundle, wire=2))


async def test_one_that_says_nothing_is_given_up(broker, key, bundle, monkeypatch):
    monkeypatch.setattr(updating, "AGAIN_S", 0.1)
    monkeypatch.setattr(updating, "PATIENCE_S", 0.3)
    async with Line(broker, "cafe") as line:
        with pytest.raises(NoAnswer, match="seat-1 has not answered for"):
            await Updating(line, "seat-1", bundle, key.seal(bundle), print).run()


async def test_a_bundle_of_a_stranger_is_refused_before_a_chunk_is_sent(broker, desk, adopted, bundle, tmp_path):
    board = desk(**adopted)
    with pytest.raises(UpdateRefused, match="seat-1 refused the bundle: it is signed by a key that this board"):
        await updated(broker, kept_or_new_key(tmp_path / "stranger"), bundle)
    assert board.files.size("incoming") is None


async def test_a_bundle_that_is_older_than_what_ran_is_refused(broker, desk, key, adopted, bundle):
    board = desk(**adopted)
    await updated(broker, key, bundle)
    older = msgspec.structs.replace(bundle, content=bundle.content + b"x")
    async with Line(broker, "cafe") as line, asyncio.timeout(60):
        with pytest.raises(UpdateRefused, match="it is older than this board's program: 7 comes before"):
            await Updating(line, "seat-1", older, key.seal(older, serial=7), print).run()
    assert Slots(board.files).bundle() == bundle.name
