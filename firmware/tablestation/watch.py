"""The watch: a fast integer check of a whole spot for a drop. It only alerts; the hub decides whether something fell.

After every poll it checks the newest two conversions of every cell, and alerts if the spot has lost more than its
limit in both: a single conversion may be noise. At 74 conversions a second and a poll every 20 ms that is at most 34
ms after the first conversion that shows the drop (`tests/station/test_watch.py`).
"""


class Watch:
    """The watch of one spot. It alerts once, and again only after the spot has rested; `cell` and `drop` describe the
    alert.

    `signs` are the seam's. `drop` is the loss of the spot in counts of `cell`, the cell that lost most. It is negative
    if that cell's counts rise when the load falls.
    """

    def __init__(self, signs, limit_counts):
        self._signs = signs
        self._limit = limit_counts
        self.armed = False
        self.cell = 0
        self.drop = 0
        self.alerts = 0

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
            drop = (gate.level - gate.last) * self._signs[k]
            total += drop
            before += (gate.level - gate.before) * self._signs[k]
            if drop > worst:
                worst = drop
                cell = k
        if total <= self._limit or before <= self._limit:
            return False
        self.armed = False
        self.cell = cell
        self.drop = total * self._signs[cell]
        self.alerts += 1
        return True
