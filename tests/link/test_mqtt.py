"""One connection that comes back by itself."""

import asyncio
import errno
import socket

import aiomqtt
import pytest

from citytable.link import mqtt
from citytable.link.broker import Broker, BrokerUnavailable, running_broker
from citytable.link.mqtt import MqttConnection, Publication


@pytest.fixture
async def broker():
    async with running_broker(kind="mosquitto") as running:
        yield running


@pytest.fixture(params=["mosquitto", "embedded"])
async def any_broker(request):
    async with running_broker(kind=request.param) as running:
        yield running


async def next_arrival(connection):
    while not await connection.wait(10):
        assert not connection.closed
    return connection.drain()


@pytest.mark.broker
async def test_what_is_published_arrives_stamped_with_the_hubs_clock(any_broker):
    async with MqttConnection(any_broker, (("a/+", 1),), lambda: 4711) as connection:
        assert await connection.publish(Publication("a/b", b"hello", qos=1))
        (arrival,) = await next_arrival(connection)
    assert arrival == ("a/b", b"hello", 4711, False)


@pytest.mark.broker
async def test_who_is_cancelled_as_the_connection_comes_about_does_not_go_on(broker):
    def cancelling():  # called in the very turn of the loop that ends the waiting
        asyncio.get_running_loop().call_soon(opening.cancel)
        return ()

    opening = asyncio.create_task(MqttConnection(broker, (), lambda: 0, greetings=cancelling).__aenter__())
    with pytest.raises(asyncio.CancelledError):
        await opening
    assert [task.get_name() for task in asyncio.all_tasks() if task.get_name() == "mqtt connection"] == []


@pytest.mark.broker
async def test_who_is_cancelled_as_the_broker_answers_does_not_go_on(broker, monkeypatch):
    answered = aiomqtt.Client._on_publish

    def cancelling(client, *answer):
        asyncio.get_running_loop().call_soon(saying.cancel)
        answered(client, *answer)

    monkeypatch.setattr(aiomqtt.Client, "_on_publish", cancelling)
    async with MqttConnection(broker, (), lambda: 0) as connection:
        saying = asyncio.create_task(connection.publish(Publication("a/b", b"hello", qos=1)))
        with pytest.raises(asyncio.CancelledError):
            await saying


@pytest.mark.broker
async def test_what_was_retained_before_we_came_is_marked_as_such(any_broker):
    async with MqttConnection(any_broker, (), lambda: 0) as early:
        await early.publish(Publication("a/b", b"old", qos=1, retain=True))
        async with MqttConnection(any_broker, (("a/+", 1),), lambda: 0) as late:
            ((_, payload, _, retained),) = await next_arrival(late)
    assert (payload, retained) == (b"old", True)


@pytest.mark.broker
async def test_after_a_loss_it_connects_subscribes_and_greets_again(broker, relay_to, until):
    relay = relay_to(broker)
    through = await relay.start()
    greeting = Publication("greeting", b"here I am", qos=1)
    async with (
        MqttConnection(broker, (("greeting", 1),), lambda: 0) as listener,
        MqttConnection(through, (("a/b", 1),), lambda: 0, greetings=lambda: (greeting,)) as connection,
    ):
        await next_arrival(listener)
        relay.cut()
        await until(lambda: not connection.connected)
        assert not await connection.publish(Publication("a/b", b"lost"))
        await next_arrival(listener)
        await until(lambda: connection.connected)
        assert await listener.publish(Publication("a/b", b"found", qos=1))
        assert [arrival.payload for arrival in await next_arrival(connection)] == [b"found"]
        assert (connection.connections, connection.unsent) == (2, 1)
    await relay.stop()


@pytest.mark.broker
async def test_while_the_broker_stands_still_nobody_is_listened_to(broker, relay_to, until, monkeypatch):
    monkeypatch.setattr(mqtt, "PROBE_S", 0.005)
    monkeypatch.setattr(mqtt, "ANSWER_S", 0.05)
    relay = relay_to(broker)
    async with MqttConnection(await relay.start(), (), lambda: 0) as connection:
        await until(lambda: connection.listening.total_us > 0)
        relay.freeze()
        await until(lambda: not connection.answers)
        before_us = connection.listening.total_us
        for _ in range(1000):
            await asyncio.sleep(0)
        assert connection.listening.total_us == before_us
        relay.thaw()
        await until(lambda: connection.listening.total_us > before_us)
        assert connection.answers
    await relay.stop()


@pytest.mark.broker
async def test_the_broker_speaks_our_will_when_we_vanish_and_not_when_we_leave(broker, relay_to):
    will = Publication("will", b"gone", qos=1)
    async with MqttConnection(broker, (("will", 1), ("last", 1)), lambda: 0) as listener:
        async with MqttConnection(broker, (), lambda: 0, will=will):
            pass
        relay = relay_to(broker)
        async with MqttConnection(await relay.start(), (), lambda: 0, will=will):
            relay.cut()
            assert [arrival.payload for arrival in await next_arrival(listener)] == [b"gone"]
        await relay.stop()


@pytest.mark.broker
async def test_a_full_inbox_discards_and_counts(broker, until, monkeypatch):
    monkeypatch.setattr(mqtt, "INBOX_MAX", 3)
    async with MqttConnection(broker, (("a", 1),), lambda: 0) as connection:
        for n in range(5):
            await connection.publish(Publication("a", str(n).encode(), qos=1))
        await until(lambda: connection.discarded == 2)
        assert [arrival.payload for arrival in connection.drain()] == [b"0", b"1", b"2"]


@pytest.mark.broker
async def test_no_message_waits_for_nagle(broker):
    async with MqttConnection(broker, (), lambda: 0) as connection:
        client = connection._client
        assert client is not None
        there = client._client.socket()
        assert there.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1


async def test_no_broker_at_an_address_is_said_in_a_sentence(monkeypatch):
    monkeypatch.setattr("citytable.link.mqtt.CONNECT_S", 0.05)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(BrokerUnavailable, match=f"no MQTT broker answers at 127.0.0.1:{port} .*refused"):
            async with MqttConnection(Broker("127.0.0.1", port, "external"), (), lambda: 0):
                pass


async def test_who_waited_in_vain_may_wait_again():
    connection = MqttConnection(Broker("127.0.0.1", 1, "external"), (), lambda: 0)
    assert await connection.wait(0) is False
    waiting = asyncio.create_task(connection.wait(60))
    for _ in range(3):
        await asyncio.sleep(0)
    assert not waiting.done()
    await connection.close()
    assert await waiting is False


@pytest.mark.broker
async def test_closing_wakes_whoever_waits(broker):
    async with MqttConnection(broker, (), lambda: 0) as connection:
        waiting = asyncio.create_task(connection.wait(60))
        await asyncio.sleep(0)
        await connection.close()
        assert await waiting is False


@pytest.mark.broker
async def test_what_is_said_while_the_connection_closes_is_not_sent(broker):
    async with MqttConnection(broker, (), lambda: 0) as connection:
        closing = asyncio.create_task(connection.close())
        await asyncio.sleep(0)  # it has begun
        assert not await connection.publish(Publication("a", b"late"))
        assert connection.unsent == 1
        await closing


async def test_of_what_asyncio_tells_a_connection_that_was_lost_is_no_line_in_the_log(caplog):
    loop, closed = asyncio.get_running_loop(), OSError(errno.EBADF, "Bad file descriptor")
    told = {
        "Future exception was never retrieved": aiomqtt.MqttError("Unexpected disconnection"),
        "Exception in callback BaseSelectorEventLoop.add_writer(14, <function Client._on_socket_open>)": closed,
        "Exception in callback finish()": closed,
        "Task exception was never retrieved": ValueError("a fault of ours"),
    }
    for message, exception in told.items():
        loop.call_exception_handler({"message": message, "exception": exception})
    assert [record.message for record in caplog.records] == [*told][2:]
