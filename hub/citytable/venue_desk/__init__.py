"""The desk of a venue: it keeps evenings in PostgreSQL, hears what tables report, and shows pages."""
