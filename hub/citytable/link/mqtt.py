"""One MQTT connection that reconnects by itself: a thin class on aiomqtt (the present name of asyncio-mqtt).

It adds: TCP_NODELAY (without it some messages wait 40 ms), a bounded inbox that counts discarded messages and stamps
every message at its arrival, reconnection with back-off, subscription again after each reconnection, and a question to
the broker twice a second, so that a stuck broker is noticed at once and not when the keepalive is over.
"""

import asyncio
import errno
import logging
import math
import socket
import time
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, NamedTuple, Self, TypeAlias

import aiomqtt

from citytable.link.broker import Broker, BrokerUnavailable

INBOX_MAX = 20_000
UNREAD_BYTES = 32_768
"""So much waits in the system for the hub to read it; in more, a flood would stand before what a good station says."""
BACK_OFF_S = (0.1, 0.25, 0.5, 1.0, 2.0)
CONNECT_S = 5.0
PROBE_S = 0.5
LOOK_S = 0.2
ANSWER_S = 1.0
"""A broker that is asked and gives no sign of life for so long stands still; after `CONNECT_S` it is given up.

It is counted in looks `LOOK_S` apart: what a hub that is late itself has not read yet is not the broker's fault.
"""
LATEST_S = 60.0  # an answer may come behind so much else
STEP_MAX_US = 600_000
"""A little longer than from one question to the broker to the next."""
AGAIN_S = 0.5  # until a task that was cancelled and went on is cancelled again
_NOBODY = "citytable/nobody"
_REFUSALS = (4, 5, 134, 135)  # bad user name or password, not authorised: as MQTT 3.1.1 and MQTT 5 number them
_LOG = logging.getLogger(f"{__name__}.login")
_LOGGER = logging.getLogger(__name__)
_LOGGER.setLevel(logging.ERROR)  # aiomqtt would warn of messages that are counted here and shown on the stations page
_NO_FAULT = ("on socket", "Unexpected message ID")  # a broker that was killed, and an answer later than anybody waits
_LOGGER.addFilter(
    lambda record: not any(text in record.getMessage() for text in _NO_FAULT)
)  # we come back, or asked again


def _is_fault(record: logging.LogRecord) -> bool:
    """Report whether a line of asyncio is more than a connection that was lost, which the pages show."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, aiomqtt.MqttError):
        return False
    closed = isinstance(error, OSError) and error.errno == errno.EBADF
    return not (closed and "add_writer(" in record.getMessage())  # aiomqtt writes in a moment, and was closed in this


logging.getLogger("asyncio").addFilter(_is_fault)

Subscriptions: TypeAlias = tuple[tuple[str, int], ...]
"""Filters of topics, each with its QoS."""


class Arrival(NamedTuple):
    """A message as it arrived. `retained`: it was sent before we subscribed."""

    topic: str
    payload: bytes
    arrived_us: int
    retained: bool


class Publication(NamedTuple):
    """A message to be sent."""

    topic: str
    payload: bytes
    qos: int = 0
    retain: bool = False


class Listening:
    """Count for how long the hub has listened: silence is measured by this, not by a clock.

    A station is silent only if it would have been heard. Nothing can be heard while the hub itself is late, or while
    its broker is gone or stuck. So time counts from one sign of the broker's life to the next: a message of any
    station, or an answer of the broker. Of a longer pause only `STEP_MAX_US` count, because messages sent meanwhile
    still have to be read.

    Call `sign(now_us)` at every sign of life, with a clock that only goes forward; `total_us` is the result.
    """

    def __init__(self) -> None:
        self.total_us = 0
        self._last_us: int | None = None

    def sign(self, now_us: int) -> None:
        """Note that the broker is alive."""
        if self._last_us is not None:
            self.total_us += min(now_us - self._last_us, STEP_MAX_US)
        self._last_us = now_us


async def ended(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks until they are over; their errors stay with them.

    Python 3.11's `asyncio.wait_for` swallows a cancellation that comes together with its result, so a task that is
    cancelled once may go on; in a busy connection that happens every few hundred times. Do not use this for a task that
    closes things in order: it would be cancelled in the middle of that.
    """
    waiting = set(tasks)
    while waiting:
        for task in waiting:
            task.cancel()
        _, waiting = await asyncio.wait(waiting, timeout=AGAIN_S)


def _queue_type(put: Callable[[aiomqtt.Message], None]) -> type[asyncio.Queue[aiomqtt.Message]]:
    """Return a queue class for aiomqtt that hands every message to `put` instead of keeping it."""

    class HandOver(asyncio.Queue[aiomqtt.Message]):
        def put_nowait(self, item: aiomqtt.Message) -> None:
            put(item)

    return HandOver


def everything(_topic: str, _now_us: int) -> bool:
    """Admit every message."""
    return True


class MqttConnection:
    """`async with MqttConnection(...) as mqtt`: connected and subscribed inside, and again after every loss.

    `now_us` is the hub's clock. `greetings` returns the first messages of every connection; `will` is what the broker
    sends for us when we vanish; `admits` is asked (topic, now) whether to keep a message.
    """

    keepalive_s = 5

    def __init__(
        self,
        broker: Broker,
        subscriptions: Subscriptions,
        now_us: Callable[[], int],
        *,
        will: Publication | None = None,
        greetings: Callable[[], tuple[Publication, ...]] = tuple,
        admits: Callable[[str, int], bool] = everything,
    ) -> None:
        self._broker = broker
        self.subscriptions = subscriptions
        self._now_us = now_us
        self._will = None if will is None else aiomqtt.Will(will.topic, will.payload, will.qos, will.retain)
        self._greetings = greetings
        self._admits = admits
        self._inbox: deque[Arrival] = deque()
        self._woken = asyncio.Event()
        self._client: aiomqtt.Client | None = None
        self._first = asyncio.Event()
        self._last_error = ""
        self._refusal = ""
        self._task: asyncio.Task[None] | None = None
        self._asked = False  # whether the broker owes an answer
        self._looks = 0  # since it was asked or gave a sign of life
        self.listening = Listening()
        self.closed = False
        self.discarded = 0
        """Messages that came while the inbox was full."""
        self.unsent = 0
        """Messages that were to be published while there was no broker."""
        self.connections = 0

    def pour_into(self, other: "MqttConnection") -> None:
        """Put arrivals among those of another connection from now on; call it before either is entered."""
        self._inbox, self._woken = other._inbox, other._woken

    @property
    def connected(self) -> bool:
        """Report whether there is a broker now."""
        return self._client is not None

    @property
    def answers(self) -> bool:
        """Return whether there is a broker that answers."""
        return self.connected and self._looks * LOOK_S < ANSWER_S

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._stay_connected(), name="mqtt connection")
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(CONNECT_S):
                    await self._first.wait()
        except asyncio.CancelledError:
            await self.close()
            raise
        if self._refusal or not self._first.is_set():
            await self.close()
            raise BrokerUnavailable(
                self._refusal
                or f"no MQTT broker answers at {self._broker.host}:{self._broker.port} "
                f"({self._last_error or 'no answer'}): start it (`citytable run` does), or give another address"
            )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Disconnect for good, and wake the task that waits for messages."""
        self.closed = True
        self._client = None  # nothing more is sent: the socket may close in the same turn of the loop
        self._woken.set()
        if self._task is not None:
            await ended(self._task)
            if not self._task.cancelled():
                self._task.result()

    async def publish(self, message: Publication) -> bool:
        """Give a message to the broker (QoS 1: wait until it has it); return False, and count it, without a broker."""
        client = self._client
        if client is None:
            self.unsent += 1
            return False
        try:
            if message.qos:
                await _deliver(client, message)
            else:
                _send(client, message)
        except (aiomqtt.MqttError, TimeoutError):
            self.unsent += 1
            return False
        return True

    def drain(self) -> list[Arrival]:
        """Take everything that has arrived and was not taken yet, in order of arrival."""
        arrivals = list(self._inbox)
        self._inbox.clear()
        self._woken.clear()
        if self.closed:
            self._woken.set()
        return arrivals

    async def gather(self, longest_s: float) -> None:
        """Wait for more messages as long as some are there already."""
        loop, known = asyncio.get_running_loop(), 0
        until_s = loop.time() + longest_s
        while len(self._inbox) > known and loop.time() < until_s:
            known = len(self._inbox)
            await asyncio.sleep(0)  # one turn of the loop reads one message

    async def wait(self, timeout_s: float) -> bool:
        """Wait until something arrives, the connection closes, or time is up; return whether something is there."""
        timer = asyncio.get_running_loop().call_later(timeout_s, self._woken.set)  # cancelling costs more
        try:
            await self._woken.wait()
        finally:
            timer.cancel()
        if not self._inbox and not self.closed:
            self._woken.clear()
        return bool(self._inbox)

    def _put(self, message: aiomqtt.Message) -> None:
        self._sign_of_life()
        topic, now_us = message.topic.value, self._now_us()
        if not self._admits(topic, now_us):
            return
        if len(self._inbox) >= INBOX_MAX:
            self.discarded += 1
            return
        payload = message.payload if isinstance(message.payload, bytes) else b""
        self._inbox.append(Arrival(topic, payload, now_us, message.retain))
        self._woken.set()

    async def _stay_connected(self) -> None:
        failures = 0
        try:
            while not self.closed:
                before = self.connections
                try:
                    await self._one_connection()
                except (aiomqtt.MqttError, OSError) as error:
                    self._last_error = str(error)
                    self._notice_refusal(error)
                finally:
                    self._client = None
                failures = failures + 1 if self.connections == before else 0
                await asyncio.sleep(BACK_OFF_S[min(failures, len(BACK_OFF_S) - 1)])
        finally:  # closed, or a fault of ours: nobody must wait for ever
            self.closed = True
            self._woken.set()

    def _notice_refusal(self, error: Exception) -> None:
        """Report once, and at once, a broker that refuses the hub."""
        if not isinstance(error, aiomqtt.MqttCodeError) or _code(error) not in _REFUSALS or self._refusal:
            return
        self._refusal = (
            f"the broker at {self._broker.host}:{self._broker.port} does not let the user {self._broker.user!r} in "
            f"({error}): check --broker-user and the password in CITYTABLE_BROKER_PASSWORD"
        )
        if self._first.is_set():
            self._note_refusal(self._refusal)
        self._first.set()

    def _note_refusal(self, text: str) -> None:
        _LOG.warning("%s", text)

    async def _one_connection(self) -> None:
        certificate = self._broker.certificate
        async with aiomqtt.Client(
            self._broker.host,
            self._broker.port,
            logger=_LOGGER,
            will=self._will,
            clean_session=True,
            timeout=CONNECT_S,
            username=self._broker.user or None,
            password=self._broker.password or None,
            tls_params=None if certificate is None else aiomqtt.TLSParameters(ca_certs=str(certificate)),
            keepalive=self.keepalive_s,
            queue_type=_queue_type(self._put),
            socket_options=[
                (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
                (socket.SOL_SOCKET, socket.SO_RCVBUF, UNREAD_BYTES),
            ],
        ) as client:
            if self.subscriptions:
                await client.subscribe(list(self.subscriptions))
            self._client = client
            self._refusal = ""
            self.connections += 1
            for greeting in self._greetings():
                await self.publish(greeting)
            if self.closed:  # before Python 3.12 a cancellation can get lost in `wait_for`, on which publishing waits
                return
            self._first.set()
            await self._until_lost(client)

    async def _until_lost(self, client: aiomqtt.Client) -> None:
        """Raise the error by which the connection is lost, or return when the broker closed it."""
        tasks = tuple(asyncio.create_task(work) for work in self._works(client))
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await ended(*tasks)
        for task in done:
            task.result()

    def _works(self, client: aiomqtt.Client) -> tuple[Coroutine[Any, Any, None], ...]:
        return listen(client), self._probe(client), self._watch()

    async def _probe(self, client: aiomqtt.Client) -> None:
        """Ask the broker for an answer again and again.

        Unsubscribing from a topic without subscription is the one question that affects nobody else and that every
        broker answers.
        """
        try:
            while True:
                await asyncio.sleep(PROBE_S)
                self._asked = True
                await _ask(client)
                self._asked = False
                self._sign_of_life()
        finally:
            self._asked, self._looks = False, 0

    async def _watch(self) -> None:
        """Count the looks; raise `MqttError` when the broker has given no sign of life for too long."""
        while self._looks * LOOK_S < CONNECT_S:
            await asyncio.sleep(LOOK_S)
            self._looks += self._asked
        raise aiomqtt.MqttError(f"the broker has given no sign of life for {CONNECT_S:g} s")

    def _sign_of_life(self) -> None:
        self._looks = 0
        self.listening.sign(time.monotonic_ns() // 1000)


class PatientConnection(MqttConnection):
    """A connection that is held however long either side is silent.

    In lock-step a starved processor only makes everything late, and a message that is lost in a reconnection would be
    waited for in vain.
    """

    keepalive_s = 0  # none: MQTT 3.1.1, section 3.1.2.10

    def _works(self, client: aiomqtt.Client) -> tuple[Coroutine[Any, Any, None], ...]:
        return (listen(client),)


def _send(client: aiomqtt.Client, message: Publication) -> None:
    """Give a message of QoS 0 to the connection, which sends it in its turn; raises `MqttError` if it takes none.

    aiomqtt would wait until the socket has it: a task and a timer for every message, without any answer of the broker.
    """
    sending = client.publish(message.topic, message.payload, 0, message.retain, timeout=math.inf)
    try:
        sending.send(None)
    except StopIteration:  # it is sent already
        return
    sending.close()


async def _deliver(client: aiomqtt.Client, message: Publication) -> None:
    """Wait until the broker has a message; raise `MqttError` or `TimeoutError` when it does not take it.

    aiomqtt's own timeout is `asyncio.wait_for`, in which a cancellation can get lost (see `ended`): a hub that was to
    close its table would play on.
    """
    async with asyncio.timeout(CONNECT_S):
        await client.publish(message.topic, message.payload, message.qos, message.retain, timeout=math.inf)


async def _ask(client: aiomqtt.Client) -> None:
    """Ask one question; wait for its answer even if cancelled meanwhile, because nobody else would take it."""
    question = asyncio.create_task(client.unsubscribe(_NOBODY, timeout=LATEST_S))
    try:
        await asyncio.shield(question)
    except asyncio.CancelledError:
        try:
            await asyncio.wait({question}, timeout=ANSWER_S)
        finally:
            if not question.done():
                question.cancel()
            elif not question.cancelled():
                question.exception()  # it is known now, and nobody asks any more
        raise


async def listen(client: aiomqtt.Client) -> None:
    """Wait for the loss of the connection."""
    async for _ in client.messages:  # nothing is ever queued
        pass


def _code(error: aiomqtt.MqttCodeError) -> int:
    return error.rc if isinstance(error.rc, int) else getattr(error.rc, "value", 0)
