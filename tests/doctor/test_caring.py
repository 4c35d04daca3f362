"""The stations page adopts, calibrates and levels at a running hub, over the wire, as the command line does."""

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator
from dataclasses import replace

import msgspec
import pytest

from citytable.app import running_hub, virtual_table
from citytable.caring import Caring, Owned, caring
from citytable.doctor.bundle import Bundle
from citytable.doctor.plan_file import write_plan
from citytable.doctor.told import Told
from citytable.games.megacity.position import Options
from citytable.games.megacity.spots import shared_spots
from citytable.link.credentials import Credentials
from citytable.settings import Settings
from citytable.table.plan import full_plan, load_plan
from citytable.views.care import Adopt, Blink, Calibrate, CheckLevel, Examine, Stop, Tap, Update
from tablestation.care.adoption import load_secrets

pytestmark = [pytest.mark.broker, pytest.mark.long(22)]
UID = "e66138528355a82f"
SPEED = 5.0
SPOT, HEAVY = "city/0/0", 500.0
SHARED = shared_spots(("public", "private"))


async def turned(care, *states, tap=None, when=lambda _: True):
    """Wait until the work is in one of these states, and is so; `tap` is called whenever it asks or refuses."""
    tapped = 0
    async with asyncio.timeout(100):
        while True:
            work = (await care.care()).work
            if work.state in states and when(work):
                return work
            if tap is not None and work.state in {"asks", "refuses"} and work.no > tapped:
                tapped = work.no
                await tap(work)
            await asyncio.sleep(0.05)


async def running(care, station):
    """Wait until the page says what a station runs."""
    async with asyncio.timeout(60):
        while True:
            found = next((one for one in (await care.care()).running if one.station == station), None)
            if found is not None and found.newest:
                return found
            await asyncio.sleep(0.05)


@pytest.fixture
async def cafe(tmp_path, free_port) -> AsyncIterator[tuple]:
    """A hub that waits for its stations at its own broker with logins; the plan has one seat's station."""
    plan = full_plan("cafe", 2, SHARED, ())
    path = tmp_path / "cafe.json"
    write_plan(path, msgspec.structs.replace(plan, stations=tuple(s for s in plan.stations if s.station == "seat-1")))
    settings = Settings(
        options=Options(players=2),
        twin=False,
        speed=1.0,
        plan_path=path,
        listen=f"127.0.0.1:{free_port}",
        broker_dir=tmp_path / "broker",
    )
    async with running_hub(settings) as hub, caring(settings, hub) as care:
        yield hub, care, path, Credentials(tmp_path / "broker", "cafe")


async def test_a_board_is_found_blinks_and_is_adopted_into_the_plan_file(cafe, desk, come):
    hub, care, path, logins = cafe
    board = desk(UID, hub.broker, user="new", password=logins.login("new"))
    await come(hub.broker, "new", UID)
    told = await care.care()
    assert [(one.uid, one.hardware) for one in told.newcomers] == [(UID, "pico_2_w")]
    offered = {one.station: one for one in told.places}
    assert offered["seat-1"].planned
    assert not offered["sector-3"].planned
    assert "seat-3" not in offered, "the table has two seats"
    await care.do(Blink(UID))
    await care.do(Adopt(UID, "sector-3"))
    with pytest.raises(Told, match="you cannot stop this"):
        await care.do(Stop())
    work = await turned(care, "done", "failed")
    assert (work.state, work.why) == ("done", {})
    assert [one.station for one in load_plan(path).stations] == ["seat-1", "sector-3"]
    assert load_secrets(board.files)["user"] == "sector-3"
    assert logins.users() == ("sector-3",)
    told = await care.care()
    assert told.newcomers == ()
    assert "sector-3" in {one.station for one in told.benches}


async def test_a_station_gets_the_program_of_its_hub_and_proves_it(cafe, desk, come, tmp_path, monkeypatch):
    """Of three chunks, signed with the key that the board knows. The page sees how far it is."""
    hub, care, _, logins = cafe
    data = bytes(range(256)) * 20
    line = f"{hashlib.sha256(data).hexdigest()} {len(data)} tablestation/station.mpy\n"
    bundle = Bundle(f"citytable-bundle 1 1 0.2.0 1\n{line}".encode() + data, 1, "0.2.0", 1)
    monkeypatch.setattr("citytable.caring.build_bundle", lambda: bundle)
    (tmp_path / "broker/bundle.key").write_bytes((tmp_path / "citytable/broker/bundle.key").read_bytes())
    desk(UID, hub.broker, user="new", password=logins.login("new"))
    await come(hub.broker, "new", UID)
    await care.do(Adopt(UID, "sector-3"))
    await turned(care, "done", "failed")
    await come(hub.broker, "cafe", "sector-3")
    await care.do(Update("sector-3"))
    work = await turned(care, "done", "failed")
    assert (work.state, work.why) == ("done", {})
    assert work.says["fr"] == "le nouveau programme tourne ; il compte comme bon après une minute de liaison"
    assert (await come(hub.broker, "cafe", "sector-3")).bundle == bundle.name
    assert (await running(care, "sector-3")).bundle == bundle.name


async def test_a_board_that_went_away_is_named_in_both_languages(cafe):
    _, care, path, _ = cafe
    before = path.read_bytes()
    await care.do(Adopt(UID, "park"))
    work = await turned(care, "failed")
    assert work.why["en"].startswith(f"there is no new station '{UID}' now")
    assert work.why["fr"].startswith(f"il n'y a pas de nouvelle station '{UID}'")
    assert path.read_bytes() == before
    with pytest.raises(Told, match="there is no new station"):
        await care.do(Blink(UID))


@pytest.fixture
async def virtual(tmp_path) -> AsyncIterator[tuple]:
    """A virtual table with a plan file, in which the park station was never calibrated."""
    plan = full_plan("salon", 2, SHARED, ())
    path = tmp_path / "salon.json"
    write_plan(path, plan)
    settings = Settings(options=Options(players=2), seed=3, speed=SPEED, plan_path=path)
    async with running_hub(settings) as hub, virtual_table(settings, hub) as twin:
        care = Caring(hub.broker, hub, Owned(path, None, tmp_path / "keys"), times_s=(1.5, 1.5))
        yield hub, twin, care, path
        await care.stop()


async def test_a_broker_that_is_late_hides_no_step(virtual, free_port):
    hub, _, _, path = virtual
    care = Caring(replace(hub.broker, port=free_port), hub, Owned(path, None, path.parent))
    with pytest.raises(Told, match="broker"):
        await care.care()
    await care.do(Calibrate("park", HEAVY, 200.0, (100.0,)))
    assert (await turned(care, "asks")).step.deed == "empty"
    await care.do(Stop())
    with pytest.raises(Told, match="broker"):
        await care.care()


class Hands:
    """Somebody who does at the virtual table what the page asks for. `slips` are weights taken by mistake, once."""

    def __init__(self, care, twin, **slips: float) -> None:
        self._care, self._twin, self._slips = care, twin, slips
        self._loaded = False
        self.asked: list[str] = []

    async def obey(self, work) -> None:
        if work.state == "asks":
            self.asked.append(work.step.deed)
            await self._lay(work.step)
        await self._care.do(Tap(work.no))
        await self._care.do(Tap(work.no))  # a second tap on the same button changes nothing

    async def _lay(self, step) -> None:
        if step.deed == "write":
            return
        if self._loaded:
            await self._twin.act({"act": "take_weight", "spot": step.spot})
        self._loaded = step.deed in {"put", "swap"}
        if self._loaded:
            grams = self._slips.pop(step.deed, step.grams)
            await self._twin.act({"act": "put_weight", "spot": step.spot, "grams": grams})


async def test_a_station_is_calibrated_step_by_step_and_a_slip_is_repeated(virtual):
    _, twin, care, path = virtual
    hands = Hands(care, twin, swap=260.0)
    await care.do(Calibrate("park", HEAVY, 200.0, (20.0, 100.0)))
    with pytest.raises(Told, match="still busy"):
        await care.do(CheckLevel())
    refused = []

    async def obey(work):
        if work.state == "refuses":
            refused.append(work.why)
        await hands.obey(work)

    work = await turned(care, "done", "failed", tap=obey)
    assert (work.state, work.why, work.left) == ("done", {}, ())
    assert hands.asked == ["empty", "put", "swap", "empty_again"] * 2
    assert [why["en"][:12] for why in refused] == ["200 g weighe"]
    assert refused[0]["fr"].startswith("200 g ont pesé 26")
    assert [(one.what, one.spot) for one in work.good] == [("scale", SPOT)]
    (cell,) = load_plan(path).spot_plans()[SPOT].cells
    assert cell.calibrated is not None


async def test_one_spot_is_written_once_the_host_has_seen_the_figures(virtual):
    _, twin, care, path = virtual
    hands = Hands(care, twin)
    before = path.read_bytes()

    async def obey(work):
        if work.step.deed == "write":
            assert path.read_bytes() == before
            assert [figure.split()[0] for figure in work.figures] == ["2147"]
        await hands.obey(work)

    await care.do(Calibrate(SPOT, HEAVY))
    await turned(care, "done", tap=obey)
    assert hands.asked == ["empty", "put", "empty_again", "write"]
    assert load_plan(path).spot_plans()[SPOT].cells[0].calibrated is not None


async def test_a_weight_that_suits_no_cell_is_refused_before_anything_is_asked(virtual):
    care = virtual[2]
    await care.do(Calibrate(SPOT, 10.0))
    work = await turned(care, "failed")
    assert "a weight of 10 g does not suit cells for 1000 g" in work.why["en"]
    assert "un poids de 10 g ne convient pas" in work.why["fr"]


async def test_what_is_left_for_later_is_named(virtual):
    _, _, care, path = virtual
    before = path.read_bytes()

    async def without_a_weight(work):
        await care.do(Tap(work.no, later=work.state == "refuses"))

    await care.do(Calibrate("park", HEAVY, 200.0, (100.0,)))
    work = await turned(care, "done", tap=without_a_weight)
    assert (work.left, work.good) == ((SPOT,), ())
    assert path.read_bytes() == before


async def test_work_is_stopped_and_gone(virtual):
    care = virtual[2]
    await care.do(Calibrate("park", HEAVY, 200.0, (100.0,)))
    await turned(care, "asks")
    await care.do(Stop())
    assert (await care.care()).work is None


async def test_a_crane_is_calibrated_by_lowerings_that_nobody_has_to_confirm(virtual):
    _, twin, care, path = virtual
    plan = load_plan(path)
    seat = next(one for one in plan.stations if one.station == "seat-1")
    pad = msgspec.structs.replace(seat.spots[0], cells=(), crane_zero_mm=0.0)
    seat = msgspec.structs.replace(seat, spots=(pad, seat.spots[-1]))
    others = tuple(one for one in plan.stations if one.station != "seat-1")
    write_plan(path, msgspec.structs.replace(plan, stations=(seat, *others)))
    hands, lowered = Hands(care, twin), set()

    async def lower(step, times=3):
        for _ in range(times):
            await twin.act({"act": "lower_paddle", "spot": step.spot, "mm": step.block_mm})
            await twin.wait(2_000)
            await twin.act({"act": "raise_paddle", "spot": step.spot})
            await twin.wait(1_200)
        try:
            async with asyncio.timeout(10):
                await turned(care, *STATES, when=lambda one: one.step != step or one.state != "runs")
        except TimeoutError:  # on a busy machine one may go unnoticed
            await lower(step, 1)

    await care.do(Calibrate("seat-1", HEAVY, 200.0, (20.0, 100.0)))
    while (work := await turned(care, "runs", *ENDS, tap=hands.obey, when=is_over_or_a_lowering)).state not in ENDS:
        lowered.add(work.step.block_mm)
        await lower(work.step)
    assert (work.state, work.why) == ("done", {})
    assert lowered == {0.0, 20.0, 100.0}
    assert [one.what for one in work.good] == ["scale", "crane"]
    calibrated = load_plan(path).spot_plans()["seat/1/pad/0"]
    assert calibrated.crane_zero_mm == pytest.approx(300, abs=3)
    assert calibrated.crane_scale == pytest.approx(1, abs=0.02)


ENDS = ("done", "failed")
STATES = ("runs", "asks", "refuses", *ENDS)


def is_over_or_a_lowering(work):
    """Whether the work is over, or the paddle is to be lowered: also once more, after lowerings that were refused."""
    return work.state in ENDS or (work.step is not None and work.step.deed == "lower")


async def test_what_is_wrong_with_a_plan_file_is_quoted_in_both_languages(virtual):
    _, _, care, path = virtual
    path.write_text("{}")
    with pytest.raises(Told, match="missing required field") as refused:
        await care.care()
    assert refused.value.text["fr"].startswith("le fichier de plan ne convient pas : « plan ")


async def test_every_scale_is_said_to_rest_or_what_is_wrong_with_it(virtual):
    _, twin, care, _ = virtual
    await twin.act({"act": "disturb_cell", "spot": "city/1/0", "cell": 0, "factor": 12})
    await care.do(CheckLevel())
    work = await turned(care, "done")
    wrong = [one for one in work.rests if not one.good]
    assert [one.spot for one in wrong] == ["city/1/0"]
    assert wrong[0].text["fr"].startswith("le capteur 0 est bruité")


async def test_a_station_is_examined_and_what_is_wrong_is_said_in_both_languages(virtual):
    _, twin, care, _ = virtual
    there = (await care.care()).running
    assert {one.station for one in there} >= {"park", "seat-1"}
    await twin.act({"act": "unplug_cell", "spot": SPOT, "cell": 0})
    await care.do(Examine("park"))
    work = await turned(care, "done", "failed")
    assert work.why == {}
    (wrong,) = [one for one in work.found if one.check]
    assert (wrong.spot, wrong.cell, wrong.what) == (SPOT, 0, {"en": "rate", "fr": "cadence"})
    assert "check the plug" in wrong.check["en"]
    assert "vérifiez la fiche" in wrong.check["fr"]
    assert len(work.found) > 5, "the clock and the link as well"


async def test_a_station_that_is_not_there_is_not_examined(virtual):
    care = virtual[2]
    await care.do(Examine("lighthouse"))
    work = await turned(care, "failed")
    assert "lighthouse" in work.why["en"]


async def test_without_the_owners_key_no_program_is_sent(virtual):
    care = virtual[2]
    await care.do(Update("park"))
    work = await turned(care, "failed")
    assert "is missing, so no board would accept this bundle" in work.why["en"]
    assert "manque, donc aucune station n'accepterait ce paquet" in work.why["fr"]


async def test_a_table_without_a_plan_file_is_only_looked_at(tmp_path):
    settings = Settings(options=Options(players=2), seed=3, speed=SPEED)
    async with running_hub(settings) as hub, virtual_table(settings, hub):
        care = Caring(hub.broker, hub, Owned(None, None, tmp_path))
        assert (await care.care()).can == ("level", "examine")
        with pytest.raises(Told, match="no plan file"):
            await care.do(Calibrate("park", HEAVY, 200.0))


async def test_where_somebody_else_keeps_the_logins_the_command_is_named(virtual):
    care = virtual[2]
    await care.do(Adopt(UID, "park"))
    work = await turned(care, "failed")
    assert f"citytable station adopt {UID} --name park" in work.why["en"]


async def test_a_table_of_phones_has_nothing_to_look_after():
    settings = Settings(options=Options(players=2), twin=False, phones=True, speed=1.0)
    async with running_hub(settings) as hub, caring(settings, hub) as care:
        assert (await care.care()).can == ()
        with contextlib.suppress(ValueError):
            await care.do(CheckLevel())
            pytest.fail("there are no scales")
