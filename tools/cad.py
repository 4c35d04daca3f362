"""Exports the mechanical parts: `make cad` writes STL, STEP, DXF and drawings to var/cad and checks every part.

It also draws the pictures of the guides to docs/pictures/build. They are kept in git, so that the guides can be read
there; `made-from.txt` beside them has a checksum of each, and of each source. A test compares these with the files, so
sources in which something is wrong, for which nothing is written, do not pass it.

It runs in the Python of hardware/cad/.venv, which has build123d; the hub does not need it.
"""

import sys
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree as ET

import ezdxf
import trimesh
from build123d import ExportDXF, Part, Pos, Rot, export_step, export_stl
from drawings import svg_of

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "hardware/cad"
SIZES = ROOT / "hub/citytable/table/sizes.toml"
OUT = ROOT / "var/cad"
VOLUMES = SOURCES / "volumes.csv"
PICTURES = ROOT / "docs/pictures/build"
MOST_CORNERS, SHAKEN_MM = "crane-cord", 1e-9  # of a drawing whose silhouettes cross at thin slivers
FROM_ABOVE, OBLIQUE = (0.0, -0.02, 1.0), (0.45, -1.0, 0.75)


def fits_printer(part: Part, printer: tuple[float, float, float]) -> bool:
    """Report whether a part fits the printer's volume, lying as it is."""
    size = part.bounding_box().size
    return all(length <= most for length, most in zip((size.X, size.Y, size.Z), printer, strict=True))


def print_part(name: str, part: Part, printer: tuple[float, float, float]) -> list[str]:
    """Write a part's STL and STEP, and return what is wrong with it."""
    export_step(part, str(OUT / f"{name}.step"))
    export_stl(part, str(OUT / f"{name}.stl"))
    wrong = [] if len(part.solids()) == 1 and part.is_valid else [f"{name} is not one solid"]
    wrong += [] if trimesh.load_mesh(OUT / f"{name}.stl").is_watertight else [f"{name}.stl is not watertight"]
    return wrong + ([] if fits_printer(part, printer) else [f"{name} does not fit the printer"])


def cut_part(name: str, part: Part) -> list[str]:
    """Write a sheet's STEP and DXF, and return what is wrong with it.

    The DXF shows the sheet from above: its upper side on the layer `above`, on `below` what is drilled from below.
    """
    export_step(part, str(OUT / f"{name}.step"))
    outline, box = ExportDXF(), part.bounding_box()
    for layer, z in (("above", box.max.Z), ("below", box.min.Z)):
        outline.add_layer(layer)
        for face in part.faces():
            if abs(face.center().Z - z) < 1e-3:
                outline.add_shape(face.moved(Pos(0, 0, -z)), layer=layer)
    outline.write(str(OUT / f"{name}.dxf"))
    drawn = {entity.dxf.layer for entity in ezdxf.readfile(OUT / f"{name}.dxf").modelspace()}
    wrong = [] if drawn == {"above", "below"} else [f"{name}.dxf has the layers {sorted(drawn)}"]
    return wrong + ([] if part.is_valid else [f"{name} is not valid"])


def draw_part(name: str, part: Part) -> list[str]:
    """Write the drawing of a part with its size, a sheet from above, others from both sides; return what is wrong."""
    picture, size = import_module("picture"), part.bounding_box().size
    label = f"{name}: {size.X:.1f} x {size.Y:.1f} x {size.Z:.1f} mm"
    seen = [picture.Piece(part, label)]
    if name not in import_module("assembly").CUT:
        turned = Pos(1.3 * max(size.X, size.Y), 0, 0) * Rot(180, 0, 0) * part
        seen.append(picture.Piece(turned, "upside down"))
    text = svg_of(picture.Picture(pieces=tuple(seen), look_from=FROM_ABOVE if len(seen) == 1 else OBLIQUE))
    (OUT / f"{name}.svg").write_text(text, "utf-8")
    outline, edges = (path.attrib["d"] for path in list(ET.fromstring(text))[1:3])
    return [] if outline.endswith("Z") and edges and "nan" not in text else [f"{name}.svg shows nothing"]


def unsteady(name: str) -> list[str]:
    """Return a fault if a drawing looks otherwise on a computer whose floating point rounds otherwise."""
    picture = import_module("pictures").PICTURES[name]()
    return [] if svg_of(picture) == svg_of(picture, SHAKEN_MM) else [f"{name}.svg is not the same on every computer"]


def draw_pictures() -> None:
    """Write the drawings of the guides, and what they were made from."""
    pictures = import_module("pictures").PICTURES
    for name, picture in pictures.items():
        (PICTURES / f"{name}.svg").write_text(svg_of(picture()), "utf-8")
    sources = [*SOURCES.glob("*.py"), SIZES, ROOT / "tools/drawings.py", SOURCES / "requirements.txt"]
    files = sorted(
        path.relative_to(ROOT) for path in (*sources, VOLUMES, *(PICTURES / f"{name}.svg" for name in pictures))
    )
    lines = [f"{sha256((ROOT / path).read_bytes()).hexdigest()}  {path.as_posix()}\n" for path in files]
    (PICTURES / "made-from.txt").write_text("".join(lines), "utf-8")


def write_volumes(names: tuple[str, ...]) -> None:
    """Write the volume and the surface of each printed part, from which tests compute what it weighs."""
    parts = {name: import_module(name).build() for name in names}
    lines = [f"{name},{part.volume:.0f},{part.area:.0f}\n" for name, part in parts.items()]
    VOLUMES.write_text("".join(["part,volume_mm3,area_mm2\n", *lines]), "utf-8")


def main() -> int:
    """Export everything; return 1 if something is wrong."""
    sys.path.insert(0, str(SOURCES))
    OUT.mkdir(parents=True, exist_ok=True)
    assembly, dimensions = import_module("assembly"), import_module("dimensions")
    wrong = []
    for name in (*assembly.PRINTED, *assembly.CUT):
        part = import_module(name).build()
        wrong += print_part(name, part, dimensions.PRINTER) if name in assembly.PRINTED else cut_part(name, part)
        wrong += draw_part(name, part)
    wrong += assembly.faults() + import_module("slide_checks").faults(assembly.build())
    wrong += import_module("crane_checks").faults() + import_module("station_checks").faults()
    wrong += import_module("screw_checks").faults() + unsteady(MOST_CORNERS)
    if not wrong:
        write_volumes(assembly.PRINTED)
        draw_pictures()
    print(
        "\n".join(wrong) or f"every part is in {OUT.relative_to(ROOT)}, watertight, printable and clear of the others"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
