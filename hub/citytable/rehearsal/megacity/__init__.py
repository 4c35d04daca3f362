"""The people who play MegaCity at the virtual table, written from the rulebook."""
