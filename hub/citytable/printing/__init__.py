"""Print and play: cards and tiles on sheets of paper, as PDF. It knows no game: what it prints are values."""
