"""`make harness` draws every cable where Graphviz is installed, and says so where it is not."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml

MAKE = shutil.which("make")
EDGE = re.compile(r"^\t(\w+):[pw](\d+)[lr]?:[ew] -- (\w+):[pw](\d+)[lr]?:[ew]$", re.MULTILINE)


@pytest.fixture(scope="module")
def cables(root):
    """The content of each harness file, by its name."""
    return {path.stem: yaml.safe_load(path.read_text()) for path in (root / "hardware/harness").iterdir()}


@pytest.fixture(scope="module")
def graphs(root, tmp_path_factory):
    """What Graphviz is to draw of each cable, and its list of parts: WireViz makes both without it."""
    folder = tmp_path_factory.mktemp("graphs")
    wireviz, files = Path(sys.executable).with_name("wireviz"), sorted((root / "hardware/harness").iterdir())
    subprocess.run([wireviz, "--format", "gt", "--output-dir", folder, *files], check=True, capture_output=True)
    return {path.stem: (path.read_text(), path.with_suffix(".bom.tsv").read_text()) for path in folder.glob("*.gv")}


def test_wireviz_leads_every_wire_from_the_pin_at_one_end_to_that_at_the_other(cables, graphs):
    assert set(graphs) == set(cables)
    for name, cable in cables.items():
        drawn = set(EDGE.findall(graphs[name][0]))
        wanted = set()
        for ends in cable["connections"]:
            (left, pins), (wire, wires), (right, others) = (next(iter(end.items())) for end in ends)
            wanted |= {(left, str(p), wire, str(w)) for p, w in zip(pins, wires, strict=True)}
            wanted |= {(wire, str(w), right, str(p)) for w, p in zip(wires, others, strict=True)}
        assert drawn == wanted, name


def test_wireviz_lists_the_length_and_the_wires_of_every_cable(cables, graphs):
    for name, cable in cables.items():
        (wire,) = cable["cables"].values()
        row = next(
            line for line in graphs[name][1].splitlines() if line.startswith(("Cable", "Wire")) or "Cable" in line
        )
        assert f"{wire['wirecount']} x" in row, name
        assert f"\t{wire['length']:g}\tm" in row, name


@pytest.mark.graphviz
def test_every_cable_is_drawn_with_the_names_of_its_pins(root, cables, tmp_path):
    subprocess.run([MAKE, "harness", f"DRAWINGS={tmp_path}"], cwd=root, check=True, capture_output=True)
    for name, cable in cables.items():
        words = {"".join(one.itertext()) for one in ET.parse(tmp_path / f"{name}.svg").iter()}
        assert words >= {label for end in cable["connectors"].values() for label in end["pinlabels"]}, name
        assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")


def test_without_graphviz_one_sentence_says_what_to_install(root, tmp_path):
    asked = subprocess.run(
        [MAKE, "harness"], cwd=root, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert asked.returncode != 0
    assert re.findall("^make harness needs Graphviz: install it, .*$", asked.stderr, re.MULTILINE)


def test_drawings_of_cables_stay_out_of_git(root):
    makefile = (root / "Makefile").read_text()
    assert "DRAWINGS := var/harness" in makefile
    assert {path.suffix for path in (root / "hardware/harness").iterdir()} == {".yml"}
