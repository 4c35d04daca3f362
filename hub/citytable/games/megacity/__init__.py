"""MegaCity: Oceania. Rules R1-R52 with rulings A1-A50, see `docs/reference/megacity-rules.md`."""
