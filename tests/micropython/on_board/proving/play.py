"""Play one scenario by its name. On a board: `asyncio.run(play("rest"))`; on the VM: `await play("rest")`."""

from proving.table import Table


async def play(name, level="seam"):
    """Build the table that the scenario asks for, start its station, and let the scenario's hands at it.

    `level` says what the station stands on: `seam` (models behind the drivers' seam), `pico` (chips behind a Pico's
    pins, and quick PIO machines) or `pio` (the same, with the PIO program run instruction by instruction).
    """
    scenario = getattr(__import__("scenarios." + name), name)
    table = Table(furniture(scenario.STATION, level))
    table.start()
    await scenario.play(table)
    table.finish()


def furniture(kind, level):
    """A station of this kind without its program."""
    if level == "seam":
        from proving.seam_level import Furniture

        return Furniture(kind)
    from proving.pico_level import Furniture

    return Furniture(kind, level == "pio")
