"""Schemas: inferred from data, shown to users, and given to the build programs of rows that need one."""
