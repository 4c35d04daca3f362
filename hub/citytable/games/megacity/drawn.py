"""The marks on MegaCity's printed cards and tiles, drawn by this project."""

from collections.abc import Mapping
from types import MappingProxyType

from citytable.table.printed import Mark

COLOURS: Mapping[str, str] = MappingProxyType({
    "public": "#8a3a6c",
    "industrial": "#7d6a00",
    "commercial": "#1d6a9c",
    "residential": "#b2431a",
    "park": "#1f7552",
})  # fmt: skip
"""The hues of the screens, dark enough for white letters; in grey the marks and names tell them apart."""

MARKS: Mapping[str, Mark] = MappingProxyType({
    "public": Mark("M12 2 22 8v2H2V8zM3 19h18v3H3zM4.5 11.5h3v6h-3zM10.5 11.5h3v6h-3zM16.5 11.5h3v6h-3z"),
    "industrial": Mark("M2 22V11l6 4v-4l6 4v-4l2 1.4V3h4v9.5l2 1.3V22z"),
    "commercial": Mark(
        "M4 3h16l2 6a3 3 0 0 1-5 2 3.4 3.4 0 0 1-5 0 3.4 3.4 0 0 1-5 0 3 3 0 0 1-5-2zM4 13h16v9h-6v-6h-4v6H4z"
    ),
    "residential": Mark("M12 2 23 12h-3v10h-5.5v-6h-5v6H4V12H1z"),
    "none": Mark("", "M6 12h12"),
    "courtyard": Mark("M3 3h18v18H3zM8.5 8.5v7h7v-7z"),
    "no_overhang": Mark("M8 9h8v13H8z", "M3 5h18M4.5 2.5l15 5M19.5 2.5l-15 5"),
    "no_glass": Mark("", "M5 4h14v16H5zM8 14l6-7M11 17l5-6M2 22 22 2"),
    "no_concrete": Mark("M4 7h16v11H4z", "M2 22 22 2"),
    "no_steel": Mark("M5 4h14v4h-5v8h5v4H5v-4h5V8H5z", "M2 22 22 2"),
    "build_on_vent": Mark("M7 2h10v9H7z", "M2 15h20M4 19h16M7 22.5h10"),
    "upper_archway": Mark("M4 3h16v10h-4.5a3.5 3.5 0 0 0-7 0H4z", "M4 17.5h16M4 21h16"),
    "lower_archway": Mark("M4 11h16v11h-4a4 4 0 0 0-8 0H4z", "M4 3.5h16M4 7h16"),
    "other": Mark("M3 10h4v4H3zM10 10h4v4h-4zM17 10h4v4h-4z"),
    "prestige": Mark("M12 1.5 15 8.6l7.5.7-5.7 5 1.7 7.4L12 17.8l-6.5 3.9 1.7-7.4-5.7-5L9 8.6z"),
    "park": Mark("M12 2a6 6 0 0 1 5.5 8.3A5 5 0 0 1 15.5 19H14v4h-4v-4H8.5a5 5 0 0 1-2-8.7A6 6 0 0 1 12 2z"),
    "pieces": Mark("M2 13h9v9H2zM13 13h9v9h-9zM7.5 2h9v9h-9z"),
    "height": Mark("", "M5 2h14M5 22h14M12 4v16M9 7l3-3 3 3M9 17l3 3 3-3"),
    "contract": Mark("", "M5 2h14v20H5zM8.5 7h7M8.5 11h7M8.5 15h4"),
})  # fmt: skip
