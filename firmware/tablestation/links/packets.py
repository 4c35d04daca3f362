"""MQTT 3.1.1 as bytes: encodes packets of a client and decodes packets of a broker. No socket, no clock.

It knows QoS 0 and 1; QoS 2 is refused, because nobody here asks for it. References are to sections of the OASIS
standard of 3.1.1. A decoded packet is a tuple that begins with its kind:

    (CONNACK, session_present, code)        code 0 accepted, else a key of REFUSALS
    (PUBLISH, topic, payload, qos, retain, packet_id)    packet_id 0 with QoS 0
    (PUBACK, packet_id)
    (SUBACK, packet_id, codes)              a code for each filter: the QoS granted, or SUBSCRIPTION_REFUSED
    (PINGRESP,)
"""

CONNACK, PUBLISH, PUBACK, SUBACK, PINGRESP = 2, 3, 4, 9, 13
PINGREQ_PACKET = b"\xc0\x00"
DISCONNECT_PACKET = b"\xe0\x00"
SUBSCRIPTION_REFUSED = 0x80

REFUSALS = {
    1: "it does not speak MQTT 3.1.1",
    2: "it does not take this client id",
    3: "it is not available",
    4: "the user name or the password is wrong",
    5: "this user may not log in",
}

PACKET_BYTES_MAX = 12_288  # a message of the wire (8192), its topic, and room to spare
_FLAGS = {CONNACK: 0, PUBACK: 0, SUBACK: 0, PINGRESP: 0}  # 2.2.2; a PUBLISH has flags of its own
_NAMES = {CONNACK: "CONNACK", PUBLISH: "PUBLISH", PUBACK: "PUBACK", SUBACK: "SUBACK", PINGRESP: "PINGRESP"}


class BadPacket(ValueError):
    """Bytes that no broker may send. The stream is lost, and the connection must begin again."""


def connect(client_id, keepalive_s, user=None, password=None, will=None):
    """Return CONNECT (3.1) with a clean session. `will`: (topic, payload, qos, retain)."""
    flags = 0x02
    parts = [_text(client_id)]
    if will is not None:
        topic, payload, qos, retain = will
        flags |= 0x04 | qos << 3 | (0x20 if retain else 0)
        parts.append(_text(topic))
        parts.append(_counted(payload))
    if user is not None:
        flags |= 0x80
        parts.append(_text(user))
        if password is not None:
            flags |= 0x40
            parts.append(_text(password))
    head = b"\x00\x04MQTT\x04" + bytes((flags,)) + _two(keepalive_s)
    return _packet(0x10, head + b"".join(parts))


def publish(topic, payload, qos=0, retain=False, packet_id=0):
    """Return PUBLISH (3.3); with QoS 1 it needs a packet id from 1 to 65535."""
    identifier = _two(_checked_id(packet_id)) if qos else b""
    return _packet(0x30 | qos << 1 | (1 if retain else 0), _text(topic) + identifier + payload)


def subscribe(packet_id, filters):
    """Return SUBSCRIBE (3.8) to (filter, qos) pairs."""
    body = _two(_checked_id(packet_id))
    for text, qos in filters:
        body += _text(text) + bytes((qos,))
    return _packet(0x82, body)


def puback(packet_id):
    """Return PUBACK (3.4) for the message of that number."""
    return b"\x40\x02" + _two(_checked_id(packet_id))


class Decoder:
    """Decodes a broker's bytes, which arrive in pieces of any size, into packets."""

    def __init__(self, bytes_max=PACKET_BYTES_MAX):
        self._bytes_max = bytes_max
        self._held = b""

    def feed(self, data):
        """Take more bytes."""
        self._held = self._held + data if self._held else bytes(data)

    def take(self):
        """Return the next packet, or None if it is not complete; raise BadPacket."""
        held = self._held
        if len(held) < 2:
            return None
        kind = held[0] >> 4
        if kind not in _NAMES:
            raise BadPacket("packet type {} does not come from a broker".format(kind))
        if kind != PUBLISH and held[0] & 0x0F != _FLAGS[kind]:
            raise BadPacket("{} with flags {}, which are reserved".format(_NAMES[kind], held[0] & 0x0F))
        length, start = _remaining_length(held)
        if start == 0:
            return None
        if start + length > self._bytes_max:
            raise BadPacket(
                "{} of {} bytes, at most {} are taken".format(_NAMES[kind], start + length, self._bytes_max)
            )
        if len(held) < start + length:
            return None
        self._held = held[start + length :]
        body = memoryview(held)[start : start + length]  # no copy of up to 8 kB where a heap has few such gaps
        return _READERS[kind](held[0] & 0x0F, body)


def _remaining_length(held):
    """Return (length, where the body begins) (2.2.3), or (0, 0) if it is not complete."""
    length = 0
    for k in range(4):
        if 1 + k >= len(held):
            return 0, 0
        digit = held[1 + k]
        length |= (digit & 0x7F) << 7 * k
        if not digit & 0x80:
            if digit == 0 and k:
                raise BadPacket("a length of {} written in {} bytes".format(length, k + 1))
            return length, 2 + k
    raise BadPacket("a length of more than four bytes")


def _connack(_flags, body):
    if len(body) != 2 or body[0] > 1:
        raise BadPacket("CONNACK says {}".format(bytes(body)))
    return (CONNACK, body[0] == 1, body[1])


def _publish(flags, body):
    qos = flags >> 1 & 3
    if qos > 1:
        raise BadPacket("PUBLISH with QoS {}, which was not asked for".format(qos))
    if qos == 0 and flags & 8:
        raise BadPacket("PUBLISH repeated with QoS 0")
    if len(body) < 2:
        raise BadPacket("PUBLISH without a topic")
    end = 2 + (body[0] << 8 | body[1])
    if end > len(body):
        raise BadPacket("PUBLISH with a topic of {} bytes in {}".format(end - 2, len(body)))
    topic = _read_topic(body[2:end])
    packet_id = 0
    if qos:
        packet_id = _read_id("PUBLISH", body[end : end + 2])
        end += 2
    return (PUBLISH, topic, bytes(body[end:]), qos, flags & 1 == 1, packet_id)


def _puback(_flags, body):
    return (PUBACK, _read_id("PUBACK", body))


def _suback(_flags, body):
    if len(body) < 3:
        raise BadPacket("SUBACK of {} bytes".format(len(body)))
    for code in body[2:]:
        if code > 2 and code != SUBSCRIPTION_REFUSED:
            raise BadPacket("SUBACK with code {}".format(code))
    return (SUBACK, _read_id("SUBACK", body[:2]), tuple(body[2:]))


def _pingresp(_flags, body):
    if body:
        raise BadPacket("PINGRESP of {} bytes".format(len(body)))
    return (PINGRESP,)


_READERS = {CONNACK: _connack, PUBLISH: _publish, PUBACK: _puback, SUBACK: _suback, PINGRESP: _pingresp}


def _read_topic(raw):
    """Return a topic name (3.3.2.1): valid text without wildcards."""
    try:
        topic = str(raw, "utf-8")
    except ValueError:
        raise BadPacket("PUBLISH with a topic that is not text: {}".format(bytes(raw[:40]))) from None
    if not topic or "\x00" in topic or "+" in topic or "#" in topic:
        raise BadPacket("PUBLISH with {!r} for a topic".format(topic[:40]))
    return topic


def _read_id(name, raw):
    if len(raw) != 2 or not (raw[0] or raw[1]):
        raise BadPacket("{} with {} for a packet id".format(name, bytes(raw[:4])))
    return raw[0] << 8 | raw[1]


def _checked_id(packet_id):
    if not 0 < packet_id < 65536:
        raise ValueError("packet id {}: 1 to 65535".format(packet_id))
    return packet_id


def _two(number):
    return bytes((number >> 8, number & 0xFF))


def _counted(raw):
    if len(raw) > 65535:
        raise ValueError("{} bytes where at most 65535 fit".format(len(raw)))
    return _two(len(raw)) + raw


def _text(text):
    return _counted(text.encode())


def _packet(first, body):
    head = [first]
    length = len(body)
    while True:
        digit, length = length & 0x7F, length >> 7
        head.append(digit | 0x80 if length else digit)
        if not length:
            return bytes(head) + body
