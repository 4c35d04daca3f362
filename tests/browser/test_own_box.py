"""What is printed in an own box is entered on phones: at the seat that has the card, or at the host's page."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio
from msgspec.structs import replace
from playwright.async_api import Page, expect
from tests.patience import WAIT_MS

from citytable.app import keys_of, screens
from citytable.box_choice import BoxChoice
from citytable.box_desk import BoxDesk
from citytable.box_file import BoxFile, load_box, new_box, path_of, write_box
from citytable.doctor.plan_file import write_plan
from citytable.enrolling import Enrolling
from citytable.hub import Hub, running_hub
from citytable.settings import Settings
from citytable.table.plan import Plan
from citytable.table.word import Answer, Statement
from citytable.views.address import At
from citytable.views.extras import Extras
from citytable.views.tags import NO_TAGS
from citytable.views.viewer import HOST, Viewer

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(12)]

PHONE = {"width": 390, "height": 844}
COLUMNS = "PU1,PU2,PU3|IN1,IN2,IN3|CO1,CO2,CO3|RE1,RE2,RE3"
DEAL = f"table set_up columns={COLUMNS} supply=1/public,2/public,9/public start=1 drawn=none|unknown:1"


@dataclass
class Opened:
    """A phone at a table of phones that plays with a box."""

    page: Page
    hub: Hub
    path: Path

    @property
    def file(self) -> BoxFile:
        """The box as it is kept."""
        return load_box(self.path)

    async def say(self, *actions: str) -> None:
        """Bring the game on, by the hub's own door."""
        for action in actions:
            await self.hub.session.say(Statement(action=action, by="table"))


@pytest_asyncio.fixture(loop_scope="session")
async def opened(browser, tmp_path: Path) -> AsyncIterator[Callable[..., Awaitable[Opened]]]:
    """`await opened("comeback", HOST, lang="fr")`: the page of a viewer; nothing is entered yet."""
    async with AsyncExitStack() as stack:

        async def at(
            game: str, viewer: Viewer, players: int = 1, lang: str = "en", lying: str = "", **tags: str
        ) -> Opened:
            path = path_of("ours", tmp_path)
            write_box(path, file := replace(new_box("ours", game), tags=tags))
            box = file.box()
            settings = Settings(
                box=box, box_path=path, options=box.options(players), twin=False, phones=True, speed=1.0
            )
            hub = await stack.enter_async_context(running_hub(settings))
            keys, desk = keys_of(settings, hub), BoxDesk(path, lambda: hub.play.copy.enters)
            plan = tmp_path / "table.json"
            write_plan(plan, Plan("table", players, (), {}))
            readers = {"city/1/0": frozenset({f"?{lying}"})}
            enrolling = Enrolling(plan, box, lambda: readers, hub.session.say, path)
            extras = Extras(box=desk, tags=enrolling if lying else NO_TAGS)
            port = await stack.enter_async_context(screens(hub, keys, At("127.0.0.1"), extras=extras))
            context = await browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, locale="en-GB")
            stack.push_async_callback(context.close)
            page = await context.new_page()
            page.set_default_timeout(WAIT_MS)
            await page.goto(f"http://127.0.0.1:{port}/{viewer.text}?lang={lang}#{keys.key(viewer)}")
            return Opened(page, hub, path)

        yield at


async def test_a_player_enters_the_contract_that_they_took_and_their_hand_shows_it(opened):
    here = await opened("megacity", Viewer(seat=1), 2)
    await here.say(DEAL, "p1 take_contract contract=PU1")
    form = here.page.locator("form[data-form='values']").filter(has_text="the hub calls PU1")
    await form.wait_for()
    for name, number in (("pieces", 3), ("height_mm", 21), ("prestige", 6)):
        field = form.locator(f"[name='{name}']")
        await field.fill(str(number))
        await field.blur()
    await form.locator("[name='requirement_1']").select_option("courtyard")
    assert await here.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    await form.locator("button.go").tap()
    hand = here.page.locator("article[data-contract='PU1']")
    await expect(hand).to_contain_text("21 mm", timeout=WAIT_MS)
    card = next(one for one in here.file.values["contracts"] if one["id"] == "PU1")
    assert (card["pieces"], card["requirements"], card["prestige"]) == (3, ["courtyard"], 6)


async def test_the_host_goes_through_the_box_and_the_next_thing_comes(opened):
    here = await opened("comeback", HOST)
    await here.page.locator("[data-open-box]").tap()
    box = here.page.locator("[data-box]")
    await expect(box.locator("[data-progress]")).to_have_text("0 of 102 things are entered", timeout=WAIT_MS)
    form = box.locator("form[data-form='values']")
    await expect(form).to_contain_text("the hub calls R01", timeout=WAIT_MS)
    await expect(form.locator("[name='effect_points']")).to_have_count(0)
    await form.get_by_role("button", name="Something else: you state its points").tap()
    await expect(form.locator("button.go")).to_be_disabled()  # nobody has said its zone
    await form.get_by_role("button", name="Commercial").tap()
    field = form.locator("[name='effect_points']")
    await field.fill("4")
    await field.blur()
    await form.locator("button.go").tap()
    await expect(form).to_contain_text("the hub calls R02", timeout=WAIT_MS)
    await expect(box.locator("[data-progress]")).to_have_text("1 of 102 things are entered", timeout=WAIT_MS)
    assert here.file.values["buildings"][0]["conditional"] == {"kind": "other", "points": 4}
    assert await here.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


async def test_the_host_enters_spots_and_propellers_of_dilluvia_in_french(opened):
    here = await opened("dilluvia", HOST, 2, lang="fr")
    await here.page.locator("[data-open-box]").tap()
    box = here.page.locator("[data-box]")
    await box.get_by_label("Objet").select_option("spots/income")
    form = box.locator("form[data-form='values']")
    await expect(form).to_contain_text("Revenu", timeout=WAIT_MS)
    assert await here.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    await form.locator("[name='spot_1']").select_option("spot_any_2")
    await form.locator("[name='spot_2']").select_option("spot_aero_3")
    await form.locator("button.go").tap()
    await expect(box.locator("[role='status']")).to_have_text("Enregistré : emplacements : Revenu", timeout=WAIT_MS)
    await box.get_by_label("Objet").select_option("board/propellers")
    await expect(form).to_contain_text("hélices", timeout=WAIT_MS)
    await expect(box.locator("option[value='board/track']")).to_have_text(
        "piste du marqueur bâtiment : pas encore saisie"
    )
    await form.locator("[name='price_8']").fill("7")
    await form.locator("[name='price_8']").blur()
    await form.locator("button.go").tap()
    await expect(form).to_contain_text("tuile 1", timeout=WAIT_MS)
    values = here.file.values
    assert values["spots"]["income"] == [{}, {"aero": True, "players": 3}]
    assert values["propellers"][7]["price"] == 7
    assert {"spots/income", "board/propellers"}.isdisjoint(values["unread"])


NEW = "04a1b2c3d4e5f6"


async def test_the_host_lays_a_thing_on_a_reader_and_taps_its_tag_and_replaces_a_dead_one(opened):
    here = await opened("comeback", HOST, lying=NEW, old="building/R02")
    await here.page.locator("[data-open-box]").tap()
    box = here.page.locator("[data-box]")
    await expect(box).to_contain_text("Put building R01 on a reader", timeout=WAIT_MS)
    await box.get_by_label("Thing").select_option("building/R02")
    await expect(box).to_contain_text("If the tag of building R02 no longer works", timeout=WAIT_MS)
    await box.locator(f"[data-tag='{NEW}'][data-place='building/R02']").tap()
    await expect(box.locator("[data-tag]")).to_have_count(0, timeout=WAIT_MS)
    assert here.file.tags == {NEW: "building/R02"}


async def test_the_stations_page_replaces_a_dead_tag_of_the_box_and_says_whose_tags_they_are(opened):
    here = await opened("comeback", HOST, lying=NEW, old="building/R02")
    await here.page.locator("[data-open-box]").wait_for()
    await here.page.goto(here.page.url.split("/host")[0] + "/stations")
    panel = here.page.locator("[data-enrol]")
    await panel.locator("summary").tap()
    await expect(panel.locator("[data-box]")).to_have_text("Tags belong to the box ours.", timeout=WAIT_MS)
    await panel.locator("select").select_option("building/R02")
    await panel.locator(f"[data-tag='{NEW}'] button").tap()
    await expect(panel.locator("[data-fresh]")).to_be_visible(timeout=WAIT_MS)
    assert here.file.tags == {NEW: "building/R02"}


async def test_the_host_sees_which_other_box_lies_there_and_begins_with_it(browser, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    write_box(path_of("theirs"), replace(new_box("theirs", "comeback"), tags={"04aabbccdd": "building/R01"}))
    box = new_box("ours", "comeback").box()
    settings = Settings(box=box, options=box.options(1), twin=False, phones=True, speed=1.0)
    async with running_hub(settings) as hub:
        lying = {"city/1/0": frozenset({"?04aabbccdd"})}
        here = replace(settings, plan_path=tmp_path / "none.json")
        choice = BoxChoice(here, lambda: lying, fixed=False, options=lambda: settings.options)
        keys, extras = keys_of(settings, hub), Extras(box=BoxDesk(None, lambda: None, choice))
        async with screens(hub, keys, At("127.0.0.1"), extras=extras) as port:
            context = await browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, locale="en-GB")
            page = await context.new_page()
            await page.goto(f"http://127.0.0.1:{port}/host?lang=fr#{keys.key(HOST)}")
            other = page.locator("[data-other-box=theirs]")
            await expect(other).to_contain_text("de la boîte theirs", timeout=WAIT_MS)
            await other.get_by_role("button", name="Commencer avec la boîte theirs").tap()
            assert (await choice.made()).box.deck == "theirs"
            await context.close()


async def test_what_a_phone_offers_follows_what_is_entered_and_what_the_host_corrects(opened):
    here = await opened("comeback", Viewer(seat=1))
    row = ",".join(f"C0{k}" for k in range(1, 7))
    await here.say(f"table set_up bonuses=ZC1,ZG1 redrawn=none row={row} hand=C07,C08", "p1 lay card=C07 at=1/5")
    await here.say("p1 lay card=C08 at=2/5", "p1 flip card=R01")
    build = here.page.locator("[data-kind='action.build']")
    await expect(build).to_have_count(0, timeout=WAIT_MS)

    async def costs(units: int) -> None:
        values = {field.name: field.proposed for field in here.hub.play.copy.enters.form("building/R01").fields}
        values |= {"zone": "residential", "effect": "none", "cost_1": units, "cost_2": 0, "cost_3": 0}
        values |= {name: 0 for name, value in values.items() if value is None}
        await here.hub.session.say(Answer(question="values building/R01", values=values, by="host"))

    await costs(0)
    await expect(build).to_be_visible(timeout=WAIT_MS)
    await costs(20)
    await expect(build).to_have_count(0, timeout=WAIT_MS)
