"""What a hub reports to its venue."""

import msgspec
import pytest

from citytable.link.broker import running_broker
from citytable.link.mqtt import MqttConnection
from citytable.session.venue import VenueReporter, reporting
from citytable.table.scene import PlayerScene, Scene
from citytable.venue.messages import GameResult, TableNow
from citytable.views.delay import Delay
from citytable.views.state import View


def _view(t_us, *points, ended="", table="north"):
    players = tuple(PlayerScene(seat=k, score=score) for k, score in enumerate(points, 1))
    return View(t_us=t_us, table=table, scene=Scene("toy", 3, 1, "main", players, ended=ended))


class Table:
    """A table whose views come one after the other, and the messages it has for a broker that connects now."""

    def __init__(self, delay_s: float = 0) -> None:
        self.game_id = "g1"
        self._later = []
        self.delay = Delay(_view(0, 0, 0), delay_s, lambda _, call: self._later.append(call))
        self.reporter = VenueReporter("north", lambda: self.game_id)
        self.delay.show_on(self.reporter.show)

    def wait(self) -> None:
        while self._later:
            self._later.pop(0)()

    def said(self) -> dict[str, bytes]:
        return {message.topic: message.payload for message in self.reporter.connection(None)._greetings()}

    def results(self) -> list[GameResult]:
        return [msgspec.json.decode(text, type=GameResult) for topic, text in self.said().items() if "game-" in topic]


def test_a_game_is_reported_when_it_is_over_and_again_when_it_is_put_right():
    table = Table()
    table.delay.show(_view(1, 4, 9))
    assert table.results() == []
    table.delay.show(_view(2, 5, 9, ended="points"))
    table.delay.show(_view(3, 5, 9, ended="points"))
    assert table.results() == [GameResult("g1", "toy", 2, (5, 9), ("", ""))]
    table.delay.show(_view(4, 5, 9))
    table.delay.show(_view(5, 11, 9, ended="points"))
    assert table.results() == [GameResult("g1", "toy", 5, (11, 9), ("", ""))]


def test_each_game_keeps_its_result():
    table = Table()
    table.delay.show(_view(1, 5, 9, ended="points"))
    table.game_id = "g2"
    table.delay.show(_view(2, 0, 0))
    table.delay.show(_view(3, 7, 1, ended="points"))
    assert [(result.game_id, result.points) for result in table.results()] == [("g1", (5, 9)), ("g2", (7, 1))]


def test_the_venue_learns_nothing_before_the_public_does_and_each_result_belongs_to_its_own_game():
    table = Table(delay_s=30)
    table.delay.show(_view(1, 5, 9, ended="points"))
    table.game_id = "g2"
    table.delay.show(_view(2, 0, 0))
    assert table.said() == {}
    table.wait()
    assert [(result.game_id, result.points) for result in table.results()] == [("g1", (5, 9))]
    (now,) = (msgspec.json.decode(text, type=TableNow) for topic, text in table.said().items() if "/now" in topic)
    assert (now.game_id, now.points) == ("g2", (0, 0))


@pytest.mark.parametrize("points", [(7,), (None, 3)])
def test_a_game_of_one_or_without_points_has_no_result(points):
    table = Table()
    table.delay.show(_view(1, *points, ended="points"))
    assert table.results() == []
    assert len(table.said()) == 1


@pytest.mark.broker
async def test_a_result_is_retained_by_the_tables_broker():
    table = Table()
    async with running_broker(external=None, port=0) as broker:
        async with reporting(table.reporter, broker):
            table.delay.show(_view(1, 5, 9, ended="points"))
            async with MqttConnection(broker, (("citytable/1/north/venue/+", 1),), lambda: 0) as desk:
                heard = {}
                while "citytable/1/north/venue/game-g1" not in heard:
                    await desk.wait(1)
                    heard |= {arrival.topic: arrival for arrival in desk.drain()}
        async with MqttConnection(broker, (("citytable/1/north/venue/#", 1),), lambda: 0) as late:
            kept = set()
            while len(kept) < 2:
                await late.wait(1)
                kept |= {arrival.topic.rpartition("/")[2] for arrival in late.drain() if arrival.retained}
    assert kept == {"game-g1", "now"}


@pytest.mark.broker
async def test_a_result_is_said_again_now_and_then(monkeypatch):
    monkeypatch.setattr("citytable.session.venue.REPEAT_S", 0.1)
    monkeypatch.setattr("citytable.session.venue.PERIOD_S", 0.01)
    table = Table()
    table.delay.show(_view(1, 5, 9, ended="points"))
    async with (
        running_broker(external=None, port=0) as broker,
        MqttConnection(broker, (("citytable/1/north/venue/game-g1", 1),), lambda: 0) as desk,
        reporting(table.reporter, broker),
    ):
        heard = []
        while len(heard) < 4:
            await desk.wait(1)
            heard += [arrival.payload for arrival in desk.drain()]
    assert len(set(heard)) == 1
