"""Reads the theme of a venue: a JSON file, with a logo and a font beside it. Errors are one sentence."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Annotated

import msgspec

from citytable.table.plan import Misconfigured
from citytable.views.theme import NAME_MAX, Brand, Colours, Theme, css_of, too_low

LOGO_BYTES_MAX, FONT_BYTES_MAX = 100_000, 200_000
ASPECT_MAX = 6.0  # of a logo: how much wider than high, or higher than wide
_PNG, _WOFF2 = b"\x89PNG\r\n\x1a\n", b"wOF2"
_SVG = "{http://www.w3.org/2000/svg}svg"


class ThemeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file: `name` and `event` are shown, `logo` and `font` are files beside it."""

    name: Annotated[str, msgspec.Meta(max_length=NAME_MAX)] = ""
    event: Annotated[str, msgspec.Meta(max_length=NAME_MAX)] = ""
    logo: str = ""
    font: str = ""
    colours: Colours = Colours()


def read_theme(path: Path) -> Theme:
    """Read a theme and check it; raise `Misconfigured`, which names the file and all that is wrong with the colours."""
    file = read_theme_file(path)
    if unclear := too_low(file.colours):
        raise Misconfigured(
            f"theme {path}: {'; '.join(one.sentence for one in unclear)}: move these colours apart "
            f"(`citytable theme {path}` prints every contrast)"
        )
    logo = _bytes(path, file.logo, "logo", LOGO_BYTES_MAX)
    font = _bytes(path, file.font, "font", FONT_BYTES_MAX)
    if font and not font.startswith(_WOFF2):
        raise Misconfigured(f"font {path.parent / file.font}: this is no WOFF2 file: convert it to WOFF2")
    kind, aspect = _picture(path.parent / file.logo, logo) if logo else ("", 0.0)
    css = css_of(file.colours, Brand(file.name, file.event, aspect), font=bool(font))
    return Theme(css, logo, kind, font)


def read_theme_file(path: Path) -> ThemeFile:
    """Read the file itself; raise `Misconfigured`."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=ThemeFile)
    except OSError as error:
        raise Misconfigured(f"theme {path}: {error.strerror}: give the path of a theme file") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Misconfigured(f"theme {path}: {error}: correct the file; see docs/howto/theme.md") from error


def _bytes(theme: Path, name: str, what: str, most: int) -> bytes:
    if not name:
        return b""
    path = theme.parent / name
    try:
        size = path.stat().st_size
        if size > most:
            raise Misconfigured(
                f"{what} {path}: {size} bytes are more than the {most} that are allowed: make it smaller"
            )
        return path.read_bytes()
    except OSError as error:
        raise Misconfigured(f"{what} {path}: {error.strerror}: put the file beside the theme") from error


def _picture(path: Path, picture: bytes) -> tuple[str, float]:
    """Return the kind of a logo, and how wide it is for its height."""
    is_png = picture.startswith(_PNG)
    size = _png_size(picture) if is_png else _svg_size(path, picture)
    if min(size) <= 0 or not 1 / ASPECT_MAX <= size[0] / size[1] <= ASPECT_MAX:
        raise Misconfigured(
            f"logo {path}: {size[0]:g} by {size[1]:g} is too narrow or empty: crop it to at most {ASPECT_MAX:g} to 1"
        )
    return "image/png" if is_png else "image/svg+xml", size[0] / size[1]


def _png_size(picture: bytes) -> tuple[float, float]:
    return int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])


def _svg_size(path: Path, picture: bytes) -> tuple[float, float]:
    try:
        drawing = ET.fromstring(picture)
    except ET.ParseError:
        drawing = None
    if drawing is None or drawing.tag != _SVG:
        raise Misconfigured(f"logo {path}: this is neither a PNG picture nor an SVG drawing: save it as one of these")
    box = re.fullmatch(r"\s*\S+[\s,]+\S+[\s,]+([\d.]+)[\s,]+([\d.]+)\s*", drawing.get("viewBox", ""))
    if box is None:
        raise Misconfigured(f"logo {path}: the drawing has no viewBox, so its size is unknown: export it with one")
    return float(box[1]), float(box[2])
