"""A break beam: an infrared emitter, and a receiver whose open collector pulls its wire down while it sees no light.

This is how pairs of 3 mm with three wires at the receiver are sold; only a pull-up at the other end makes the wire
high. So a wire that is torn off looks like a clear beam, and an emitter without power like a broken one.
"""


class BreakBeam:
    """The pair. `put(level)` puts a level on the wire of the receiver: 0, or None to let it go."""

    def __init__(self, put):
        self._put = put
        self._covered = False
        self._lit = True
        self._plugged = True
        self._show()

    def cover(self, covered):
        """Put something into the beam, or take it out."""
        self._covered = covered
        self._show()

    def light(self, lit):
        """Give the emitter its power, or take it: dirt on a lens does the same."""
        self._lit = lit
        self._show()

    def plug(self, plugged):
        """Plug the receiver in, or pull its plug."""
        self._plugged = plugged
        self._show()

    def _show(self):
        self._put(0 if self._plugged and (self._covered or not self._lit) else None)
