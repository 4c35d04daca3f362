"""The builder's pages say what the pin plans say."""

import re
from collections import Counter
from math import hypot

import pytest

from tablestation.boards.pins.park import PINS as PARK


def test_every_page_is_printed_from_the_plans(root, stations):
    stale = [str(path) for path, text in stations.printed(root).items() if (root / path).read_text("utf-8") != text]
    assert stale == [], "print them: .venv/bin/python tools/stations.py"


def test_a_changed_plan_would_be_noticed(root, stations, monkeypatch):
    monkeypatch.setitem(PARK["strip"], "pin", 21)
    changed = [path.name for path, text in stations.printed(root).items() if (root / path).read_text("utf-8") != text]
    assert sorted(changed) == ["first-station.md", "park.csv", "park.csv", "park.md"], "netlist and wires"


def test_a_page_without_its_marks_is_refused(stations):
    with pytest.raises(ValueError, match="no marks <!-- wiring -->"):
        stations.with_table("# A page", "wiring", "| a |")


def test_every_wire_of_a_plan_is_on_its_page(root, stations, kind, pins):
    page = (root / f"hardware/stations/{kind}.md").read_text("utf-8")
    for pin, what in stations.wires(pins).items():
        assert f"| GP{pin} | {'; '.join(what)} |" in page


def test_the_current_of_rings_and_the_scales_share_no_ground_but_the_supplys(root, kind, pins):
    """The step that wires the carrier and the table of pins say the same."""
    page = (root / f"hardware/stations/{kind}.md").read_text("utf-8")
    assert ("several wires each start at F1 and P1" in page) == bool(pins["strip"])
    assert ("that of the rings and readers joins it at the supply alone" in page) == bool(pins["strip"])


def test_a_guide_says_how_much_wire_of_each_gauge_its_cables_take(root, stations, kind):
    """Counted from what the maker reads: cables, wires of each, its length, and a wire for the foil of each slot."""
    page = (root / f"hardware/stations/{kind}.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+) \| (\S+-to-\S+) \|.*\| (.+?) \| (\d+) mm, (\S+ mm2) \|$", page, re.MULTILINE)
    counted = Counter()
    for number, name, wires, length_mm, gauge in rows:
        if name != "cell-to-hx711":
            counted[gauge] += int(number) * len(wires.split(", ")) * int(length_mm)
    assert counted
    if foil := re.search(r"black wire of (0.25 mm2) that is\s+(\d+) mm long", page):
        counted[foil[1]] += int(re.search(r"^\| (\d+) \| card-slot \|", page, re.MULTILINE)[1]) * int(foil[2])
    for gauge, all_mm in counted.items():
        assert f"{-(-all_mm // 1000)} m of {gauge}" in page


def test_a_maker_plugs_in_what_feeds_readers_and_rings_before_the_doctor_looks(root, kind):
    """Over its USB cable the board runs, and its readers are silent."""
    page = (root / f"hardware/stations/{kind}.md").read_text("utf-8")
    assert 0 < page.index("Plug in the supply") < page.index("citytable doctor")
    first = (root / "docs/howto/first-station.md").read_text("utf-8")
    assert first.index("Plug in the supply") < first.index("citytable doctor")


TAKES = {
    "lift pin": "tweezers",
    "Unsolder": "solder wick",
    "stiff wire": "stiff wire",
    "blocks of 100 mm": "two blocks of 100 mm",
    "length of each": "tape measure",
    "Draw the middle": "pencil",
    "kitchen scale on the": "kitchen scale",
    "strip of paper": "paper",
    "Countersink": "countersink",
}
"""Words of a step, and the tool without which nobody does it."""


def test_a_tool_that_a_step_takes_is_named_first(root, kind):
    """A wick, tweezers and something to measure wire with were in no list."""
    page = " ".join((root / f"hardware/stations/{kind}.md").read_text("utf-8").split())
    tools, _, work = page[page.index("**Tools:**") :].partition("### 1. Carrier")
    together = " ".join((root / "docs/howto/build-the-table.md").read_text("utf-8").split())
    together = together[together.index("## Tools") : together.index("## One station")]
    for tool in (tool for words, tool in TAKES.items() if words in work):
        assert tool in tools, tool
        assert tool in together, tool


def test_a_guide_says_on_which_side_of_a_carrier_the_wires_run_and_how_a_part_finds_its_holes(
    root, kind, carrier_picture, load_tool
):
    """A maker who solders below looks at the drawing's mirror image; a wire is long enough for a part one hole away."""
    page = " ".join((root / f"hardware/stations/{kind}.md").read_text("utf-8").split())
    assert f"Count the holes, {carrier_picture.GRID_MM:g} mm apart, from the edges of the board; one hole" in page
    assert "All wires run on the other side" in page
    assert "Seen from there, left and right are swapped" in page
    assert load_tool("carrier_wires").ENDS_MM > 4 * carrier_picture.GRID_MM, "both of its ends one hole further away"


def test_the_bench_day_names_what_its_lines_ask_for_and_no_station_does(root):
    page = " ".join((root / "hardware/NEVER-TRIED.md").read_text("utf-8").split())
    before, _, lines = page.partition("| what | how |")
    asked = ("scope", "logic analyser", "bench supply", "0.1 Ohm", "power bank", "straightedge", "feeler gauges")
    for tool in (*asked, "clock", "paper towels"):
        assert tool in lines, f"no line asks for it any more: {tool}"
        assert tool in before, tool


def test_the_page_of_the_table_says_how_deep_the_holes_for_the_nuts_of_its_frame_are(root, load_tool):
    """No cutter's file says it, and a hole through the frame would show."""
    d = load_tool("cable_lengths").dimensions()
    page = " ".join((root / "docs/howto/build-the-table.md").read_text("utf-8").split())
    assert f"{d.INSERT[0]:g} mm wide and {d.INSERT[1]:g} mm deep" in page


def test_the_guide_of_a_seat_says_how_deep_what_is_drilled_from_below_is(root, load_tool):
    """No cutter's file says it."""
    d = load_tool("cable_lengths").dimensions()
    page = " ".join((root / "hardware/stations/seat.md").read_text("utf-8").split())
    assert f"{d.INSERT[0]:g} mm wide and {d.INSERT[1]:g} mm deep" in page
    wide, deep = d.BUTTON_NUT
    assert f"to {wide:g} mm from below, {deep:g} mm deep, so that {d.FRAME_THICK - deep:g} mm of wood" in page


KEYS = {
    "m3x12-socket-head": "2.5",
    "m3x20-countersunk": "2",
    "m4x16-socket-head": "3",
    "m5x16-socket-head": "4",
    "m6x90-bolt": "5",
}
"""The hex key of each screw with a socket: ISO 4762, and ISO 10642 for the countersunk one."""


def test_the_tools_fit_the_screws(root, parts, kind):
    """M4 and M5 were listed without their keys."""
    for path in (f"hardware/stations/{kind}.md", "docs/howto/build-the-table.md"):
        page = " ".join((root / path).read_text("utf-8").split())
        keys = re.search(r"hex keys of ([0-9., and]+) mm", page)[1].replace(" and ", ", ").split(", ")
        bare = re.search(r"screws of ([0-9, and]+) mm", page)[1].replace(" and ", ", ").split(", ")
        for name in (name for name, part in parts.items() if part.each[kind] and part.kind == "fastener"):
            if name in KEYS:
                assert KEYS[name] in keys, name
            elif name.startswith("screw-"):
                assert re.match(r"screw-(\d)x", name)[1] in bare, name


def test_steps_come_in_the_order_of_the_work(root):
    """What lies under a slot is there before the slot is taped down, and a cable is made before it is soldered in."""
    page = (root / "hardware/stations/supply.md").read_text("utf-8")
    assert page.index("kitchen\n   foil to") < page.index("Tape the slots down")
    assert page.count("ape the slot") == 2, "card slots once, the others once"
    assert page.index("Make the socket's cable first") < page.index("solder them on") < page.index("into its holder")
    seat = (root / "hardware/stations/seat.md").read_text("utf-8")
    assert seat.index("lead the chain from opening to opening") < seat.index("Fit diffuser, ring, reader and ferrite")
    assert seat.index("Push the button into its hole") < seat.index("Put the posts on the floor")
    assert seat.index("Lower both rollers") < seat.index("Set the head on the rods") < seat.index("Cut a metre of cord")


def test_the_guide_of_the_supply_says_where_each_slot_lies_and_how_deep_holes_are(root, load_tool):
    """Its slots were to be taped down somewhere in three rows, a card's with its middle over a hole elsewhere."""
    d = load_tool("cable_lengths").dimensions()
    page = " ".join((root / "hardware/stations/supply.md").read_text("utf-8").split())
    drawing = (root / "docs/pictures/build/plan-tray.svg").read_text("utf-8")
    left, _, front, _ = d.SUPPLY
    for x, y in (*d.SUPPLY_CARDS_AT, *d.SUPPLY_PLATFORMS_AT, *d.SUPPLY_LANDMARKS_AT):
        assert f"{x - left:g}" in page
        assert f">{x - left:g} / {y - front:g}</text>" in drawing
    assert f"is {-d.CARD_CABLE_AT_X:g} mm to the right of the middle of its hole" in page
    assert "12 mm deep: four of 4 mm for the feet, four of 2.5 mm for the carrier" in page


def test_a_holder_of_a_socket_is_within_reach_of_its_cable(root, load_tool, stations):
    """The guide names an edge for the supply: both ways round of the carrier count."""
    lengths, picture = load_tool("cable_lengths"), load_tool("carrier_picture")
    d = lengths.dimensions()
    (port,) = (part for part in picture.placed(stations.plan_of("supply")) if part.name.startswith("P1"))
    x, y = port.x_mm + port.wide_mm / 2 - d.BOARD[0] / 2, port.y_mm + port.deep_mm / 2 - d.BOARD[1] / 2
    for side in (-1, 1):
        from_y = d.SUPPLY_BOARD_AT[1] + side * y
        assert hypot(side * x, d.SUPPLY[3] - from_y) + lengths.PLUG_BELOW_MM + lengths.SLACK_MM < 500
    assert "in the middle of the back" in (root / "hardware/stations/supply.md").read_text("utf-8")


def test_the_foil_of_a_card_slot_covers_its_right_half(root, load_tool, kind):
    page = " ".join((root / f"hardware/stations/{kind}.md").read_text("utf-8").split())
    wide, long = (side + 1 for side in load_tool("cable_lengths").dimensions().CARD[:2])
    assert ("kitchen foil to" in page) == (kind in {"seat", "supply"})
    if "kitchen foil to" in page:
        assert f"kitchen foil to {wide / 2:g} x {long:g} mm" in page


def test_tape_holds_a_rod_until_its_head_is_clamped(root):
    seat = (root / "hardware/stations/seat.md").read_text("utf-8")
    assert seat.index("Push both rods") < seat.index("tape over both holes") < seat.index("Clamp each rod")


@pytest.mark.parametrize("name", ["card-slot", "platform-slot", "bag-cradle"])
def test_the_list_says_how_to_print_what_has_a_pocket(parts, name):
    assert "supports" in parts[name].note


def test_a_cable_goes_through_its_hole_before_it_is_plugged_in(steps, pins):
    """Its one plug is for the carrier below; at the other end it is soldered."""
    texts = [" ".join(step.text.split()) for step in steps.steps(pins)]
    assert [text for text in texts if re.search(r"[Pp]lug (its|the reader's) cable in", text)] == []


def test_the_pages_with_an_hx711_say_how_others_name_its_pins_and_that_its_supplies_are_bridged(root, pins):
    text = " ".join((root / f"hardware/stations/{pins['kind']}.md").read_text("utf-8").split())
    weighs = any(place["cells"] for place in pins["places"])
    assert ("DAT is DT, CLK is SCK" in text) == ("both VCC and VDD, bridge the two" in text) == weighs


def test_the_rate_is_set_before_cables_are_soldered_on(steps, pins):
    titles = [step.title for step in steps.steps(pins)]
    rate = [title for title in titles if title.startswith("Rate")]
    assert rate == (["Rate of the converters"] if any(place["cells"] for place in pins["places"]) else [])
    assert titles.index("Cables") == titles.index("Board") + 1 + len(rate)


def test_a_maker_knows_the_expanders_pins_and_every_contact(root, parts, carriers, carrier_picture, stations):
    """Its pins had two names, one of which a module may print on others; a crimped contact had no number."""
    page = " ".join((root / "hardware/stations/seat.md").read_text("utf-8").split())
    plan = stations.plan_of("seat")
    pins = [pin for nodes in carriers.netlist(plan).values() for part, pin in nodes if part == "U3"]
    printed = [carrier_picture.expander_print(pin) for pin in pins]
    rows = [name for row in carrier_picture.EXPANDER_ROWS for name in row]
    assert len(set(printed)) == len(pins)
    assert set(printed) <= set(rows)
    assert len(set(rows)) == len(rows) == 26
    drawing = carrier_picture.svg_of(plan, "")
    assert [name for name in rows if f">{name}</text>" not in drawing] == []
    assert "Its row from VIN to A7 faces U2, with VIN on the left" in page
    assert "D0 to D2 for ADDR0 to ADDR2, VIN for VCC and Rst for RESET" in page
    assert parts["mcp23017-module"].sources[0].startswith("Adafruit 5346 ")
    assert "SXH-001T-P0.6" in parts["jst-xh-contact"].sources[0]
    sets = [part for name, part in parts.items() if name.startswith("jst-xh-set-")]
    assert sets
    assert all("jst-xh-contact" in part.note for part in sets)


def test_the_drawing_of_readers_tints_their_connectors_and_no_resistor(carrier_picture, load_tool, stations, kind):
    """RL1 begins with the letter of a reader's connector."""
    steps = load_tool("steps")
    drawn = carrier_picture.svg_of(stations.plan_of(kind), steps.TINTED["readers"])
    inked = set(re.findall(rf'fill="{carrier_picture.NEW[1]}">([A-Z]+)[0-9.]+</text>', drawn))
    assert inked == {"R"}


def test_a_guide_says_what_the_names_on_its_carrier_stand_for(root, kind, carriers, pins):
    """Which part is E1, and which RL1, was in neither the step nor its drawing."""
    page = " ".join((root / f"hardware/stations/{kind}.md").read_text("utf-8").split())
    parts = {part for nodes in carriers.netlist(pins).values() for part, _ in nodes}
    step = page[page.index("### 1. Carrier") : page.index("### 2. Supply")]
    for part in parts & {"P1", "F1", "D1", "E1", "RL1", "U1", "U2", "U3"}:
        assert f"{part} is the " in step, part
    assert ("U3 is the" in step) == ("U3" in parts)


def test_the_guide_of_what_weighs_has_each_line_that_a_maker_had_to_guess(root, pins):
    """A module with a pad for RATE, the voltage for a cell, which way up a ring goes, and on which side of its base."""
    page = " ".join((root / f"hardware/stations/{pins['kind']}.md").read_text("utf-8").split())
    weighs = any(place["cells"] for place in pins["places"])
    assert ("If it has a pad for RATE, join that pad to VDD" in page) == weighs
    assert ("measure between E+ and E-: there must be 3 V or more" in page) == weighs
    hexes = pins["kind"] in {"park", "sector"}
    assert ("its LEDs towards the diffuser" in page) == hexes
    assert ("over the round hole" in page or "over its round hole" in page) == hexes
    assert "5 V behind the fuse (at F1 pin 2, the left one)" in page
    rings = sum(place["leds"] > 0 for place in pins["places"])
    assert ("solder the cables from ring to ring too" in page) == (rings > 1)
    assert ("The cables already join the rings" in page) == (rings > 1)


def test_the_pages_have_one_place_for_the_stickers_of_a_card(root, load_tool):
    """tags.md said 16 mm, the guides 16.75 mm."""
    sticker = f"{load_tool('plan_picture').STICKER_MM:g} mm to the "
    for path in ("docs/howto/tags.md", "hardware/stations/seat.md", "hardware/stations/supply.md"):
        assert sticker in " ".join((root / path).read_text("utf-8").split()), path


def test_the_page_of_the_table_wires_a_carrier_as_the_guides_do(root, kind):
    """It sent a maker to the nets, where 5 V and ground do not branch."""
    table = " ".join((root / "docs/howto/build-the-table.md").read_text("utf-8").split())
    assert "wire by wire from `hardware/pcb/wires/<kind>.csv`" in table
    assert "net by net" not in table
    assert f"pcb/wires/{kind}.csv" in (root / f"hardware/stations/{kind}.md").read_text("utf-8")
    assert "on the ground" not in table + (root / "hardware/budget.md").read_text("utf-8")
