"""A station as it is written first: one loop, and a blocking MQTT client that waits for every PUBACK. The yardstick of
`make bench`, which shows what happens to its samples when the broker does not answer.
"""

import json
import socket
import struct
import time

from linked import Meter
from proving.seam_level import Furniture

POLL_MS = 4
PUBLISH_MS = 120
KEEPALIVE_S = 60


class Client:
    """Connects, publishes with QoS 1 and waits for the answer; after a failure it connects anew and tries again."""

    def __init__(self, name, port, patience_s):
        self._name = name
        self._port = port
        self._patience_s = patience_s
        self._socket = None
        self._id = 0

    def connect(self):
        """Or OSError."""
        self._socket = socket.socket()
        self._socket.settimeout(self._patience_s)
        self._socket.connect(("127.0.0.1", self._port))
        name = self._name.encode()
        body = b"\x00\x04MQTT\x04\x02" + struct.pack(">HH", KEEPALIVE_S, len(name)) + name
        self._socket.write(bytes([0x10, len(body)]) + body)
        self._expect(0x20, 4)

    def publish(self, topic, payload):
        """True when the broker has it."""
        for _ in range(2):
            try:
                if self._socket is None:
                    self.connect()
                self._publish(topic, payload)
            except OSError:
                self._socket = None
            else:
                return True
        return False

    def _publish(self, topic, payload):
        self._id = self._id % 65535 + 1
        body = struct.pack(">H", len(topic)) + topic + struct.pack(">H", self._id) + payload
        self._socket.write(bytes([0x32, len(body)]) + body)
        self._expect(0x40, 4)

    def _expect(self, kind, n):
        answer = self._socket.read(n)
        if len(answer) < n or answer[0] != kind:
            raise OSError("no answer")


def station(name, port, presses, patience_s):
    """Sample, and publish an event about every tenth of a second, until so many have been tried; the same lines as the
    real one's."""
    from array import array

    cells = [cell for spot in Furniture("seat").board.spots for cell in spot.cells]
    counts, ticks = array("i", bytes(64 * 4)), array("i", bytes(64 * 4))
    client, meter = Client(name, port, patience_s), Meter()
    meter.look()
    lost = 0
    for press in range(1, presses + 1):
        begun = time.ticks_ms()
        while time.ticks_diff(time.ticks_ms(), begun) < PUBLISH_MS:
            meter.look()
            for cell in cells:
                cell.drain(counts, ticks)
            time.sleep_ms(POLL_MS)
        if not client.publish(b"naive/event", b"x"):
            lost += 1
        line = meter.told()
        line["pressed"] = press
        print(json.dumps(line))
    print(json.dumps({"lost": lost, "dropped": 0, "connections": 0}))
