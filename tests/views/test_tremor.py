"""The live load of what is not confirmed yet: for everybody at a table that the public sees as it is."""

from msgspec.structs import replace

from citytable.views.state import Provisional, View

ACT = Provisional(
    action="p2 deliver contract=CO4", stage="seen", spots=("city/1/1",), confidence=0.7, grounds=(), doubts=()
)
CALM = View(t_us=7, table="salon")


async def curves(site) -> list[str]:
    async with site.session.get(site.url("/api/tremor")) as response:
        assert response.status == 200
        return [one["spot"] for one in (await response.json())["curves"]]


async def test_the_load_is_that_of_the_spots_of_acts_under_way(site):
    site.server.show(CALM)
    assert await curves(site) == []
    site.server.show(replace(CALM, provisional=(ACT,)))
    assert await curves(site) == ["city/1/1"]


async def test_a_public_that_is_behind_the_table_sees_no_load(site):
    site.server.show(replace(CALM, provisional=(ACT,)), CALM)
    assert await curves(site) == []
