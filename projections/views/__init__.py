"""Views: tables built from the events, always up to a complete save. They can be rebuilt at any time."""
