"""Passers-by: a third family of people who play MegaCity, as they sit down at a café's table.

They were written by an outside judge from the rulebook alone. They share the box, the record, the referee and the
sensors' code with the other families, but no habit, no motion and no way of choosing a turn.
"""
