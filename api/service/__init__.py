"""What a running service is built on: its database, settings, log, metrics, feed."""
