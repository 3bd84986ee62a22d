"""A run of any kind, from its rows to its run file: one session, and what is measured as steps on it."""
