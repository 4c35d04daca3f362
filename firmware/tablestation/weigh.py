"""The task that takes the conversions of every cell before its driver has to drop any.

The gate works on whole spots: if one cell moves, all cells of the spot are sent sample by sample, because a leaning
tower moves its load from one cell to another, and only their sum shows how much it is. Another task (`reporter`) sends
the data; alerts are sent from here.
"""

from tablestation.clock import ticks_between
from tablestation.gate import CellGate
from tablestation.watch import Watch

BLOCK_US = 90_000  # a block ends with the first look after that: 100 ms at 20 ms a look
LINGER_BLOCKS = 20  # samples go on for 2 s after the last movement
STILL_BLOCKS = 3  # 300 ms at rest make a new level to fall from


class Scale:
    """All cells under one spot. The spot counts as quiet after `left` more blocks; `due` is True if samples wait to be
    sent."""

    def __init__(self, board, ticks):
        self.spot = board.spot
        self.gates = [CellGate(cell, board.noise_counts, board.shift_counts, ticks) for cell in board.cells]
        self.watch = Watch(board.counts_per_g, board.alert_g)
        self.left = 0
        self.due = False
        self._still = 0

    def take(self):
        """Take the new conversions; return True if the watch alerts."""
        off = False
        for gate in self.gates:
            if gate.take():
                off = True
        return off and self.watch.look(self.gates)

    def end_block(self, since, now):
        """End the block that began at `since`."""
        moving = False
        for gate in self.gates:
            if gate.judge(now):
                moving = True
        if moving or self.left:
            self._report_on(moving, since)
            return
        for gate in self.gates:
            gate.rest()
        self.watch.arm()

    def owes(self):
        """Report whether any conversions are due."""
        for gate in self.gates:
            if gate.due:
                return True
        return False

    def _report_on(self, moving, since):
        gates = self.gates
        self.due = True
        if moving:
            if not self.left:
                for gate in gates:
                    gate.open(since)
            self.left = LINGER_BLOCKS
            self._still = 0
        else:
            self.left -= 1
            self._still += 1
        for gate in gates:
            gate.follow()
        if self._still == STILL_BLOCKS:
            for gate in gates:
                gate.settle()
            self.watch.arm()


class Weighing:
    """The weighing task. It calls `alert(scale)` at once, between two looks.

    `blocks` counts blocks, the last of which ended at `block_end`. `gap_us` is the longest time between two looks
    since it was set to 0.
    """

    def __init__(self, port, board, alert, knocks=None):
        self._port = port
        self._board = board
        self._alert = alert
        self._knocks = knocks
        self._looked = self.block_end = port.ticks_us()
        self.blocks = 0
        self.gap_us = 0
        self.scales = [Scale(spot, self._looked) for spot in board.spots if spot.cells]

    async def run(self, pulse):
        """Weigh for ever."""
        self._looked = self._port.ticks_us()
        while self.scales:
            await self._board.pause()
            pulse.beat()
            self.look()
            if self._knocks is not None:
                self._knocks.look()  # its chip keeps 80 ms

    def calibrate(self, spot, counts_per_g):
        """Take the calibration of a spot's cells; return False if there are not that many, or one has the scale 0."""
        for scale in self.scales:
            if scale.spot == spot and len(scale.gates) == len(counts_per_g) and all(counts_per_g):
                scale.watch.calibrate(counts_per_g)
                return True
        return False

    def look(self):
        """Take the conversions of every cell, and end a block if it is time. Only an alert allocates."""
        now = self._port.ticks_us()
        gap_us = ticks_between(self._looked, now)
        if gap_us > self.gap_us:
            self.gap_us = gap_us
        self._looked = now
        for scale in self.scales:
            if scale.take():
                self._alert(scale)
        if ticks_between(self.block_end, now) < BLOCK_US:
            return
        for scale in self.scales:
            scale.end_block(self.block_end, now)
        self.block_end = now
        self.blocks += 1
