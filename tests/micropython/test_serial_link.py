"""The serial link, its lines and the MQTT packets on the real VM: what they write is what CPython writes."""

import subprocess
import sys

WRITTEN = """
from tablewire.lines import LineReader, LineWriter, hello, read_hello
from tablestation.links import packets

pen, lines = LineWriter(), LineReader()
written = b"".join(pen.line("event", b'{"n": %d}' % n, n == 3) for n in range(300))
lines.feed(b"MPY: soft reboot\\r\\n" + written[:5000] + b"\\xff" + written[5001:])
read = 0
while lines.take() is not None:
    read += 1
print(written[-80:], read, lines.bad, lines.missed)
print(read_hello(hello("demo", "park", b'{"type": "death"}')))
will = ("citytable/1/demo/park/state", b"{}", 1, True)
print(packets.connect("demo-park", 15, "park", "secret", will))
print(packets.subscribe(1, [("a/b", 1), ("c", 0)]), packets.puback(65535))
print(packets.publish("a/b", b"x" * 200, 1, True, 513))
decoder = packets.Decoder()
decoder.feed(b"\\x20\\x02\\x00\\x05\\x90\\x04\\x00\\x01\\x01\\x80\\xd0\\x00\\x40\\x02\\x02\\x01")
decoder.feed(packets.publish("a/\\u00e9", b"\\x00\\xff", 1, False, 7)[:5])
decoder.feed(packets.publish("a/\\u00e9", b"\\x00\\xff", 1, False, 7)[5:] + b"\\xd1\\x00")
try:
    while True:
        print([part.encode() if isinstance(part, str) else part for part in decoder.take()])
except packets.BadPacket as bad:
    print(bad)
"""

LINKED = """
import asyncio
from tablestation.links.serial import SerialLink
from tablewire.lines import HERE, LINK, WHO, LineReader, LineWriter, read_hello


class Cable:
    # one way of it; the other end feeds `put` and takes `taken`
    def __init__(self):
        self.data = b""
        self.came = asyncio.Event()
        self.out = b""

    def put(self, data):
        self.data += data
        self.came.set()

    async def read(self, n):
        while not self.data:
            self.came.clear()
            await self.came.wait()
        data, self.data = self.data[:n], self.data[n:]
        return data

    def write(self, data):
        self.out += data

    async def drain(self):
        await asyncio.sleep_ms(1)


class Station:
    def will(self):
        return b'{"type": "death"}'

    def connected(self):
        print("connected")
        link.publish("state", b'{"type": "birth"}', True, True)
        link.publish("samples", b"[1]", False)
        link.publish("event", b"[2]", True)

    def disconnected(self):
        print("disconnected", link.trouble)

    def receive(self, channel, payload):
        print("received", channel, payload)


def said():
    out, cable.out = cable.out, b""
    heard.feed(out)
    line = heard.take()
    while line is not None:
        print("hello", read_hello(line[1])) if line[0] == LINK else print("said", line)
        line = heard.take()


cable, hub, heard = Cable(), LineWriter(), LineReader()
link = SerialLink("demo", "park", cable, cable)
running = asyncio.create_task(link.run(Station()))
await asyncio.sleep(2.5)
said()
print(link.publish("event", b"[0]", True), link.publish("samples", b"[0]", False), link.dropped)
cable.put(b"noise before" + hub.line(LINK, HERE))
cable.put(hub.line(LINK, HERE) + hub.line("ack", b"{}") + hub.line("elsewhere", b"{}"))
await asyncio.sleep(0.5)
said()
await asyncio.sleep(1)
cable.put(hub.line(LINK, HERE)[:9] + hub.line(LINK, HERE))
await asyncio.sleep(1)
said()
cable.put(hub.line(LINK, HERE))
await asyncio.sleep(0.5)
said()
cable.put(hub.line(LINK, WHO))
await asyncio.sleep(0.1)
said()
cable.put(hub.line(LINK, HERE))
await asyncio.sleep(10)
print(link.up, link.connections, link.bad)
running.cancel()
"""


def test_lines_and_packets_are_cpythons(vm, root):
    here = [sys.executable, "-c", f"import sys\nsys.path.insert(0, {str(root / 'firmware')!r})\n{WRITTEN}"]
    cpython = subprocess.run(here, capture_output=True, text=True, check=True).stdout
    assert vm.run(WRITTEN).out == cpython
    assert "PINGRESP with flags 1" in cpython


def test_a_link_over_a_cable_finds_its_hub_and_notices_when_it_is_gone(vm):
    told = vm.run(LINKED).out.splitlines()
    hello = "hello ('demo', 'park', b'{\"type\": \"death\"}')"
    birth = ["said ('state', b'{\"type\": \"birth\"}', True)", "said ('event', b'[2]', False)"]
    samples = "said ('samples', b'[1]', False)"
    assert told[:3] == [hello] * 3
    assert told[3] == "False False 1"
    assert told[4:] == [
        "connected",
        "received ack b'{}'",
        *birth,
        samples,
        "disconnected a line from the hub was garbled or missing",
        hello,
        "connected",
        *birth,
        samples,
        "disconnected the hub asks who this is",
        hello,
        "connected",
        "disconnected the hub is silent",
        "False 3 4",
    ], told
