"""The marks on Comeback City's printed cards, drawn by this project."""

from collections.abc import Mapping
from types import MappingProxyType

from citytable.table.printed import Mark

COLOURS: Mapping[str, str] = MappingProxyType({
    "residential": "#2c7040",
    "commercial": "#1d5f9c",
    "industrial": "#7d6a00",
    "government": "#565d68",
    "disaster": "#9c2f2f",
    "helper": "#5b3f8c",
    "infrastructure": "#3a4560",
})  # fmt: skip
"""The hues of the screens, dark enough for white letters; in grey the marks and names tell them apart."""

MARKS: Mapping[str, Mark] = MappingProxyType({
    "residential": Mark("M12 2 23 12h-3v10h-5.5v-6h-5v6H4V12H1z"),
    "commercial": Mark(
        "M4 3h16l2 6a3 3 0 0 1-5 2 3.4 3.4 0 0 1-5 0 3.4 3.4 0 0 1-5 0 3 3 0 0 1-5-2zM4 13h16v9h-6v-6h-4v6H4z"
    ),
    "industrial": Mark("M2 22V11l6 4v-4l6 4v-4l2 1.4V3h4v9.5l2 1.3V22z"),
    "government": Mark("M12 2 22 8v2H2V8zM3 19h18v3H3zM4.5 11.5h3v6h-3zM10.5 11.5h3v6h-3zM16.5 11.5h3v6h-3z"),
    "wood": Mark("M5 6h14a3 6 0 0 1 0 12H5a3 6 0 0 1 0-12z", "M19 6a3 6 0 0 0 0 12M7 10h6M6.5 14h5", "#c89058"),
    "steel": Mark("M4 3h16v4.5h-5.5v9H20V21H4v-4.5h5.5v-9H4z", "", "#9fb4c8"),
    "concrete": Mark("M12 2 21 7v10l-9 5-9-5V7z", "", "#c9c6bf"),
    "points": Mark("M12 1.5 15 8.6l7.5.7-5.7 5 1.7 7.4L12 17.8l-6.5 3.9 1.7-7.4-5.7-5L9 8.6z"),
    "stories": Mark("M3 18h18v4H3zM5 12h14v4H5zM7 6h10v4H7z", "M12 1.5v3"),
    "restaurant": Mark("", "M7 2v20M4 2v5a3 3 0 0 0 6 0V2M17 22V2c-3 1-4 5-3.5 11H17"),
    "power": Mark("M14 1 4 14h7l-1 9 10-13h-7z"),
    "no_rule": Mark("", "M7 12h10"),
    "action_point": Mark("M12 2 21 7v10l-9 5-9-5V7zM10.8 7 8.5 9v2l2.3-1.2V17h2.4V7z"),
    "buildings": Mark("M2 12h9v10H2zM13 12h9v10h-9zM7.5 2h9v8h-9z"),
    "adjacent": Mark("M2 7h9v10H2zM13 7h9v10h-9z", "M8 20.5h8M8 3.5h8"),
    "other": Mark("M3 10h4v4H3zM10 10h4v4h-4zM17 10h4v4h-4z"),
    "columns": Mark("M2 8h5v14H2zM9.5 3h5v19h-5zM17 11h5v11h-5z"),
    "maintenance_crew": Mark("", "M4 20 13 11M20.5 6.5A5 5 0 1 1 16 3l-1.5 4 2 2z"),
    "defense_agency": Mark("M12 2 21 5v7c0 5-4 8.5-9 10-5-1.5-9-5-9-10V5zM8 11h8v3H8z"),
    "engineering_corps": Mark("", "M3 22h10M6 22V3h15M6 8l6-5M18 3v7M15.5 10h5v5h-5z"),
    "national_guard": Mark("M12 2a4 4 0 1 1 0 8 4 4 0 1 1 0-8zM4 22c0-6 3-10 8-10s8 4 8 10z"),
    "planning_commission": Mark("", "M4 3h11l5 5v13H4zM15 3v5h5M8 12h8M8 16h8"),
    "aliens": Mark("M9 10a3 3 0 0 1 6 0h6c1.5 0 1.5 5-9 5S1.5 10 3 10z", "M8 18l-3 5M16 18l3 5M12 18v5M12 6V2"),
    "earthquake": Mark("M2 14h8l2-5 2 5h8v8H2z", "M12 2l-2 4 4 1-2 4M5 10l2 2M19 10l-2 2"),
    "hurricane": Mark("", "M12 9a3 3 0 1 1-3 3c0-5 5-8 11-6M12 15a3 3 0 1 1 3-3c0 5-5 8-11 6"),
    "meteors": Mark("M16 10a6 6 0 1 1-.1 0z", "M11 11 3 3M15 9 9 2M10 15 2 9"),
    "giant_bird": Mark(
        "M8 2c3 0 5 2 5 5l2 3c4 0 7 3 7 7-3 3-7 3-9 2v3h-3v-3.5C6 17 4 14 4.5 9L1 7l3.5-1.5C5 3.5 6 2 8 2z", ""
    ),
    "target": Mark("M12 10a2 2 0 1 1-.1 0z", "M12 4a8 8 0 1 1-.1 0M12 1v6M12 17v6M1 12h6M17 12h6"),
    "up_and_down": Mark("M9 9h6v6H9z", "M12 7V1.5l-3 3M12 1.5l3 3M12 17v5.5l-3-3M12 22.5l3-3"),
    "left_and_right": Mark("M9 9h6v6H9z", "M7 12H1.5l3-3M1.5 12l3 3M17 12h5.5l-3-3M22.5 12l-3 3"),
    "all_adjacent": Mark("M9 9h6v6H9zM2 2h5v5H2zM9.5 2h5v5h-5zM17 2h5v5h-5zM2 9.5h5v5H2zM17 9.5h5v5h-5zM2 17h5v5H2z"
                         "M9.5 17h5v5h-5zM17 17h5v5h-5z"),
    "rubble": Mark("M2 21l4-7 4 3 3-6 4 4 2-2 4 8z", "M5 9l2 2M12 4v3M18 7l-2 2"),
    "dud": Mark("", "M12 4a8 8 0 1 1-.1 0M6.5 6.5l11 11"),
    "plant": Mark("M3 22V9l3-1 1 14zM9 22V9l3-1 1 14zM15 14h7v8h-7z", "M5 5c0-3 4-1 4-4M11 5c0-3 4-1 4-4"),
    "line": Mark("", "M12 2v20M5 6h14M7 11h10M5 6l-1 3M19 6l1 3M12 2 8 22M12 2l4 20"),
    "road": Mark("M7 2h3L6 22H1zM14 2h3l6 20h-5z", "M12 4v3M12 11v3M12 18v3"),
})  # fmt: skip
