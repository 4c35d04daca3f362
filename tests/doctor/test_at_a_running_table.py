"""Doctor, calibration and update at a running hub's table: healthy, and with things wrong with it."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from citytable.app import running_hub, virtual_table
from citytable.doctor.bundle import build_bundle
from citytable.doctor.diagnosis import diagnose
from citytable.doctor.examining import examine
from citytable.doctor.level import listen
from citytable.doctor.line import Line, NoAnswer
from citytable.doctor.roll_call import roll_call
from citytable.doctor.signing import kept_or_new_key
from citytable.doctor.updating import Updating
from citytable.doctor.weighing import weigh
from citytable.games.megacity.position import Options
from citytable.hub import Hub
from citytable.rehearsal.twin import Twin
from citytable.sensing.level import judged
from citytable.settings import Settings
from citytable.table.plan import Plan, SpotPlan, StationPlan, load_plan

pytestmark = [pytest.mark.broker, pytest.mark.long(26)]
SPEED = 5.0  # a core that others use too keeps up with it
SECONDS = 1.5
TODAY = date(2026, 11, 21)
SPOT = "city/1/0"
CITYTABLE = Path(sys.executable).parent / "citytable"


class Running(NamedTuple):
    """A hub with its virtual table, a maker's line to it, and its plan."""

    hub: Hub
    twin: Twin
    line: Line
    plan: Plan

    def station(self, name: str) -> StationPlan:
        return next(one for one in self.plan.stations if one.station == name)

    async def wrong(self, name: str) -> dict[str, str]:
        """What a doctor finds wrong with a station."""
        async with Line(self.hub.broker, self.plan.table) as line:
            findings = diagnose(self.station(name), await examine(line, name, SECONDS), TODAY)
        assert findings
        return {finding.label(): finding.check["en"] for finding in findings if not finding.ok}


@pytest.fixture
async def table() -> AsyncIterator[Running]:
    settings = Settings(options=Options(players=2), seed=3, speed=SPEED)
    async with running_hub(settings) as hub, virtual_table(settings, hub) as twin:
        plan = settings.plan()
        async with Line(hub.broker, plan.table) as line:
            yield Running(hub, twin, line, plan)


async def test_a_healthy_table_is_in_order(table):
    for name in ("sector-1", "supply", "seat-1"):
        assert await table.wrong(name) == {}


async def test_an_unplugged_cell_is_found(table):
    spot = table.station("sector-1").spots[0].spot
    await table.twin.act({"act": "unplug_cell", "spot": spot, "cell": 0})
    found = await table.wrong("sector-1")
    assert list(found) == [f"{spot} cell 0 rate"]
    assert "check the plug" in found[f"{spot} cell 0 rate"]


async def test_a_noisy_cell_is_found(table):
    spot = table.station("sector-1").spots[0].spot
    await table.twin.act({"act": "disturb_cell", "spot": spot, "cell": 0, "factor": 12})
    assert "do not touch" in (await table.wrong("sector-1"))[f"{spot} cell 0 noise"]


async def test_a_table_at_rest_is_level_and_a_cell_that_is_not_is_named(table):
    heard = await listen(table.line, table.plan, SECONDS)
    assert {one.answer for one in judged(heard)} == {"rests"}
    await table.twin.act({"act": "disturb_cell", "spot": SPOT, "cell": 0, "factor": 12})
    async with Line(table.hub.broker, table.plan.table) as line:
        heard = await listen(line, table.plan, SECONDS)
    assert {one.spot: one.answer for one in judged(heard) if one.answer != "rests"} == {SPOT: "noisy"}


class Maker:
    """Somebody at the keyboard of `citytable calibrate`, who does what it asks for."""

    def __init__(self, table: Running, folder: Path) -> None:
        self.plan_file = folder / "plan.json"
        self._table = table
        self.said = ""

    async def calibrate(self, spot: str, *asked: dict | None, answer: str = "y") -> int:
        """`asked` is what the hands do at each prompt, before Enter is pressed; the exit code."""
        self.plan_file.write_bytes(msgspec.json.encode(self._table.plan))
        broker = self._table.hub.broker
        self._child = await asyncio.create_subprocess_exec(
            *(CITYTABLE, "calibrate", spot, "--grams", "500", "--plan", str(self.plan_file)),
            *("--broker", f"{broker.host}:{broker.port}", "--broker-user", broker.user),
            env={**os.environ, "CITYTABLE_BROKER_PASSWORD": broker.password},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        for act in asked:
            if not await self._heard("press Enter"):
                break
            if act is not None:
                await self._table.twin.act(act)
            self._child.stdin.write(b"\n")
        if await self._heard("[y/N]"):
            self._child.stdin.write(f"{answer}\n".encode())
            await self._heard("never said")
        return await self._child.wait()

    async def _heard(self, words: str) -> bool:
        """Whether that was said before the end."""
        said = ""
        async with asyncio.timeout(60):
            while words not in said and (piece := await self._child.stdout.read(4096)):
                said += piece.decode()
        self.said += said
        return words in said


@pytest.fixture
def maker(table, tmp_path) -> Maker:
    return Maker(table, tmp_path)


class Hands:
    """Somebody who calibrates a station and does what each sentence says, at the table that is modelled.

    `slips` are what they take by mistake the first time they are asked for something.
    """

    def __init__(self, table: Running, plan_file: Path, **slips: float) -> None:
        self._table = table
        self._plan_file = plan_file
        self._slips = slips
        self._spot = ""
        self._loaded = False
        self._lowered_mm: float | None = None
        self.said = ""

    async def calibrate(self, station: str, *more: str, stop_at: str = "never said") -> int:
        """Run the command until it ends, or says something; the exit code."""
        broker = self._table.hub.broker
        child = await asyncio.create_subprocess_exec(
            *(CITYTABLE, "calibrate", station, "--grams", "500", "--second", "200", "--plan", str(self._plan_file)),
            *("--broker", f"{broker.host}:{broker.port}", "--broker-user", broker.user, *more),
            env={**os.environ, "CITYTABLE_BROKER_PASSWORD": broker.password, "COLUMNS": "200"},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        heard = ""
        async with asyncio.timeout(120):
            while piece := await self._heard(child.stdout):
                heard += piece.decode()
                self.said += piece.decode()
                if stop_at in heard:
                    child.kill()
                    break
                if await self._obeyed(heard):
                    heard = ""
                    child.stdin.write(b"\n")
        return await child.wait()

    async def _heard(self, words: asyncio.StreamReader) -> bytes:
        """Wait for the next words; while a lowering seems to have gone unnoticed, lower the paddle once more."""
        while True:
            try:
                return await asyncio.wait_for(words.read(4096), 10)
            except TimeoutError:
                if self._lowered_mm is not None:
                    await self._lower(self._lowered_mm, 1)

    async def _obeyed(self, said: str) -> bool:
        """Do what is asked for; whether that was all of a sentence."""
        self._lowered_mm = None
        if lowering := re.search(r"lower the paddle onto the (?:(\d+) mm block|bare platform on (\S+)) 3 times", said):
            self._spot = lowering[2] or self._spot
            await self._lower(self._slips.pop(f"block_{lowering[1]}", float(lowering[1] or 0)))
            return True
        if not said.rstrip().endswith(("press Enter:", "type later:")):
            return False
        if emptied := re.search(r"take everything except the weight-holder off (\S+?)(?: again)?, then", said):
            self._spot = emptied[1]
            await self._load(None)
        elif put := re.search(r"put (\d+) g in", said):
            await self._load(self._slips.pop(f"weight_{put[1]}", float(put[1])))
        return True

    async def _load(self, grams: float | None) -> None:
        if self._loaded:
            await self._table.twin.act({"act": "take_weight", "spot": self._spot})
        self._loaded = grams is not None
        if self._loaded:
            await self._table.twin.act({"act": "put_weight", "spot": self._spot, "grams": grams})

    async def _lower(self, mm: float, times: int = 3) -> None:
        self._lowered_mm = mm
        for _ in range(times):
            await self._table.twin.act({"act": "lower_paddle", "spot": self._spot, "mm": mm})
            await self._table.twin.wait(2_000)
            await self._table.twin.act({"act": "raise_paddle", "spot": self._spot})
            await self._table.twin.wait(1_200)


@pytest.fixture
def small_plan(table, tmp_path) -> Path:
    """A plan file in which the station of seat 1 has one pad and its bag only, as bare as after an adoption."""
    station = table.station("seat-1")
    kept = tuple(bare(spot) for spot in station.spots if spot.spot in {"seat/1/pad/0", "seat/1/bag"})
    others = tuple(one for one in table.plan.stations if one != station)
    stations = (msgspec.structs.replace(station, spots=kept), *others)
    path = tmp_path / "table.json"
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(table.plan, stations=stations)))
    return path


def bare(spot: SpotPlan) -> SpotPlan:
    cells = tuple(msgspec.structs.replace(cell, counts_per_g=0, zero_counts=0) for cell in spot.cells)
    return msgspec.structs.replace(spot, cells=cells, crane_zero_mm=spot.crane_zero_mm and 250.0)


@pytest.mark.soak  # half a minute; test_caring.py takes the same steps at a table of one station
async def test_a_station_is_calibrated_step_by_step_slips_are_repeated_and_it_goes_on_after_a_break(table, small_plan):
    hands = Hands(table, small_plan, weight_200=150.0, block_20=50.0)
    await hands.calibrate("seat-1", stop_at="[2/3]")
    assert "not good: 200 g weighed 150." in hands.said
    assert "[1/3] scale of seat/1/pad/0" in hands.said
    assert re.search(r"good: 200 g weighed (199|200)\.\d g \(limit 3 g\)", hands.said)
    hands.said = ""
    assert await hands.calibrate("seat-1", "--blocks", "20,100") == 0, hands.said
    assert "seat-1 has 3 things to calibrate, 1 already done" in hands.said
    assert "scale of seat/1/pad/0" not in hands.said
    assert "not good: the block of 20 mm measured " in hands.said
    assert "let it rest for a second each time, and raise it by the width of a hand in between" in " ".join(
        hands.said.split()
    )
    assert "seat-1 is calibrated" in hands.said
    made, true = load_plan(small_plan).spot_plans(), table.plan.spot_plans()
    for spot in ("seat/1/pad/0", "seat/1/bag"):
        for cell, real in zip(made[spot].cells, true[spot].cells, strict=True):
            assert cell.counts_per_g == pytest.approx(real.counts_per_g, rel=0.01)
            assert cell.calibrated is not None
    assert made["seat/1/pad/0"].crane_zero_mm == pytest.approx(300, abs=2)
    assert made["seat/1/pad/0"].crane_scale == pytest.approx(1, abs=0.02)
    assert list(small_plan.parent.glob("*.calibrating")) == []


PUT = {"act": "put_weight", "spot": SPOT, "grams": 500}
TAKE = {"act": "take_weight", "spot": SPOT}


async def test_a_spot_is_calibrated_as_it_is_told(table, maker):
    (before,) = table.plan.spot_plans()[SPOT].cells
    assert await maker.calibrate(SPOT, None, PUT, TAKE) == 0, maker.said
    (made,) = load_plan(maker.plan_file).spot_plans()[SPOT].cells
    assert made != before
    assert made.calibrated is not None
    assert made.counts_per_g == pytest.approx(before.counts_per_g, rel=0.005)
    assert made.zero_counts == pytest.approx(before.zero_counts, abs=2 * before.counts_per_g)
    others = [spot for spot in table.plan.spot_plans() if spot != SPOT]
    written = load_plan(maker.plan_file).spot_plans()
    assert [written[spot] for spot in others] == [table.plan.spot_plans()[spot] for spot in others]


async def test_nothing_is_written_without_a_yes(table, maker):
    assert await maker.calibrate(SPOT, None, PUT, TAKE, answer="n") == 0
    assert load_plan(maker.plan_file) == table.plan


async def test_a_weight_that_was_not_put_there_is_refused_and_nothing_is_written(table, maker):
    assert await maker.calibrate(SPOT, None, None, None) == 1
    assert "no cell felt the weight: check that it is on this spot" in maker.said
    assert load_plan(maker.plan_file) == table.plan


async def test_a_weight_that_was_forgotten_there_is_refused(table, maker):
    assert await maker.calibrate(SPOT, None, PUT, None) == 1
    assert "the empty spot has changed by +500." in maker.said


async def test_a_cell_that_says_nothing_cannot_be_weighed(table, monkeypatch):
    monkeypatch.setattr("citytable.doctor.weighing.PATIENCE_S", 2.0)
    await table.twin.act({"act": "unplug_cell", "spot": SPOT, "cell": 0})
    name = table.plan.station_of()[SPOT]
    await table.twin.wait(3_000)
    with pytest.raises(NoAnswer, match=f"no reading at rest from cell 0 .*: run `citytable doctor {name}`"):
        await weigh(table.line, name, SPOT, 1)


async def test_a_station_is_updated_beside_its_hub(table, tmp_path):
    bundle = build_bundle()
    await Updating(table.line, "sector-2", bundle, kept_or_new_key(tmp_path).seal(bundle), print).run()
    async with Line(table.hub.broker, table.plan.table) as line:
        births = await roll_call(line)
    assert births["sector-2"].bundle == bundle.name
    assert births["sector-1"].bundle == ""
