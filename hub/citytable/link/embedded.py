"""The embedded broker (amqtt, in this process): for a demonstration on a machine without mosquitto.

It keeps nothing across a restart and sends retained messages to clients that never subscribed to them, so nothing
hidden may ever be retained on it.
"""

import importlib
import importlib.util
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any


def is_installed() -> bool:
    """Report whether the package amqtt (extra `demo`) is installed."""
    return importlib.util.find_spec("amqtt") is not None


def _configuration(port: int) -> dict[str, Any]:
    return {
        "listeners": {"default": {"type": "tcp", "bind": f"127.0.0.1:{port}", "max_connections": 100}},
        "plugins": {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
    }


@asynccontextmanager
async def running_embedded(port: int) -> AsyncIterator[None]:
    """Run amqtt on 127.0.0.1:`port`; raise OSError when the port is taken."""
    for chatty in ("amqtt", "transitions"):
        logging.getLogger(chatty).setLevel(logging.CRITICAL)
    broker = importlib.import_module("amqtt.broker").Broker(_configuration(port))
    await broker.start()
    try:
        yield
    finally:
        await broker.shutdown()
