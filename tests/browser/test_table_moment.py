"""A delivery at the virtual table: whoever slides the tower sees it judged, as everybody at the wall does."""

import pytest
from msgspec.structs import replace

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.usefixtures("no_hands")
async def test_my_own_delivery_is_shown_at_the_table(show, recorded):
    view = replace(recorded("midgame"), questions=())
    screen = await show(replace(view, provisional=()), path="/table/2")
    assert await screen.page.locator("[data-delivery]").count() == 0
    screen.server.show(view)
    await screen.page.locator("[data-delivery='CO4']").wait_for()
    assert await screen.text("[data-band]") == "54–59?"
