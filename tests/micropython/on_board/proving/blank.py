"""Stand-ins for the modules of a Pico, for a program whose chips are models behind the drivers' seam."""

import os

from proving.seam_level import Chance


class Anything:
    """A stand-in for modules of a Pico that are imported and set up, and then do nothing."""

    STA_IF = 0
    PWRON_RESET = WDT_RESET = 1

    def __init__(self):
        self.mem32 = {}

    def __call__(self, *_args, **_more):
        return self

    def __getattr__(self, _name):
        return self

    def status(self):
        """Report that the Wi-Fi is up."""
        return 3

    def unique_id(self):
        """Return the chip's id."""
        return b"\xe6\x61\x64\x08\x43\x12\x34\x56"


class BoardOs(Chance):
    """The module `os` with the chance that a board has."""

    def __getattr__(self, name):
        return getattr(os, name)
