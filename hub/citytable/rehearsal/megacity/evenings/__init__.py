"""Evenings of MegaCity: its things and pieces, what its people do with them, and what they answer."""
