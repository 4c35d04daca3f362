"""Drivers: one chip a file. They take the pins and buses they work on; one that needs a platform has it in its name."""
