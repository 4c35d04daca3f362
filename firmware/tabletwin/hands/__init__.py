"""Hands: what people physically do at the table, written from the rulebook. docs/reference/hands.md lists the acts."""
