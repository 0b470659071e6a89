"""The programs that run the service, update the views, play the demonstration, or do everything at once."""
