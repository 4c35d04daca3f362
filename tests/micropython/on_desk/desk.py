"""A desk on the VM: what stands for the port of a station, to which a bundle is sent."""

import asyncio


class Desk:
    """A port, and a station that is always linked."""

    online = True
    restarted = False
    told = None

    def __init__(self):
        self.outbox = self
        self.commands = {}

    async def sleep_ms(self, ms):
        await asyncio.sleep_ms(ms)

    def on_command(self, kind, do):
        self.commands[kind] = do

    def spawn(self, name, limit_ms, work):
        self.task = asyncio.create_task(work(self))

    def beat(self):
        pass

    def say(self, channel, message, urgent):
        self.told = message

    def restart(self):
        self.restarted = True
