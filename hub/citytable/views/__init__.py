"""What each viewer may see: one view of the table, two renderers (screens and LED rings), one web server."""
