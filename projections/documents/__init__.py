"""Documents: one file for each, JSON for one viewer."""
