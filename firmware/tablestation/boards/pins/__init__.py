"""Pin plans: the wiring of every kind of station, pin by pin. Data only, one module for each kind.

They are Python dicts in modules, not JSON: a bundle is made of compiled modules, so a plan travels, is hashed and
rolled back with the program that reads it, and a board loads only its own. The guides in `hardware/stations/` are
printed from them, and the tests in `tests/hardware/` hold them to the chip.

A plan `PINS` has

    kind        the kind of station, as in the table's plan file
    boards      which boards it fits: pico_2_w (docs/decisions/0050)
    wifi        {board: PIO machine that the Wi-Fi driver takes}: the first of the chip's last PIO block
    spi         bus number, sck, mosi, miso: the tag readers
    i2c         bus number, sda, scl, or None; the fields below name the chips on it
    expander    {address: of the MCP23017}, or None
    accelerometer  whether a LIS3DH may hang on the I2C bus, at 0x18 or 0x19; no station needs one
    button      its pin (to ground when pressed), or None
    strip       {pin, limit_ma: the most its LEDs may draw together}, or None; the rings of the places that are used
                follow one another on it, in the order of the places
    places      in order, one dict for each place a spot of the table can take

A place has

    spot        the names that belong here, a `*` for any word; a station's spots take the first free place that fits
    cells       (sck, dout, PIO machine) of each HX711
    cs          the chip select of its PN532, or None
    leds        how many LEDs its ring has
    crane       {chip: VL53L1X or VL53L4CD, xshut: pin, address: given at start}, or None
    alert_g     the drop that raises an alert, in grams; 0: none

A pin is the number of a GPIO (GP0 is 0), or the name of a pin of the expander (`A0` is GPA0).
"""

KINDS = ("sector", "park", "seat", "supply")


def fits(pattern, spot):
    """Report whether a place's pattern matches this spot."""
    words = spot.split("/")
    wanted = pattern.split("/")
    if len(words) != len(wanted):
        return False
    for k in range(len(words)):
        if wanted[k] not in ("*", words[k]):
            return False
    return True


def places(plan, spots):
    """Return the place of every spot, in the order of the spots; raise ValueError naming a spot without one."""
    free = list(plan["places"])
    found = []
    for spot in spots:
        for k in range(len(free)):
            if fits(free[k]["spot"], spot):
                found.append(free.pop(k))
                break
        else:
            raise ValueError(
                "spot {} has no place on a {} station, which has {}: correct the table's plan".format(
                    spot, plan["kind"], ", ".join([place["spot"] for place in plan["places"]])
                )
            )
    return found
