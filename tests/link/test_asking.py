"""A question to the broker that is given up: its answer still finds somebody who knows of it."""

import asyncio

import pytest

from citytable.link import mqtt


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
