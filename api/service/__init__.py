"""What a running service stands on: its database, settings, log, figures, feed."""
