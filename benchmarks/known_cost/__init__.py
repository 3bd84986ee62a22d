"""Programs on what the harness itself costs: known_cost.table and known_cost.hash (docs/validation.md)."""
