"""Views: tables built from the events, always up to a whole save, which can be rebuilt from scratch at any time."""
