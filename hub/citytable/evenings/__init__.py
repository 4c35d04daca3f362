"""Evenings on the level of facts: people who wait for no display, sensors that err, and a judge who knows the truth.

No wire and no firmware: what hands do becomes facts as the hub's sensing would report them. An evening is a pure
function of its seed. The umpire only comes in when it is judged.
"""
