"""The gate: no row is timed before it has proved that it is right."""
