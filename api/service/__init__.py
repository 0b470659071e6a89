"""The parts of a running service: its database, settings, log, metrics and feed."""
