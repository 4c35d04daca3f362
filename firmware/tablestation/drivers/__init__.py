"""Drivers: one file for each chip. They get their pins and buses; a driver that needs a platform has it in its name."""
