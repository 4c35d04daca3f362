"""Weighing: every cell of the station through its gate, ten times a second.

The gate is the spot's: when one of its cells moves, all of them are told sample by sample, because a tower that leans
moves its load from one cell to another and only their sum says how much it is.
"""

from tablestation.gate import EMPTY_MAX, CellGate
from tablestation.watch import Watch
from tablewire.messages import encode
from tablewire.topics import SAMPLES

PERIOD_MS = 100
LINGER_BLOCKS = 20  # samples go on for 2 s after the last movement
BLOCKS_A_SUMMARY = 10


class Scale:
    """All cells under one spot."""

    def __init__(self, board):
        self.spot = board.spot
        self.gates = [CellGate(cell, board.noise_counts, board.shift_counts) for cell in board.cells]
        self.watch = Watch(len(self.gates), board.alert_counts)
        self.faulty = [False] * len(self.gates)
        self._left = 0  # blocks to send before it counts as quiet again
        self._fresh = True

    def work(self, send):
        """Take a block from every cell; hand what must be told to `send(scale, cell, block)`. A drop, or None."""
        moving = False
        for gate in self.gates:
            if gate.work():
                moving = True
        if not moving and not self._left:
            for gate in self.gates:
                gate.rest()
            if self._fresh:
                self._fresh = False
                self.watch.settle([gate.mean for gate in self.gates])
            return None
        return self._tell(moving, send)

    def _tell(self, moving, send):
        opening = self._left == 0
        self._left = LINGER_BLOCKS if moving else self._left - 1
        for k in range(len(self.gates)):
            gate = self.gates[k]
            if opening:
                for batch in gate.release():
                    send(self, k, batch)
            if gate.block is not None:
                send(self, k, gate.block)
            gate.follow()
        return self.watch.look([gate.mean for gate in self.gates], moving)

    def tell_faults(self, tell):
        """`tell(spot, cell, faulty)` for each cell that fell silent or speaks again, until it returns True."""
        for k in range(len(self.gates)):
            faulty = self.gates[k].empty >= EMPTY_MAX
            if faulty != self.faulty[k] and tell(self.spot, k, faulty):
                self.faulty[k] = faulty


class Weigh:
    """The weighing task. `alert(message)` posts an urgent event."""

    def __init__(self, port, clock, link, boot, boards):
        self._port = port
        self._clock = clock
        self._link = link
        self._boot = boot
        self._scales = [Scale(board) for board in boards if board.cells]
        self._seq = 0
        self._blocks = 0

    async def run(self, post):
        """For ever; `post` puts an urgent message into the outbox."""
        while self._scales:
            await self._port.sleep_ms(PERIOD_MS)
            self.work(post)

    def work(self, post):
        """One round over all cells."""
        now = self._clock.now()
        for scale in self._scales:
            drop = scale.work(self._send)
            if drop:
                post({"type": "alert", "at": now, "spot": scale.spot, "cell": drop[0], "drop": drop[1]})
        self._blocks += 1
        if self._blocks >= BLOCKS_A_SUMMARY:
            self._blocks = 0
            self._summarise(now)
            self._tell_faults(now, post)

    def _send(self, scale, cell, block):
        gate = scale.gates[cell]
        self._publish(
            {
                "type": "samples",
                "spot": scale.spot,
                "cell": cell,
                "at": self._clock.at(block[0]),
                "dt_us": list(block[1]),
                "counts": list(block[2]),
                "lost": gate.lost,
            }
        )
        gate.lost = 0

    def _summarise(self, now):
        cells = []
        for scale in self._scales:
            for k in range(len(scale.gates)):
                told = scale.gates[k].summary()
                if told:
                    told["spot"] = scale.spot
                    told["cell"] = k
                    cells.append(told)
        if cells:
            self._publish({"type": "quiet", "at": now, "cells": cells})

    def _tell_faults(self, now, post):
        def tell(spot, cell, faulty):
            what = "cell {} gives no conversions: check its plug".format(cell)
            return post({"type": "fault", "at": now, "spot": spot, "sensor": "cell", "what": what, "on": faulty})

        for scale in self._scales:
            scale.tell_faults(tell)

    def _publish(self, message):
        self._seq += 1
        message["boot"] = self._boot
        message["sample_seq"] = self._seq
        self._link.publish(SAMPLES, encode(message), False)
