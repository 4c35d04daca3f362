"""The marks on Dilluvia Project's printed tiles, drawn by this project."""

from collections.abc import Mapping
from types import MappingProxyType

from citytable.table.printed import Mark

COLOURS: Mapping[str, str] = MappingProxyType({
    "white": "#7d6e48",
    "grey": "#5f666f",
    "building": "#34507a",
    "garden": "#3f7a2c",
})  # fmt: skip
"""Dark enough for white letters; a back that is called white has the hue of sand, to show on paper."""

_CUBE = "M12 2 21 7v10l-9 5-9-5V7z"
_EDGES = "M3 7l9 5 9-5M12 12v10"

MARKS: Mapping[str, Mark] = MappingProxyType({
    "white": Mark(_CUBE, _EDGES, "#f4f1ea"),
    "black": Mark(_CUBE, _EDGES, "#4a4e55"),
    "brown": Mark(_CUBE, _EDGES, "#9a6a3c"),
    "purple": Mark(_CUBE, _EDGES, "#8a5fb0"),
    "cube": Mark("", f"{_CUBE}{_EDGES}"),
    "coin": Mark("M12 2a10 10 0 1 1-.1 0zM12 4.5a7.5 7.5 0 1 0 .1 0zM10.5 7.5h3v9h-3z"),
    "prestige": Mark("M2 7l5 4 5-8 5 8 5-4-2 11H4zM4 20h16v2.5H4z"),
    "population": Mark("M12 2a4 4 0 1 1 0 8 4 4 0 1 1 0-8zM4 22c0-6 3-10 8-10s8 4 8 10z"),
    "worker": Mark("M12 3a9 9 0 1 1-.1 0zM12 8l1.3 2.7 2.9.4-2.1 2 .5 2.9L12 14.6 9.4 16l.5-2.9-2.1-2 2.9-.4z"),
    "marker": Mark("M3 22V10l6-5 6 5v12z", "M18 12V3M14.5 6 18 2.5 21.5 6"),
    "building": Mark("M4 22V6h9v16zM14 22V11h6v11z", "M7 2.5h3"),
    "small": Mark("M4 4h7.5v7.5H4z", "M4 4h16v16H4z"),
    "medium": Mark("M4 4h16v7.5H4z", "M4 4h16v16H4zM12 4v16"),
    "large": Mark("M4 4h7.5v7.5H4zM12.5 4H20v7.5h-7.5zM4 12.5h7.5V20H4zM12.5 12.5H20V20h-7.5z"),
    "garden": Mark("M12 2a6 6 0 0 1 5.5 8.3A5 5 0 0 1 15.5 19H14v4h-4v-4H8.5a5 5 0 0 1-2-8.7A6 6 0 0 1 12 2z"),
    "propeller": Mark(
        "M12 10.5a1.5 1.5 0 1 1-.1 0zM12 9c-4-3-4-7 0-8 4 1 4 5 0 8zM9.5 13.5c0 5-3.5 7-6.5 4-1-4 2-6 6.5-4z"
        "M14.5 13.5c4.5-2 7.5 0 6.5 4-3 3-6.5 1-6.5-4z"
    ),
    "convert": Mark("", "M3 8h15M14 4l4 4-4 4M21 16H6M10 12l-4 4 4 4"),
    "sectors": Mark("M3 3h8v8H3z", "M3 3h18v18H3zM12 3v18M3 12h18"),
    "empty": Mark("", "M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4"),
    "toll": Mark("M12 9a5 5 0 1 1-.1 0z", "M12 1v5M9.5 3.5 12 6l2.5-2.5M3 22h18"),
    "later": Mark("", "M12 3a9 9 0 1 1-.1 0M12 7v5l4 3"),
    "timely": Mark("", "M12 3a9 9 0 1 1-.1 0M7.5 12l3.5 3.5 6-7"),
    "tile": Mark("", "M3 3h18v18H3zM8 8h8v8H8z"),
    "now": Mark("M13 1 4 14h6l-1 9 10-14h-7z"),
    "once": Mark("", "M12 3a9 9 0 1 1-.1 0M10 9l2.5-2V17"),
    "turn": Mark("", "M20 12a8 8 0 1 1-2.5-5.8M20.5 2v5h-5"),
    "always": Mark(
        "", "M12 12c-2-3-3.5-4-5.5-4a4 4 0 0 0 0 8c2 0 3.5-1 5.5-4 2-3 3.5-4 5.5-4a4 4 0 0 1 0 8c-2 0-3.5-1-5.5-4"
    ),
    "end": Mark("M5 3h14l-4 4.5 4 4.5H7v10H5z"),
})  # fmt: skip
