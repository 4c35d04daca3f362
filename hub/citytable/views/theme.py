"""A venue's own look: its colours, their measured contrasts, and the style sheet for the pages. Pure.

Colours with a meaning at the table stay: the alarm, the seats and the roles, which the rings show, too.
"""

import re
from collections.abc import Iterator
from typing import Annotated, NamedTuple, TypeAlias

import msgspec

from citytable.views.lights import ROLES

TEXT_MIN, SHAPE_MIN = 4.5, 3.0
"""Contrasts that WCAG 2.2 (AA) wants of text (1.4.3) and of lines and signs (1.4.11)."""
ALARM, GOOD = "#ff7a59", "#7fd1a8"
NAME_MAX = 24  # letters, of the name and of the event
Colour: TypeAlias = Annotated[str, msgspec.Meta(pattern="^#[0-9a-fA-F]{6}$")]
_Rgb: TypeAlias = tuple[int, int, int]


class Colours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The colours of the pages, from the ground up; missing ones stay as they are."""

    ground: Colour = "#0b1b22"  # behind everything
    panel: Colour = "#11262f"
    raised: Colour = "#1a3540"  # buttons, and the line of the active player
    edge: Colour = "#6d8a95"  # outlines
    text: Colour = "#f3eee2"
    quiet: Colour = "#b8c4c4"  # text that matters less
    paper: Colour = "#f3eee2"  # cards
    ink: Colour = "#0b1b22"  # text on cards
    ink_quiet: Colour = "#43555c"
    accent: Colour = "#e8b84a"  # the tallest and the winner


class Theme(msgspec.Struct, frozen=True):
    """A theme that is ready to be served: its style sheet, and its files with their kinds; empty if it has none."""

    css: str
    logo: bytes = b""
    logo_kind: str = ""
    font: bytes = b""


class Contrast(NamedTuple):
    """The contrast of a colour on another: their names, the figure, and the least that it must be."""

    name: str
    on: str
    measured: float
    least: float

    @property
    def sentence(self) -> str:
        """Return it in words."""
        return f"{self.name} on {self.on} has a contrast of {self.measured:.1f} and needs {self.least:.1f}"


def contrasts(colours: Colours) -> Iterator[Contrast]:
    """Yield every pair of colours that meet on a page, in the order of the grounds."""
    seats = {f"the colour of seat {seat}": _hex(rgb) for seat, rgb in ROLES.seats.items()}
    texts = {name: getattr(colours, name) for name in ("text", "quiet", "accent")}
    texts |= {"the colour of alarms": ALARM, "the colour of what is good": GOOD}
    for on in ("ground", "panel", "raised"):
        for name, colour in texts.items():
            yield _contrast(name, colour, on, getattr(colours, on), TEXT_MIN)
        for name, colour in seats.items():
            yield _contrast(name, colour, on, getattr(colours, on), SHAPE_MIN)
    yield _contrast("edge", colours.edge, "ground", colours.ground, SHAPE_MIN)
    for name in ("ink", "ink_quiet"):
        yield _contrast(name, getattr(colours, name), "paper", colours.paper, TEXT_MIN)


def too_low(colours: Colours) -> tuple[Contrast, ...]:
    """Return the contrasts that are too low to read."""
    return tuple(one for one in contrasts(colours) if one.measured < one.least)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2.2, contrast ratio).

    >>> round(contrast("#ffffff", "#000000"), 1)
    21.0
    """
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _contrast(name: str, colour: str, on: str, ground: str, least: float) -> Contrast:
    return Contrast(name, on, contrast(colour, ground), least)


def _luminance(colour: str) -> float:
    parts = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _hex(rgb: _Rgb) -> str:
    return f"#{rgb[0]:02x}{rgb[1]:02x}{rgb[2]:02x}"


class Brand(NamedTuple):
    """The name on the display and the overlay; `logo` is the width of the logo for its height, 0 without one."""

    name: str
    event: str
    logo: float


def css_of(colours: Colours, brand: Brand, *, font: bool) -> str:
    """Return the style sheet of a theme. It is read after the pages' own, which stay as they are."""
    values = {name.replace("_", "-"): colour for name, colour in msgspec.structs.asdict(colours).items()}
    values["panel-high"], values["brass"] = values.pop("raised"), values.pop("accent")
    values |= {"lamp": values["panel-high"], "lamp-edge": values["panel"]}
    lines = [
        f":root{{{';'.join(f'--{name}:{colour}' for name, colour in values.items())}}}",
        "button:hover:enabled,.button:hover{background:var(--panel)}",
        "button.go:hover:enabled{background:var(--paper)}",
        ".wall .board .ground{fill:var(--panel)}",
        ".wall .final .winner{background:var(--panel-high)}",
    ]
    lines += _FONT if font else ()
    lines += _brand(brand) if brand.name or brand.event or brand.logo else ()
    return "\n".join(lines) + "\n"


LOGO_HEIGHT, LOGO_WIDTH = 7, 30
"""The most room for a logo on the display, in hundredths of its height."""
_BETWEEN, _LINE = " · ", "\\a "  # of names in a style sheet: on one line, and on two
_FACE = 'src:url("/theme/font") format("woff2");font-display:swap'
_FONT = (
    f'@font-face{{font-family:"Archivo";font-weight:400 800;{_FACE}}}',
    f'@font-face{{font-family:"Archivo Numerals";{_FACE}}}',
    ':root{font-family:"Archivo",system-ui,sans-serif}',
)
"""The venue's letters under the names of the pages' own: these are then not fetched at all."""
_WALL, _AIR = ".wall .stage::before", ".unofficial::before"


def _brand(brand: Brand) -> Iterator[str]:
    """Yield the rules of one line above the display's board, and of two in the corner of the overlay."""
    names = [_quoted(text) for text in (brand.name, brand.event) if text]
    high = min(LOGO_HEIGHT, LOGO_WIDTH / brand.logo) if brand.logo else 0
    wide = high * brand.logo
    logo = (
        f'background:url("/theme/logo") 0 50%/{_times(wide)} auto no-repeat;'
        f"padding-left:{_times(wide + 2 * bool(names))};min-height:{_times(high)}"
    )
    yield f"{_WALL},{_AIR}{{display:grid;align-content:center;{logo if high else ''}}}"
    yield f'{_WALL}{{content:"{_BETWEEN.join(names)}";--brand:var(--u);font-size:var(--small);text-align:left}}'
    yield (
        f'{_AIR}{{content:"{_LINE.join(names)}";--brand:calc(9*var(--frame));white-space:pre-line;'
        "margin-bottom:.3em;color:var(--text);font-size:1.4em}"
    )
    yield f"@media (max-width:999px),(orientation:portrait){{{_WALL}{{--brand:.4rem;order:-3}}}}"


def _times(brand_units: float) -> str:
    return f"calc({brand_units:.2f}*var(--brand))"


def _quoted(text: str) -> str:
    """Return a text as a string of CSS: everything except letters, digits and spaces as its number."""
    return re.sub(r"[^\w ]", lambda sign: f"\\{ord(sign[0]):x} ", text)
