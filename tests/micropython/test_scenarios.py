"""The firmware on the real VM, in virtual time: every scenario, judged by its own record.

In the middle of every scenario the station's ticks begin anew.
"""

import importlib
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long(73)

HERE = Path(__file__).parent
NAMES = sorted(path.stem for path in (HERE / "scenarios").glob("*.py") if path.stem != "__init__")
ABOVE_THE_DRIVERS = ("cell_wrong_rate", "hub_silent", "link_lost", "rest", "task_dead")  # chips would change nothing
AT_PINS = [name for name in NAMES if name not in ABOVE_THE_DRIVERS]
ELSEWHERE = [name for name in AT_PINS if name != "collapse"]  # the pins show the same: the seam says where it breaks
BEHIND_THE_SEAM = [pytest.param(name, name, marks=[pytest.mark.soak] * (name in ELSEWHERE), id=name) for name in NAMES]
WRAPS_AFTER_US = 5_500_000
PLAY = f"""
import asyncio
import host_clock
from proving.play import play
host_clock.set_ticks((1 << 30) - {WRAPS_AFTER_US})
await asyncio.create_task(play({{!r}}, {{!r}}))
"""


@pytest.fixture
def scenario(request, monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    yield importlib.import_module(f"scenarios.{request.param}")
    sys.modules.pop(f"scenarios.{request.param}")


def _judged(vm, scenario, name, level):
    ran = vm.run(PLAY.format(name, level))
    assert ran.told[-1]["mark"] == "end"
    return scenario.judge(ran.told)


@pytest.mark.parametrize(("scenario", "name"), BEHIND_THE_SEAM, indirect=["scenario"])
def test_behind_the_drivers_seam(vm, scenario, name):
    assert _judged(vm, scenario, name, "seam") == []


@pytest.mark.parametrize(("scenario", "name"), [(name, name) for name in AT_PINS], indirect=["scenario"], ids=AT_PINS)
def test_on_chips_at_the_pins_of_a_pico(vms, scenario, name):
    """One scenario in one version, the next in the other: the drivers have been on both by then."""
    assert _judged(vms[AT_PINS.index(name) % 2], scenario, name, "pico") == []


@pytest.mark.parametrize(("scenario", "name"), [("collapse", "collapse")], indirect=["scenario"])
def test_with_the_pio_program_run_instruction_by_instruction(vms, scenario, name):
    assert _judged(vms[0], scenario, name, "pio") == []


@pytest.mark.parametrize(("version", "level"), [(0, "seam"), (1, "pico")])
def test_two_runs_are_equal_to_the_last_byte(vms, version, level):
    runs = [vms[version].run(PLAY.format("collapse", level)).out for _ in range(2)]
    assert runs[0] == runs[1]
    assert len(runs[0]) > 10_000


def test_another_seed_is_another_start(vm):
    boots = [vm.run(PLAY.format("collapse", "seam"), seed=seed).told[1]["message"]["boot"] for seed in (1, 2)]
    assert boots[0] != boots[1]
