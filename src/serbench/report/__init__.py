"""Pure functions from run files to tables, Markdown, CSV and JSON."""
