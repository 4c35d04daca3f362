"""The host's page and a player's phone: what is asked is answered in a tap, what is wrong is let stand or put right."""

import pytest
from msgspec.structs import replace

from citytable.journal.entry import ActionConfirmed, Entry
from citytable.table.question import Field, Question
from citytable.table.status import Disagreement, Status
from citytable.views.answers import other_way
from citytable.views.keys import Keys
from citytable.views.signal import Curve, Mark, Signal
from citytable.views.state import UndoAsked
from citytable.views.viewer import Viewer

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(27)]

BIG = {"width": 1920, "height": 1080}
PHONE = {"width": 390, "height": 844}
KEYS = Keys(b"secret", "salon", "game-1")
DELIVERY = "p2 deliver contract=CO4 platform=6 at=1/1 stood=yes"
FORM = (
    Field("height_mm", "mm", proposed=61),
    Field("steel", "count", proposed=0, high=150),
    Field("judged", "yesno", proposed=True),
)
REFUSED = Disagreement(
    kind="refused",
    spots=("seat/1/card/2",),
    thing="contract/CO5",
    to=("supply/contract/commercial",),
    rule="R8",
    action="p1 take_contract contract=CO5",
    text={"en": "You have 2 open contracts already.", "fr": "Vous avez déjà 2 contrats."},
)


@pytest.fixture
def evening(recorded):
    """A delivery is asked about, a third contract lies at seat 1, the table is being put back."""
    asked = Question(id="q", seat=2, prompt="deliver", words={}, fields=FORM, about=DELIVERY)
    view = recorded("midgame")
    return replace(view, questions=(asked,), status=Status((REFUSED,)), restoring=True)


@pytest.fixture
def fallen(evening, standing, signals):
    """A delivery that fell, with its signal, after an action that was only said."""
    standing[:] = [
        Entry(5, 0, "player", ActionConfirmed(action="p1 take_contract contract=CO5")),
        Entry(9, 0, "sensor", ActionConfirmed(action=DELIVERY)),
    ]
    times = tuple(range(0, 8000, 100))
    loads = tuple(20.0 + 40 * (t_ms > 3000) - 22.5 * (t_ms > 6000) for t_ms in times)
    marks = (
        Mark("city/1/1", 3200, "tag_came", "", None),
        Mark("city/1/1", 3300, "mass_moving", "", None),
        Mark("city/1/1", 6100, "fell", "confirmed", 22.5),
        Mark("seat/2/card/0", 7000, "tag_left", "", None),
    )
    curves = (Curve("city/1/1", times, loads), Curve("seat/2/card/0", (), ()))
    signals[9] = Signal(9, 0, 8_000_000, curves, marks)
    return evening


async def test_a_player_sees_the_sensible_answer_and_sends_it_in_one_tap(show, evening):
    screen = await show(evening, size=PHONE, path="/seat/2")
    page = screen.page
    assert await page.locator("input[name=height_mm]").input_value() == "61"
    told = await screen.sent(page.get_by_role("button", name="Confirm").click)
    values = {"height_mm": 61, "steel": 0, "judged": True}
    assert told == {"type": "answer", "question": "q", "values": values, "by": "seat 2"}


async def test_a_value_is_changed_by_finger_or_typed_and_kept_within_its_bounds(show, evening):
    screen = await show(evening, size=PHONE, path="/seat/2")
    page = screen.page
    await page.locator(".field", has_text="Height").get_by_role("button", name="+").click()
    await page.locator("input[name=steel]").fill("700")
    await page.locator("input[name=steel]").blur()
    await page.get_by_role("button", name="No", exact=True).click()
    told = await screen.sent(page.get_by_role("button", name="Confirm").click)
    assert told["values"] == {"height_mm": 62, "steel": 150, "judged": False}


@pytest.fixture
def judging(evening):
    """The others judge what seat 2 has built; they fill in the rest."""
    field = Field("judged", "yesno", proposed=True, voters=(1, 3), criteria=("lower_archway", "building"))
    asked = Question("q", 2, "deliver", {"contract": "CO4"}, (*FORM[:2], field), DELIVERY)
    return replace(evening, questions=(asked,))


async def test_who_judges_a_building_sees_what_to_look_at_and_says_so_in_one_tap(show, judging):
    screen = await show(judging, size=PHONE, path="/seat/3")
    form = screen.page.locator("form")
    assert "the building for the commercial contract of 40\xa0mm valid" in await form.inner_text()
    assert "An archway at the bottom" in await form.inner_text()
    assert await form.get_by_role("button", name="Confirm").count() == 0
    told = await screen.sent(form.get_by_role("button", name="No", exact=True).click)
    assert told == {"type": "answer", "question": "q", "values": {"judged": False}, "by": "seat 3"}


async def test_who_has_built_is_not_asked_what_others_think_of_it(show, judging):
    screen = await show(judging, size=PHONE, path="/seat/2")
    told = await screen.sent(screen.page.get_by_role("button", name="Confirm").click)
    assert told == {"type": "answer", "question": "q", "values": {"height_mm": 61, "steel": 0}, "by": "seat 2"}
    assert "accept" not in await screen.page.locator("form").inner_text()


async def test_the_host_answers_for_all_and_then_for_those_who_are_left(show, judging):
    screen = await show(judging, path="/host")
    told = await screen.sent(screen.page.get_by_role("button", name="Confirm").click)
    assert told["values"] == {"height_mm": 61, "steel": 0, "judged": True}
    assert "Your answer also counts for" in await screen.text("form .waiting")
    asked = judging.questions[0]
    left = replace(asked, fields=(replace(asked.fields[2], voters=(3,)),))
    screen.server.show(replace(judging, questions=(left,)))
    await screen.page.wait_for_selector("form:not(:has(input))")
    told = await screen.sent(screen.page.locator("form").get_by_role("button", name="Yes").click)
    assert told == {"type": "answer", "question": "q", "values": {"judged": True}, "by": "host"}


async def test_what_the_others_refuse_is_shown_with_a_way_out(show, judging):
    asked = judging.questions[0]
    words = {**asked.words, "refused": "yes"}
    refused = replace(asked, words=words, fields=(replace(asked.fields[2], voters=()),))
    screen = await show(replace(judging, questions=(refused,)), path="/display")
    told = await screen.text("[data-question]")
    assert "The other players do not accept the building for the commercial contract of 40 mm. Take it back" in told
    assert "Waiting" not in told


async def test_a_phone_that_goes_round_leads_to_the_seat_that_is_asked(show, judging):
    left = replace(judging.questions[0], fields=(replace(judging.questions[0].fields[2], voters=(1, 3)),))
    screen = await show(replace(judging, questions=(left,)), size=PHONE, path="/seat/3")
    page = screen.page
    await page.wait_for_selector("form")
    assert await page.locator("a.button").count() == 0
    await page.goto(f"http://127.0.0.1:{screen.port}/seat/2#{KEYS.key(Viewer(seat=2))}")
    await page.locator("a.button").click()
    await page.wait_for_url("**/seat/3")
    told = await screen.sent(page.locator("form").get_by_role("button", name="Yes").click)
    assert told["by"] == "seat 3"


async def test_another_player_sees_that_somebody_is_asked_and_no_form(show, evening):
    screen = await show(evening, size=PHONE, path="/seat/1")
    assert await screen.page.locator("form").count() == 0
    assert "Waiting for seat 2" in await screen.text("[data-question]")


@pytest.mark.parametrize("size", [{"width": 1920, "height": 1080}, PHONE])
async def test_the_host_lets_stand_what_a_rule_forbids_in_two_taps(show, evening, size):
    screen = await show(evening, size=size, path="/host")
    assert "R8" in await screen.text("[data-wrong]")
    told = await screen.sent(screen.page.get_by_role("button", name="Accept it anyway").click)
    assert told == {"type": "ruling", "action": REFUSED.action, "by": "host"}
    told = await screen.sent(screen.page.get_by_role("button", name="Leave the table as it is").click)
    assert told == {"type": "stays", "by": "host"}
    assert await screen.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


DRAWN = "p2 take_pieces drawn=steel:3"


async def doing(page, seq, name):
    """Open what can be done about an entry."""
    await page.locator(f"[data-entry='{seq}'] .line").click()
    await page.locator(f"[data-entry='{seq}']").get_by_role("button", name=name).click()
    return page.locator(f"[data-entry='{seq}']")


async def test_the_host_amends_an_action_in_fields_and_sees_no_notation(show, evening, standing):
    standing[:] = [
        Entry(9, 0, "sensor", ActionConfirmed(action=f"{DELIVERY} height=47mm pieces=steel:3,glass:2 judged=yes"))
    ]
    screen = await show(evening, size=PHONE, path="/host")
    entry = await doing(screen.page, 9, "It was different")
    assert not await entry.locator("input[name=action]").is_visible()
    await entry.locator("input[name=height]").fill("61")
    await entry.locator("input[name='pieces/glass']").fill("4")
    await entry.locator("select[name=at]").select_option("0/1")
    await entry.get_by_role("button", name="Seat 3").click()
    await entry.locator("input[name=why]").fill("measured again")
    assert await screen.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    told = await screen.sent(entry.get_by_role("button", name="Correct it").click)
    action = "p3 deliver contract=CO4 platform=6 at=0/1 stood=yes height=61mm pieces=steel:3,glass:4 judged=yes"
    assert (told["type"], told["entry"], told["why"]) == ("amend", 9, "measured again")
    assert told["action"] == action


async def test_what_was_forgotten_is_put_in_by_fields(show, evening, standing):
    standing[:] = [Entry(9, 0, "sensor", ActionConfirmed(action=DRAWN))]
    screen = await show(evening, size=PHONE, path="/host", query="?lang=fr")
    entry = await doing(screen.page, 9, "On a oublié")
    put_in = entry.get_by_role("button", name="Insérer avant")
    assert await put_in.is_disabled()
    await entry.locator("select[name=do]").select_option("rezone")
    await entry.get_by_role("button", name="Place 1").click()
    assert await put_in.is_disabled()
    await entry.locator("select[name=platform]").select_option(label="plateforme 6")
    told = await screen.sent(put_in.click)
    assert (told["type"], told["before"], told["action"]) == ("insert", 9, "p1 rezone platform=6")


async def test_taking_back_asks_first_and_offers_the_way_back(show, evening, standing):
    standing[:] = [
        Entry(5, 0, "sensor", ActionConfirmed(action="p1 take_contract contract=CO5")),
        Entry(9, 0, "sensor", ActionConfirmed(action=DRAWN, breaks="R7")),
    ]
    screen = await show(evening, size=PHONE, path="/host")
    entry = await doing(screen.page, 5, "Take back from here")
    assert "takes back 2 actions" in await entry.locator(".sure").inner_text()
    told = await screen.sent(entry.get_by_role("button", name="Yes, take back 2 actions").click)
    assert told == {"type": "take_back", "entry": 5, "why": "", "by": "host"}
    told = await screen.sent(screen.page.get_by_role("button", name="Undo this correction").click)
    assert told == {"type": "go_back", "to": 41, "by": "host"}
    standing.append(Entry(50, 0, "sensor", ActionConfirmed(action="p2 end_turn")))
    await screen.page.locator("[data-entry='50']").wait_for()
    assert await screen.page.locator("[data-undo-this]").count() == 0  # it would take that back, too


async def test_an_action_is_put_right_in_two_taps_the_likeliest_way_first(show, evening, standing, ways):
    standing[:] = [Entry(9, 0, "sensor", ActionConfirmed(action=DRAWN))]
    counts = tuple(other_way("amend", f"p1 take_pieces drawn=unknown:{n}") for n in range(1, 8))
    missing = other_way("insert", "p1 take_contract contract=CO5")
    ways[9] = (other_way("strike", ""), missing, *counts)
    screen = await show(evening, path="/host")
    entry = screen.page.locator("[data-entry='9']")
    await entry.locator(".line").click()
    offered = entry.locator("[data-way]")
    await offered.first.wait_for()
    texts = await offered.locator("span:last-child").all_inner_texts()
    assert texts[:3] == ["It never happened", "before it: takes contract CO5", "takes 1 piece"]
    told = await screen.sent(offered.nth(0).click)
    assert told == {"type": "strike", "entry": 9, "why": "", "by": "host"}
    await entry.locator(".line").click()
    await offered.first.wait_for()
    assert await offered.count() == 6
    await entry.locator("[data-more]").click()
    assert await offered.count() == 9
    told = await screen.sent(offered.nth(1).click)
    assert told == {"type": "insert", "before": 9, "action": missing.action, "why": "", "by": "host"}


async def test_a_player_puts_their_own_action_right_in_three_taps_and_no_other(show, evening, standing, ways):
    others, own = (ActionConfirmed(action=f"p{seat} take_contract contract=CO5") for seat in (1, 2))
    standing[:] = [Entry(5, 0, "sensor", others), Entry(9, 0, "sensor", own)]
    ways[9] = (other_way("amend", "p2 take_contract contract=RE7"),)
    screen = await show(evening, size=PHONE, path="/seat/2")
    await screen.page.get_by_role("button", name="Take something back").click()
    await screen.page.locator("[data-not-so='9']").click()
    assert await screen.page.locator("[data-not-so]").count() == 1
    told = await screen.sent(screen.page.get_by_role("button", name="takes contract RE7").click)
    assert told == {"type": "amend", "entry": 9, "action": ways[9][0].action, "why": "", "by": "seat 2"}


async def test_a_long_record_begins_with_its_newest_and_the_page_has_links_to_its_parts(show, evening, standing):
    standing[:] = [Entry(k, 0, "sensor", ActionConfirmed(action=DRAWN)) for k in range(1, 41)]
    screen = await show(evening, size=PHONE, path="/host")
    await screen.page.locator("[data-entry='40']").wait_for()
    assert await screen.page.locator("[data-entry]").count() == 12
    await screen.page.get_by_role("button", name="Show more (28)").click()
    assert await screen.page.locator("[data-entry]").count() == 36
    await screen.page.locator("nav").get_by_role("button", name="The record").click()
    assert await screen.page.locator("#record").evaluate("one => one.getBoundingClientRect().top") < 120


async def test_a_correction_that_is_refused_says_so_beside_what_was_typed_and_keeps_it(show, evening, standing):
    standing[:] = [Entry(9, 0, "sensor", ActionConfirmed(action="p2 take_pieces drawn=steel:3"))]
    screen = await show(evening, size=PHONE, path="/host")
    page = screen.page
    sentence = {"rule": "R7", "text": {"en": "It is the turn of seat 3.", "fr": "C'est le tour de la place 3."}}
    await page.route("**/api/say", lambda route: route.fulfill(status=409, json=sentence))
    entry = await doing(page, 9, "It was different")
    await entry.locator("summary").click()
    await page.locator("input[name=action]").fill("p2 end_turn")
    await entry.get_by_role("button", name="Correct it").click()
    refusal = page.locator("[data-entry='9'] [role=alert]")
    await refusal.wait_for()
    assert await refusal.inner_text() == "R7: It is the turn of seat 3."
    assert await page.locator("input[name=action]").input_value() == "p2 end_turn"
    screen.complaints[:] = [line for line in screen.complaints if "409" not in line]


async def test_a_phone_without_its_hub_is_told_that_the_answer_does_not_count(show, evening):
    screen = await show(evening, size=PHONE, path="/seat/2")
    await screen.page.route("**/api/say", lambda route: route.abort())
    await screen.page.get_by_role("button", name="Confirm").click()
    await screen.page.locator("form [role=alert]").wait_for()
    assert "The hub is not responding" in await screen.text("form [role=alert]")
    screen.complaints[:] = [line for line in screen.complaints if "ERR_FAILED" not in line]


@pytest.mark.parametrize(
    ("path", "door", "tap"),
    [
        ("/seat/2", "sayable", "Report what happened"),
        ("/seat/2", "entries", "Take something back"),
        ("/host", "phones", "Let players' phones join"),
        ("/host", "paper", "Set the city as it stands"),
    ],
)
async def test_a_page_that_cannot_ask_its_hub_says_so_and_never_that_there_is_nothing(show, evening, path, door, tap):
    screen = await show(evening, size=PHONE, path=path)
    await screen.page.route(f"**/api/{door}", lambda route: route.abort())
    await screen.page.get_by_role("button", name=tap).click()
    await screen.page.locator("[role=alert]").wait_for()
    assert await screen.text("[role=alert]") == "The hub is not responding. Try again."
    assert "There is nothing to report" not in await screen.text("main")
    screen.complaints[:] = [line for line in screen.complaints if "ERR_FAILED" not in line]


async def test_the_tabs_of_a_browser_say_which_page_they_are(show, evening):
    titles = {"/display": "Display", "/host": "Host", "/seat/2": "Seat 2", "/stations": "Stations"}
    titles |= {"/announcer": "Announcer", "/producer": "Producer", "/card": "City card"}
    for path, title in titles.items():
        screen = await show(evening, path=path)
        await screen.page.wait_for_function("title => document.title === title", arg=f"{title} · citytable")


async def test_the_host_chooses_what_becomes_of_acts_against_the_rules(show, evening):
    broken = replace(evening.provisional[0], breaks="R8") if evening.provisional else None
    view = replace(evening, mode="advise", provisional=(broken,) if broken else ())
    screen = await show(view, size=PHONE, path="/host")
    page = screen.page
    assert await screen.attributes(".modes button", "aria-pressed") == ["false", "true", "false"]
    assert "breaks R8" in await screen.text("main")
    told = await screen.sent(page.get_by_role("button", name="Record only").click)
    assert told == {"type": "mode", "mode": "record", "by": "host"}
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


async def test_a_player_asks_for_an_undo_in_two_taps(show, evening, standing):
    standing[:] = [
        Entry(5, 0, "sensor", ActionConfirmed(action="p1 take_contract contract=CO5")),
        Entry(9, 0, "sensor", ActionConfirmed(action="p2 take_pieces drawn=steel:3")),
    ]
    screen = await show(evening, size=PHONE, path="/seat/1")
    await screen.page.get_by_role("button", name="Take something back").click()
    told = await screen.sent(screen.page.locator("[data-back='9']").click)
    assert told == {"type": "undo_request", "to": 8, "by": "seat 1"}


async def test_a_player_agrees_to_an_undo_with_one_tap_and_the_host_needs_nobody(show, evening):
    undo = UndoAsked(seat=3, to=7, why="slipped", actions=("p2 end_turn",), waiting=(2,), until_us=0)
    view = replace(evening, undo=undo)
    screen = await show(view, size=PHONE, path="/seat/2")
    assert "passes the bag" in await screen.text("[data-undo]")
    told = await screen.sent(screen.page.get_by_role("button", name="I agree").click)
    assert told == {"type": "undo_reply", "agrees": True, "by": "seat 2"}
    screen = await show(view, path="/host")
    told = await screen.sent(screen.page.get_by_role("button", name="Take it back now").click)
    assert told == {"type": "go_back", "to": 7, "why": "slipped", "by": "host"}


@pytest.mark.parametrize(
    ("size", "language", "said", "none"),
    [
        (BIG, "en", "fell: 22.5\xa0g", "There is no signal"),
        (PHONE, "fr", "chute\u00a0: 22,5\xa0g", "Aucun signal conservé"),
    ],
)
async def test_a_tap_on_an_entry_shows_the_signal_it_rests_on(show, fallen, size, language, said, none):
    screen = await show(fallen, size=size, path="/host", query=f"?lang={language}")
    page = screen.page
    await page.locator("[data-entry='9'] .line").click()
    plot = page.locator("[data-signal='9'] figure")
    await plot.first.wait_for()
    assert await screen.attributes("[data-signal='9'] figure", "data-spot") == ["city/1/1", "seat/2/card/0"]
    assert [await plot.nth(k).locator("path").count() for k in (0, 1)] == [1, 0]
    assert said in await plot.nth(0).inner_text()
    assert await plot.nth(0).locator("li").count() == 2
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    await page.locator("[data-entry='5'] .line").click()
    await page.locator("[data-signal='5'] h3").wait_for()
    assert none in await screen.text("[data-signal='5']")


@pytest.mark.parametrize("size", [{"width": 1920, "height": 1080}, PHONE])
async def test_the_host_sets_the_city_as_it_stands_and_is_asked_first(found_on, show, evening, standing, paper, size):
    standing[:] = [Entry(9, 0, "sensor", ActionConfirmed(action=DRAWN))]
    hand = {"pieces": 9, "tokens": 2, "contracts": "RE7", "platforms": ""}
    told = {"at": "1/0", "platform": "6c", "owner": 2, "contract": "CO5", "height_mm": 61, "pieces": 7}
    paper |= {"player": 1, "players": [hand, hand], "buildings": [told], "parks": [], "columns": ["PU1", "", "", ""]}
    paper |= {"supply": "3p", "turn": 9, "actions_used": 0, "box": 0, "monument": False, "due_at": ""}
    screen = await show(evening, size=size, path="/host")
    page = screen.page
    await page.get_by_role("button", name="Set the city as it stands").click()
    form = page.locator("[data-paper]")
    await form.locator("[data-hex='2/0']").click()
    await form.get_by_role("button", name="Park", exact=True).click()
    await form.locator("[data-at]").get_by_role("button", name="Seat 2").click()
    await form.locator("[data-hex='1/0']").click()
    assert await form.locator("input[name=platform]").input_value() == "6c"
    assert [one for one in await found_on(page) if "data-hex" in one or "data-paper" in one] == []
    await form.locator("input[name=height]").fill("47")
    await form.locator("[data-hand='2'] input[name=tokens]").fill("5")
    await form.locator("[data-hand='1'] input[name=contracts]").fill("")
    await form.locator("input[name=why]").fill("played on paper")
    await form.get_by_role("button", name="Play on from here").click()
    assert await form.locator("[data-sure] li").all_inner_texts() == ["seat 1's contract RE7"]
    body = await screen.sent(form.get_by_role("button", name="Yes, play on from here").click)
    assert (body["type"], body["by"], body["why"]) == ("paper", "host", "played on paper")
    changed = {"players": [hand | {"contracts": ""}, hand | {"tokens": 5}], "buildings": [told | {"height_mm": 47}]}
    assert body["paper"] == paper | changed | {"parks": [{"at": "2/0", "owner": 2, "monument": False}]}
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
