"""The public is behind the table by as many seconds as the producer wants, and never less."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from citytable.views.delay import Delay
from citytable.views.state import View
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
