"""Print cards and tiles on sheets of paper, as PDF. Games describe them as values; this package knows no game."""
