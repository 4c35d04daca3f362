"""The watch: a fast integer check of a whole spot for a drop. It only alerts; the hub decides whether something fell.

After every poll it checks the newest two conversions of every cell, and alerts if the spot has lost more than its
limit in both: a single conversion may be noise. At 74 conversions a second and a poll every 20 ms that is at most 34
ms after the first conversion that shows the drop (`tests/station/test_watch.py`).
"""

_BITS = 5
_ONE = 1 << _BITS


class Watch:
    """The watch of one spot. It alerts once, and again only after the spot has rested; `cell` and `drop` describe the
    alert.

    `counts_per_g` has the scale of each cell; a drop of more than `alert_g` grams alerts, and 0 never does. `drop` is
    the loss of the spot in counts of `cell`, the cell that lost most. It is negative if that cell's counts rise when
    the load falls.
    """

    def __init__(self, counts_per_g, alert_g):
        self._alert_g = alert_g
        self.calibrate(counts_per_g)
        self.armed = False
        self.cell = 0
        self.drop = 0
        self.alerts = 0

    def calibrate(self, counts_per_g):
        """Take the scale of each cell; none of them is 0."""
        mean = sum([abs(scale) for scale in counts_per_g]) / (len(counts_per_g) or 1)
        # Whole numbers keep `look` free of allocations. A factor is at most 1.6 % off where cells are alike.
        self._factors = [round(_ONE * mean / scale) for scale in counts_per_g]
        self._limit = int(self._alert_g * mean)

    def arm(self):
        """Arm the watch: the spot rests, and a fall is measured from the gates' levels."""
        self.armed = self._limit > 0

    def look(self, gates):
        """Return True if something may have fallen."""
        if not self.armed:
            return False
        total = before = worst = cell = 0
        for k in range(len(gates)):
            gate = gates[k]
            drop = (gate.level - gate.last) * self._factors[k] >> _BITS
            total += drop
            before += (gate.level - gate.before) * self._factors[k] >> _BITS
            if drop > worst:
                worst = drop
                cell = k
        if total <= self._limit or before <= self._limit:
            return False
        self.armed = False
        self.cell = cell
        self.drop = total * _ONE // self._factors[cell]
        self.alerts += 1
        return True
