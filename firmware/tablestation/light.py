"""Light: turns the picture the hub wants into pixels, within the current the board can supply."""

DARK_UA = 1000  # an LED's own electronics (WS2812, measured by others at about 1 mA)
STEP_UA = 70  # each of the 255 steps of each channel
BEAT_MS = 500
IDENTIFY_RGB = (90, 90, 90)
IDENTIFY_MAX_S = 60
_PULSE_LOW = 90  # of 255
_BEATS = 6  # after which every pattern starts again: what moves goes round in two or three of them
MOVING = ("pulse", "march", "gap", "chase", "swing")


def pixels(pattern, rgb, leds, beat):
    """Return a bytearray of 3 bytes a pixel. `beat` counts from 0 to 5 and drives the animation."""
    shown = bytearray(3 * leds)
    if pattern == "off":
        return shown
    level = _PULSE_LOW if pattern == "pulse" and beat & 1 else 255
    for k in range(leds):
        if _is_lit(pattern, k, leds, beat):
            for channel in range(3):
                shown[3 * k + channel] = rgb[channel] * level // 255
    return shown


def _is_lit(pattern, k, leds, beat):
    """Report whether LED `k` is lit in this pattern on this beat."""
    if pattern in MOVING:
        return _is_lit_in_motion(pattern, k, leds, beat)
    sixth = 6 * k // leds
    if pattern == "half":
        return k < (leds + 1) // 2
    if pattern == "pair":
        return sixth % 3 == 0
    if pattern == "thirds":
        return sixth & 1 == 0
    if pattern == "notch":
        return sixth < 5
    if pattern == "point":
        return k == 0
    if pattern == "dots":
        return k % 3 == 0
    return True


def _is_lit_in_motion(pattern, k, leds, beat):
    if pattern == "march":
        return k % 3 == beat % 3
    if pattern == "gap":
        return 3 * k // leds != beat % 3
    if pattern == "chase":
        return 3 * k // leds == beat % 3
    if pattern == "swing":
        return (4 * k // leds) & 1 == beat & 1
    return True


def cap(rings, limit_ma):
    """Darken all rings equally until they draw less than the limit. `rings` is a list of bytearrays."""
    leds = sum([len(ring) // 3 for ring in rings])
    lit_ua = STEP_UA * sum([sum(ring) for ring in rings])
    left_ua = limit_ma * 1000 - DARK_UA * leds
    if lit_ua <= left_ua:
        return rings
    share = max(0, left_ua) * 255 // lit_ua
    return [bytearray([step * share // 255 for step in ring]) for ring in rings]


class Light:
    """All rings of a station."""

    def __init__(self, board):
        self._board = board
        self._rings = [spot for spot in board.spots if spot.ring is not None]
        self._wanted = {spot.spot: ("off", (0, 0, 0)) for spot in self._rings}
        self._shown = [None] * len(self._rings)
        self._beat = 0
        self._beats_to_identify = 0

    def show(self, rings):
        """Apply the rings of a light message. Rings it does not name stay; spots without a ring are ignored."""
        for ring in rings:
            if ring["spot"] in self._wanted:
                self._wanted[ring["spot"]] = (ring["pattern"], ring["rgb"])
        self._draw()

    def identify(self, seconds):
        """Blink with all lights, then return to the picture the hub wants."""
        self._beats_to_identify = max(0, min(seconds, IDENTIFY_MAX_S)) * 1000 // BEAT_MS
        self._draw()

    async def run(self, pulse, port):
        """Animate the picture for ever."""
        self._draw()
        while True:
            await port.sleep_ms(BEAT_MS)
            pulse.beat()
            self._beat = (self._beat + 1) % _BEATS
            if self._beats_to_identify:
                self._beats_to_identify -= 1
                self._draw()
            elif self._moves():
                self._draw()

    def _moves(self):
        for pattern, _ in self._wanted.values():
            if pattern in MOVING:
                return True
        return False

    def _draw(self):
        identify = self._beats_to_identify
        self._board.lamp(identify and not self._beat & 1)
        frames = []
        for spot in self._rings:
            pattern, rgb = self._wanted[spot.spot]
            if identify:
                pattern, rgb = ("off" if self._beat & 1 else "solid"), IDENTIFY_RGB
            frames.append(pixels(pattern, rgb, spot.ring_leds, self._beat))
        frames = cap(frames, self._board.ring_ma)
        changed = False
        for k in range(len(frames)):
            if frames[k] != self._shown[k]:
                self._shown[k] = frames[k]
                self._rings[k].ring.write(frames[k])
                changed = True
        if changed:
            self._board.show_rings()
