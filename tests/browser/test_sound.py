"""What is heard at a display that is asked to sound: cues and a voice that a button mutes, nothing anywhere else."""

import pytest
from msgspec.structs import replace

from citytable.table.status import Status

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(11)]

# notes what would be heard; a browser that wants a tap first is "suspended" until it has one
HEARD = """
window.heard = [];
const param = { setValueAtTime() {}, linearRampToValueAtTime() {} };
window.AudioContext = class {
  state = location.search.includes("tap") ? "suspended" : "running";
  currentTime = 0;
  destination = {};
  async resume() { this.state = "running"; }
  async close() {}
};
window.OscillatorNode = class {
  constructor(_, { frequency }) { this.frequency = frequency; }
  connect(node) { return node; }
  start(at) { if (at === 0) heard.push(this.frequency); }
  stop() {}
};
window.GainNode = class { gain = param; connect(node) { return node; } };
const voice = { cancel() {}, speak: ({ text, lang }) => heard.push(`${lang}: ${text}`) };
Object.defineProperty(window, "speechSynthesis", { value: voice });
"""


async def sounding(show, view, query):
    """A display whose page tells the test what it plays."""
    screen = await show(view, query)
    await screen.page.add_init_script(HEARD)
    await screen.page.reload()
    if "sound" in query:
        await screen.page.locator("[data-sound]").wait_for(state="attached")
    await screen.page.locator(".board > *").first.wait_for()
    return screen


def turned(view, seat):
    """The same table at another player's turn."""
    scene = replace(view.scene, seat=seat, turn=view.scene.turn + 1)
    return replace(view, scene=scene, status=Status(), questions=(), provisional=())


@pytest.mark.parametrize(
    ("query", "heard"),
    [
        ("?sound=cues", [660]),
        ("?sound=voice", [660, "en: Seat 3 plays"]),
        ("?sound=voice&lang=fr", [660, "fr: Place 3 joue"]),
    ],
)
async def test_the_next_turn_is_heard_as_the_address_says(show, recorded, query, heard):
    view = turned(recorded("midgame"), 2)
    screen = await sounding(show, view, query)
    screen.server.show(turned(view, 3))
    await screen.page.locator("[data-turn='3']").wait_for()
    assert await screen.page.evaluate("heard") == heard


async def test_a_display_sounds_only_if_its_address_says_so(show, recorded):
    view = turned(recorded("midgame"), 2)
    screen = await sounding(show, view, "")
    screen.server.show(turned(view, 3))
    await screen.page.locator("[data-turn='3']").wait_for()
    assert await screen.page.evaluate("heard") == []
    assert await screen.page.locator("[data-sound]").count() == 0


async def test_a_tap_lets_it_be_heard_and_another_mutes_it(show, recorded):
    view = turned(recorded("midgame"), 2)
    screen = await sounding(show, view, "?sound=cues&tap")
    button = screen.page.locator("[data-sound]")
    sentence, here = [await one.bounding_box() for one in (screen.page.locator(".sentence"), button)]
    assert here["y"] + here["height"] < sentence["y"], "it covers no sentence"
    await screen.page.get_by_role("button", name="Tap for sound").click()
    await screen.page.get_by_role("button", name="Sound is on").click()
    await screen.page.get_by_role("button", name="Sound is off").wait_for()
    assert await button.get_attribute("aria-pressed") == "false"
    screen.server.show(turned(view, 3))
    await screen.page.locator("[data-turn='3']").wait_for()
    assert await screen.page.evaluate("heard") == []
