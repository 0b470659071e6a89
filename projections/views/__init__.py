"""Views: tables built from the events, which always end with a whole save and can be rebuilt from scratch at any time."""
