"""Keeps a station in touch with its hub. The Wi-Fi driver is not trusted: it has reported a lost network as connected.
Only messages of the hub count.
"""

STEP_MS = 30_000
RESET_STEPS = 30  # 15 minutes: a restart is the one cure that needs no diagnosis
TRUST_TRIES = 2  # connections that may fail on a network that says it is up, before it is left and joined again
HARD_TRIES = 8  # every so many the radio is switched off and on, which takes it about a second
LOOK_MS = 250
PM_OFF = 0xA11140  # no power saving: with it, a resting Pico W was found unreachable
_UP = 3  # CYW43_LINK_UP: joined, with an address
_COMPLAINTS = {
    -3: "the Wi-Fi {!r} refuses the key: flash the board again with the right one",
    -2: "there is no Wi-Fi {!r} here: is the access point on, and does it use 2.4 GHz?",
    -1: "the Wi-Fi {!r} cannot be joined",
}


class Contact:
    """The attempts made since the hub was last heard."""

    def __init__(self):
        self.tries = 0
        self.steps = 0

    def heard(self):
        """Note that the hub has said something."""
        self.tries = self.steps = 0


class HubMonitor:
    """Stands between link and station, and notes messages of the hub. `at_connection` is called after the station has
    announced itself."""

    def __init__(self, station, contact, at_connection):
        self._station = station
        self._contact = contact
        self._at_connection = at_connection
        self.disconnected = station.disconnected
        self.will = station.will

    def connected(self):
        """Announce the station on a new link."""
        self._station.connected()
        self._at_connection()

    def receive(self, channel, payload):
        """Pass on a message of the hub."""
        self._contact.heard()
        self._station.receive(channel, payload)


class Wifi:
    """The radio of a Pico W, through MicroPython's module `network`; an MQTT link uses it as its network."""

    def __init__(self, network, sleep_ms, contact, secrets, hostname):  # noqa: PLR0913, PLR0917 (what a network asks)
        self._network = network
        self._sleep_ms = sleep_ms
        self._contact = contact
        self._ssid = secrets["ssid"]
        self._key = secrets.get("key", "")
        self._country = secrets.get("country", "XX")  # XX: what is allowed everywhere
        self._hostname = hostname
        self._wlan = None

    def begin(self):
        """Switch the radio on and look for the network; this takes about a second.

        Do this before the load cells get their PIO machines, so that the radio's driver finds the machine that the pin
        plan leaves free for it.
        """
        network = self._network
        network.country(self._country)
        network.hostname(self._hostname)
        self._wlan = network.WLAN(network.STA_IF)
        self._wlan.active(True)
        self._wlan.config(pm=PM_OFF)
        self._wlan.connect(self._ssid, self._key)

    async def up(self):
        """Wait for the network before each connection; raise OSError with the reason if there is none."""
        contact = self._contact
        contact.tries += 1
        if contact.tries % HARD_TRIES == 0:
            self._wlan.active(False)
            self._wlan.deinit()
            self.begin()
        elif contact.tries > TRUST_TRIES:
            self._wlan.disconnect()
            self._wlan.connect(self._ssid, self._key)
        while self._wlan.status() != _UP:
            complaint = _COMPLAINTS.get(self._wlan.status())
            if complaint:
                self._wlan.connect(self._ssid, self._key)
                raise OSError(complaint.format(self._ssid))
            await self._sleep_ms(LOOK_MS)


async def keep(sleep_ms, contact, restart):
    """Restart the board if nothing has brought the hub back. `restart(why)` does not return."""
    while True:
        await sleep_ms(STEP_MS)
        contact.steps += 1
        if contact.steps >= RESET_STEPS:
            restart("{} minutes without a message from the hub".format(RESET_STEPS * STEP_MS // 60_000))
