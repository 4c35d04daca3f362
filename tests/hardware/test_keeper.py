"""Keeping in touch: a radio that lies, a network that refuses, a hub that stays silent."""

import pytest

from tablestation.boards.keeper import HARD_TRIES, RESET_STEPS, STEP_MS, TRUST_TRIES, Contact, HubMonitor, Wifi, keep

SECRETS = {"ssid": "cafe", "key": "espresso", "country": "FR"}


class Radio:
    """`network.WLAN`; `says` is what `status` answers, the last for ever."""

    def __init__(self, says):
        self.says = list(says)
        self.calls = []

    def status(self):
        return self.says.pop(0) if len(self.says) > 1 else self.says[0]

    def __getattr__(self, name):
        return lambda *given, **named: self.calls.append((name, *given, *named.items()))


class Network:
    STA_IF = 0

    def __init__(self, says):
        self.radio = Radio(says)
        self.told = []

    def country(self, code):
        self.told.append(("country", code))

    def hostname(self, name):
        self.told.append(("hostname", name))

    def WLAN(self, interface):  # noqa: N802 (MicroPython's name)
        assert interface == self.STA_IF
        return self.radio


class Naps:
    def __init__(self):
        self.ms = 0

    async def __call__(self, ms):
        self.ms += ms


def a_wifi(*says):
    network, contact, naps = Network(says), Contact(), Naps()
    wifi = Wifi(network, naps, contact, SECRETS, "park")
    wifi.begin()
    network.radio.calls.clear()
    return wifi, network, contact, naps


def test_the_radio_begins_without_power_saving_and_where_it_is_allowed():
    network = Network([0])
    Wifi(network, Naps(), Contact(), SECRETS, "park").begin()
    assert network.told == [("country", "FR"), ("hostname", "park")]
    assert network.radio.calls == [("active", True), ("config", ("pm", 0xA11140)), ("connect", "cafe", "espresso")]


async def test_up_waits_until_there_is_an_address():
    wifi, network, _, naps = a_wifi(1, 1, 2, 3)
    await wifi.up()
    assert naps.ms > 0
    assert network.radio.calls == []


@pytest.mark.parametrize(
    ("status", "said"), [(-3, "refuses the key"), (-2, "there is no Wi-Fi 'cafe'"), (-1, "joined")]
)
async def test_a_network_that_refuses_is_told_and_tried_again(status, said):
    wifi, network, _, _ = a_wifi(status)
    with pytest.raises(OSError, match=said):
        await wifi.up()
    assert network.radio.calls == [("connect", "cafe", "espresso")]


async def test_a_radio_that_says_it_is_up_is_believed_only_while_the_hub_is_heard():
    wifi, network, contact, _ = a_wifi(3)
    for _ in range(TRUST_TRIES):
        await wifi.up()
    assert network.radio.calls == []
    await wifi.up()
    assert network.radio.calls == [("disconnect",), ("connect", "cafe", "espresso")]
    network.radio.calls.clear()
    contact.heard()
    await wifi.up()
    assert network.radio.calls == []


async def test_when_joining_anew_does_not_help_the_radio_is_switched_off_and_on():
    wifi, network, _, _ = a_wifi(3)
    for _ in range(HARD_TRIES):
        await wifi.up()
    assert [call[0] for call in network.radio.calls[-5:]] == ["active", "deinit", "active", "config", "connect"]


class Restarted(Exception):
    pass


async def test_fifteen_minutes_without_the_hub_restart_the_board_and_no_other_fifteen():
    contact, naps, said = Contact(), Naps(), []

    async def sleep_ms(ms):
        await naps(ms)
        if naps.ms == 10 * 60_000:
            contact.heard()

    def restart(why):
        said.append(why)
        raise Restarted

    with pytest.raises(Restarted):
        await keep(sleep_ms, contact, restart)
    assert naps.ms == 10 * 60_000 + RESET_STEPS * STEP_MS - STEP_MS
    assert said == ["15 minutes without a message from the hub"]


def test_the_ear_hands_everything_on_and_notices_the_hub():
    said = []

    class Station:
        def connected(self):
            said.append("connected")

        def disconnected(self):
            said.append("disconnected")

        def will(self):
            return b"will"

        def receive(self, channel, payload):
            said.append((channel, payload))

    contact = Contact()
    contact.tries = contact.steps = 3
    ear = HubMonitor(Station(), contact, lambda: said.append("also"))
    ear.connected()
    assert (contact.tries, contact.steps) == (3, 3), "a connection to a broker is not a hub"
    ear.receive("ping", b"{}")
    assert (contact.tries, contact.steps) == (0, 0)
    ear.disconnected()
    assert said == ["connected", "also", ("ping", b"{}"), "disconnected"]
    assert ear.will() == b"will"
