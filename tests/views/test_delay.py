"""The public is behind the table by as many seconds as the producer wants, and never less."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from citytable.table.question import Question
from citytable.views.delay import HOLD_SECONDS_MAX, Delay, holds_while
from citytable.views.state import Held, Provisional, View
from citytable.views.viewer import HOST


class Wall:
    """A clock on the wall that calls what is due, in an order of its own where several things are."""

    def __init__(self):
        self.now_s = 0.0
        self.due = []

    def later(self, seconds, callback):
        self.due.append((self.now_s + seconds, callback))

    def go(self, seconds):
        until = self.now_s + seconds
        while ready := [one for one in self.due if one[0] <= until]:
            first = min(ready[::-1], key=lambda one: one[0])
            self.due.remove(first)
            self.now_s = first[0]
            first[1]()
        self.now_s = until


def view(number):
    return View(t_us=number, table="salon")


@given(st.integers(0, 60), st.lists(st.tuples(st.integers(0, 30), st.booleans()), max_size=30))
def test_the_public_sees_what_was_the_latest_before_the_delay(seconds, steps):
    wall, seen = Wall(), []
    delay = Delay(view(1), seconds, wall.later)
    came = [(0.0, 1)]
    delay.show_on(lambda now, public: seen.append((now.t_us, public.t_us)))
    for wait, is_view in steps:
        if is_view:
            came.append((wall.now_s, len(came) + 1))
            delay.show(view(len(came)))
        wall.go(wait)
        old_enough = [number for at, number in came if at + seconds <= wall.now_s]
        assert delay.public.t_us == max(old_enough, default=0)
        assert seen[-1] == (len(came), delay.public.t_us)
    assert [public for _, public in seen] == sorted(public for _, public in seen), "the public never goes back"


def test_a_carried_building_is_waited_for_as_its_delivery_is():
    holds = holds_while({"deliver"})
    carried = replace(view(1), held=(Held("platform/7/public", 1, pieces=6),))
    assert (holds(view(1)), holds(carried)) == (False, True)


def test_without_a_delay_everybody_sees_the_same_at_once():
    seen = []
    delay = Delay(view(1), 0, later=None)
    delay.show_on(lambda now, public: seen.append((now.t_us, public.t_us)))
    delay.show(view(2))
    assert seen == [(1, 1), (2, 2)]


async def test_no_public_output_of_the_server_is_early_and_buttons_still_work_at_once(site, midgame):
    wall = Wall()
    early = replace(midgame, scene=replace(midgame.scene, turn=1))
    delay = Delay(early, 20, wall.later)
    delay.show_on(site.server.show)
    wall.go(20)
    async with (
        site.session.ws_connect(site.url("/feed")) as public,
        site.session.ws_connect(site.url("/feed?as=host")) as host,
    ):
        assert (await public.receive_json())["data"]["scene"]["turn"] == 1
        assert (await host.receive_json())["data"]["scene"]["turn"] == 1
        delay.show(midgame)
        assert (await host.receive_json())["data"]["scene"]["turn"] == 19
        wall.go(19.9)
        async with site.session.get(site.url("/api/view")) as response:
            assert (await response.json())["data"]["scene"]["turn"] == 1
        async with site.session.post(site.url("/api/overlay/score/hide"), json={}) as response:
            assert response.status == 202
        assert (await public.receive_json())["data"] == {"overlay": {"hidden": ["score"]}}, "the first message since"
        wall.go(0.1)
        assert (await public.receive_json())["data"]["scene"]["turn"] == 19
        async with site.session.get(site.url(f"/api/view?as={HOST.text}")) as response:
            assert (await response.json())["data"]["overlay"] == {"hidden": ["score"]}


def test_a_hub_that_has_just_started_shows_the_public_nothing_that_is_too_young(midgame):
    wall = Wall()
    delay = Delay(midgame, 20, wall.later)
    assert delay.public == View(t_us=0, table="salon")
    wall.go(20)
    assert delay.public == midgame


def trying(number, *actions):
    return View(t_us=number, table="salon", provisional=tuple(Provisional(action, "seen") for action in actions))


DELIVERY = "p2 deliver contract=CO4 platform=6 at=1/1"


def held(seconds=0, *, begins=None):
    """A wall, a delay on it that holds deliveries, and the numbers of the views that host and public saw last."""
    wall, seen = Wall(), []
    delay = Delay(begins or view(1), seconds, wall.later, holds_while({"deliver"}))
    delay.show_on(lambda now, public: seen.append((now.t_us, public.t_us)))
    return wall, delay, seen


def test_the_public_waits_until_a_delivery_is_resolved_and_then_sees_the_outcome_at_once():
    _, delay, seen = held()
    delay.show(trying(2, "p2 take_pieces drawn=steel:1"))
    delay.show(trying(3, "p2 take_pieces drawn=steel:1", DELIVERY))
    delay.show(trying(4, DELIVERY))
    assert seen[-3:] == [(2, 2), (3, 2), (4, 2)], "the host sees it as it is"
    delay.show(view(5))
    assert seen[-1] == (5, 5)


def test_an_open_question_about_a_delivery_holds_it_too():
    _, delay, seen = held()
    question = Question(id="q", seat=2, prompt="outcome", words={}, fields=(), about=DELIVERY)
    delay.show(View(t_us=2, table="salon", questions=(question,)))
    assert seen[-1] == (2, 1)


def test_nobody_waits_for_ever_and_an_old_wait_ends_no_later_one():
    wall, delay, seen = held()
    delay.show(trying(2, DELIVERY))
    wall.go(100)
    delay.show(view(3))
    delay.show(trying(4, DELIVERY))
    wall.go(HOLD_SECONDS_MAX - 1)
    assert seen[-1] == (4, 3), "the first wait would have been over long ago"
    wall.go(1)
    assert seen[-1] == (4, 4)
    delay.show(trying(5, DELIVERY))
    assert seen[-1] == (5, 5), "it is the same delivery"
    delay.show(view(6))
    delay.show(trying(7, DELIVERY))
    assert seen[-1] == (7, 6), "the next one is waited for again"


def test_seconds_and_waiting_go_together():
    wall, delay, seen = held(seconds=10)
    wall.go(10)
    delay.show(trying(2, DELIVERY))
    wall.go(5)
    delay.show(view(3))
    wall.go(9)
    assert seen[-1] == (3, 1)
    wall.go(1)
    assert seen[-1] == (3, 3)


def test_a_hub_that_starts_amid_a_delivery_shows_the_public_no_game():
    _, _, seen = held(begins=trying(1, DELIVERY))
    assert seen[-1] == (1, 0)
