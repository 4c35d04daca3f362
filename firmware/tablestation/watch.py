"""The watch: a fast integer look at a whole spot for a drop. It alerts; whether something fell, the hub decides."""

STILL_BLOCKS = 3  # 300 ms at rest make a new level to fall from


class Watch:
    """One spot. It alerts once, and again only after the spot has been at rest."""

    def __init__(self, cells, limit_counts):
        self._limit = limit_counts
        self._levels = [0] * cells
        self._armed = False
        self._still = 0

    def settle(self, means):
        """The spot rests with these block means."""
        for k in range(len(means)):
            self._levels[k] = means[k]
        self._armed = self._limit > 0
        self._still = 0

    def look(self, means, moving):
        """(cell that lost most, counts the spot lost), or None."""
        if not moving:
            self._still += 1
            if self._still >= STILL_BLOCKS:
                self.settle(means)
            return None
        self._still = 0
        if not self._armed:
            return None
        total = worst = 0
        cell = 0
        for k in range(len(means)):
            drop = self._levels[k] - means[k]
            total += drop
            if drop > worst:
                worst, cell = drop, k
        if total <= self._limit:
            return None
        self._armed = False
        return cell, total
