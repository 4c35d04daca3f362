"""The lamp: the common brightness of all rings of a table. It dims what the game shows and changes nothing."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from citytable.table.spot import Spot
from citytable.views.lights import DARK, Ring

BRIGHTEST = 255


class Lamp(msgspec.Struct, frozen=True):
    """`brightness` 1-255 is kept while the lamp is off, so that it comes back as it was."""

    on: bool = True
    brightness: Annotated[int, msgspec.Meta(ge=1, le=BRIGHTEST)] = BRIGHTEST

    def dimmed(self, rings: Mapping[Spot, Ring]) -> dict[Spot, Ring]:
        """Return the rings as dimmed by this lamp. A lit channel stays lit as long as the lamp is on."""
        if not self.on:
            return dict.fromkeys(rings, DARK)
        if self.brightness == BRIGHTEST:
            return dict(rings)
        return {spot: replace(ring, rgb=self._dimmed(ring.rgb)) for spot, ring in rings.items()}

    def _dimmed(self, rgb: tuple[int, int, int]) -> tuple[int, int, int]:
        red, green, blue = (-(-channel * self.brightness // BRIGHTEST) for channel in rgb)
        return red, green, blue


class _Command(msgspec.Struct, frozen=True):
    state: Literal["ON", "OFF"]
    brightness: int | None = None


def commanded(lamp: Lamp, payload: bytes) -> Lamp:
    """Apply a command `{"state": "ON" or "OFF", "brightness"?: 0-255}`; raise `ValueError` quoting it."""
    try:
        command = msgspec.json.decode(payload, type=_Command)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{payload[:80]!r} is not a command for the lights ({error})") from None
    brightness = lamp.brightness if command.brightness is None else command.brightness
    if not 0 <= brightness <= BRIGHTEST:
        raise ValueError(f"brightness {brightness} is not 0-{BRIGHTEST}")
    if command.state == "OFF" or brightness == 0:
        return replace(lamp, on=False)
    return Lamp(on=True, brightness=brightness)
