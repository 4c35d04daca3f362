"""Exports the mechanical parts: `make cad` writes STL, STEP, DXF and SVG to var/cad and checks every part.

It runs in the Python of hardware/cad/.venv, which has build123d; the hub does not need it.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import trimesh
from build123d import Axis, Drawing, ExportDXF, ExportSVG, Part, export_step, export_stl

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "hardware/cad"
OUT = ROOT / "var/cad"


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


def cut_part(name: str, part: Part) -> None:
    """Write the outline of a sheet as DXF."""
    export_step(part, str(OUT / f"{name}.step"))
    outline = ExportDXF()
    outline.add_shape(part.faces().sort_by(Axis.Z)[-1])  # its top lies at z = 0
    outline.write(str(OUT / f"{name}.dxf"))


def draw(name: str, shape: Any) -> None:
    """Write a drawing of a shape, seen from above at a slant."""
    drawing = Drawing(shape, look_from=(0.4, -1, 0.8), with_hidden=False)
    lines = ExportSVG(scale=0.5)
    lines.add_shape(drawing.visible_lines)
    lines.write(str(OUT / f"{name}.svg"))


def main() -> int:
    """Export everything; return 1 if something is wrong."""
    sys.path.insert(0, str(SOURCES))
    OUT.mkdir(parents=True, exist_ok=True)
    assembly, dimensions = import_module("assembly"), import_module("dimensions")
    wrong = []
    for name in assembly.PRINTED:
        part = import_module(name).build()
        wrong += print_part(name, part, dimensions.PRINTER)
        draw(name, part)
    for name in assembly.CUT:
        cut_part(name, import_module(name).build())
    wrong += assembly.faults()
    draw("table", assembly.build())
    print(
        "\n".join(wrong) or f"every part is in {OUT.relative_to(ROOT)}, watertight, printable and clear of the others"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
