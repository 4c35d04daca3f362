"""Comeback City: its rules, its cards, and its layout on the table."""
