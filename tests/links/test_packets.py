"""MQTT 3.1.1 as bytes, held against another implementation's and against nonsense."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion

from tablestation.links import packets
from tablestation.links.packets import BadPacket, Decoder

NAMES = st.text("abcdefghijklmnopqrstuvwxyz0123456789-/é字", min_size=1, max_size=60)
IDS = st.integers(1, 65535)
PAYLOADS = st.binary(max_size=400)


class Wire:
    """Where paho's bytes go."""

    def __init__(self):
        self.written = b""

    def send(self, data):
        self.written += bytes(data)
        return len(data)

    def fileno(self):
        return -1

    def close(self):
        pass


class Paho(paho.Client):
    """paho's client with nothing but its pen."""

    def __init__(self, client_id=""):
        super().__init__(CallbackAPIVersion.VERSION2, client_id=client_id)
        self.wire = Wire()
        self._sock = self.wire
        self._state = paho._ConnectionState.MQTT_CS_CONNECTED

    def _sock_send(self, buf):
        return self.wire.send(buf)

    def written(self):
        self._packet_write()
        return self.wire.written


@given(client_id=NAMES, keepalive=st.integers(0, 65535), user=st.none() | NAMES, password=st.none() | NAMES)
def test_a_connect_is_pahos(client_id, keepalive, user, password):
    other = Paho(client_id)
    if user is not None:
        other.username_pw_set(user, password)
    other._send_connect(keepalive)
    assert packets.connect(client_id, keepalive, user, None if user is None else password) == other.written()


@given(topic=NAMES, payload=PAYLOADS, qos=st.sampled_from([0, 1]), retain=st.booleans())
def test_a_will_is_pahos(topic, payload, qos, retain):
    other = Paho("park")
    other.will_set(topic, payload, qos, retain)
    other._send_connect(10)
    assert packets.connect("park", 10, will=(topic, payload, qos, retain)) == other.written()


@given(topic=NAMES, payload=st.binary(max_size=20_000), qos=st.sampled_from([0, 1]), retain=st.booleans(), number=IDS)
def test_a_publication_is_pahos(topic, payload, qos, retain, number):
    other = Paho()
    other._send_publish(number, topic.encode(), payload, qos, retain, info=paho.MQTTMessageInfo(number))
    assert packets.publish(topic, payload, qos, retain, number if qos else 0) == other.written()


@given(filters=st.lists(st.tuples(NAMES, st.sampled_from([0, 1])), min_size=1, max_size=5), number=IDS)
def test_a_subscription_is_pahos(filters, number):
    other = Paho()
    other._mid_generate = lambda: number
    other._send_subscribe(False, [(text.encode(), qos) for text, qos in filters])
    assert packets.subscribe(number, filters) == other.written()


@given(number=IDS)
def test_an_acknowledgement_is_pahos(number):
    other = Paho()
    other._send_puback(number)
    assert packets.puback(number) == other.written()


def test_a_ping_and_a_farewell_are_pahos():
    ping, farewell = Paho(), Paho()
    ping._send_pingreq()
    farewell._send_disconnect()
    assert (ping.written(), farewell.written()) == (packets.PINGREQ_PACKET, packets.DISCONNECT_PACKET)


def taken(decoder):
    found = []
    while (packet := decoder.take()) is not None:
        found.append(packet)
    return found


PUBLICATIONS = st.builds(
    lambda topic, payload, number, retain: (packets.PUBLISH, topic, payload, 1 if number else 0, retain, number),
    NAMES,
    PAYLOADS,
    st.integers(0, 65535),
    st.booleans(),
)
ANSWERS = st.one_of(
    PUBLICATIONS,
    st.builds(lambda number: (packets.PUBACK, number), IDS),
    st.just((packets.PINGRESP,)),
    st.builds(
        lambda n, codes: (packets.SUBACK, n, tuple(codes)), IDS, st.lists(st.sampled_from([0, 1, 128]), min_size=1)
    ),
    st.builds(lambda present, code: (packets.CONNACK, present, code), st.booleans(), st.integers(0, 255)),
)


def as_a_broker_sends(packet):
    kind = packet[0]
    if kind == packets.PUBLISH:
        _, topic, payload, qos, retain, number = packet
        return packets.publish(topic, payload, qos, retain, number)
    if kind == packets.PUBACK:
        return packets.puback(packet[1])
    if kind == packets.PINGRESP:
        return b"\xd0\x00"
    if kind == packets.CONNACK:
        return b"\x20\x02" + bytes([packet[1], packet[2]])
    return b"\x90" + bytes([2 + len(packet[2])]) + packet[1].to_bytes(2, "big") + bytes(packet[2])


@given(sent=st.lists(ANSWERS, max_size=8), data=st.data())
def test_packets_come_out_as_they_went_in_however_they_are_cut(sent, data):
    stream = b"".join(as_a_broker_sends(packet) for packet in sent)
    decoder, found = Decoder(), []
    while stream:
        n = data.draw(st.integers(1, len(stream)))
        decoder.feed(stream[:n])
        stream = stream[n:]
        found += taken(decoder)
    assert found == sent


def refusal_of(garbage, piece):
    decoder = Decoder()
    try:
        for start in range(0, len(garbage), piece):
            decoder.feed(garbage[start : start + piece])
            taken(decoder)
    except BadPacket as refusal:
        return str(refusal)
    return None


@given(garbage=st.binary(max_size=300), piece=st.integers(1, 20))
def test_nonsense_is_refused_in_the_same_words_however_it_is_cut(garbage, piece):
    assert refusal_of(garbage, piece) == refusal_of(garbage, 300)


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"\x10\x00", "packet type 1 does not come from a broker"),
        (b"\x00\x00", "packet type 0"),
        (b"\xd1\x00", "PINGRESP with flags 1"),
        (b"\xd0\x01\x00", "PINGRESP of 1 bytes"),
        (b"\x20\x03\x00\x00\x00", "CONNACK says"),
        (b"\x20\x02\x02\x00", "CONNACK says"),
        (b"\x36\x05\x00\x01a\x00\x01", "QoS 3"),
        (b"\x34\x05\x00\x01a\x00\x01", "QoS 2"),
        (b"\x38\x03\x00\x01a", "repeated with QoS 0"),
        (b"\x30\x01\x00", "without a topic"),
        (b"\x30\x03\x00\x09a", "topic of 9 bytes in 3"),
        (b"\x30\x04\x00\x02\xff\xff", "not text"),
        (b"\x30\x02\x00\x00", "'' for a topic"),
        (b"\x30\x05\x00\x03a/#", "'a/#' for a topic"),
        (b"\x32\x05\x00\x01a\x00\x00", "for a packet id"),
        (b"\x32\x03\x00\x01a", "for a packet id"),
        (b"\x40\x02\x00\x00", "PUBACK with"),
        (b"\x90\x02\x00\x01", "SUBACK of 2 bytes"),
        (b"\x90\x03\x00\x01\x05", "SUBACK with code 5"),
        (b"\x30\xff\xff\xff\xff\x01", "more than four bytes"),
        (b"\x30\x80\x00", "written in 2 bytes"),
        (b"\x30\xff\xff\x7f", "at most 12288 are taken"),
    ],
)
def test_what_no_broker_may_send_is_quoted(raw, told):
    decoder = Decoder()
    decoder.feed(raw)
    with pytest.raises(BadPacket, match=told):
        decoder.take()


def test_a_packet_that_is_too_long_is_refused_before_it_is_collected():
    decoder = Decoder(bytes_max=100)
    decoder.feed(b"\x30\x7f")
    with pytest.raises(BadPacket, match="PUBLISH of 129 bytes, at most 100"):
        decoder.take()


def test_our_own_mistakes_are_not_sent():
    with pytest.raises(ValueError, match="packet id 0"):
        packets.publish("a", b"", 1)
    with pytest.raises(ValueError, match="packet id 65536"):
        packets.subscribe(65536, [("a", 1)])
    with pytest.raises(ValueError, match="at most 65535"):
        packets.publish("a" * 65536, b"")
