"""mpy-cross compiles every file that goes on a board, and what it makes runs on both VMs."""

RUN = """
import asyncio
import tablestation.station
from proving.play import play
print(tablestation.station.__file__)
await asyncio.create_task(play("rest"))
"""
IMPORTS = """
from proving.hardware import Hardware
Hardware()
for name in {names}:
    __import__(name)
    print(name)
"""


def test_every_file_compiles(compiled):
    assert len(compiled.complaints) > 30
    assert {path: complaint for path, complaint in compiled.complaints.items() if complaint} == {}


def test_a_station_runs_from_compiled_files_alone(vm, compiled):
    ran = vm.run(RUN, folders=compiled.folders(vm))
    assert ran.out.startswith("/flash/tablestation/station.mpy\n")
    assert ran.told[-1]["mark"] == "end"


def test_every_module_can_be_imported(vm, compiled):
    """But those for boards with CPython, and the one that takes a whole Pico in hand (test_pico.py)."""
    names = [path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in compiled.complaints]
    elsewhere = ("tablestation.boards.pi_gpio", "tablestation.boards.pico")
    wanted = [name for name in names if not name.startswith(elsewhere)]
    assert len(wanted) > len(names) - 6
    ran = vm.run(IMPORTS.format(names=wanted), folders=compiled.folders(vm))
    assert ran.out.split() == wanted
