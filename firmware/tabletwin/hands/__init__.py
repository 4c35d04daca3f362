"""Hands: what people physically do at the table. docs/reference/hands.md lists the acts."""
