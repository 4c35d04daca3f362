"""Comeback City: its rules, its cards, and how it lies on the table."""
