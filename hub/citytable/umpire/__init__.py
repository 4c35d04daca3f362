"""Facts and layouts in; provisional and confirmed actions, questions and the table's status out. No game knowledge."""
