"""Bus clear: frees SDA after a board restarted in the middle of a transfer (NXP UM10204, 3.1.16).

A chip that holds SDA low waits for the rest of its byte. So it gets clock pulses until it lets go, then a STOP.
"""

CLOCKS = 9  # eight bits and the acknowledgement
HALF_US = 5  # 100 kHz


def bus_clear(scl, sda, sleep_us):
    """Free the bus. Call this before making the bus; both pins are open drains, called with a level or for the level.

    Return False if a wire is shorted or a chip still holds the bus.
    """
    sda(1)
    for _ in range(CLOCKS):
        scl(1)
        sleep_us(HALF_US)
        if sda():
            break
        scl(0)
        sleep_us(HALF_US)
    scl(1)
    sda(0)
    sleep_us(HALF_US)
    sda(1)
    sleep_us(HALF_US)
    return bool(sda() and scl())
