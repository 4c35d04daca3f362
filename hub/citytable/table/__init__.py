"""Define the values of the physical table: spots, facts, questions, the plan. All are frozen, without behaviour.

This package imports nothing from other rooms."""
