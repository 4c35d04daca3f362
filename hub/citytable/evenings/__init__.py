"""Simulate evenings without stations: people who do not wait for the display, sensors that err, a judge with the truth.

There is no wire and no firmware: the acts of hands become facts directly, as the hub's sensing would report them. An
evening is a pure function of its seed. The umpire is used only when the evening is judged.
"""
