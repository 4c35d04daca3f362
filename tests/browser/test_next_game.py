"""The next game on the host's page: offered when one is over, and in two taps when it is not."""

import json

import pytest
from msgspec.structs import replace

from citytable.table.checklist import Checklist
from citytable.views.next_game import Choices, OtherGame, RulingChoice

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(7)]

PHONE = {"width": 390, "height": 844}
CLOSED = Checklist(lying=0, counted=69, components=69, unseen=(), silent=(), bag=None, closed=True)


async def posted(screen, button):
    async with screen.page.expect_request(lambda request: request.method == "POST") as sent:
        await screen.page.get_by_role("button", name=button, exact=True).click()
    request = await sent.value
    assert request.url.endswith("/api/say")
    return json.loads(request.post_data)


async def tap(screen, *buttons):
    for button in buttons:
        await screen.page.get_by_role("button", name=button, exact=True).click()


async def test_after_clearing_up_the_next_group_begins_on_a_phone(show, recorded, choices):
    choices.append(
        Choices(after="salon-1", over=True, players=3, players_max=4, simplified=False, names=("Anna", "Zoé", "Li"))
    )
    screen = await show(replace(recorded("midgame"), clearing=CLOSED), size=PHONE, path="/host")
    await screen.page.locator("[data-next-game]").wait_for()  # it is open: nothing else is to be done
    told = await screen.text("[data-next-game]")
    assert "2 players" in told
    assert "is not over" not in told
    pressed = screen.page.locator("[data-next-game] [aria-pressed=true]")
    assert await pressed.all_inner_texts() == ["3 players", "All rules", "New people: they scan new codes"]
    await tap(screen, "4 players", "Simplified rules")
    await screen.page.get_by_label("Seat 4").fill("Tom")
    assert await screen.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert await posted(screen, "Begin") == {
        "type": "next_game",
        "after": "salon-1",
        "players": 4,
        "simplified": True,
        "same_people": False,
        "names": ["", "", "", "Tom"],
        "by": "host",
    }
    await screen.page.locator("[data-next-game]").wait_for(state="detached")


async def test_while_people_clear_up_the_next_game_waits_for_a_tap(show, recorded):
    screen = await show(replace(recorded("final"), clearing=replace(CLOSED, closed=False)), path="/host")
    await screen.page.get_by_role("button", name="The next game…").wait_for()
    assert await screen.page.locator("[data-next-game]").count() == 0


async def test_a_game_that_is_played_is_given_up_in_two_taps_and_not_in_one(show, recorded, choices):
    choices.append(Choices(after="salon-1", over=False, players=2, players_max=2, simplified=False, names=("Anna", "")))
    screen = await show(recorded("midgame"), path="/host", query="?lang=fr")
    await tap(screen, "La partie suivante…")
    assert "n'est pas finie" in await screen.text("[data-next-game]")
    sent = await posted(screen, "Abandonner cette partie et commencer")
    assert sent == {
        "type": "next_game",
        "after": "salon-1",
        "players": 2,
        "simplified": False,
        "same_people": True,
        "names": ["Anna", ""],
        "by": "host",
    }


OTHERS = (
    OtherGame(
        game="dilluvia", title="Dilluvia Project", players=2, players_min=2, players_max=4, simplified=False, rulings=()
    ),
    OtherGame(
        game="comeback", title="Comeback City", box="ours", players=1, players_min=1, players_max=1, simplified=True
    ),
)


async def test_another_game_begins_in_three_taps_and_what_is_chosen_is_that_games(show, recorded, choices):
    game = Choices(after="salon-1", over=True, players=2, players_max=2, simplified=True, names=("", ""))
    choices.append(replace(game, title="MegaCity: Oceania", others=OTHERS, rulings=RULINGS))
    screen = await show(replace(recorded("midgame"), clearing=CLOSED), size=PHONE, path="/host")
    await tap(screen, "Comeback City · ours")
    panel = screen.page.locator("[data-next-game]")
    assert "1 player" in await panel.inner_text()
    assert await screen.page.get_by_role("button", name="Simplified rules").count() == 1
    await tap(screen, "Dilluvia Project", "4 players")
    assert await screen.page.get_by_role("button", name="Simplified rules").count() == 0
    assert await screen.page.get_by_text("Rulings your group agreed on").count() == 0
    sent = await posted(screen, "Begin")
    assert (sent["game"], sent["box"], sent["players"], sent["simplified"]) == ("dilluvia", "", 4, False)
    assert "rulings" not in sent


RULINGS = (
    RulingChoice(
        name="must_slide_in",
        text={"en": "A platform must slide in", "fr": "Une plateforme doit glisser"},
        value=False,
        usual=False,
    ),
    RulingChoice(
        name="marker_breaks_ties", text={"en": "The marker wins", "fr": "Le marqueur gagne"}, value=True, usual=False
    ),
    RulingChoice(name="round_limit", text={"en": "After so many rounds", "fr": "Après ces tours"}, value=0, usual=0),
)


async def test_the_host_chooses_the_rulings_on_a_phone(show, recorded, choices):
    game = Choices(after="salon-1", over=False, players=2, players_max=2, simplified=None, names=("", ""))
    choices.append(replace(game, rulings=RULINGS))
    screen = await show(recorded("midgame"), size=PHONE, path="/host")
    await tap(screen, "The next game…")
    await screen.page.get_by_text("Rulings your group agreed on (1 unusual)").click()
    slides = screen.page.get_by_role("group", name="A platform must slide in")
    pressed = slides.locator("[aria-pressed=true]")
    assert await pressed.all_inner_texts() == ["No (usual)"]
    await slides.get_by_role("button", name="Yes", exact=True).click()
    await screen.page.get_by_label("After so many rounds").fill("40")
    assert await screen.page.get_by_text("(3 unusual)").count() == 1
    assert await screen.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    sent = await posted(screen, "Abandon this game and begin")
    assert sent["rulings"] == {"must_slide_in": True, "round_limit": 40}


async def test_the_rulings_are_asked_in_french(show, recorded, choices):
    game = Choices(after="salon-1", over=False, players=2, players_max=2, simplified=None, names=("", ""))
    choices.append(replace(game, rulings=RULINGS))
    screen = await show(recorded("midgame"), path="/host", query="?lang=fr")
    await tap(screen, "La partie suivante…")
    await screen.page.get_by_text("Interprétations convenues dans votre groupe (1 inhabituelle)").click()
    winner = screen.page.get_by_role("group", name="Le marqueur gagne")
    assert await winner.locator("[aria-pressed=true]").all_inner_texts() == ["Oui"]


async def test_the_display_calls_players_by_their_names(show, recorded):
    def named(view):
        players = [replace(one, name=f"Anna {one.seat}") for one in view.scene.players]
        return replace(view, scene=replace(view.scene, players=tuple(players)))

    midgame = replace(recorded("midgame"), provisional=(), questions=())
    screen = await show(named(midgame))
    assert f"Anna {midgame.scene.seat}" in await screen.text("[data-turn]")
    board = midgame.scene.board | {"actions_left": 0}  # a market beside them leaves no room for names
    screen.server.show(named(replace(midgame, scene=replace(midgame.scene, board=board))))
    await screen.page.locator(".scores .named").first.wait_for()
    assert "Anna 1" in await screen.text(".scores")
    screen.server.show(named(recorded("final")))
    await screen.page.locator("[data-winners]").wait_for()
    assert "Anna 1" in await screen.text("[data-winners]")


async def test_the_host_names_the_players_of_the_game_on_the_table(show, recorded):
    screen = await show(recorded("midgame"), path="/host")
    await tap(screen, "Name the players…")
    await screen.page.get_by_label("Seat 2").fill("Tom")
    assert await posted(screen, "Use these names") == {"type": "naming", "names": ["", "Tom", ""], "by": "host"}
    await screen.page.locator("[data-names]").wait_for(state="detached")
