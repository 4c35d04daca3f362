"""Modes: how the table treats an act that a rule forbids. The host chooses."""

from typing import Literal, TypeAlias

Mode: TypeAlias = Literal[
    "enforce",  # people must correct it, unless the host accepts it
    "advise",  # it is recorded as it happened; the broken rule is shown, and play goes on
    "record",  # it is recorded as it happened; no rule is shown
]
