"""The LED renderer: the lit spots of a view, and the wire commands that make the rings show them.

The light of a difference between table and game says what to do on the spot: `wrong` (this thing should not be here),
`missing` (a thing that belongs here has not been seen), `bring_here` (a thing from elsewhere belongs here), `weight`
(the scale reads a wrong weight). While the table is being put back or cleared, nothing else is lit.

Screens draw the same `lit` list, so rings and screens cannot disagree. Pure: the app keeps what was last sent.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

from citytable.table.layout import Light
from citytable.table.plan import Plan
from citytable.table.spot import Spot
from citytable.table.status import Disagreement
from citytable.views.state import View

RGB: TypeAlias = tuple[int, int, int]


class Role(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Describe the meaning of a lit spot, and how a ring shows it. `rgb` "seat" takes the colour of its seat."""

    role: str
    rgb: RGB | Literal["seat"]
    pattern: Literal[
        "solid", "half", "pair", "thirds", "notch", "point", "dots", "pulse", "march", "gap", "chase", "swing"
    ]


class Roles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hold all roles, most urgent first, and the seats' colours. The role "other" is for any that is not listed."""

    about: str
    roles: tuple[Role, ...]
    seats: dict[int, RGB]

    def rank(self, name: str) -> int:
        """Return how urgent a role is; 0 is the most urgent."""
        names = [role.role for role in self.roles]
        return names.index(name if name in names else "other")

    def look(self, name: str, seat: int | None) -> tuple[RGB, str]:
        """Return colour and pattern of a role; a seat's role without a seat has the colour of "other"."""
        role = self.roles[self.rank(name)]
        if role.rgb != "seat":
            return role.rgb, role.pattern
        return (self.seats[seat] if seat in self.seats else self.look("other", None)[0]), role.pattern


ROLES = msgspec.json.decode((Path(__file__).parent / "roles.json").read_bytes(), type=Roles)
"""The screens read the same file."""


class Ring(msgspec.Struct, frozen=True):
    """The colour and pattern of one ring, as in tablewire's `light` message."""

    rgb: RGB
    pattern: str


_NOTHING_TO_MOVE = frozenset({"station_silent", "sensor_fault"})  # for the host, not for the players' hands
DARK = Ring(rgb=(0, 0, 0), pattern="off")
TRIALS = {
    "red": Ring(rgb=(255, 0, 0), pattern="solid"),
    "green": Ring(rgb=(0, 255, 0), pattern="solid"),
    "blue": Ring(rgb=(0, 0, 255), pattern="solid"),
    "round": Ring(rgb=(255, 255, 255), pattern="march"),  # every third LED, until each has had its turn
}
"""What tries the LEDs of a ring: each of their colours, then each LED."""


def _all_lights(view: View) -> Iterable[Light]:
    for wrong in view.status.disagreements:
        yield from _shown(wrong)
    if view.restoring or view.clearing is not None:
        return
    if view.scene is not None:
        yield from view.scene.lights
    if view.lesson is not None:
        yield from (Light(spot=spot, role="lesson", seat=view.lesson.seat) for spot in view.lesson.spots)
    for action in view.provisional:
        yield from (Light(spot=spot, role="provisional") for spot in action.spots)


def _shown(wrong: Disagreement) -> Iterable[Light]:
    """Return a difference as lights that say what to do on its spots."""
    if wrong.kind in _NOTHING_TO_MOVE or wrong.state != "wrong":
        return
    here, there = ("weight" if wrong.kind == "mass" else "wrong"), ("missing" if not wrong.spots else "bring_here")
    yield from (Light(spot=spot, role=here) for spot in wrong.spots)
    yield from (Light(spot=spot, role=there) for spot in wrong.to)


def lit(view: View) -> tuple[Light, ...]:
    """Return the lit spots of a view, one light per spot (the most urgent role wins), sorted by spot."""
    best: dict[Spot, Light] = {}
    for light in _all_lights(view):
        if light.spot not in best or ROLES.rank(light.role) < ROLES.rank(best[light.spot].role):
            best[light.spot] = light
    return tuple(best[spot] for spot in sorted(best))


def frame(lights: Iterable[Light], plan: Plan) -> dict[Spot, Ring]:
    """Return the picture of every ring of this table; a lit spot without a ring appears on screens only."""
    rings = {spot: DARK for spot, sensors in plan.spot_plans().items() if sensors.ring_leds}
    for light in lights:
        if light.spot in rings:
            rgb, pattern = ROLES.look(light.role, light.seat)
            rings[light.spot] = Ring(rgb=rgb, pattern=pattern)
    return rings


def tried(station: str, trial: str, plan: Plan) -> dict[Spot, Ring]:
    """Return all rings of a station as a trial shows them; nothing for a word that is not in `TRIALS`."""
    spots = (spot for spot, sensors in plan.spot_plans().items() if sensors.ring_leds)
    stations = plan.station_of()
    return {spot: TRIALS[trial] for spot in spots if trial in TRIALS and stations[spot] == station}


def commands(now: Mapping[Spot, Ring], sent: Mapping[Spot, Ring], plan: Plan) -> dict[str, dict[str, Any]]:
    """Return the `light` messages, by station, that turn the rings from `sent` into `now`, without unchanged rings."""
    changed = [(spot, ring) for spot, ring in now.items() if sent.get(spot, DARK) != ring]
    stations = plan.station_of() if changed else {}
    messages: dict[str, dict[str, Any]] = {}
    for spot, ring in changed:
        message = messages.setdefault(stations[spot], {"type": "light", "rings": []})
        message["rings"].append({"spot": spot, "rgb": list(ring.rgb), "pattern": ring.pattern})
    return messages


def forget(sent: Mapping[Spot, Ring], station: str, plan: Plan) -> dict[Spot, Ring]:
    """Return what was sent, without the rings of a station that has restarted: they are dark again."""
    stations = plan.station_of()
    return {spot: ring for spot, ring in sent.items() if stations[spot] != station}
