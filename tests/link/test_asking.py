"""A question to the broker that is given up: its answer still finds somebody who knows of it."""

import asyncio

import aiomqtt
import pytest

from citytable.link import mqtt
from citytable.link.broker import Broker
from citytable.link.mqtt import MqttConnection


class Slow:
    """A broker that answers when it is told to."""

    def __init__(self):
        self.answers = asyncio.Event()
        self.heard = False

    async def unsubscribe(self, topic, timeout):  # noqa: ASYNC109  aiomqtt's own way
        await self.answers.wait()
        self.heard = True


async def test_who_is_cancelled_while_he_asks_waits_for_the_answer():
    broker = Slow()
    asking = asyncio.create_task(mqtt._ask(broker))
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.sleep(0)
    assert not asking.done()
    broker.answers.set()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert broker.heard


async def test_who_cannot_wait_any_longer_takes_his_question_back():
    broker = Slow()
    asking = asyncio.create_task(mqtt._ask(broker))
    await asyncio.sleep(0)
    (question,) = asyncio.all_tasks() - {asking, asyncio.current_task()}
    for _ in range(2):
        asking.cancel()
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await asking
    await asyncio.wait({question}, timeout=10)
    assert question.cancelled()


@pytest.fixture
async def owed(monkeypatch):
    """A connection whose broker owes an answer, and whoever counts the looks."""
    monkeypatch.setattr(mqtt, "LOOK_S", 0.001)
    monkeypatch.setattr(mqtt, "ANSWER_S", 0.005)
    monkeypatch.setattr(mqtt, "CONNECT_S", 0.01)
    connection = MqttConnection(Broker("127.0.0.1", 1, "external"), (), lambda: 0)
    connection._asked, connection._client = True, object()
    return connection, asyncio.create_task(connection._watch())


async def test_as_long_as_messages_come_an_answer_behind_them_is_only_late(owed):
    connection, watching = owed
    message = aiomqtt.Message("a", b"", 0, False, 1, None)
    for _ in range(50):
        await asyncio.sleep(mqtt.LOOK_S)
        connection._put(message)
        assert connection.answers
    assert not watching.done()
    watching.cancel()


async def test_a_broker_that_owes_an_answer_and_says_nothing_else_is_given_up(owed):
    connection, watching = owed
    with pytest.raises(aiomqtt.MqttError, match="no sign of life"):
        await watching
    assert not connection.answers
