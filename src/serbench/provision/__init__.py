"""Where a library comes from, and which version it turned out to be."""
