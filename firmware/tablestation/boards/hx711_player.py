"""A Pico that plays an HX711 to another Pico: it answers SCK with the counts of a trace that comes over USB.

Connect two wires and ground: the reader's SCK to the player's SCK pin, the player's DOUT to the reader's DOUT pin.
`make hil` starts it; it never runs on a table.
"""

# ruff: noqa: F821 (the words of a PIO program come from its decorator)

import asyncio

from tablestation.clock import ticks_between

ROOM = 256  # counts that wait: three seconds
SPIN_US = 1500  # a sleep may last that much longer than was asked for


def program(rp2):
    """Return the PIO program; `rp2` is MicroPython's module.

    Each word pulled is a conversion that becomes ready: DOUT falls. Each rising SCK brings the next bit, most
    significant first, within 0.1 us (HX711 data sheet, T2). The 25th pulse lets DOUT rise, and the program signals
    that the conversion was read. Further pulses, which select the gain, do no harm.
    """

    @rp2.asm_pio(
        out_init=rp2.PIO.OUT_HIGH,
        set_init=rp2.PIO.OUT_HIGH,
        out_shiftdir=rp2.PIO.SHIFT_LEFT,
    )
    def hx711_player():
        wrap_target()
        set(pins, 1)
        pull(block)
        set(x, 23)
        set(pins, 0)
        label("bit")
        wait(1, pin, 0)
        out(pins, 1)
        wait(0, pin, 0)
        jmp(x_dec, "bit")
        wait(1, pin, 0)
        set(pins, 1)
        push(noblock)
        wait(0, pin, 0)
        wrap()

    return hx711_player


class Player:
    """Plays counts at a steady period. `machine` is a state machine of `program`; `ticks_us` and `sleep_ms` are the
    clock.

    Like the chip, it overwrites a conversion that nobody read; `unread` counts these.
    """

    def __init__(self, state_machine, ticks_us, sleep_ms):
        self._machine = state_machine
        self._ticks_us = ticks_us
        self._sleep_ms = sleep_ms
        self._waiting = []
        self._owed = False
        self.ended = False  # nothing will be added any more
        self.period_us = 12500
        self.played = 0
        self.unread = 0

    def room(self):
        """Return how many counts find room."""
        return ROOM - len(self._waiting)

    def add(self, counts):
        """Queue counts to play; refuse all of them if they do not fit."""
        if len(counts) > self.room():
            raise ValueError("{} counts, room for {}: wait until more was played".format(len(counts), self.room()))
        self._waiting.extend(counts)

    async def run(self):
        """Play until the last count was read or overwritten. Without counts the line stays high."""
        machine = self._machine
        due = self._ticks_us()
        machine.active(1)
        while self._waiting or not self.ended:
            if self._waiting:
                self._offer(self._waiting.pop(0))
            due = (due + self.period_us) & 0x3FFFFFFF
            await self._until(due)
        self._settle()
        machine.active(0)

    async def _until(self, due):
        left_us = ticks_between(self._ticks_us(), due)
        if left_us > SPIN_US:
            await self._sleep_ms((left_us - SPIN_US) // 1000)
        while ticks_between(self._ticks_us(), due) > 0:
            pass

    def _offer(self, count):
        self._settle()
        self._machine.put(count & 0xFFFFFF, 8)
        self._owed = True
        self.played += 1

    def _settle(self):
        """Report whether the last conversion was read; if not, take it back."""
        machine = self._machine
        if not self._owed:
            return
        self._owed = False
        if machine.rx_fifo():
            machine.get()
            return
        self.unread += 1
        machine.active(0)
        machine.restart()  # to the first instruction, which lets DOUT rise
        machine.active(1)


def obey(player, line):
    """Obey one line of the trace's sender: `period US`, `counts N N N ...`, `end` or `room?`; return the answer."""
    words = line.split()
    try:
        if words[:1] == ["period"] and len(words) == 2 and int(words[1]) > SPIN_US:
            player.period_us = int(words[1])
        elif words[:1] == ["counts"]:
            player.add([int(word) for word in words[1:]])
        elif words == ["end"]:
            player.ended = True
        elif words != ["room?"]:
            return "? {}".format(line[:40])
    except ValueError as error:
        return "? {}".format(error)
    return "room {}".format(player.room())


async def serve(player, readline, write):
    """Obey lines until `play`, continue while playing, and report the result at the end."""
    playing = None
    while playing is None or not playing.done():
        line = await readline()
        if line == "play" and playing is None:
            playing = asyncio.create_task(player.run())
            write("room {}".format(player.room()))
        else:
            write(obey(player, line))
    await playing  # what went wrong while playing is told as what it is
    write("played {} unread {}".format(player.played, player.unread))
