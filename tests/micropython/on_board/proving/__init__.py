"""A proving ground for the station program: models below it, hands that move things, and a link that writes down.

It runs wherever the station program runs: on the VM of the tests with a clock that jumps, and on a real board with its
own. A scenario gets a `Table` (table.py) and knows nothing of what is below it.
"""
