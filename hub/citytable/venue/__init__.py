"""An evening of many tables: who plays whom, where they sit, and how they stand. Pure: facts in, values out."""
