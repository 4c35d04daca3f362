"""Light: what the hub wants a ring to show, as pixels, below the current the board can give."""

DARK_UA = 1000  # an LED's own electronics (WS2812, measured by others at about 1 mA)
STEP_UA = 70  # each of the 255 steps of each channel
BEAT_MS = 500
_PULSE_LOW = 90  # of 255


def pixels(pattern, rgb, leds, beat):
    """A bytearray of 3 bytes a pixel. `beat` is 0 or 1 and moves the pulse."""
    shown = bytearray(3 * leds)
    if pattern == "off":
        return shown
    level = _PULSE_LOW if pattern == "pulse" and beat else 255
    for k in range(leds):
        if pattern == "half" and k >= (leds + 1) // 2:
            break
        if pattern == "dots" and k % 3:
            continue
        for channel in range(3):
            shown[3 * k + channel] = rgb[channel] * level // 255
    return shown


def cap(rings, limit_ma):
    """Darken all rings alike until they draw less than the limit together. `rings` is a list of bytearrays."""
    leds = sum([len(ring) // 3 for ring in rings])
    lit_ua = STEP_UA * sum([sum(ring) for ring in rings])
    left_ua = limit_ma * 1000 - DARK_UA * leds
    if lit_ua <= left_ua:
        return rings
    share = max(0, left_ua) * 255 // lit_ua
    return [bytearray([step * share // 255 for step in ring]) for ring in rings]


class Light:
    """All rings of a station."""

    def __init__(self, boards, limit_ma):
        self._limit_ma = limit_ma
        self._rings = [board for board in boards if board.ring is not None]
        self._wanted = {board.spot: ("off", (0, 0, 0)) for board in self._rings}
        self._shown = [None] * len(self._rings)
        self._beat = 0

    def show(self, rings):
        """A light message's rings: those named change, the others stay; a spot without a ring is not ours."""
        for ring in rings:
            if ring["spot"] in self._wanted:
                self._wanted[ring["spot"]] = (ring["pattern"], ring["rgb"])
        self._draw()

    async def run(self, port):
        """For ever: the pulse."""
        while self._rings:
            await port.sleep_ms(BEAT_MS)
            self._beat ^= 1
            for pattern, _ in self._wanted.values():
                if pattern == "pulse":
                    self._draw()
                    break

    def _draw(self):
        frames = []
        for board in self._rings:
            pattern, rgb = self._wanted[board.spot]
            frames.append(pixels(pattern, rgb, board.ring_leds, self._beat))
        frames = cap(frames, self._limit_ma)
        for k in range(len(frames)):
            if frames[k] != self._shown[k]:
                self._shown[k] = frames[k]
                self._rings[k].ring.write(frames[k])
