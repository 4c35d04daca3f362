"""The process of a virtual table: it ends with whoever started it."""

import asyncio
import signal

import pytest

from citytable.link.broker import Broker
from citytable.rehearsal.twin import Twin

NO_BROKER = Broker("127.0.0.1", 1, "external")


async def test_a_twin_is_gone_also_if_nobody_waits_for_its_end(tmp_path, monkeypatch):
    launch, launched = asyncio.create_subprocess_exec, []

    async def remember(*words, **options):
        launched.append(await launch(*words, **options))
        return launched[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", remember)
    twin = await Twin(tmp_path / "plan.json", "megacity", NO_BROKER, 1).__aenter__()
    (process,) = launched
    process.send_signal(signal.SIGSTOP)  # it notices nothing
    leaving = asyncio.ensure_future(twin.__aexit__(None))
    await asyncio.sleep(0)
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    assert process.returncode == -signal.SIGKILL
