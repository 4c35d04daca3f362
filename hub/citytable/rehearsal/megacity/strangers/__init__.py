"""Strangers: a second family of people who play MegaCity, written from the rulebook and apart from the first one.

They share the box, the record and the referee with the first family, but no habit and no motion: what holds for one
only is what we assumed of people, and not what people do.
"""
