"""The task that sends the data of the cells, ten times a second, and reports faults."""

from tablestation.faults import WHAT, CellFault
from tablewire.messages import encode
from tablewire.topics import SAMPLES

PERIOD_MS = 100
BATCH = 44  # conversions a message: half a second
HISTORY_MS = 10
BLOCKS_A_SUMMARY = 10


class Reporter:
    """Sends the data of a station's cells: movements in batches, rest in one summary a second.

    Loud accelerometer windows go before the conversions of the same time.
    """

    def __init__(self, clock, link, boot, weigh, faults, knocks=None):  # noqa: PLR0913, PLR0917 (all it tells of)
        self._clock = clock
        self._link = link
        self._boot = boot
        self._weigh = weigh
        self._faults = faults
        self._knocks = knocks
        self._cell_faults = [[CellFault(gate, weigh.block_end) for gate in scale.gates] for scale in weigh.scales]
        self._seq = 0
        self._summarised = weigh.blocks

    async def send(self, port, post):
        """Run one round; `post` takes faults. Other tasks run between two messages, and a pause after each batch of
        history lets the link send it."""
        if self._knocks is not None:
            self._report_knocks()
        telling = [scale for scale in self._weigh.scales if scale.due]
        for scale in telling:
            scale.due = scale.left > 0
            if scale.left:  # then the block that has begun is told, too
                for gate in scale.gates:
                    gate.due = gate.waiting
        while telling:
            for scale in telling:
                for k in range(len(scale.gates)):
                    reported = scale.gates[k].batch(BATCH)
                    if reported is not None:
                        self._report_samples(scale, k, reported)
                        await port.sleep_ms(HISTORY_MS if len(reported[2]) > BATCH // 2 else 0)
            telling = [scale for scale in telling if scale.owes()]
        if self._weigh.blocks - self._summarised >= BLOCKS_A_SUMMARY:
            self._summarised = self._weigh.blocks
            self._summarise()
            await port.sleep_ms(0)
        self._look_for_faults()
        self._faults.send(post)

    def _report_knocks(self):
        self._knocks.look()
        reported = self._knocks.next_message(self._clock)
        if reported is not None:
            self._publish(reported)

    def _report_samples(self, scale, cell, reported):
        first, gaps, counts = reported
        self._clock.now()
        self._publish(
            {
                "type": "samples",
                "spot": scale.spot,
                "cell": cell,
                "at": self._clock.at(first),
                "dt_us": gaps,
                "counts": counts,
                "lost": scale.gates[cell].newly_lost(),
            }
        )

    def _summarise(self):
        self._clock.now()
        cells = []
        for scale in self._weigh.scales:
            for k in range(len(scale.gates)):
                reported = scale.gates[k].summary()
                if reported:
                    reported["spot"] = scale.spot
                    reported["cell"] = k
                    cells.append(reported)
        if cells:
            self._publish({"type": "quiet", "at": self._clock.at(self._weigh.block_end), "cells": cells})
        for faults in self._cell_faults:
            for fault in faults:
                fault.rate(self._weigh.block_end)

    def _look_for_faults(self):
        for scale, faults in zip(self._weigh.scales, self._cell_faults):
            for k in range(len(faults)):
                before = faults[k].state
                if not faults[k].look():
                    continue
                if before:
                    self._faults.report(scale.spot, "cell", WHAT[before].format(k), False)
                if faults[k].state:
                    self._faults.report(scale.spot, "cell", WHAT[faults[k].state].format(k), True)

    def _publish(self, message):
        self._seq += 1
        message["boot"] = self._boot
        message["sample_seq"] = self._seq
        self._link.publish(SAMPLES, encode(message), False)
