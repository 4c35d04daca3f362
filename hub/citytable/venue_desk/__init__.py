"""Run the desk of a venue: store evenings in PostgreSQL, receive the reports of tables, and serve pages."""
