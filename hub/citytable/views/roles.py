"""Roles: what a lit spot means, and how a ring shows it. `roles.json` is read by the rings here and by the screens."""

from pathlib import Path
from typing import Literal

import msgspec

RGB = tuple[int, int, int]


class Role(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One meaning. `rgb` "seat" takes the colour of the light's seat."""

    role: str
    rgb: RGB | Literal["seat"]
    pattern: Literal["solid", "half", "dots", "pulse", "march", "gap", "swing"]


class Roles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All roles, most urgent first, and the seats' colours. The role "other" stands for any that is not listed."""

    about: str
    roles: tuple[Role, ...]
    seats: dict[int, RGB]

    def rank(self, name: str) -> int:
        """0 is the most urgent."""
        names = [role.role for role in self.roles]
        return names.index(name if name in names else "other")

    def look(self, name: str, seat: int | None) -> tuple[RGB, str]:
        """Colour and pattern of a role; a seat's role without a seat has the colour of "other"."""
        role = self.roles[self.rank(name)]
        if role.rgb != "seat":
            return role.rgb, role.pattern
        return (self.seats[seat] if seat in self.seats else self.look("other", None)[0]), role.pattern


ROLES = msgspec.json.decode((Path(__file__).parent / "roles.json").read_bytes(), type=Roles)
