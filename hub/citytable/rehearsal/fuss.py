"""The fuss about falls: count what a hub starts in its room, so that a rehearsal can show that nothing is in vain."""

from citytable.session.worth_a_clip import WorthAClip
from citytable.views.home_assistant_states import collapses
from citytable.views.state import View
from citytable.views.viewer import PUBLIC, Seen, seen_by


class Fuss:
    """Count clips, spoken falls and events for lamps in every view that is shown; the first view has no fall."""

    def __init__(self) -> None:
        self._worth = WorthAClip(lambda _: (), dict)  # a rehearsal has no record to beat
        self._seen: Seen | None = None
        self.clips = 0
        """How often OBS would be asked for a clip."""
        self.spoken = 0
        """How many falls the voice of a display would tell."""
        self.lamps = 0
        """How many events would let lamps flash: each fall as it is suspected, and as it is confirmed."""

    def counts(self) -> dict[str, int]:
        """Return the counts by their names in `judge.Counts`."""
        return {"clips_asked": self.clips, "falls_spoken": self.spoken, "fall_lights": self.lamps}

    def show(self, view: View) -> None:
        """Take a view that was shown."""
        self.clips += self._worth.show(view) is not None
        before = self._seen
        if before is not None and (view.happened, view.collapse) == (before.happened, before.collapse):
            return
        self._seen = seen_by(PUBLIC, view)
        if before is None:
            return
        self.spoken += _is_spoken(before, self._seen)
        flashing = collapses(view.table, before, self._seen)
        self.lamps += sum(b'"withdrawn"' not in payload for _, payload in flashing)


def _is_spoken(before: Seen, after: Seen) -> bool:
    """Return whether a display speaks of a fall: it knew none, or another one (as in dashboard/src/sound/cues.ts)."""
    told = None if before.collapse is None else before.collapse.no
    return after.collapse is not None and not after.restoring and after.collapse.no != told
