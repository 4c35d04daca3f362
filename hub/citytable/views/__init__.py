"""Decide what each viewer may see, and show it: one view of the table for screens and LED rings, and a web server."""
