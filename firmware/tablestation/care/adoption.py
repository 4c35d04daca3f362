"""The identity of a board: a newcomer, until a host gives it a name, a place at a table and its own credentials.

The identity is one file, `secrets.json`, which is never part of a bundle:

    host, port          the broker          (absent: the station is on a USB cable)
    ssid, key           the Wi-Fi           (absent: as above)
    user, password      its login: the newcomers' at first, its own after adoption
    table, station      its name            (absent: a newcomer)
    plan, spots, seat   its pin plan, the spots in the plan's order, and the seat whose button it has (0: none)
"""

import json

from tablestation import FIRMWARE
from tablestation.clock import Clock
from tablewire.messages import BadMessage, decode, encode
from tablewire.topics import COMMAND, LOG, NEWCOMERS, STATE, is_name

SECRETS = "secrets.json"
KIND = "new"
_GIVEN = ("table", "station", "plan", "spots", "user", "password")
_FAREWELL_MS = 500


def load_secrets(files):
    """Return the contents of `secrets.json`, or an empty dict if there is no file or it makes no sense."""
    try:
        secrets = json.loads(files.read(SECRETS) or b"{}")
    except ValueError:
        return {}
    return secrets if isinstance(secrets, dict) else {}


def is_adopted(secrets):
    """Report whether the board has been adopted."""
    return all(name in secrets for name in _GIVEN)


def names(secrets, uid):
    """Return (table, station) as used on the wire."""
    if is_adopted(secrets):
        return secrets["table"], secrets["station"]
    return NEWCOMERS, uid


class Newcomer:
    """The program of a board that nobody has adopted: it announces itself and waits for a name.

    It presents itself to the link as a Station does. `fits(plan, spots)` raises ValueError if this board cannot be
    such a station; `show(seconds)` blinks the board's light; `restart()` restarts the board.
    """

    def __init__(self, port, link, files, about, fits, show, restart):  # noqa: PLR0913, PLR0917 (what a board gives)
        self._port = port
        self._link = link
        self._files = files
        self._about = about
        self._fits = fits
        self._show = show
        self._restart = restart
        self._clock = Clock(port)
        self.boot = port.random30()
        self.refused = 0
        self._leaving = False

    def will(self):
        """Return the payload that the broker publishes, retained, on the state channel when this boot is gone."""
        return encode({"type": "death", "boot": self.boot})

    def connected(self):
        """Announce this board on a new link."""
        birth = {"type": "birth", "boot": self.boot, "kind": KIND, "firmware": FIRMWARE}
        birth["at"] = self._clock.now()
        birth["spots"] = []
        birth.update(self._about)
        self._link.publish(STATE, encode(birth), True, True)

    def disconnected(self):
        """Ignore the loss of the link, which reconnects."""

    def receive(self, channel, payload):
        """Handle a message; a newcomer obeys commands only."""
        if channel != COMMAND:
            return
        try:
            message = decode(channel, payload)
        except BadMessage:
            self.refused += 1
            return
        if message["type"] == "identify":
            self._show(message["seconds"])
        elif message["type"] == "adopt" and not self._leaving:
            self._become(message)

    def _become(self, message):
        try:
            _check_names(message["table"], message["station"])
            self._fits(message["plan"], message["spots"])
            self._keep(message)
        except ValueError as error:
            self.say("error", "this board cannot be {}: {}".format(message["station"], error))
            return
        except OSError as error:
            self.say("error", "this board cannot store its name: flash error: {}".format(error))
            return
        self._leaving = True
        self.say("info", "adopted as {}".format(message["station"]))
        self._port.spawn(self._leave())

    def _keep(self, message):
        secrets = load_secrets(self._files)
        for name in _GIVEN:
            secrets[name] = message[name]
        secrets["seat"] = message.get("seat", 0)
        self._files.write(SECRETS, json.dumps(secrets).encode())

    def say(self, level, text):
        """Write a line for people."""
        line = {"type": "log", "boot": self.boot, "at": self._clock.now(), "level": level, "text": text[:200]}
        self._link.publish(LOG, encode(line), True)

    async def _leave(self):
        await self._port.sleep_ms(_FAREWELL_MS)
        self._restart()


def _check_names(*reported):
    for name in reported:
        if not is_name(name):
            raise ValueError("{!r} is not a name: use 1-32 letters, digits or dashes".format(name))
