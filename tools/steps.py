"""The steps of building a station, for the guides that stations.py prints: what to do, and the drawings of it.

Drawings named `<kind>-...` are of the carrier (carrier_picture.py), the others of the mechanics (hardware/cad).
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import accelerometer_place
import carrier_wires
import carriers
import plan_picture
from cable_lengths import dimensions, foil_wire_mm
from cad_sizes import printed_g, sizes

TOOLS = """\
Soldering iron and solder, wire stripper, crimping tool for JST XH, multimeter, hex keys of 2, 2.5, 3, 4 and 5 mm,
screwdrivers for the heads of your screws of 2, 3 and 6 mm, a drill with bits of 2 and 3.2 mm and a countersink, a
hammer, a calliper, a tape measure, tweezers, solder wick, side cutters, scissors, a pencil, paper, two blocks of 100 mm
or more to put a tray or a seat's floor on, a kitchen scale and a stiff wire for a seat, and a computer with Linux.
If you cut the wood yourself, you also need bits for the holes of its DXF file, 2.5 to 30 mm. A whole table takes about
100 g of solder for electronics, 2 m each of heat-shrink tube of 2 and 4 mm, 10 m of double-sided tape of 19 mm, a roll
of cloth tape, a bottle of superglue for plastic, and a roll of kitchen foil; these amounts are guesses. To print
the parts you need a printer of 220 x 220 x 250 mm with PETG. Use three walls of 0.4 mm and 15 % infill, but print the
gauge-block solid. Print each part as it lies in its file, without supports, unless the list says otherwise."""
CARRIER = """\
The carrier is a board of 100 x 160 mm with a pad for each hole. First drill a 3.2 mm hole in each corner, 150 x 90 mm
from centre to centre. Solder in this order: two rows of sockets for the
Pico, the connectors, the other parts, then the wires: 0.5 mm2 for SUPPLY, 5V and VSYS (red) and GND
(black), 0.25 mm2 for 3V3 (red) and all others (white). {names}
The drawing shows the place of each part from above, to scale. Count the holes, 2.54 mm apart, from the edges of the
board; one hole more or less does no harm. The faint lines are the rows of holes, and every fifth row has its number. A
filled dot marks the first pin. The parts stand on one side of the board. All wires run on the other side, and each end
is soldered to the pad of its pin. Seen from there, left and right are swapped. {full}
[`hardware/pcb/wires/{kind}.csv`](../pcb/wires/{kind}.csv) lists each of the {wires} wires: its
two pins, its colour, and its length with both ends and a bend. Cut, solder and tick off one wire after the other.
([`{kind}.csv`](../pcb/{kind}.csv) lists the same by nets, for the multimeter.) {branches}The numbers at U1 are the pins
of the Pico: pin 1 is beside its USB plug, and pin 40 opposite it. P1, F1 and D1 lie from right to left, in the
direction of the current: pin 1 of F1 is on the right, and the ring of D1, which is K, on the left. {more}Leave the Pico
out of its socket."""
FULL = """If a pad is full, put the wire through a free hole beside it, and join the two pads with solder."""
ROOTS = """No pin takes more than two wires, except F1 pin 2 and P1 minus, which take three. """
TWO = """No pin takes more than two wires. """
PART_NAMES = {
    "P1": "the screw terminal",
    "F1": "the fuse",
    "D1": "the diode",
    "E1": "the capacitor",
    "RL1": "the resistor",
    "U1": "the Pico",
    "U2": "the level shifter",
    "U3": "the expander",
}
BRANCHES = """\
5V and GND are the exception: several wires each start at F1 and P1, so that the current of the rings does not flow
through the wires of a scale.

| branch | 5V, from F1 | GND, from P1 |
| --- | --- | --- |
| rings | L1, E1, U2 | L1, E1, U2 |
| readers | all connectors R | all connectors R |
| board | D1 | U1, and from there all others |

"""
EXPANDER = """\
U3 stands on its two rows of pins, which come with it and are 12.7 mm apart. Its row from VIN to A7 faces U2, with VIN
on the left. The module is marked A0 to A7 for GPA0 to GPA7, B0 to B7 for GPB0 to GPB7, D0 to D2 for ADDR0 to ADDR2, VIN
for VCC and Rst for RESET; the drawing shows each in its place. This describes the module of the first source, by its
maker's board file. Another module has other rows and marks, and its A0 may be an address: look in its data sheet. """
STRIP = """\
The stripe of E1 is minus, on the right; pin 1 of RL1 is on the left. U2 has the pins {}. Its notch is on the left. """
MEASURE = """\
Now check with the multimeter that none of 5V, VSYS, 3V3 and GND is connected to another.
The diode lets a little current through from 5V to VSYS, but not back."""
CHARGES = " If a beep stops by itself, the capacitor was charging."
SUPPLY = """\
Make the socket's cable first: the table of the step *Cables* has the wires and the length of supply-to-carrier. Put the
nut of the socket over the wires before you solder them on, and screw the socket into its holder. The middle contact is
plus. Screw the other end of the cable into P1. {holder} Plug the supply into the socket first
and then into the mains, still without the Pico. Measure against GND: there must be 5 V behind the fuse (at F1 pin 2,
the left one), hardly less at pin 39 of U1, and nothing at pins 36 and 40. (Once the Pico draws current, the diode takes
up to half a volt.) Unplug the supply."""
HOLDER = """\
When {floor} is there,
screw the holder below its edge with two 3 x 10 mm, so that the face with the socket is flush with the edge:
{where}. For the screws
drill holes 2 mm wide and 6 mm deep. Until then leave the holder loose."""
FLOORS = {"seat": "the floor of the seat", "supply": "the tray"}
PLACES = {
    "seat": "on the left, on the right or in front, but not at the back or beside a foot",
    "supply": "in the middle of the back, where there is no foot and P1 is nearest",
}
ANYWHERE = "not beside a foot, and at most 400 mm from P1: the cable is 500 mm long"
BOARD = """\
Flash the Pico on a USB cable as in [your first station](../../docs/howto/first-station.md#flash). Then put it into
its socket, with its USB plug as in the drawing. Its light stays off until you identify it."""
CABLES = """\
Make the cables of this table. Each is as long as the longest way in the model, plus 60 mm. Crimp a contact on each
wire, push it in until it clicks, and tug. A small triangle marks pin 1 of an XH housing. On a module, solder the wires
to the pins of the same name. {names}A reader must not have a pin header, because its pocket is
only 4.5 mm deep. If it has one, unsolder it. Solder the wires into the holes from the side of the parts, and cut off
the ends that stick out on the other side.{rings}"""
SOLDER_NOW = """ Do this now{rings}: once a plate
is screwed down, you cannot reach them. Only the wires of the cells wait for their step.

Then check the voltage with which each HX711 feeds its cell. Put its plug into its connector C, with the Pico in its
socket, plug the supply in, and measure between E+ and E-: there must be 3 V or more. If it is less, check the
bridge between VCC and VDD. Unplug the supply before you unplug the module."""
RING_TO_RING = ", and solder the cables from ring to ring too"
NAMES = """Some HX711 have other names: DAT is DT, CLK is
SCK, and RED, BLK, GRN and WHT are E+, E-, A+ and A-. """
READERS = """\
{switches} {whom} to {ports}{order}.
{each} goes into its pocket when you build the part above it. First lead its plug down
through the hole, then plug it into the carrier. A pocket is 43 mm from left to right
and 41 mm from front to back. A module fits in two ways: choose the one with its wires nearer to the hole for the
cable.{ferrite}"""
SEVERAL = "Set the two switches of each reader to SPI, as printed on it."
ONE = "Set the two switches of the reader to SPI, as printed on it."
FERRITE = """ Under a plate or cradle, put a sheet of
ferrite on the side of its parts, cut to the size of the module: the coil runs along the module's edge."""
HEX_CELLS = """\
1. Press the diffuser into the groove. Glue the ring behind it with a drop at three places, its LEDs towards the
   diffuser. Lay the reader into its pocket, its antenna towards the plate, and the sheet of ferrite on it. Fix both
   with two drops of glue. Only the parts of the reader may stick out.
2. Screw the free end of the cell to the bridge with two M3 x 12, from the bridge's flat side. The free end is the
   one with the arrow, which points away from the bridge. Only the boss of the bridge touches the cell.
3. Turn the plate upside down, and screw the bridge to its legs with four 3 x 10 mm.
4. Screw the base to the fixed end with two M3 x 12. Except at the two screwed ends, a strip of paper must fit all
   round the cell.
5. Stick the HX711 upright, with double-sided tape, against the long side of the base that faces the ring. Solder the
   cell's wires to E+, E-, A+ and A-. {cable} in the next step, when the carrier is in its place."""
CABLE_OF_CELL = "Its cable goes to {ports}"
CABLES_OF_CELLS = "Their cables go to {first} to {last}, in the order of the places,"
RATE = """\
Do this before you solder cables onto an HX711. Set it to 80 samples a second:
its chip's pin 15 (RATE) must be on pin 16, not on ground.
If the module has a jumper for the rate, open it. If it has a pad for RATE, join that pad to VDD. Otherwise lift
pin 15 and join it to pin 16. Feed the module with 3.3 V. If it has both VCC and VDD, bridge the two with a piece of
wire, because its cable has only one red wire."""
TRAY = """\
The cables already join the rings, so lay the hexes out in the order of the places before you set the first one on the
tray. Set all six on the tray, the ring of each over its round hole, and lead the cable from ring to ring beside the
bases, as in the drawing of the step *Rings*. Screw each base on from below with four 3 x 16 mm. Countersink the holes
below, because the tray lies flat on the floor. The map shows which hex is which: 2.5 is place 5 of the second sector.
Lead the cables down through the round hole of their hex, and not nearer to a seam, where spilled drinks drip through.
Screw the carrier below the tray with 3 x 16 mm through spacers of 10 mm, and plug the cables in. Until it lies in the
table, the tray rests on two blocks of 100 mm or more, one on each side of the carrier. The plates must not touch each
other: a strip of paper must fit through every seam."""
PARK_TRAY = """\
Set the hex on its tray, the ring over the round hole, and screw its base on from below with 3 x 16 mm, in countersunk
holes. Lead its cables down through the round hole, and plug them in. In the table, the carrier is screwed below the
table's floor, with 3 x 16 mm through spacers of 10 mm. On the desk it lies beside the tray: stick four rubber feet
below the tray's corners, so that there is room for the cables."""
FLOOR = """\
1. Lay the floor on two blocks of 100 mm or more at the edge of the bench: you have to reach its underside, where the
   carrier goes. Screw ten cells to their bases: nine with M3 x 12, the bag's with M4 x 16. The end without the
   arrow goes on the high block, and the arrow points down.
2. Screw the bases to the floor from below with 3 x 25 mm, as in the drawing. Below each pad, cell 1 is in the
   middle with its free end towards you, cell 2 on the right and cell 3 on the left with their free ends away from you.
   You stand where the players sit. The free end of the bag's cell points to the right.
3. Stick the HX711 of each cell to the floor with double-sided tape, as in the drawing, which shows the numbers
   at the first pad: below the top, where nothing can drip on it. Solder the cell's wires to E+, E-, A+ and A-.
4. Screw the carrier below the floor with 3 x 16 mm through spacers of 10 mm. Lead the cables of the cells down
   through the hole in front of each pad: cells 1, 2 and 3 of each pad to {ports}, the bag's to {bag}."""
TOP = """\
1. Drive six nuts into the underside of the top, flush: their holes are 9 mm wide and 12 mm deep. The button's hole is
   widened to 30 mm from below, 13 mm deep, so that 5 mm of wood are left for its nut. (A cutter sees how wide these
   are on the layer `below`, but not how deep.)
2. Push the button into its hole from above, screw its nut on from below, and solder its cable to it. Once the top is
   on its posts, you cannot reach them.
3. Put the posts on the floor and the top on the posts, and lead the button's cable down through the nearest large hole
   of the floor. From below, push an M6 x 90 through foot, floor and post into each nut, with the narrow end of each
   foot down. Tighten them crosswise."""
PADS = """\
For each of the three pads:

1. The cables already join the rings. Before you glue any ring, lead the chain from opening to opening between floor
   and top, with a stiff wire: each ring except the first stays in its opening, its cable beside the bases.
   Fit diffuser, ring, reader and ferrite into the plate as in the first drawing; two drops of glue hold the ferrite on
   the reader. Lead the cables down beside the
   cells, and those of the reader and the first ring through the hole in front of the pad.
2. Lay the plate into its opening, and join it to the free ends with six countersunk M3 x 20. Their heads lie below
   the top.
3. Push each corner of the plate: it must give, spring back, and touch neither the top nor a base. A strip of paper
   must fit all round."""
BAG = """\
1. The bar of the bag's cell is already on its base, its free end to the right. Lay the reader into the pocket below
   the cradle, its antenna towards the dish, and the ferrite on it. Fix both with two drops of glue.
2. Lead the reader's cable down beside the bar, without touching it, and through the nearest large hole of the floor,
   and plug it in there.
3. Lower the cradle into its opening, its two holes over those of the bar's free end, and screw it on with two M5 x 16
   from inside the dish. Their heads lie below its floor. A strip of paper must fit all round between cradle and top:
   the cradle touches only the bar."""
SUPPLY_TRAY = """\
1. The tray's upper side is the one with the blunt edge. Below, the four holes of the carrier are nearer to the back
   than to the front. Mark the middle of each slot on the upper side, as in the first drawing, so that the readers are
   far enough from each other. The dashed lines of the drawing show holes, and the carrier below.
   - contracts: {contracts}
   - platforms: {platforms}
   - landmarks, which are cards too: {landmarks}
2. Turn the tray over. The holes there are 12 mm deep: four of {foot} mm for the feet, four of {pilot} mm for the
   carrier. (A cutter sees how wide they are on the layer `below`, but not how deep.)
3. Screw a foot into each of the four holes near the corners with 6 x 60 mm, its wide end towards the tray; the screw
   goes in through the narrow end.
4. Screw the carrier into the four holes between them with 3 x 16 mm through spacers of 10 mm, its plugs down and its
   long side from left to right. You may also turn it round: the cables are long enough. Set the tray on its feet."""
SLOTS = """\
The three slots for platforms are in the middle row, from left to right in the order of the places. Lay a reader into
the pocket below each slot, its antenna towards the slot, and fix it with two drops of glue. Lead its cable down through
the hole below, and plug it into its connector. Then tape the slot down with double-sided tape, its middle over the hole
and its two notches for fingers to the left and right."""
CARDS = """\
1. The pin of each slot is at the back, away from you, so that only a sleeve with a notch there lies flat
   ([tags](../../docs/howto/tags.md#the-notch-of-a-sleeve)). The reader is under the left half of a card: lay it into
   the pocket there, its antenna towards the slot, and fix it with two drops of glue.
2. Cover the right half, as in the second drawing, so that no reader reads the card's other sticker. Cut kitchen
   foil to {foil} mm, the right half of the slot's floor. Strip 20 mm of a black wire of 0.25 mm2 that is
   {foil_wire} mm long, tape its bare end to the foil beside the thumb's notch, and glue the foil down. Glue a sheet of
   ferrite of 25 mm onto the middle of the foil, {middle} mm to the right of the slot's middle: the sticker lies there.
3. Lead the wire out over the thumb's notch and below the slot into the pocket, and solder it to GND of the slot's
   reader, beside the cable's wire. Lead the reader's cable down through the hole below the reader,
   and plug it in there.
4. Tape the slots down from left to right in the order of the places{where}.
   Double-sided tape goes on both sides of the wire, so that they do not tilt.
   The middle of a slot is {right_of_hole} mm to the right of the middle of its hole:
   {cards}."""
IN_TWO_ROWS = """: the contracts at the
   back of the tray, the landmarks at the front"""
RINGS = """\
The {n} rings are a chain in the order of the places: L1 to DIN of the first, DOUT of each to DIN of the next. All take
5 V and ground. The cables from ring to ring run on the {floor}, beside the bases, as in the second drawing. Keep plus
and minus of a ring together, and if there is room, 50 mm from the wires of a cell. If there is no room, lead them
across those wires ([why](../signal.md)). Plug the cable of the first ring into L1."""
ONE_RING = """\
The ring's cable comes down through the round hole. Plug it into L1: DIN, 5 V and ground. Keep its wires together,
50 mm from the wires of the cell, or lead them across those ([why](../signal.md))."""
CRANES = """\
For each of the three pads:

1. Press two bearings into the carriage's long housing, one flush with each end, and one into the short one. A rod must
   fall through by itself. If a bearing is loose, a drop of glue at its rim holds it.
2. Push both halves of the beam into their pockets from above, lens towards the other half, wires up.
3. Hang the paddle below the ring, its rib between the two halves of the beam, with three 3 x 10 mm from above: drive
   them in until the paddle moves up and down by 1.5 mm and touches nothing. Drive a fourth, of steel, into the hole in
   the carriage's top until 3 mm of it, and its head, are left above.
4. The crane stands on the side of its pad with the two rod holes. Push both rods through the seat's top into its
   floor, until they are flush with its underside. Stick strong tape over both holes there: they go right through, and
   nothing else holds the right rod until the head is clamped. Slide the stop over the left rod, seen from the pad,
   down to the top, its clamp away from the pad. Clamp it with a 3 x 10 mm from the wider end of the hole, until you
   cannot turn the stop by hand. Its slit need not close.
5. Slide the carriage over the rods, ring over the pad. Screw the sensor below the head's arm, film off and looking
   down, with four 2 x 6 mm, its wires to the block. Glue the magnet flush into its hole: the hole of 6 mm
   in the head's underside, to the right of the one for the cord, seen from the pad. The magnet holds the steel screw
   with either side.
6. Lower both rollers into the head's tower from above, both flanges to the left or both to the right, and drive a
   3 x 16 mm through each from the left, where the hole is wider, until its head touches the tower. The roller must
   still turn.
7. Set the head on the rods, its arm over the pad, until their ends touch the bottoms of their holes. Clamp each rod
   with a 3 x 10 mm from the pad's side. The screw's head sticks out by about 3 mm when its tip meets the rod.
8. Cut a metre of cord. Tie it to the hole in the bar of the carriage between the rods. Lead it up through the front
   hole of the tower, over both rollers, and down through the hole behind. Tie a loop of it to the two holes of the
   counterweight, so long that the upper edge of the counterweight is 4 mm below the head when the paddle lies on a bare
   platform.
9. Lay washers into the counterweight, in two stacks, until the carriage just sinks by itself: a kitchen scale on the
   pad shows {sinks} g while the paddle rests on it. You need {few} to {many} washers; there is room for {held}. If you
   raise the carriage to the head, the magnet holds it: turn the steel screw in its top until a light pull frees it.
10. A beam's cable begins at its receiver, where the red and the black wire of the emitter join it. Lead these two round
    the ring, and lengthen them with wire of 0.14 mm2 if they are too short. Put heat-shrink tube over each joint. Tape
    the wires to the ring where the paddle does not touch them.
11. Lead the cables of sensor and beam down through the round hole beside the rods. The cable of the beam moves with the
    carriage: leave a loop that is long enough when the paddle lies on the bare pad. Connect the three sensors to
    {sensors}, and the beams to {beams}, in the order of the pads.
12. Optional: push the bar of a digital scale into its slot in the head, beside the right rod, and fix its slider to
    the carriage's lug with tape, or with 3 x 10 mm if its holes fit. You read it; no driver does."""
BUTTON = (
    "You soldered the cable of the button when you built the top. Plug it into B1. Either wire may go to either pin."
)
READY = """\
Plug in the supply, because {fed} need its 5 V. Also plug in the board's USB cable, unless you flashed it for
Wi-Fi. Use three terminals in the folder of the repository. In the first one, start the hub (over Wi-Fi it needs
`--listen`, as when you flashed the board):

```bash hub
.venv/bin/citytable run --no-twin --broker-port 1884
```

If you have no board, start a simulated one in the second terminal. It has the parts of this station, and obeys lines
such as {hands} (the first number is that of a place):

```bash board
.venv/bin/python -m tabletwin.desk --kind {kind} --broker 127.0.0.1:1884
```

In the third terminal, list the boards. Yours begins with `new/`; write the number after it into the second command.
This command gives the board its name, and makes the plan file of your table if it does not exist yet{further}:

```bash maker
.venv/bin/citytable station list --broker 127.0.0.1:1884
.venv/bin/citytable station adopt e661640843123456 --name {name} --table cafe --plan cafe.json --broker 127.0.0.1:1884
```

Stop the hub in the first terminal with Ctrl-C, and start it with the plan. Continue when its page of stations,
<http://127.0.0.1:8080/stations>, shows {name}:

```bash hub
.venv/bin/citytable run --no-twin --broker-port 1884 --plan cafe.json
```

{calibrate}Then start the doctor, and do not touch anything for ten seconds:

```bash maker
.venv/bin/citytable doctor {name} --plan cafe.json --broker 127.0.0.1:1884
```

Every line must end in `ok`. Below any other line you find what to check. These lines come from a simulated board;
yours has other figures{calibrated}:"""
BY_HAND = """\
The doctor cannot see light, and has no sticker to read, so check these yourself. The first command makes the light on
the board{rings} blink for ten seconds. During the second, lay a sticker on every reader, one after the
other{button}, and end the command with Ctrl-C. Every reader must name its own spot, as in the table of places
below{models}:

```bash maker
.venv/bin/citytable station identify {name} --plan cafe.json --broker 127.0.0.1:1884
.venv/bin/citytable station tags {name} --plan cafe.json --broker 127.0.0.1:1884
```

If all of this works, the station is ready."""
FURTHER = {
    "sector": ". The next sectors are sector-2 to\nsector-6, as the map of the city numbers them",
    "seat": ". The next seats are seat-2, seat-3\nand seat-4",
}
CALIBRATED = ", and one more line for each\ncell that you have calibrated, with the number of days since then"
CALIBRATE = """\
Calibrate it. The command asks for one thing at a time ([how](../../docs/howto/calibrate.md)). When it asks for an
empty scale, lay the weight-holder alone in the middle of the {plate}, and leave it there: it centres the weight. On a
simulated board `1 weight 500` puts a weight on place 1, and `1 weight 0` takes it off{lowered}:

```bash calibrate
.venv/bin/citytable calibrate {name} --grams 500 --second 200 --plan cafe.json --broker 127.0.0.1:1884
```

"""
LOWERED = """. For the
heights, lay a platform on the pad and leave it there: put the block on it. `1 crane 300` lowers its paddle on
the bare platform, `1 crane 280`, `1 crane 250` and `1 crane 200` on a block of 20, 50 and 100 mm,
and `1 crane 45` raises it"""


def ready(plan: dict[str, Any], name: str) -> str:
    """Return the last step: how the board becomes a station of the table."""
    weighs, cranes = _weighs(plan), _ports(plan, "K")
    hands = ["`1 weight 500`"] if weighs else []
    hands += ["`1 tag 04a1b2c3d4e5f6`", *(["`1 crane 120`"] if cranes else [])]
    plate = "plate, or of the bag's cradle" if _ports(plan, "K") else "plate"
    words = {"name": name, "lowered": LOWERED if cranes else "", "plate": plate}
    calibrate = CALIBRATE.format(**words) if weighs else ""
    return READY.format(
        kind=plan["kind"],
        name=name,
        fed="readers and rings" if plan["strip"] else "readers",
        hands=" or ".join(hands),
        calibrate=calibrate,
        calibrated=CALIBRATED if weighs else "",
        further=FURTHER.get(plan["kind"], ""),
    )


def by_hand(plan: dict[str, Any], name: str) -> str:
    """Return what a maker checks by hand after the doctor has found no fault."""
    rings = " and all LEDs of every ring" if plan["strip"] else ""
    button = ", press the button" if plan["button"] is not None else ""
    models = "; on a simulated board type `1 tag 04a1b2c3d4e5f6`, and `1 tag` to lift it"
    models += ", and `button down`" if button else ""
    return BY_HAND.format(name=name, rings=rings, button=button, models=models)


class Step(NamedTuple):
    """A step: its title, what to do, and the names of its drawings."""

    title: str
    text: str
    pictures: tuple[str, ...] = ()


def steps(plan: dict[str, Any]) -> list[Step]:
    """Return all steps of building a station with this pin plan except the last, which comes from `ready`."""
    kind = plan["kind"]
    more = (
        STRIP.format(", ".join(f"{name} {pin}" for name, pin in carrier_wires.GATES.items())) if plan["strip"] else ""
    )
    more += EXPANDER if plan["expander"] is not None else ""
    branches = BRANCHES if plan["strip"] else ""
    wires = len(carrier_wires.runs(plan))
    carrier = CARRIER.format(
        kind=kind, more=more, branches=branches, wires=wires, names=_part_names(plan), full=_full(plan)
    )
    carrier += f" {MEASURE}{CHARGES if plan['strip'] else ''}"
    found = [
        Step("Carrier", carrier, (f"{kind}-carrier",)),
        Step(
            "Supply",
            SUPPLY.format(holder=_holder(kind)),
            ("socket", f"{kind}-supply"),
        ),
        Step("Board", BOARD, (f"{kind}-board",)),
        *([Step("Rate of the converters", RATE, ("rate",))] if _weighs(plan) else []),
        Step("Cables", _cables(plan), (f"{kind}-cables",)),
        Step("Tag readers", _readers(plan), (f"{kind}-readers",)),
        *_weighing(plan),
    ]
    if kind == "supply":
        found.append(Step("Tray", SUPPLY_TRAY.format(**_of_slots(kind)), ("plan-tray", f"{kind}-carrier")))
    if any(
        place["spot"].split("/")[1] in {"card", "contract"} or "/card/" in place["spot"] for place in plan["places"]
    ):
        where = IN_TWO_ROWS if kind == "supply" else ""
        found.append(Step("Card slots", CARDS.format(where=where, **_of_slots(kind)), ("card", "plan-card")))
    if kind == "supply":
        found.append(Step("Platforms", SLOTS, ("whole-supply",)))
    found += _lights(plan)
    if _ports(plan, "K"):
        text = CRANES.format(sensors=_names(plan, "K"), beams=_names(plan, "M"), **_washers())
        drawings = ("crane-carriage", "crane-head", "crane-cord", "crane", f"{kind}-cranes", "whole-seat")
        found.append(Step("Cranes", text, drawings))
    if plan["button"] is not None:
        found.append(Step("Button", BUTTON, (f"{kind}-button",)))
    return found


def _part_names(plan: dict[str, Any]) -> str:
    """Return a sentence that explains the names of a carrier's parts."""
    used = {part for nodes in carriers.netlist(plan).values() for part, _ in nodes}
    *others, last = (f"{name} is {what}" for name, what in PART_NAMES.items() if name in used)
    return f"{', '.join(others)} and {last}."


def _full(plan: dict[str, Any]) -> str:
    return (ROOTS if plan["strip"] else TWO) + FULL


def _accelerometer(plan: dict[str, Any]) -> Iterator[Step]:
    """Yield the step that fits the accelerometer, while its place is still within reach."""
    kind = plan["kind"]
    if plan["accelerometer"]:
        yield Step("Accelerometer", accelerometer_place.glued(kind), (f"{kind}-accelerometer", f"plan-{kind}"))


def _weighs(plan: dict[str, Any]) -> bool:
    return any(place["cells"] for place in plan["places"])


def _cables(plan: dict[str, Any]) -> str:
    """Return how to make the cables, with the names of an HX711's pins if the station has one."""
    several = sum(place["leds"] > 0 for place in plan["places"]) > 1
    now = SOLDER_NOW.format(rings=RING_TO_RING if several else "")
    return CABLES.format(names=NAMES if _weighs(plan) else "", rings=now if plan["strip"] else "")


def _holder(kind: str) -> str:
    """Return where the holder of a station's socket goes."""
    return HOLDER.format(floor=FLOORS.get(kind, "the floor of the table"), where=PLACES.get(kind, ANYWHERE))


def _places(at: Iterable[tuple[float, float]], corner: tuple[float, float]) -> str:
    """Return where a row of slots lies, from the left and the front edge."""
    across, (front, *_) = zip(*((x - corner[0], y - corner[1]) for x, y in at), strict=True)
    *others, last = (f"{x:g}" for x in across)
    return f"{', '.join(others)} and {last} mm from the left edge, and {front:g} mm from the front one"


def _of_slots(kind: str) -> dict[str, str]:
    """Return the measures of slots, holes and foil that the steps name."""
    d = dimensions()
    is_supply = kind == "supply"
    left, _, front, _ = d.SUPPLY if is_supply else d.SEAT
    wide, long = plan_picture.card_size(d)
    contracts, landmarks = (_places(row, (left, front)) for row in (d.SUPPLY_CARDS_AT, d.SUPPLY_LANDMARKS_AT))
    return {
        "cards": f"{contracts};\n   {landmarks}" if is_supply else _places(d.CARDS_AT, (left, front)),
        "contracts": contracts,
        "platforms": _places(d.SUPPLY_PLATFORMS_AT, (left, front)),
        "landmarks": landmarks,
        "right_of_hole": f"{-d.CARD_CABLE_AT_X:g}",
        "foil": f"{wide / 2:g} x {long:g}",
        "middle": f"{plan_picture.STICKER_MM:g}",
        "foil_wire": f"{foil_wire_mm()}",
        "foot": f"{d.FOOT_PILOT:g}",
        "pilot": f"{d.PILOT:g}",
    }


def _washers() -> dict[str, str]:
    """Return the number of washers in a counterweight, and the grams by which the carriage must be heavier."""
    weights = sizes("weights")
    carriage, paddle, cup = (printed_g(f"crane_{name}") for name in ("carriage", "paddle", "counterweight"))
    few, many = weights.washers_needed(weights.moving_g(carriage, paddle), cup)
    least, most = weights.SINKS_G
    return {
        "few": f"{few}",
        "many": f"{many}",
        "held": f"{weights.washers_held()}",
        "sinks": f"{least:g} to {most:g}",
    }


def _readers(plan: dict[str, Any]) -> str:
    several = len(_ports(plan, "R")) > 1
    whom, order = ("Their cables go", ", in the order of the places") if several else ("Its cable goes", "")
    ferrite = FERRITE if _weighs(plan) else ""
    switches, each = (SEVERAL, "Each") if several else (ONE, "It")
    return READERS.format(
        switches=switches, each=each, whom=whom, ports=_names(plan, "R"), order=order, ferrite=ferrite
    )


TINTED = {  # the letters of the parts that each drawing of a carrier tints; RL is the resistor of the rings
    "carrier": (*"UREDFPCKMALB", "RL"),
    "supply": (*"PFD",),
    "board": ("U",),
    "readers": ("R",),
    "cells": ("C",),
    "rings": ("L",),
    "cranes": (*"KM",),
    "button": ("B",),
    "accelerometer": ("A",),
}


def _weighing(plan: dict[str, Any]) -> Iterator[Step]:
    kind, of_pads, of_hexes = plan["kind"], _names(plan, "C", 3), _names(plan, "C", 1)
    ports = _ports(plan, "C", 1)
    if of_pads:
        yield Step("Floor", FLOOR.format(ports=of_pads, bag=of_hexes), ("floor-of-seat", f"{kind}-cells"))
        yield from _accelerometer(plan)
        yield Step("Top", TOP, ("top-of-seat",))
        yield Step("Pads", PADS, ("pad-plate", "pad-cells"))
        yield Step("Bag", BAG, ("bag",))
    elif of_hexes:
        pictures = ("hex-plate", "hex-cell", "hex-module", f"{kind}-cells")
        to = CABLES_OF_CELLS if len(ports) > 1 else CABLE_OF_CELL
        cable = to.format(ports=of_hexes, first=ports[0], last=ports[-1])
        yield Step("Hexes", HEX_CELLS.format(cable=cable), pictures)
        yield from _accelerometer(plan)
        yield (
            Step("Tray", TRAY, ("tray-of-sector", "city"))
            if kind == "sector"
            else Step("Tray", PARK_TRAY, ("floor-of-table",))
        )


def _lights(plan: dict[str, Any]) -> Iterator[Step]:
    rings = sum(place["leds"] > 0 for place in plan["places"])
    if rings:
        kind = plan["kind"]
        text = ONE_RING if rings == 1 else RINGS.format(n=rings, floor="floor" if kind == "seat" else "tray")
        yield Step("Rings", text, (f"{kind}-rings", f"plan-{kind}"))


def _ports(plan: dict[str, Any], letter: str, cells: int | None = None) -> list[str]:
    found = []
    for number, place in enumerate(plan["places"], 1):
        if letter == "C" and cells == len(place["cells"]):
            found += [f"C{number}.{k}" for k in range(1, cells + 1)]
        elif (letter == "R" and place["cs"] is not None) or (letter in "KM" and place["crane"]):
            found.append(f"{letter}{number}")
    return found


def _names(plan: dict[str, Any], letter: str, cells: int | None = None) -> str:
    """Return the connectors' names as part of a sentence."""
    names = _ports(plan, letter, cells)
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)
