"""Programs to run: the service, the views, the demonstration, everything at once."""
