"""Hands: the physical acts of people at the table. docs/reference/hands.md lists them."""
