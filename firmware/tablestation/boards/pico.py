"""A Raspberry Pi Pico W or Pico 2 W. Only this module names its modules; here its station is put together.

Its flash holds `boot.py` and `main.py` with their copies of `slots.py` and `store.py`; the program in `base/`, `a/` or
`b/`; `secrets.json`, `keys.json` and `tls.json`; and a note with the reason why the last start ended.
"""

import asyncio
import gc
import os
import select
import ssl
import sys
import time
from binascii import hexlify

import machine
import network
import rp2

from tablestation.boards.assembly import Workshop
from tablestation.boards.keeper import Contact, HubMonitor, Wifi, keep
from tablestation.boards.pins import KINDS, places
from tablestation.boards.port import WATCHDOG_MS, Port
from tablestation.boards.usb import UsbReader, UsbWriter
from tablestation.care.adoption import Newcomer, is_adopted, load_secrets, names
from tablestation.care.slots import Slots
from tablestation.care.store import Files
from tablestation.care.trust import Trust
from tablestation.care.update import Updates
from tablestation.links.mqtt import Account, MqttLink
from tablestation.links.secured import Secured, pinned
from tablestation.links.serial import SerialLink
from tablestation.station import Station

BOARD = getattr(sys.implementation, "_machine", "")  # for example "Raspberry Pi Pico 2 W with RP2350"
NOTE = "note"
MQTT_PORT = 1883
BLINK_MS = 250
FEED_MS = 500
# Collect garbage after every 8 kB of allocations. By itself MicroPython collects only when an allocation fails. By then
# lasting objects lie scattered over the whole heap, and with 40 kB free a message of 1.2 kB may find no gap.
COLLECT_BYTES = 8192
_SOFT, _FAULT = "soft ", "fault "


class Program(Exception):
    """The running program ended, which it never should."""


def main():
    """Run for ever; note any error for the next start."""
    pico = Pico()
    try:
        asyncio.run(pico.run())
    except Exception as error:  # noqa: BLE001 (the last one who can: a board that stands still helps nobody)
        pico.note_fault(error)
    machine.reset()


class Pico:
    """One start of one board."""

    def __init__(self):
        tidy_heap()
        self.files = Files(os, open, "/")
        self.slots = Slots(self.files)
        self.secrets = load_secrets(self.files)
        uid = machine.unique_id()
        self.uid = hexlify(uid).decode()
        self.hardware = "pico_w" if "RP2040" in BOARD else "pico_2_w"
        self.port = Port(asyncio, time, os, gc, uid, self.fell)
        self.contact = Contact()
        self.ended = self._read_note()
        self.about = {
            "hardware": self.hardware,
            "uid": self.uid,
            "bundle": self.slots.bundle(),
            "reset": self._cause(),
        }
        self._lamp = None
        self._station = None

    async def run(self):
        """Run the program for ever."""
        port = self.port
        port.guard(machine.WDT(timeout=WATCHDOG_MS))
        link = self._make_link()
        port.feed()
        program, at_connection = self._make_program(link)
        port.feed()
        port.spawn(keep(port.sleep_ms, self.contact, self.restart))
        await link.run(HubMonitor(program, self.contact, at_connection))
        raise Program("the link ended")

    def restart(self, why):
        """Restart the board on purpose."""
        self._write_note(_SOFT + why)
        machine.reset()

    def fell(self, context):
        """Note the error that ended a task. Its supervisor starves the watchdog; until then the hub may still hear
        about it."""
        self.note_fault(context["exception"])

    def note_fault(self, error):
        """Print an error for a person at the USB port, and keep it for the next start."""
        sys.print_exception(error)
        self._write_note("{}{}: {}".format(_FAULT, type(error).__name__, error))

    def lamp(self, on):
        """Switch the light on the board. It hangs on the radio, so it is first used when the radio is on."""
        if self._lamp is None:
            self._lamp = machine.Pin("LED", machine.Pin.OUT)
        self._lamp.value(1 if on else 0)

    def fits(self, plan, spots):
        """Raise ValueError if this board cannot carry these spots with this pin plan."""
        pins = pin_plan(plan)
        if self.hardware not in pins["boards"]:
            raise ValueError("a {} station needs a {}".format(plan, " or ".join(pins["boards"])))
        places(pins, spots)

    def _make_link(self):
        """Return a link over Wi-Fi if the board has a network and a broker, else over the cable."""
        secrets = self.secrets
        table, station = names(secrets, self.uid)
        if not secrets.get("host") or not secrets.get("ssid"):
            return self._make_cable(table, station)
        wifi = Wifi(network, self.port.sleep_ms, self.contact, secrets, station)
        wifi.begin()
        port, user, password = secrets.get("port", MQTT_PORT), secrets.get("user"), secrets.get("password")
        account = Account(table, station, secrets["host"], port, user, password)
        return MqttLink(account, wifi, self.port.random30, self._make_secure(), self._tell)

    def _make_secure(self):
        """Return TLS for a board that was given a certificate, else None."""
        found = pinned(self.files)
        if found is None:
            return None
        certificate, time_given = found
        machine.RTC().datetime(time_given)
        return Secured(ssl, certificate)

    def _tell(self, why):
        """Tell why there is no link: a person at the USB port, and the hub as soon as there is one."""
        sys.stdout.write("no link: {}\n".format(why))
        if self._station:
            self._station.log("warning", "no link: " + why)

    def _make_cable(self, table, station):
        stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
        reading, writing = select.poll(), select.poll()
        reading.register(stdin, select.POLLIN)
        writing.register(stdout, select.POLLOUT)
        reader = UsbReader(asyncio.StreamReader(stdin), stdin, lambda: reading.poll(0))
        return SerialLink(table, station, reader, UsbWriter(stdout, lambda: writing.poll(0), self.port.sleep_ms))

    def _make_program(self, link):
        """Return the station, or the program of a board that must be adopted (again); and what to do at each
        connection."""
        if not is_adopted(self.secrets):
            return self._make_newcomer(link), lambda: None
        try:
            self.fits(self.secrets["plan"], self.secrets["spots"])
        except ValueError as error:
            if not self.slots.good:  # on trial; the program before knew this board
                self.restart("the new program does not fit: {}".format(error))
            newcomer, complaint = self._make_newcomer(link), "adopt this board again: {}".format(error)
            return newcomer, lambda: newcomer.say("error", complaint)
        return self._make_station(link)

    def _make_newcomer(self, link):
        self.port.spawn(self._feed())
        return Newcomer(
            self.port, link, self.files, self.about, self.fits, self._blink, lambda: self.restart("adopted")
        )

    def _make_station(self, link):
        secrets = self.secrets
        workshop = Workshop(pin_plan(secrets["plan"]), self.port, machine, rp2, time, self.lamp)
        board = workshop.board(secrets["spots"], self.about, secrets.get("seat", 0))
        self._station = station = Station(self.port, link, board)
        trust = Trust(self.files)
        Updates(self.port, self.files, self.slots, lambda: self.restart("an update"), trust).attach(station)
        station.on_command("restart", lambda message: self._obey_restart(station, message))
        if self.ended:
            station.log("info" if self.about["reset"] == "soft" else "error", "restarted: " + self.ended)
        station.start()
        return station, lambda: None

    def _obey_restart(self, station, message):
        if message["boot"] == station.boot:
            self.restart("the hub asked for it")

    def _blink(self, seconds):
        self.port.spawn(self._blinking(min(seconds, 60)))

    async def _blinking(self, seconds):
        for k in range(seconds * 1000 // BLINK_MS):
            self.lamp(not k & 1)
            await self.port.sleep_ms(BLINK_MS)
        self.lamp(False)

    async def _feed(self):
        while True:
            self.port.feed()
            await self.port.sleep_ms(FEED_MS)

    def _read_note(self):
        """Return the note of the last start, and remove it."""
        note = self.files.read(NOTE)
        if note is None:
            return ""
        self.files.remove(NOTE)
        return note.decode()

    def _write_note(self, text):
        try:
            self.files.write(NOTE, text.encode())
        except OSError:
            pass  # a full flash; the restart matters more

    def _cause(self):
        """Return the reset cause for the birth. On an RP2 every deliberate reset looks like the watchdog's."""
        noted = self.ended
        if noted.startswith(_SOFT):
            self.ended = noted[len(_SOFT) :]
            return "soft"
        if noted.startswith(_FAULT):
            self.ended = noted[len(_FAULT) :]
            return "watchdog"
        causes = {machine.PWRON_RESET: "power", machine.WDT_RESET: "watchdog"}
        return causes.get(machine.reset_cause(), "unknown")


def tidy_heap():
    """Free what the imports left behind, and collect garbage early from now on."""
    gc.collect()
    gc.threshold(COLLECT_BYTES)


def pin_plan(name):
    """Return the pin plan of a kind of station; raise ValueError."""
    if name not in KINDS:
        raise ValueError("there is no pin plan {!r}: choose one of {}".format(name, ", ".join(KINDS)))
    module = "tablestation.boards.pins." + name
    __import__(module)
    return sys.modules[module].PINS
