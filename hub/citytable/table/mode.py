"""Modes: what the table makes of an act that a rule forbids. The host chooses."""

from typing import Literal, TypeAlias

Mode: TypeAlias = Literal[
    "enforce",  # it is to be put right, unless the host lets it stand
    "advise",  # it is recorded as what happened; the rule it breaks is shown, and play goes on
    "record",  # it is recorded as what happened; nobody is told of rules
]
